import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// What comes before a refresh, and what it answers then: that it moved if there was anything to
  /// move to, and not if there was nothing, twice; and where it leads.
  static let refreshAnswers = Probe("refresh() says whether it moved, whatever has been") { stage in
    Backstage.hooks?.record()
    for (homes, onQueue) in [("here", false), ("on a queue", true)] {
      let queue = DispatchQueue(label: "home")
      func on<Value>(_ body: () throws -> Value) rethrows -> Value {
        onQueue ? try queue.sync(execute: body) : try body()
      }
      var realm: Realm!
      let configuration = Vessel.configuration(stage, homes)
      try on {
        realm = try Realm(configuration: configuration, queue: onQueue ? queue : nil)
        realm.autorefresh = false
        try realm.write { Vessel.stock(realm) }
      }
      func foreign(_ change: @escaping (Realm) -> Void) throws {
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { change(other) }
        }
      }
      let befores: [(String, moves: Bool, run: () throws -> Void)] = [
        ("nothing", false, {}),
        ("an empty commit of another", true, { try foreign { _ in } }),
        ("a commit of another", true, { try foreign { $0.vessel(2).number += 1 } }),
        (
          "three commits of others", true,
          {
            for _ in 0..<3 { try foreign { $0.vessel(2).number += 1 } }
          }
        ),
        (
          "a deletion by another", true,
          {
            try foreign { $0.add(Vessel(id: 50)) }
            try foreign { $0.delete($0.vessel(50)) }
          }
        ),
        (
          "a commit of its own", false,
          { try on { try realm.write { realm.vessel(2).number += 1 } } }
        ),
        ("an empty commit of its own", false, { try on { try realm.write {} } }),
        (
          "a write of its own that was cancelled", false,
          {
            on {
              realm.beginWrite()
              realm.vessel(2).number = -1
              realm.cancelWrite()
            }
          }
        ),
        (
          "a write of another that was cancelled", false,
          {
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              other.beginWrite()
              other.deleteAll()
              other.cancelWrite()
            }
          }
        ),
        (
          "a commit of another, and a write of its own that was cancelled", false,
          {
            try foreign { $0.vessel(2).number += 1 }
            on {
              realm.beginWrite()
              realm.cancelWrite()
            }
          }
        ),
        (
          "a commit of another, and a freeze", true,
          {
            try foreign { $0.vessel(2).number += 1 }
            on { use(realm.freeze().vessel(1)?.number) }
          }
        ),
        (
          "somebody who opens and reads", false,
          {
            use(try stage.elsewhere { try Realm(configuration: configuration).dump })
          }
        ),
        (
          "a copy of the file", false,
          {
            try on {
              try realm.writeCopy(
                toFile: stage.directory.appendingPathComponent("copy \(UUID()).realm"))
            }
          }
        ),
      ]
      for (name, moves, run) in befores {
        try run()
        let newest = try stage.elsewhere { try Realm(configuration: configuration).dump }
        try on {
          let (first, second) = (realm.vessel(1)!, realm.vessel(2)!)
          use(first.number)
          stage.equal(realm.refresh(), moves, "the answer \(homes) after \(name)")
          stage.equal(realm.refresh(), false, "the answer \(homes) after \(name), again")
          stage.equal(realm.dump, newest, "what is shown \(homes) after \(name)")
          stage.equal(
            [first.isInvalidated, second.isInvalidated], [false, false],
            "who is gone \(homes) after \(name)")
          try realm.write {
            stage.equal(realm.refresh(), false, "the answer in a write \(homes) after \(name)")
          }
        }
      }
      on { realm = nil }
    }
  }
}
