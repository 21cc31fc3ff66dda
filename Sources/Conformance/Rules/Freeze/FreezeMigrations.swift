import EngineUnderTest
import Foundation
import Harness

/// What is frozen about a migration: the objects that it comes from, and what is frozen first of a
/// realm that has made one.
enum FreezeMigrations {
  // MARK: The old objects

  private static let plain = [
    "id", "number", "maybe", "text", "name", "maybeText", "ratio", "truth",
  ]

  private static func words(_ value: Any?) -> String { value.map { "\($0)" } ?? "null" }

  /// A property of what a link leads to.
  private static func linked(_ name: String, _ property: String, _ one: MigrationObject) -> String {
    (one[property] as? ObjectBase).map { words(ByName.value(name, of: $0)) } ?? "no link"
  }

  /// What an object shows of each kind of property, and through links of others.
  private static func shown(_ one: MigrationObject) -> [String] {
    let named: Map<String, DynamicObject?> = one.dynamicMap("named")
    return plain.map { "\($0): \(words(one[$0]))" } + [
      "link: \(linked("text", "link", one))", "part: \(linked("text", "part", one))",
      "links: \(one.dynamicList("links").map { words($0["number"]) })",
      "group: \(one.dynamicMutableSet("group").map { words($0["id"]) }.sorted())",
      "named: \(named.keys.sorted())",
      "parts: \(one.dynamicList("parts").map { words($0["text"]) })",
    ]
  }

  private static func change(_ one: MigrationObject, _ number: Int) {
    one["number"] = number
    one["maybe"] = number % 2 == 0 ? nil : number
    one["text"] = "text \(number)"
    one["name"] = "name \(number)"
    one["maybeText"] = number % 2 == 0 ? "some" : nil
    one["ratio"] = Double(number) / 4
    one["truth"] = number % 2 == 0
    one["link"] = number % 2 == 0 ? nil : one
    let links = one.dynamicList("links")
    links.removeAll()
    links.append(one)
    let group = one.dynamicMutableSet("group")
    group.removeAll()
    group.insert(one)
    let named: Map<String, DynamicObject?> = one.dynamicMap("named")
    named["of \(number)"] = .some(one)
    for part in one.dynamicList("parts") { part["text"] = "part \(number)" }
  }

  static let oldOnes = Probe(
    "the old objects of a migration stay as they were, whatever is set in the new ones, and when"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try Vessel.stocked(stage) }
    for version in 1...3 as ClosedRange<UInt64> {
      var configuration = Vessel.configuration(stage)
      configuration.schemaVersion = version
      configuration.migrationBlock = { migration, _ in
        var before: [Int: [String]] = [:]
        func look(_ old: MigrationObject, _ when: String) {
          let id = old["id"] as? Int ?? -1
          stage.equal(shown(old), before[id] ?? [], "old object \(id) of \(version), \(when)")
        }
        func each(_ body: (MigrationObject, MigrationObject) -> Void) {
          migration.enumerateObjects(ofType: Vessel.className()) { old, new in
            guard let old, let new else {
              return stage.fail(expected: "an old object and a new one", observed: "one is nil")
            }
            body(old, new)
          }
        }
        each { old, _ in before[old["id"] as? Int ?? -1] = shown(old) }
        stage.equal(before[1] != nil && before[2] != nil, true, "whether both are visited")
        // One property at first, then each.
        each { old, new in
          new["text"] = "set alone"
          look(old, "when one property was set")
          for round in 1...2 {
            let number = Int(version) * 100 + (old["id"] as? Int ?? 0) * 10 + round
            change(new, number)
            look(old, "when all were set, round \(round)")
            stage.equal(new["number"] as? Int, number, "what was set in \(version)")
          }
        }
        each { old, _ in look(old, "when they are visited again") }
        let made = migration.create(
          Vessel.className(), value: ["id": 10 + Int(version), "text": "made"])
        each { old, new in
          new["link"] = made
          look(old, "when a new one was made and linked to")
        }
      }
      let asked = configuration
      try stage.elsewhere {
        let realm = try Realm(configuration: asked)
        stage.equal(realm.vessel(1)?.number, Int(version) * 100 + 12, "the number of the first")
        stage.equal(realm.vessel(2)?.link?.id, 10 + Int(version), "whom the second links to")
      }
    }
  }

  // MARK: The first that is frozen

  /// What is frozen; and what it shows, which each migration makes one more.
  private struct Thing: Sendable {
    let name: String
    let value: Int
    /// What it shows where it is frozen behind a write.
    let next: Int
    let freeze: @Sendable (Realm) -> () -> Int

    init(
      _ name: String, _ value: Int, _ next: Int,
      _ freeze: @escaping @Sendable (Realm) -> () -> Int
    ) {
      (self.name, self.value, self.next, self.freeze) = (name, value, next, freeze)
    }
  }

  private static let things: [Thing] = [
    Thing("the realm", 100, -5) { realm in
      let frozen = realm.freeze()
      return { frozen.account(1).balance }
    },
    Thing("the realm, in a write", 100, -5) { realm in
      realm.beginWrite()
      realm.account(1).balance = -1
      let frozen = realm.freeze()
      realm.cancelWrite()
      return { frozen.account(1).balance }
    },
    Thing("an object", 200, 201) { realm in
      let frozen = realm.account(2).freeze()
      return { frozen.balance }
    },
    Thing("an object without a key", 30, -5) { realm in
      let frozen = realm.person("Ann").freeze()
      return { frozen.age }
    },
    Thing("all objects", 100, -5) { realm in
      let frozen = realm.objects(Account.self).freeze()
      return { frozen.min(ofProperty: "balance") ?? -1 }
    },
    Thing("a query", 300, 301) { realm in
      let frozen = realm.objects(Account.self).where { $0.id == 3 }.freeze()
      return { frozen.first?.balance ?? -1 }
    },
    Thing("an order", 50, -5) { realm in
      let frozen = realm.objects(Person.self).sorted(byKeyPath: "age").freeze()
      return { frozen.last?.age ?? -1 }
    },
    Thing("a list", 1, -5) { realm in
      let frozen = realm.person("Bob").dogs.freeze()
      return { frozen[0].age }
    },
    Thing("links backwards", 40, -5) { realm in
      let frozen = realm.person("Bob").dogs[0].owners.freeze()
      return { frozen[0].age }
    },
    Thing("an erased list", 2, -5) { realm in
      let frozen = AnyRealmCollection(realm.person("Cid").dogs).freeze()
      return { frozen[1].age }
    },
    Thing("how many there are", 3, 5) { realm in
      let frozen = realm.freeze()
      return { frozen.objects(Account.self).count }
    },
  ]

  /// How the realm is opened that migrates its file, and what it does before something is frozen.
  private enum Way: String, CaseIterable, Sendable {
    case thread = "on a thread"
    case queue = "on a queue"
    case read = "on a thread, when all was read"
    case refreshed = "on a thread, behind a refresh"
    case written = "on a thread, behind a write that was cancelled"
    case asynchronously = "by asyncOpen"

    func open(
      _ configuration: Realm.Configuration, _ stage: Stage, _ body: @escaping (Realm) throws -> Void
    ) throws {
      let queue = DispatchQueue(label: "home")
      switch self {
      case .queue:
        try queue.sync { try body(try Realm(configuration: configuration, queue: queue)) }
      case .asynchronously:
        try stage.openedAsynchronously(configuration, on: queue, body).get()
      default:
        try stage.elsewhere {
          let realm = try Realm(configuration: configuration)
          switch self {
          case .read: use((realm.account(1).balance, realm.person("Ann").dogs.count))
          case .refreshed: realm.refresh()
          case .written:
            realm.beginWrite()
            realm.account(1).balance = 0
            realm.cancelWrite()
          default: break
          }
          try body(realm)
        }
      }
    }
  }

  static let firstOnes: [Probe] = Way.allCases.map { way in
    Probe("what is frozen first of a realm that has migrated is as it is then, \(way.rawValue)") {
      stage in
      Backstage.hooks?.skipFlushes()
      for (number, thing) in things.enumerated() {
        let name = "\(number)"
        try stage.elsewhere { _ = try stage.stocked(name) }
        var configuration = stage.configuration(name)
        configuration.schemaVersion = 1
        configuration.migrationBlock = { migration, _ in
          for (type, property) in [("Account", "balance"), ("Person", "age"), ("Dog", "age")] {
            migration.enumerateObjects(ofType: type) { old, new in
              new?[property] = (old?[property] as? Int ?? -100) + 1
            }
          }
          migration.create("Account", value: ["id": 4, "balance": 1_000])
        }
        try way.open(configuration, stage) { realm in
          let show = thing.freeze(realm)
          stage.equal(show(), thing.value + 1, "what \(thing.name) shows, frozen first")
          try realm.write {
            realm.account(1).balance = -5
            for person in realm.objects(Person.self) { person.age = -5 }
            for dog in realm.objects(Dog.self) { dog.age = -5 }
            realm.add(Account(id: 5))
          }
          stage.equal(show(), thing.value + 1, "what \(thing.name) shows behind a write")
          stage.equal(thing.freeze(realm)(), thing.next, "what \(thing.name) shows, frozen again")
        }
      }
    }
  }
}
