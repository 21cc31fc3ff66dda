import EngineUnderTest
import Foundation
import Synchronization

/// What a file's objects have when an app comes with other classes: by itself, by a block, in one
/// step and in several.
enum Migrations {
  /// What a block has seen: it may run anywhere.
  private final class Diary: Sendable {
    private let lines = Mutex<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock(\.self) }
  }

  /// What a guest has, whichever class shows it.
  private struct Facts: Equatable {
    var name = ""
    var age = 0
    var nick: String?
    var notes: [String] = []
    var marks: [String: Int] = [:]
    var tags: Set<String> = []
    var host: Int?
    var friends: [Int] = []
    var bytes = Data()
  }

  private static let file = "guests"

  private static func configuration(
    _ stage: Stage, _ types: [ObjectBase.Type], version: UInt64 = 0,
    _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: stage.configuration(file).fileURL, schemaVersion: version, migrationBlock: block,
      objectTypes: types)
  }

  /// Makes a file of the first app, and says what is in it.
  private static func fill(_ stage: Stage, _ count: Int) throws -> [Int: Facts] {
    var facts: [Int: Facts] = [:]
    var chance = stage.chance
    try stage.elsewhere {
      let realm = try Realm(configuration: configuration(stage, [FirstGuest.self, Attic.self]))
      try realm.write {
        for id in 1...count {
          let known = Facts(
            name: "guest \(id)", age: chance.below(90) - 9,
            nick: chance.below(3) == 0 ? nil : "nick \(id)",
            notes: (0..<chance.below(4)).map { "note \($0) of \(id)" },
            marks: Dictionary(uniqueKeysWithValues: (0..<chance.below(3)).map { ("k\($0)", id) }),
            tags: Set((0..<chance.below(3)).map { "tag \($0)" }),
            host: chance.below(3) == 0 ? nil : 1 + chance.below(id),
            friends: (0..<chance.below(4)).map { _ in 1 + chance.below(id) },
            bytes: Data(repeating: UInt8(id & 255), count: chance.below(40)))
          let guest = FirstGuest()
          guest.id = id
          realm.add(guest)
          (guest.name, guest.age, guest.nick) = (known.name, known.age, known.nick)
          (guest.bytes, guest.legacy) = (known.bytes, "old \(id)")
          guest.notes.append(objectsIn: known.notes)
          for (key, value) in known.marks { guest.marks[key] = value }
          guest.tags.insert(objectsIn: known.tags)
          func one(_ id: Int) -> FirstGuest! {
            realm.object(ofType: FirstGuest.self, forPrimaryKey: id)
          }
          guest.host = known.host.map { one($0) }
          guest.friends.append(objectsIn: known.friends.map { one($0) })
          facts[id] = known
        }
        for id in 1...3 { realm.create(Attic.self, value: ["id": id, "text": "box \(id)"]) }
      }
    }
    return facts
  }

  /// Compares a file that the later app has opened.
  private static func look(
    _ stage: Stage, _ realm: Realm, _ expected: [Int: Facts], ages: (Int) -> String,
    nicks: (String?) -> String?, _ what: String
  ) {
    let guests = realm.objects(LaterGuest.self)
    stage.equal(guests.map(\.id).sorted(), expected.keys.sorted(), "the guests, \(what)")
    for guest in guests {
      guard let known = expected[guest.id] else { continue }
      let place = "guest \(guest.id), \(what)"
      stage.equal(guest.fullName, known.name, "the renamed name of \(place)")
      stage.equal(guest.age, ages(known.age), "the age of another type of \(place)")
      stage.equal(guest.nick, nicks(known.nick) ?? "", "the nick that must be there of \(place)")
      stage.equal(Array(guest.remarks), known.notes, "the renamed list of \(place)")
      stage.equal(
        Dictionary(uniqueKeysWithValues: guest.scores.map { ($0.key, $0.value) }), known.marks,
        "the renamed map of \(place)")
      stage.equal(Set(guest.labels), known.tags, "the renamed set of \(place)")
      stage.equal(guest.host?.id, known.host, "the link of \(place)")
      stage.equal(guest.pals.map(\.id), known.friends, "the renamed list of links of \(place)")
      stage.equal(guest.bytes, known.bytes, "the data that stayed of \(place)")
      stage.equal(guest.guestsOfIts.count, expected.values.count { $0.host == guest.id }, place)
    }
    // What is found is what is shown, by the new index, too.
    for id in expected.keys.sorted().prefix(9) {
      let name = expected[id]!.name
      stage.equal(
        guests.where { $0.fullName == name }.map(\.id), [id], "who has the name of \(id), \(what)")
      stage.equal(
        realm.object(ofType: LaterGuest.self, forPrimaryKey: id)?.id, id, "who is \(id), \(what)")
    }
  }

  /// Renames, types, nulls, what is new and what goes: in one step, or in three, at each size.
  static let kept: [Probe] = [1, 60, 300].flatMap { count in
    [1, 3].map { steps in
      Probe("a migration keeps, renames and changes what it says: \(count) objects, \(steps) steps")
      { stage in
        Backstage.hooks?.skipFlushes()
        var expected = try fill(stage, count)
        let old = expected
        let diary = Diary()
        let leaving = Set(expected.keys.filter { $0 % 7 == 3 })
        let asked = configuration(
          stage, [LaterGuest.self], version: UInt64(steps)
        ) { migration, version in
          diary.note("from \(version)")
          diary.note("old: \(migration.oldSchema["Guest"]?.properties.map(\.name).sorted() ?? [])")
          diary.note(
            "new: \(migration.newSchema["Guest"]?["fullName"]?.isIndexed == true), "
              + "\(migration.newSchema["Attic"] == nil)")
          func rename(_ name: String, _ interim: String, _ new: String) {
            if steps == 1 {
              migration.renameProperty(onType: "Guest", from: name, to: new)
            } else {
              migration.renameProperty(onType: "Guest", from: name, to: interim)
              migration.renameProperty(onType: "Guest", from: interim, to: new)
            }
          }
          rename("name", "title", "fullName")
          rename("notes", "remarksOfOld", "remarks")
          rename("marks", "points", "scores")
          rename("tags", "marked", "labels")
          rename("friends", "mates", "pals")
          migration.enumerateObjects(ofType: "Guest") { before, after in
            guard let before, let after, let id = before["id"] as? Int else {
              return diary.note("a guest without a side")
            }
            diary.note("guest \(id) \(after["id"] as? Int ?? -1) \(after["fullName"] ?? "none")")
            after["age"] = "\(before["age"] as? Int ?? -1) years"
            after["origin"] = "\(before["legacy"] ?? "none"), of \(before["nick"] ?? "none")"
            if leaving.contains(id) { migration.delete(after) }
          }
          migration.enumerateObjects(ofType: "Guest") { before, after in
            if after == nil { return diary.note("left twice") }
            diary.note("again \(before?["id"] as? Int ?? -1)")
          }
          migration.enumerateObjects(ofType: "Attic") { before, after in
            diary.note("\(before?["text"] ?? "none"), new: \(after != nil)")
          }
          migration.enumerateObjects(ofType: "Nobody") { _, _ in diary.note("nobody") }
          diary.note("the attic: \(migration.deleteData(forType: "Attic"))")
          diary.note("nobody: \(migration.deleteData(forType: "Nobody"))")
          let made = migration.create("Guest", value: ["id": 1_000, "fullName": "made"])
          made["age"] = "0 years"
          if let host = migration.firstGuest { made["host"] = host }
        }
        let first = expected.keys.sorted().first { !leaving.contains($0) }
        for id in leaving { expected[id] = nil }
        for id in expected.keys {
          if let host = expected[id]!.host, leaving.contains(host) { expected[id]!.host = nil }
          expected[id]!.friends.removeAll { leaving.contains($0) }
        }
        expected[1_000] = Facts(name: "made", nick: "", host: first)
        let here = try Realm(configuration: asked)
        func look(_ realm: Realm, _ what: String) {
          Migrations.look(
            stage, realm, expected, ages: { "\($0) years" }, nicks: { $0 ?? "" }, what)
          for (id, known) in old where expected[id] != nil {
            stage.equal(
              realm.object(ofType: LaterGuest.self, forPrimaryKey: id)?.origin,
              "old \(id), of \(known.nick ?? "none")", "what the block made for \(id), \(what)")
            stage.equal(
              realm.object(ofType: LaterGuest.self, forPrimaryKey: id)?.rank, 0,
              "a number that is new in \(id), \(what)")
          }
        }
        look(here, "at once")
        let told = diary.all
        stage.equal(told.first, "from 0", "the version that the block was told")
        let names = [
          "age", "bytes", "friends", "host", "id", "legacy", "marks", "name", "nick", "notes",
          "tags",
        ]
        stage.equal(told.dropFirst().first, "old: \(names)", "the old schema")
        stage.equal(told.dropFirst(2).first, "new: true, true", "the new schema")
        let guests = told.filter { $0.hasPrefix("guest ") }
        stage.equal(
          guests.sorted(), old.map { "guest \($0.key) \($0.key) \($0.value.name)" }.sorted(),
          "the guests that the block saw")
        stage.equal(
          told.filter { $0.hasPrefix("again ") }.sorted(),
          old.keys.filter { !leaving.contains($0) }.map { "again \($0)" }.sorted(),
          "the guests that the block saw when some had been deleted")
        stage.equal(
          told.filter { $0.contains("box") }.sorted(), (1...3).map { "box \($0), new: false" },
          "the class that has gone")
        stage.equal(
          told.filter {
            $0.hasPrefix("the attic") || $0.hasPrefix("nobody") || $0.contains("side")
          },
          ["the attic: true", "nobody: false"], "what was said of data that goes")
        // Nobody migrates again; and all others find what was made of it.
        stage.equal(
          try stage.elsewhere {
            look(try Realm(configuration: asked), "elsewhere")
            return diary.all.count
          }, told.count, "what the block did when another thread opened")
        try stage.elsewhere { look(try Realm(configuration: asked).freeze(), "frozen") }
        stage.equal(
          try schemaVersionAtURL(asked.fileURL!), UInt64(steps), "the version of the file")
        // An older app is told so, and changes nothing.
        let older = configuration(stage, [FirstGuest.self])
        stage.expect(
          (try? stage.elsewhere { try Realm(configuration: older).isEmpty }) == nil,
          "an older version is refused")
        look(here, "after an older app had come")
        try here.write {
          for guest in here.objects(LaterGuest.self) { guest.rank += 1 }
          here.deleteAll()
        }
      }
    }
  }

  /// Nobody but a block says what becomes of what changed: who comes without one, who asks for it
  /// without opening, and who would rather have nothing.
  static let ways = Probe("a file that has to be migrated: refused, migrated alone, made anew") {
    stage in
    Backstage.hooks?.skipFlushes()
    let facts = try fill(stage, 12)
    let url = stage.configuration(file).fileURL!
    // Without a version of its own what changed is refused, and the file is as it was.
    let unversioned = configuration(stage, [LaterGuest.self])
    for round in 1...2 {
      do {
        use(try stage.elsewhere { try Realm(configuration: unversioned).isEmpty })
        stage.fail(expected: "an error that asks for a migration", observed: "a realm")
      } catch {
        stage.equal(
          (error as? Realm.Error)?.code, .schemaMismatch, "the error, round \(round)")
        stage.expect(
          error.localizedDescription.contains("Guest.age"), "the error names the property",
          observed: error.localizedDescription)
      }
    }
    let first = configuration(stage, [FirstGuest.self, Attic.self])
    stage.equal(
      try stage.elsewhere {
        try Realm(configuration: first).objects(FirstGuest.self).map(\.name).sorted()
      }, facts.values.map(\.name).sorted(), "the names after what was refused")
    stage.equal(try schemaVersionAtURL(url), 0, "the version after what was refused")
    // Without a block all that can stay does.
    let diary = Diary()
    let silent = configuration(stage, [LaterGuest.self, Attic.self], version: 4)
    try stage.elsewhere { try Realm.performMigration(for: silent) }
    stage.equal(try schemaVersionAtURL(url), 4, "the version after a migration without a block")
    try stage.elsewhere {
      let realm = try Realm(configuration: silent)
      for guest in realm.objects(LaterGuest.self) {
        let known = facts[guest.id]
        stage.equal(guest.fullName, "", "a name that nobody renamed")
        stage.equal(guest.age, "", "an age that nobody changed")
        stage.equal(guest.bytes, known?.bytes, "the data of \(guest.id)")
        stage.equal(guest.nick, known?.nick ?? "", "the nick of \(guest.id)")
        stage.equal(guest.host?.id, known?.host, "the link of \(guest.id)")
      }
      stage.equal(realm.objects(LaterGuest.self).count, facts.count, "how many guests there are")
      stage.equal(
        realm.objects(Attic.self).map(\.text).sorted(), ["box 1", "box 2", "box 3"],
        "the class that nobody changed")
    }
    // From where it is: the next block is told of the last version, whatever lies between.
    let next = configuration(stage, [LaterGuest.self, Attic.self], version: 9) { _, version in
      diary.note("from \(version)")
    }
    for _ in 0..<2 { try stage.elsewhere { try Realm.performMigration(for: next) } }
    stage.equal(diary.all, ["from 4"], "what the next block was told, asked twice")
    stage.equal(try schemaVersionAtURL(url), 9, "the version then")
    // Who would rather have nothing gets it, where a migration were needed, and else what is there.
    var anew = next
    anew.deleteRealmIfMigrationNeeded = true
    anew.migrationBlock = nil
    let same = anew
    stage.equal(
      try stage.elsewhere { try Realm(configuration: same).objects(LaterGuest.self).count },
      facts.count, "the guests where no migration is needed")
    anew.schemaVersion = 10
    anew.objectTypes = [FirstGuest.self, Attic.self]
    let other = anew
    stage.equal(
      try stage.elsewhere {
        let realm = try Realm(configuration: other)
        let before = realm.objects(FirstGuest.self).count + realm.objects(Attic.self).count
        try realm.write { realm.create(Attic.self, value: ["id": 1, "text": "new"]) }
        return before
      }, 0, "what there is where one was")
    stage.equal(try schemaVersionAtURL(url), 10, "the version of the new file")
    stage.equal(
      try stage.elsewhere { try Realm(configuration: other).objects(Attic.self).map(\.text) },
      ["new"], "what was written there")
    let missing = stage.configuration("none").fileURL!
    stage.expect((try? schemaVersionAtURL(missing)) == nil, "a missing file has no version")
    stage.equal(
      FileManager.default.fileExists(atPath: missing.path), false, "whether asking made a file")
  }
}

extension Migration {
  /// One of the guests that are there, as the new schema has them.
  fileprivate var firstGuest: MigrationObject? {
    var found: (id: Int, guest: MigrationObject)?
    enumerateObjects(ofType: "Guest") { _, guest in
      guard let guest, let id = guest["id"] as? Int, id < found?.id ?? .max else { return }
      found = (id, guest)
    }
    return found?.guest
  }
}

/// One class of a file, as the first app has it.
final class FirstGuest: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var nick: String?
  @Persisted var notes: List<String>
  @Persisted var marks: Map<String, Int>
  @Persisted var tags: MutableSet<String>
  @Persisted var host: FirstGuest?
  @Persisted var friends: List<FirstGuest>
  @Persisted var bytes: Data
  @Persisted var legacy: String

  override class func _realmObjectName() -> String? { "Guest" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The same as a later app has it.
final class LaterGuest: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var fullName: String
  @Persisted var age: String
  @Persisted var nick: String
  @Persisted var remarks: List<String>
  @Persisted var scores: Map<String, Int>
  @Persisted var labels: MutableSet<String>
  @Persisted var host: LaterGuest?
  @Persisted var pals: List<LaterGuest>
  @Persisted var bytes: Data
  @Persisted var rank: Int
  @Persisted var origin: String?
  @Persisted(originProperty: "host") var guestsOfIts: LinkingObjects<LaterGuest>

  override class func _realmObjectName() -> String? { "Guest" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A class that a later app does without.
final class Attic: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
