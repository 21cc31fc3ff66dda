import EngineUnderTest
import Foundation
import Harness

/// References that are made to frozen objects of which something has become meanwhile.
enum RefFrozen {
  private enum Going: String, CaseIterable {
    case never = "nobody goes"
    case one = "one goes"
    case everySecond = "every second one goes"
    case all = "all go"
    case allTwice = "all go twice"
  }

  private enum Way: String, CaseIterable {
    case own = "in writes of the realm"
    case foreign = "in writes elsewhere"
    case mixed = "elsewhere, and others come in a write of the realm"
  }

  static let probes: [Probe] = [
    probe(IntKeyed.self, Keyed.numbers), probe(IntOrNoneKeyed.self, Keyed.numbers + [nil]),
    probe(StringKeyed.self, Keyed.strings),
    probe(StringOrNoneKeyed.self, Keyed.strings + [nil]), probe(UUIDKeyed.self, Keyed.uuids),
    probe(UUIDOrNoneKeyed.self, Keyed.uuids + [nil]), probe(ObjectIdKeyed.self, Keyed.ids),
    probe(ObjectIdOrNoneKeyed.self, Keyed.ids + [nil]),
  ]

  private static func probe<Class: KeyedClass>(
    _ type: Class.Type, _ keys: [Class.Key]
  ) -> Probe where Class.Key: Sendable {
    Probe("a reference to a frozen \(type) is not the one that came under its key before") {
      stage in
      Backstage.hooks?.skipFlushes()
      let configuration = Keyed.configuration(stage)
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      func write(_ isForeign: Bool, _ body: @escaping (Realm) -> Void) throws {
        if !isForeign { return try realm.write { body(realm) } }
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { body(other) }
        }
        realm.refresh()
      }
      for way in Way.allCases {
        for going in Going.allCases {
          for comesAtOnce in [true, false] {
            try realm.write {
              realm.deleteAll()
              for key in keys { realm.add(Keyed.made(type, key, "old")) }
            }
            // Frozen by itself, as a member, and in a realm.
            let snapshot = realm.freeze()
            let frozen = [
              keys.map { realm.object(ofType: type, forPrimaryKey: $0)!.freeze() },
              keys.map { snapshot.object(ofType: type, forPrimaryKey: $0)! },
              keys.map { key in realm.objects(type).freeze().first { $0.key == key }! },
            ]
            let gone = Set(
              keys.indices.filter {
                switch going {
                case .never: false
                case .one: $0 == keys.count / 2
                case .everySecond: $0 % 2 == 0
                case .all, .allTwice: true
                }
              })
            func go(_ realm: Realm) {
              for place in gone.sorted() {
                realm.delete(realm.object(ofType: type, forPrimaryKey: keys[place])!)
              }
            }
            func come(_ realm: Realm) {
              for place in gone.sorted() { realm.add(Keyed.made(type, keys[place], "new")) }
            }
            for _ in 0..<(going == .allTwice ? 2 : 1) {
              if comesAtOnce, way != .mixed {
                try write(way == .foreign) {
                  go($0)
                  come($0)
                }
              } else {
                try write(way != .own, go)
                try write(way == .foreign, come)
              }
            }
            let what = "\(going.rawValue) \(way.rawValue), others at once: \(comesAtOnce)"
            let expected = keys.indices.map { gone.contains($0) ? nil : "old" }
            for (number, objects) in frozen.enumerated() {
              func references() -> [ThreadSafeReference<Class>] {
                objects.map { ThreadSafeReference(to: $0) }
              }
              let (here, elsewhere, later) = (references(), references(), references())
              stage.equal(
                here.map { realm.resolve($0)?.note }, expected,
                "what references to frozen ones \(number) find: \(what)")
              try stage.elsewhere {
                let other = try Realm(configuration: configuration)
                stage.equal(
                  elsewhere.map { other.resolve($0)?.note }, expected,
                  "what references to frozen ones \(number) find elsewhere: \(what)")
              }
              try realm.write { realm.add(Keyed.made(type, keys[0], "new"), update: .modified) }
              let changed = expected.enumerated().map { place, note in
                place == 0 && note != nil ? "new" : note
              }
              stage.equal(
                later.map { realm.resolve($0)?.note }, changed,
                "what references to frozen ones \(number) find later: \(what)")
              try realm.write {
                realm.object(ofType: type, forPrimaryKey: keys[0])!.note =
                  gone.contains(0) ? "new" : "old"
              }
            }
          }
        }
      }
    }
  }
}
