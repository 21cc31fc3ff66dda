import Foundation
import Testing

@testable import ReferenceEngine

/// Realms at several distances behind a writer that closes its file and opens it again: some in the
/// writer's process, some that share nothing with it but the file and its lock file, as another
/// process does.
@Suite(.serialized) struct FarReadersTests {
  /// Which life is under each key.
  private typealias Lives = [Int: Int]

  /// A realm, and what was named in it.
  private final class Reader {
    let file: Coordinator
    let realm: Realm
    var held: [(object: Keyed, life: Int)] = []
    var references: [(key: Int, life: Int, since: VersionID, all: [ThreadSafeReference<Keyed>])] =
      []
    /// What is asked for in a realm of the thread's, which is on the newest version.
    var named: [(name: String, key: Int, life: Int, since: VersionID, find: () -> Keyed?)] = []

    init(_ configuration: Realm.Configuration, of file: Coordinator) throws {
      self.file = file
      realm = Realm(try Session.open(configuration, at: Session.schedulers.here(), of: file))
      realm.autorefresh = false
    }
  }

  /// The random walk of one test.
  private struct Walk {
    var dice: Dice
    let configuration: Realm.Configuration
    let place: String
    var lives: Lives = [:]
    var next = 0
    var history: [VersionID: Lives] = [:]
    var wrong: [String] = []

    mutating func note(_ realm: Realm) {
      realm.session.read()
      history[realm.session.version ?? VersionID(0)] = lives
    }

    mutating func commit(_ realm: Realm) throws {
      realm.beginWrite()
      if dice.below(5) == 0 {
        for _ in 0...dice.below(3) {
          let key = dice.below(12) * 3 + dice.below(2)
          next += 1
          if lives.removeValue(forKey: key) != nil {
            realm.delete(realm.object(ofType: Keyed.self, forPrimaryKey: key)!)
            if dice.below(3) > 0 { continue }
          }
          realm.create(Keyed.self, value: ["id": key, "name": "\(next)"])
          lives[key] = next
        }
        if dice.below(60) == 0 {
          realm.delete(realm.objects(Keyed.self))
          lives = [:]
        }
      }
      realm.objects(Dog.self)[0].age += 1
      try realm.commitWrite()
      note(realm)
    }

    /// Names what a reader sees in all ways there are.
    mutating func name(_ reader: Reader) {
      reader.realm.session.read()
      let version = reader.realm.session.version ?? VersionID(0)
      let now = history[version] ?? [:]
      reader.held = reader.realm.objects(Keyed.self).map { ($0, now[$0.id] ?? -1) }
      for (key, life) in now.sorted(by: { $0.key < $1.key }) where dice.below(3) == 0 {
        let object = reader.realm.object(ofType: Keyed.self, forPrimaryKey: key)!
        switch dice.below(3) {
        case 0:
          let all = (0..<4).map { _ in ThreadSafeReference(to: object) }
          reader.references.append((key, life, version, all))
        case 1:
          let variable = ThreadSafe(wrappedValue: object)
          reader.named.append(("variable", key, life, version, { variable.wrappedValue }))
        default:
          let frozen = object.freeze()
          reader.named.append(("frozen", key, life, version, { frozen.thaw() }))
        }
      }
      reader.references.removeAll(where: \.all.isEmpty)
      if reader.named.count > 60 { reader.named.removeFirst(reader.named.count - 60) }
    }

    mutating func check(_ reader: Reader, _ round: Int) {
      let session = reader.realm.session
      session.read()
      let version = session.version ?? VersionID(0)
      let now = history[version] ?? [:]
      for one in reader.held where one.object.isInvalidated == now.values.contains(one.life) {
        wrong.append("round \(round): held \(one.life) at \(version)")
      }
      for one in reader.named where (one.find() != nil) != (lives[one.key] == one.life) {
        wrong.append(
          "round \(round): \(one.name) of \(one.since), key \(one.key), is "
            + (lives[one.key] == one.life ? "lost" : "another"))
      }
      for index in reader.references.indices where version >= reader.references[index].since {
        guard let reference = reader.references[index].all.popLast() else { continue }
        let one = reader.references[index]
        if (reader.realm.resolve(reference) != nil) != (now[one.key] == one.life) {
          wrong.append(
            "round \(round): reference of \(one.since) at \(version), key \(one.key), is "
              + (now[one.key] == one.life ? "lost" : "another"))
        }
      }
    }
  }

  @Test func `REFRESH-20, REF-25, FREEZE-27: whoever is behind knows which object is which`()
    throws
  {
    let seed = Wish.seed()
    let rounds = Wish.number(orElse: 60)
    let scratch = Scratch()
    var configuration = scratch.configuration([Keyed.self, Dog.self])
    configuration.commitProtocol = .none
    configuration.cache = false
    var walk = Walk(
      dice: Dice(seed: seed), configuration: configuration, place: configuration.path)
    func writer() throws -> Reader {
      try Reader(configuration, of: try Coordinator(configuration.storage))
    }
    var writing = try writer()
    try writing.realm.write { writing.realm.add(Dog(value: ["name": "Rex"])) }
    walk.note(writing.realm)
    let far = try Coordinator(configuration.storage)
    var readers = try (0..<4).map {
      try Reader(configuration, of: $0 == 0 ? writing.file : far)
    }
    for round in 0..<rounds where walk.wrong.isEmpty {
      // Who writes next has to find out what space is free.
      if walk.dice.below(8) == 0 {
        writing = try writer()
        readers[0] = try Reader(configuration, of: writing.file)
      }
      for _ in 0..<walk.dice.below(walk.dice.below(4) == 0 ? 900 : 60) {
        try walk.commit(writing.realm)
      }
      for place in readers.indices {
        if walk.dice.below([3, 12, 5, 2][place]) == 0 { readers[place].realm.refresh() }
        if walk.dice.below(2) == 0 { walk.check(readers[place], round) }
        if walk.dice.below(4) == 0 { walk.name(readers[place]) }
        // Another realm, beside what was named in the former one.
        if place > 0, walk.dice.below(10) == 0 {
          let other = try Reader(configuration, of: far)
          (other.named, other.references) = (readers[place].named, readers[place].references)
          readers[place] = other
        }
      }
    }
    for reader in readers {
      walk.check(reader, rounds)
      reader.realm.refresh()
      walk.check(reader, rounds)
    }
    #expect(walk.wrong.isEmpty, "\(walk.wrong.prefix(5)), SEED=\(seed)")
    try writing.file.checkEverything()
  }

  /// Where no mark could be set, and nobody heard, the records were gone before anybody had read
  /// what became of a row: whoever was there under its key counted as it.
  @Test func `REF-25: what nobody has followed is not taken for another`() throws {
    let scratch = Scratch()
    var configuration = scratch.configuration([Keyed.self, Dog.self])
    configuration.commitProtocol = .none
    configuration.cache = false
    let writing = try Reader(configuration, of: try Coordinator(configuration.storage))
    try writing.realm.write {
      writing.realm.create(Keyed.self, value: ["id": 7])
      writing.realm.add(Dog(value: ["name": "Rex"]))
    }
    let far = try Coordinator(configuration.storage)
    let tables = writing.realm.session.stored.tables
    let table = try #require(tables.firstIndex { $0.name == "Keyed" })
    let other = try #require(tables.firstIndex { $0.name == "Dog" })
    let row = RememberedRow(table: table, key: 7, since: far.newestVersion)
    let dog = RememberedRow(table: other, key: 0, since: far.newestVersion, mayBeSucceeded: false)
    for row in [row, dog] { far.rememberedRows.add(row, readUpTo: row.since) }
    let first = writing.realm.objects(Dog.self)[0]
    for age in 0..<300 {
      try writing.realm.write {
        if age == 3 { writing.realm.delete(writing.realm.objects(Keyed.self)) }
        if age == 4 { writing.realm.create(Keyed.self, value: ["id": 7]) }
        first.age = age
      }
    }
    let snapshot = try far.newestSnapshot(kind: .live)
    #expect(far.isGone(row, in: snapshot.root))
    #expect(!far.isGone(dog, in: snapshot.root))
  }
}
