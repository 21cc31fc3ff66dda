import EngineUnderTest
import Evidence
import Foundation

extension Probe {
  /// Sorts one upon another, of which one is by the primary key: the later one decides, and those
  /// before it among members that are alike.
  static let sortsUponSorts: [Probe] = [
    Probe("sorted again, by the primary key before, behind or between others") { stage in
      var chance = stage.chance
      try stage.eachView(Fields.sortable, sizes: [1, 5, 50, 300]) { view, first, crowd in
        let second = Fields.sortable[chance.below(Fields.sortable.count)]
        let (up, other) = (chance.below(2) == 0, chance.below(2) == 0)
        func sorted(_ results: Results<Specimen>, _ name: String, _ up: Bool) -> Results<Specimen> {
          results.sorted(byKeyPath: name, ascending: up)
        }
        let byFirst = view.members.sorted(byKeyPath: first.name, ascending: other)
        let keys = up ? view.ids.sorted() : view.ids.sorted().reversed()
        func check(_ results: Results<Specimen>, _ expected: [Int], _ how: String) {
          let observed = results.map(\.id)
          stage.expect(
            observed == expected,
            "\(view.name) of \(crowd.size) \(how), \(first.name) \(other), \(second.name)",
            observed: "\(observed.prefix(8)) instead of \(expected.prefix(8))")
          stage.equal(
            [results.first?.id, results.last?.id], [expected.first, expected.last], "its ends")
          if let middle = expected.dropFirst(expected.count / 2).first {
            stage.equal(results[expected.count / 2].id, middle, "its middle")
          }
        }
        check(sorted(byFirst, "id", up), keys, "by one property, then by the key")
        check(
          sorted(sorted(byFirst, second.name, other), "id", up), keys,
          "by two properties one after the other, then by the key")
        check(
          sorted(byFirst.where { $0.id >= 0 }, "id", up), keys,
          "by one property, filtered, then by the key")
        let byKey = view.members.sorted(byKeyPath: "id", ascending: up)
        let behind = crowd.sorted(keys, [(first, other)])
        check(sorted(byKey, first.name, other), behind, "by the key, then by one property")
        check(
          sorted(sorted(byKey, first.name, other), "id", !up), keys.reversed(),
          "by the key, by one property, and by the key again")
      }
    },
    Probe("each type of key: sorted by a note, then by the key, is sorted by the key") { stage in
      let realm = try Realm(configuration: Keyed.configuration(stage))
      func look<Class: KeyedClass>(_ type: Class.Type, _ keys: [Class.Key]) throws {
        for (number, order) in [keys, keys.reversed()].enumerated() {
          try realm.write {
            realm.delete(realm.objects(type))
            for (place, key) in order.enumerated() {
              realm.add(Keyed.made(type, key, "\((place * 5 + number) % 3)"))
            }
          }
          for up in [true, false] {
            let plain = realm.objects(type).sorted(byKeyPath: "key", ascending: up).map(\.key)
            for upBefore in [true, false] {
              let before = realm.objects(type).sorted(byKeyPath: "note", ascending: upBefore)
              let results = before.sorted(byKeyPath: "key", ascending: up)
              stage.equal(results.map(\.key), Array(plain), "the keys of \(type), up: \(up)")
              stage.equal(results.first?.key, plain.first, "the first of \(type), up: \(up)")
              stage.equal(results.last?.key, plain.last, "the last of \(type), up: \(up)")
            }
          }
        }
      }
      try look(IntKeyed.self, Keyed.numbers)
      try look(IntOrNoneKeyed.self, Keyed.numbers + [nil])
      try look(StringKeyed.self, Keyed.strings)
      try look(StringOrNoneKeyed.self, Keyed.strings + [nil])
      try look(UUIDKeyed.self, Keyed.uuids)
      try look(UUIDOrNoneKeyed.self, Keyed.uuids + [nil])
      try look(ObjectIdKeyed.self, Keyed.ids)
      try look(ObjectIdOrNoneKeyed.self, Keyed.ids + [nil])
    },
  ]
}
