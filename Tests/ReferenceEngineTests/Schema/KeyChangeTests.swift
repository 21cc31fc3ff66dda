import Foundation
import Testing

@testable import ReferenceEngine

// One class, in the forms that migrations give it.

private enum Whole {
  final class Clerk: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var boss: Clerk?
    @Persisted var staff: List<Clerk>
    @Persisted var friends: MutableSet<Clerk>
    @Persisted var mixed: AnyRealmValue
    @Persisted var desk: Address?
    override class func _realmObjectName() -> String? { "Clerk" }
  }
}

private enum Maybe {
  final class Clerk: Object {
    @Persisted(primaryKey: true) var id: Int?
    @Persisted(indexed: true) var name: String
    @Persisted var boss: Clerk?
    @Persisted var staff: List<Clerk>
    @Persisted var friends: MutableSet<Clerk>
    @Persisted var mixed: AnyRealmValue
    @Persisted var desk: Address?
    override class func _realmObjectName() -> String? { "Clerk" }
  }
}

private enum Text {
  final class Clerk: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(indexed: true) var name: String
    @Persisted var boss: Clerk?
    @Persisted var staff: List<Clerk>
    @Persisted var friends: MutableSet<Clerk>
    @Persisted var mixed: AnyRealmValue
    @Persisted var desk: Address?
    override class func _realmObjectName() -> String? { "Clerk" }
  }
}

private enum Keyless {
  final class Clerk: Object {
    @Persisted var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var boss: Clerk?
    @Persisted var staff: List<Clerk>
    @Persisted var friends: MutableSet<Clerk>
    @Persisted var mixed: AnyRealmValue
    @Persisted var desk: Address?
    override class func _realmObjectName() -> String? { "Clerk" }
  }
}

private enum Coded {
  final class Clerk: Object {
    @Persisted var id: Int
    @Persisted(primaryKey: true) var code: Int
    @Persisted(indexed: true) var name: String
    @Persisted var boss: Clerk?
    @Persisted var staff: List<Clerk>
    @Persisted var friends: MutableSet<Clerk>
    @Persisted var mixed: AnyRealmValue
    @Persisted var desk: Address?
    override class func _realmObjectName() -> String? { "Clerk" }
  }
}

/// A class whose primary key changes its type, goes and comes again, with objects of the least and
/// the greatest numbers there are. Each object is known by its name, and is to keep what it has and
/// what leads to it.
@Suite(.serialized) struct KeyChangeTests {
  /// What a clerk is to be like.
  private struct Model: Equatable {
    var id: Int
    var boss: String?
    var staff: [String] = []
    var friends: Set<String> = []
    var mixed: String?
    var street: String?
  }

  private static let edges = [
    Int.min, .min + 1, -1, 0, 1, 2, .max / 2 - 1, .max / 2, .max / 2 + 1, .max - 2, .max - 1, .max,
  ]
  private static let forms: [Object.Type] = [
    Whole.Clerk.self, Keyless.Clerk.self, Text.Clerk.self, Maybe.Clerk.self, Coded.Clerk.self,
  ]

  private final class Office {
    let scratch = Scratch()
    var dice: Dice
    var models: [String: Model] = [:]
    var form: Object.Type = Whole.Clerk.self
    var version: UInt64 = 0
    private var serial = 0
    private(set) var acts: [String] = []

    init(seed: UInt64) { dice = Dice(seed: seed) }

    func freshName() -> String {
      serial += 1
      return "clerk \(serial)"
    }

    func freshID() -> Int {
      let taken = Set(models.values.map(\.id))
      while true {
        let id =
          dice.below(2) == 0
          ? KeyChangeTests.edges[dice.below(KeyChangeTests.edges.count)] : dice.below(40)
        if !taken.contains(id) { return id }
        if dice.below(8) == 0 {
          serial += 1
          return 1000 + serial
        }
      }
    }

    private func key(_ id: Int) -> Any { form == Text.Clerk.self ? "\(id)" : id }

    func values(_ name: String, _ id: Int) -> [String: Any] {
      var values: [String: Any] = ["id": key(id), "name": name]
      if form == Coded.Clerk.self { values["code"] = id }
      return values
    }

    /// Adds some, changes some and deletes some.
    func work(_ realm: Realm) throws {
      func find(_ name: String) -> DynamicObject {
        realm.dynamicObjects("Clerk").filter("name == %@", name)[0]
      }
      realm.beginWrite()
      if dice.below(12) == 0 {
        realm.delete(realm.dynamicObjects("Clerk"))
        models = [:]
        acts.append("deletes all")
      }
      for _ in 0..<dice.below(4) {
        guard let name = models.keys.sorted().randomElement(using: &dice) else { break }
        realm.delete(find(name))
        forget(name)
        acts.append("deletes \(name)")
      }
      for _ in 0..<(1 + dice.below(6)) {
        let (name, id) = (freshName(), freshID())
        realm.dynamicCreate("Clerk", value: values(name, id))
        models[name] = Model(id: id)
        acts.append("adds \(name) of \(id)")
      }
      let names = models.keys.sorted()
      for name in names where dice.below(3) == 0 {
        let clerk = find(name)
        func any() -> String { names[dice.below(names.count)] }
        let (boss, street, mixed) = (any(), "street \(serial)", any())
        clerk["boss"] = find(boss)
        clerk["desk"] = ["street": street]
        clerk["mixed"] = find(mixed)
        var model = models[name] ?? Model(id: 0)
        (model.boss, model.street, model.mixed) = (boss, street, mixed)
        for _ in 0..<dice.below(3) {
          let (one, friend) = (any(), any())
          clerk.dynamicList("staff").append(find(one))
          clerk.dynamicMutableSet("friends").insert(find(friend))
          model.staff.append(one)
          model.friends.insert(friend)
        }
        models[name] = model
      }
      try realm.commitWrite()
    }

    func forget(_ name: String) {
      models[name] = nil
      for other in models.keys {
        if models[other]?.boss == name { models[other]?.boss = nil }
        if models[other]?.mixed == name { models[other]?.mixed = nil }
        models[other]?.staff.removeAll { $0 == name }
        models[other]?.friends.remove(name)
      }
    }

    /// What the migration's block does.
    private func migrate(_ migration: Migration) {
      if dice.below(10) == 0 {
        acts.append("deletes the class's data")
        migration.deleteData(forType: "Clerk")
        models = [:]
      }
      var gone: [MigrationObject] = []
      migration.enumerateObjects(ofType: "Clerk") { before, now in
        guard let before, let now, let name = before["name"] as? String else { return }
        if dice.below(8) == 0 {
          acts.append("migration deletes \(name)")
          migration.delete(now)
          gone.append(now)
          forget(name)
          return
        }
        var id = models[name]?.id ?? 0
        if dice.below(8) == 0 {
          id = freshID()
          acts.append("migration gives \(name) \(id)")
          models[name]?.id = id
        }
        now["id"] = key(id)
        if form == Coded.Clerk.self { now["code"] = id }
      }
      for _ in 0..<dice.below(5) {
        let (name, id) = (freshName(), freshID())
        migration.create("Clerk", value: values(name, id))
        models[name] = Model(id: id)
        acts.append("migration adds \(name) of \(id)")
      }
      for one in gone where !one.isInvalidated {
        Issue.record("who was deleted is \(one["name"] ?? "nobody")")
      }
    }

    func open() throws -> Realm {
      let old = form
      form = KeyChangeTests.forms[dice.below(KeyChangeTests.forms.count)]
      version += 1
      acts.append("\(old) becomes \(form)")
      let office = Smuggled(self)
      return try Realm(
        configuration: scratch.configuration([form], version: version) { migration, _ in
          office.value.migrate(migration)
        })
    }

    func faults(_ realm: Realm) -> [String] {
      func name(_ value: Any?) -> String? { (value as? ObjectBase)?["name"] as? String }
      var faults: [String] = []
      let clerks = realm.dynamicObjects("Clerk")
      var found: [String: Model] = [:]
      for clerk in clerks {
        guard let own = name(clerk) else { return ["a clerk without a name"] }
        let id =
          form == Text.Clerk.self ? Int(clerk["id"] as? String ?? "") : clerk["id"] as? Int
        if form == Coded.Clerk.self, clerk["code"] as? Int != id { faults.append("code of \(own)") }
        if found[own] != nil { faults.append("\(own) is there twice") }
        found[own] = Model(
          id: id ?? -77, boss: name(clerk["boss"]),
          staff: clerk.dynamicList("staff").compactMap { name($0) },
          friends: Set(clerk.dynamicMutableSet("friends").compactMap { name($0) }),
          mixed: name(clerk["mixed"]), street: (clerk["desk"] as? ObjectBase)?["street"] as? String)
        if clerks.filter("name == %@", own).count != 1 { faults.append("\(own) is not found") }
        if form != Keyless.Clerk.self {
          let key: Any = form == Text.Clerk.self ? "\(id ?? -77)" : id ?? -77
          let there = realm.dynamicObject(ofType: "Clerk", forPrimaryKey: key)
          if name(there) != own { faults.append("\(own) is not at its key \(key)") }
        }
      }
      for (own, model) in models where found[own] != model {
        faults.append("\(own) is \(found[own].map { "\($0)" } ?? "gone"), not \(model)")
      }
      if found.count != models.count { faults.append("\(found.count), not \(models.count)") }
      if clerks.count != models.count { faults.append("they count as \(clerks.count)") }
      do { try realm.session.coordinator.checkEverything() } catch { faults.append("\(error)") }
      return faults
    }
  }

  @Test func `objects keep what they have and what leads to them whatever their class's key`()
    throws
  {
    let seed = Wish.seed()
    for round in 0..<Wish.number(orElse: 12) {
      let office = Office(seed: seed &+ UInt64(round))
      for _ in 0..<6 {
        let realm: Realm
        do { realm = try office.open() } catch {
          Issue.record(error, "seed \(seed) round \(round): \(office.acts.suffix(40))")
          return
        }
        for step in 0..<3 {
          let faults = office.faults(realm)
          #expect(faults == [], "seed \(seed) round \(round): \(office.acts.suffix(20))")
          if !faults.isEmpty { return }
          if step < 2 { try office.work(realm) }
        }
      }
    }
  }
}
