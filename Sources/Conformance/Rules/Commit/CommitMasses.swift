import EngineUnderTest
import Foundation

/// Writes of tens of thousands of objects: a write like any other, seen as a whole or not at all.
enum CommitMasses {
  private static let count = 30_000

  private enum Way: String, CaseIterable {
    case add, create
    case together = "add of a sequence"
  }

  static let probes: [Probe] = Way.allCases.map { way in
    Probe("a write of \(count) objects is one commit, by \(way.rawValue)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.stocked()
      func seen() throws -> Int { try stage.seen { $0.objects(Dog.self).count } }
      let before = realm.objects(Dog.self).count
      func fill() throws {
        let parts = 3
        for part in 1...parts {
          switch way {
          case .add: for age in 0..<count / parts { realm.add(Dog(name: "new", age: age)) }
          case .create:
            for age in 0..<count / parts {
              realm.create(Dog.self, value: ["name": "new", "age": age] as [String: Any])
            }
          case .together: realm.add((0..<count / parts).map { Dog(name: "new", age: $0) })
          }
          stage.equal(try seen(), before, "what others see behind part \(part)")
          stage.equal(
            realm.objects(Dog.self).count, before + part * count / parts, "what the write sees")
        }
      }
      realm.beginWrite()
      try fill()
      realm.cancelWrite()
      stage.equal(realm.objects(Dog.self).count, before, "what a cancelled write leaves")
      stage.equal(try seen(), before, "what others see of a cancelled write")
      realm.beginWrite()
      try fill()
      try realm.commitWrite()
      stage.equal(try seen(), before + count, "what others see of a commit")
    }
  }
}
