import EngineUnderTest
import Foundation
import Harness

/// Many objects that go at once, of each type of key, from a file in which nothing else could lead
/// to them: what an engine does with all of them together it need not do with each.
enum Masses {
  private static let count = 600

  /// Which of them go.
  private static let ranges = [
    0..<1, 0..<5, 0..<63, 0..<64, 7..<72, 100..<230, 200..<600, 0..<600,
  ]

  /// How they go.
  private enum Way: String, CaseIterable {
    case together = "together"
    case asArray = "as an array"
    case oneByOne = "one by one, from the last on"
    case everySecond = "every second together"
  }

  static let probes: [Probe] = [
    probe(IntKeyed.self) { $0 },
    probe(IntOrNoneKeyed.self) { $0 == 0 ? nil : $0 - 300 },
    probe(StringKeyed.self) { "key \($0)" },
    probe(UUIDKeyed.self) { number in
      UUID(uuidString: "00000000-0000-0000-0000-\(String(format: "%012d", number))")!
    },
  ]

  private static func probe<Class: KeyedClass>(
    _ type: Class.Type, _ key: @escaping @Sendable (Int) -> Class.Key
  ) -> Probe where Class.Key: Sendable {
    Probe("many of \(type) that are deleted at once go, and are back after a cancel") { stage in
      Backstage.hooks?.skipFlushes()
      var configuration = stage.configuration()
      configuration.objectTypes = [type, Blob.self]
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      func add(_ number: Int, _ note: String, to realm: Realm) {
        realm.add(Keyed.made(type, key(number), note))
      }
      func find(_ number: Int, in realm: Realm) -> Class? {
        realm.object(ofType: type, forPrimaryKey: key(number))
      }
      try realm.write { for number in 0..<count { add(number, "n\(number)", to: realm) } }
      let all = (0..<count).map { find($0, in: realm)! }
      let notes = (0..<count).map { "n\($0)" }
      func remove(_ range: Range<Int>, _ way: Way, in realm: Realm) {
        func some(_ numbers: [Int]) -> Results<Class> {
          realm.objects(type).filter("note IN %@", numbers.map { "n\($0)" })
        }
        switch way {
        case .together where range.count == count: realm.delete(realm.objects(type))
        case .together: realm.delete(some(Array(range)))
        case .asArray: realm.delete(range.map { find($0, in: realm)! })
        case .oneByOne: for number in range.reversed() { realm.delete(find(number, in: realm)!) }
        case .everySecond: realm.delete(some(range.filter { $0 % 2 == 0 }))
        }
      }
      func gone(_ range: Range<Int>, _ way: Way) -> Set<Int> {
        Set(range.filter { way != .everySecond || $0 % 2 == 0 })
      }
      func invalidated() -> Set<Int> { Set((0..<count).filter { all[$0].isInvalidated }) }

      for (number, range) in ranges.enumerated() {
        for (place, way) in Way.allCases.enumerated()
        where stage.isDue(number + place, of: 2) {
          let what = "\(range) \(way.rawValue)"
          for (turn, end) in Lost.ends.enumerated()
          where turn < 2
            || end.name.hasPrefix("that failed") && stage.isDue(number + turn, of: 4, apart: 2)
          {
            try end.run(stage, realm) {
              remove(range, way, in: realm)
              stage.equal(invalidated(), gone(range, way), "who is gone in the write, \(what)")
              // Others come in the place of some, and go with the write.
              if turn == 1 { for one in gone(range, way).prefix(70) { add(one, "new", to: realm) } }
            }
            stage.equal(invalidated(), [], "who is gone after a write \(end.name), \(what)")
            if turn < 2 || number == 0 {
              stage.equal(all.map(\.note), notes, "the notes after a write \(end.name), \(what)")
            }
          }
        }
      }

      // Here, and elsewhere: then they have gone for good, whoever comes under their keys.
      var left = Set(0..<count)
      for (number, range) in [3..<70, 100..<101, 200..<330, 400..<599].enumerated() {
        let isForeign = number % 2 == 0
        func write(_ body: @escaping (Realm) -> Void) throws {
          if isForeign {
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              try other.write { body(other) }
            }
            realm.refresh()
          } else {
            try realm.write { body(realm) }
          }
        }
        left.subtract(range)
        let dead = Set(0..<count).subtracting(left)
        try write { remove(range, .together, in: $0) }
        stage.equal(invalidated(), dead, "who is gone for good, \(range)")
        try write { realm in for one in range { add(one, "new", to: realm) } }
        stage.equal(invalidated(), dead, "who is gone while others have the keys, \(range)")
        stage.equal(
          range.map { find($0, in: realm)?.note }, range.map { _ in "new" }, "who has the keys")
        stage.equal(left.map { all[$0].note }, left.map { "n\($0)" }, "the others' notes")
      }
    }
  }
}
