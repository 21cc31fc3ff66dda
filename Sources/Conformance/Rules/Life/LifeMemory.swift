import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// A realm in memory does with each change what one in a file does: here, frozen, on another
  /// thread and on a queue that stays, committed in each way or taken back.
  static let memoryIsLikeAFile = Probe(
    "a realm in memory does with each change what one in a file does"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let file = try Vessel.stocked(stage)
    let configuration = Realm.Configuration(
      inMemoryIdentifier: "vessels", objectTypes: [Vessel.self, Part.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { Vessel.stock(realm) }
    let queue = DispatchQueue(label: "who stays")
    var stays: Realm?
    try queue.sync {
      stays = try Realm(configuration: configuration, queue: queue)
      stays!.autorefresh = false
    }
    var told = 0
    let tokens = [
      realm.objects(Vessel.self).observe { _ in told += 1 },
      realm.objects(Vessel.self).where { $0.number >= 0 }.observe { _ in },
    ]
    try stage.spin(until: { told == 1 }, "the first call")
    for (number, change) in Change.all.enumerated()
    where change.name != "a UUID" && stage.isDue(number + 1, of: 2) {
      for one in [file, realm] {
        try one.write {
          one.deleteAll()
          Vessel.stock(one)
        }
      }
      let before = file.unmarked
      stage.equal(realm.unmarked, before, "what is in memory before \(change.name)")
      let frozen = realm.freeze()
      let reference = ThreadSafeReference(to: realm.vessel(1))
      queue.sync { _ = stays!.refresh() }
      realm.beginWrite()
      change.prepare(realm.vessel(1))()
      realm.delete(realm.vessel(2))
      realm.cancelWrite()
      stage.equal(realm.unmarked, before, "what is in memory when \(change.name) was cancelled")
      let calls = told
      let isHere = stage.isTurn(number + 3, of: 4)
      let manner = Manner.turn(stage, number / 2, apart: 4)
      let what = "\(change.name) \(isHere ? "by \(manner.name)" : "elsewhere")"
      if isHere {
        try manner.commit(stage, realm) { change.prepare(realm.vessel(1))() }
      } else {
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write {
            change.prepare(other.resolve(reference)!)()
            other.vessel(2).number += 1
          }
        }
        realm.refresh()
      }
      try file.write {
        change.prepare(file.vessel(1))()
        if !isHere { file.vessel(2).number += 1 }
      }
      let after = file.unmarked
      stage.equal(realm.unmarked, after, "what is in memory after \(what)")
      stage.equal(frozen.unmarked, before, "what is frozen in memory after \(what)")
      stage.equal(
        try stage.elsewhere { try Realm(configuration: configuration).unmarked }, after,
        "what another thread finds in memory after \(what)")
      queue.sync {
        _ = stage.equal(stays!.unmarked, before, "what one that stays shows after \(what)")
      }
      if after != before {
        try stage.spin(until: { told > calls }, "the call of a listener of \(what)")
      }
    }
    let copy = stage.directory.appendingPathComponent("copy.realm")
    try realm.writeCopy(toFile: copy)
    stage.equal(
      try stage.elsewhere { try Vessel.stocked(stage, "copy").unmarked }, realm.unmarked,
      "what a copy on the disk has")
    for token in tokens { token.invalidate() }
    queue.sync { stays = nil }
  }

  /// As long as one thing is held that belongs to a realm in memory, whoever opens the realm finds
  /// all its data. When nothing is held any more, the data are gone.
  static let memoryEnds = Probe("what is in memory is there for as long as anybody has it") {
    stage in
    let configuration = Realm.Configuration(
      inMemoryIdentifier: "vessels", objectTypes: [Vessel.self, Part.self])
    let holders: [(String, (Realm) -> Any)] = [
      ("a list", { $0.vessel(1).numbers }), ("a list of objects", { $0.vessel(1).links }),
      ("a set", { $0.vessel(1).labels }), ("a map", { $0.vessel(1).titles }),
      ("an embedded object", { $0.vessel(1).part! }),
      ("links backwards", { $0.vessel(1).throughLink }),
      ("a filter", { $0.objects(Vessel.self).where { $0.id == 1 } }),
      ("a sort", { $0.objects(Vessel.self).sorted(byKeyPath: "name") }),
      ("a frozen list", { $0.vessel(1).numbers.freeze() }), ("a frozen realm", { $0.freeze() }),
      ("a thawed object", { $0.vessel(1).freeze().thaw()! }),
    ]
    for (name, hold) in holders {
      var held: Any? = try stage.held {
        let realm = try Realm(configuration: configuration)
        stage.equal(realm.isEmpty, true, "whether nothing is there before \(name)")
        try realm.write { Vessel.stock(realm) }
        return hold(realm)
      }
      let number = try stage.elsewhere { () -> Int in
        let other = try Realm(configuration: configuration)
        try other.write { other.vessel(2)?.number += 1 }
        return other.vessel(2)?.number ?? -1
      }
      stage.equal(number, 1, "what is there while \(name) is held")
      use(held)
      held = nil
    }
    stage.equal(
      try stage.elsewhere { try Realm(configuration: configuration).isEmpty }, true,
      "whether nothing is there in the end")
  }
}
