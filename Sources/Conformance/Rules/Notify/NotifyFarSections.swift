import EngineUnderTest
import Foundation
import Harness

final class Flat: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted var house: House?
  @Persisted var houses: List<House>
}

final class House: Object {
  @Persisted var name: String
  @Persisted var street: Street?
  @Persisted var streets: Map<String, Street?>
}

final class Street: Object {
  @Persisted var name: String
  @Persisted var town: Town?
  @Persisted var towns: MutableSet<Town>
}

final class Town: Object {
  @Persisted var name: String
  @Persisted var land: Land?
}

final class Land: Object {
  @Persisted var name: String
}

/// Sections by functions of what is some links away: whoever changes what a function looks at, the
/// listeners of the sections are told.
enum FarSections {
  private struct By: Sendable {
    let name: String
    let key: @Sendable (Flat) -> String

    init(_ name: String, _ key: @escaping @Sendable (Flat) -> String) {
      (self.name, self.key) = (name, key)
    }
  }

  private static let all = [
    By("a property of their own") { "\($0.number % 3)" },
    By("one a link away") { $0.house?.name ?? "none" },
    By("one two links away") { $0.house?.street?.name ?? "none" },
    By("one three links away") { $0.house?.street?.town?.name ?? "none" },
    By("one four links away") { $0.house?.street?.town?.land?.name ?? "none" },
    By("one behind a list") { $0.houses.last?.street?.town?.name ?? "none" },
    By("one behind a map") { ($0.house?.streets["main"] ?? nil)?.town?.name ?? "none" },
    By("one behind a set") {
      $0.house?.street?.towns.map(\.name).sorted().joined(separator: " ") ?? "none"
    },
    By("how many there are behind two links") { "\($0.house?.street?.towns.count ?? -1)" },
  ]

  private typealias Change = (name: String, run: @Sendable (Realm, Int) -> Void)

  private static func first<Class: Object>(_ type: Class.Type, _ realm: Realm) -> Class {
    realm.objects(type).filter("name BEGINSWITH 'one'").first!
  }

  private static let changes: [Change] = [
    (
      "a flat",
      { realm, number in
        for flat in realm.objects(Flat.self) { flat.number += 1 + flat.id % 2 + number % 2 }
      }
    ),
    ("a house's name", { first(House.self, $0).name = "one \($1)" }),
    ("a street's name", { first(Street.self, $0).name = "one \($1)" }),
    ("a town's name", { first(Town.self, $0).name = "one \($1)" }),
    ("a land's name", { first(Land.self, $0).name = "one \($1)" }),
    (
      "a town's land",
      { realm, number in
        first(Town.self, realm).land = realm.create(Land.self, value: ["name": "\(number)"])
      }
    ),
    (
      "a street's town",
      { realm, number in
        first(Street.self, realm).town = realm.create(Town.self, value: ["name": "\(number)"])
      }
    ),
    (
      "a street's towns",
      { realm, number in
        first(Street.self, realm).towns.insert(
          realm.create(Town.self, value: ["name": "\(number)"]))
      }
    ),
    (
      "a house's street",
      { realm, number in
        first(House.self, realm).street = realm.create(
          Street.self, value: ["name": "\(number)"])
      }
    ),
    (
      "a house's streets",
      { realm, number in
        let street = realm.create(Street.self, value: ["name": "\(number)"])
        street.town = realm.create(Town.self, value: ["name": "\(number)"])
        first(House.self, realm).streets["main"] = .some(street)
      }
    ),
    (
      "a flat's houses",
      { realm, _ in
        realm.objects(Flat.self).first!.houses.removeAll()
      }
    ),
    ("a flat's house", { realm, _ in realm.objects(Flat.self).first!.house = nil }),
    ("all towns", { realm, _ in realm.delete(realm.objects(Town.self)) }),
  ]

  private static func stock(_ realm: Realm) {
    realm.deleteAll()
    for (place, name) in ["one", "two"].enumerated() {
      let land = realm.create(Land.self, value: ["name": name])
      let town = realm.create(Town.self, value: ["name": name])
      let street = realm.create(Street.self, value: ["name": name])
      let house = realm.create(House.self, value: ["name": name])
      (town.land, street.town, house.street) = (land, town, street)
      street.towns.insert(town)
      house.streets["main"] = .some(street)
      for id in 0..<3 {
        let flat = realm.create(Flat.self, value: ["id": place * 10 + id, "number": id])
        flat.house = house
        flat.houses.append(house)
      }
    }
  }

  static let probes: [Probe] = all.map { by in
    Probe("sections by \(by.name) are told of each change to what they look at") { stage in
      var configuration = stage.configuration()
      configuration.objectTypes = [Flat.self, House.self, Street.self, Town.self, Land.self]
      let types = configuration
      let realm = try Realm(configuration: types)
      for isForeign in [false, true] {
        try realm.write { stock(realm) }
        let flats = realm.objects(Flat.self)
        let sections = flats.sectioned(
          by: by.key, sortDescriptors: [SortDescriptor(keyPath: "id")])
        var told: [String: [Int]] = [:]
        let token = sections.observe { change in
          switch change {
          case .initial(let now), .update(let now, _, _, _, _, _):
            told = Dictionary(uniqueKeysWithValues: now.map { ($0.key, $0.map(\.id).sorted()) })
          }
        }
        func there() -> [String: [Int]] {
          Dictionary(grouping: flats, by: by.key).mapValues { $0.map(\.id).sorted() }
        }
        try stage.spin(until: { told == there() }, "the first call")
        for (number, change) in changes.enumerated() {
          if isForeign {
            try stage.elsewhere {
              let other = try Realm(configuration: types)
              try other.write { change.run(other, number) }
            }
            realm.refresh()
          } else {
            try realm.write { change.run(realm, number) }
          }
          let expected = there()
          try stage.spin(
            until: { told == expected },
            "the call for \(change.name), foreign: \(isForeign), with \(expected)")
        }
        stage.expect(told.count < 6, "sections that were told", observed: "\(told)")
        token.invalidate()
      }
    }
  }
}
