import EngineUnderTest
import Foundation
import Harness

/// Variables that are given something of another file than what they had.
enum RefRetargeted {
  /// Each of some files to each other one, and back, of each kind of thing.
  static let probe = Probe("a variable of each kind is assigned what is of another file") { stage in
    Backstage.hooks?.skipFlushes()
    var memory = RefKinds.configuration(stage)
    memory.inMemoryIdentifier = "retargeted"
    var second = RefKinds.configuration(stage)
    second.fileURL = stage.directory.appendingPathComponent("second.realm")
    let files = [
      ("a file", RefKinds.configuration(stage)), ("another file", second), ("memory", memory),
    ]
    // Whoever holds one in memory keeps it.
    let realms = try files.map { file in
      let realm = try Realm(configuration: file.1)
      if realm.isEmpty { try realm.write { RefKinds.stock(realm) } }
      return realm
    }
    for (number, realm) in realms.enumerated() {
      try realm.write { RefKinds.change(realm, 2 * number + 1) }
    }
    for kind in RefKinds.all {
      let things = realms.map { kind.hold($0, 1) }
      for from in realms.indices {
        for to in realms.indices where to != from {
          let what = "\(kind.name) of \(files[from].0), then of \(files[to].0)"
          let variable = things[from].wrap()
          func check(_ file: Int, _ when: String) throws {
            let expected = things[file].digest()
            func look(_ place: String) {
              let thing = variable.read()
              stage.equal(thing?.digest, expected, "\(what), \(when), \(place)")
              stage.equal(
                thing?.realm?.configuration.fileURL, realms[file].configuration.fileURL,
                "the file of \(what), \(when), \(place)")
            }
            look("here")
            try stage.elsewhere { look("there") }
          }
          try check(from, "at first")
          variable.take(things[to])
          try check(to, "when it was assigned")
          variable.take(nil)
          stage.expect(variable.read() == nil, "nil, when nil was assigned, \(what)")
          variable.take(things[from])
          try check(from, "when the first was assigned again")
        }
      }
    }
  }
}
