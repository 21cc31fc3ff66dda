import EngineUnderTest
import Foundation
import Harness

/// Objects that are set, read and set again in a write that deletes others of their class together
/// in between: whatever goes around them, each stays who it is.
enum Sweeps {
  private enum Way: String, CaseIterable {
    case results = "results"
    case array = "an array"
    case sorted = "sorted results"
  }

  /// Who goes, seen from the one that is set.
  private enum Part: String, CaseIterable {
    case before = "all before it"
    case behind = "all behind it"
    case others = "all others"
    case every = "every second one"

    func has(_ place: Int, seenFrom kept: Int) -> Bool {
      switch self {
      case .before: place < kept
      case .behind: place > kept
      case .others: place != kept
      case .every: place != kept && place % 2 == 0
      }
    }
  }

  static let probes: [Probe] = [
    probe(IntKeyed.self) { $0 * 7 - 100 },
    probe(StringKeyed.self) { "key \($0)" },
    probe(UUIDKeyed.self) {
      UUID(uuid: (UInt8($0 & 255), 0, 0, 0, 0, 0, 0, UInt8($0 >> 8), 0, 0, 0, 0, 0, 0, 0, 0))
    },
    probe(ObjectIdKeyed.self) { try! ObjectId(string: String(format: "%024x", $0)) },
  ]

  private static func probe<Class: KeyedClass>(
    _ type: Class.Type, _ key: @escaping @Sendable (Int) -> Class.Key
  ) -> Probe where Class.Key: Sendable {
    Probe("in a write that deletes others together each \(type) is set and read as itself") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Realm(configuration: Keyed.configuration(stage))
      var round = 0
      for count in [3, 40, 300] {
        for part in Part.allCases {
          for kept in Set([0, 1, count / 2, count - 1]).sorted() {
            let way = Way.allCases[round % Way.allCases.count]
            let (isKept, looks) = (round % 4 != 3, round % 2 == 0)
            round += 1
            let what = "\(part.rawValue) of \(count), by \(way.rawValue), seen from \(kept)"
            let goes = Set((0..<count).filter { part.has($0, seenFrom: kept) })
            try realm.write {
              realm.deleteAll()
              for place in 0..<count {
                realm.add(Keyed.made(type, key(place), goes.contains(place) ? "goes" : "stays"))
              }
            }
            let one = realm.object(ofType: type, forPrimaryKey: key(kept))!
            let doomed = realm.objects(type).filter("note == 'goes'")
            realm.beginWrite()
            one.note = "once"
            if looks { stage.equal(one.note, "once", "what is set before \(what)") }
            switch way {
            case .results: realm.delete(doomed)
            case .array: realm.delete(Array(doomed))
            case .sorted: realm.delete(doomed.sorted(byKeyPath: "key", ascending: false))
            }
            if looks { stage.equal(one.note, "once", "what was set before \(what)") }
            one.note = "twice"
            stage.equal(one.note, "twice", "what is set after \(what)")
            realm.object(ofType: type, forPrimaryKey: key(kept))!.note += " and again"
            stage.equal(one.note, "twice and again", "what another variable sets after \(what)")
            func left(_ realm: Realm) -> [Class.Key: String] {
              Dictionary(uniqueKeysWithValues: realm.objects(type).map { ($0.key, $0.note) })
            }
            var expected: [Class.Key: String] = [:]
            for place in 0..<count where !goes.contains(place) { expected[key(place)] = "stays" }
            expected[key(kept)] = "twice and again"
            stage.equal(left(realm), expected, "who is there in the write after \(what)")
            if isKept {
              try realm.commitWrite()
            } else {
              realm.cancelWrite()
              for place in goes { expected[key(place)] = "goes" }
              expected[key(kept)] = "stays"
            }
            stage.equal(left(realm), expected, "who is there after \(what), kept: \(isKept)")
            stage.equal(one.note, expected[key(kept)], "the one, kept: \(isKept), after \(what)")
          }
        }
      }
    }
  }
}
