import EngineUnderTest
import Foundation

/// Uses of collections on a thread that is not theirs, each a probe that must end the process.
enum Trespass {
  /// An object with members in each of its collections, and another one that links to it.
  private static func stocked(_ stage: Stage) throws -> (realm: Realm, specimen: Specimen) {
    let realm = try Realm(configuration: stage.specimens())
    let specimen = try realm.write {
      let specimen = Specimen(id: 1)
      realm.add(specimen)
      let other = Specimen(id: 2)
      realm.add(other)
      specimen.members.append(other)
      specimen.group.insert(other)
      specimen.named["a"] = .some(other)
      specimen.numbers.append(1)
      specimen.words.append("word")
      specimen.scores["a"] = 1
      specimen.labels.insert("label")
      other.next = specimen
      return specimen
    }
    return (realm, specimen)
  }

  /// Each way to read each kind of collection.
  static let readings: [Probe] =
    list("a list of objects") { $0.members } + list("a list of values") { $0.numbers }
    + list("a set of objects") { $0.group } + list("a set of values") { $0.labels }
    + list("links backwards") { $0.throughNext }
    + map("a map of objects") { $0.named } + map("a map of values") { $0.scores }

  private static func list<Members: RandomAccessCollection>(
    _ name: String, _ members: @escaping @Sendable (Specimen) -> Members
  ) -> [Probe]
  where Members: SendableMetatype, Members.Iterator: SendableMetatype, Members.Index == Int {
    [
      probe("\(name), its count", members) { use($0.count) },
      probe("\(name), whether it is empty", members) { use($0.isEmpty) },
      probe("\(name), its first", members) { use($0.first) },
      probe("\(name), its last", members) { use($0.last) },
      probe("\(name), a member", members) { use($0[0]) },
      probe("\(name), walked", members) { for member in $0 { use(member) } },
      probe("\(name), as an array", members) { use(Array($0)) },
    ]
  }

  private static func map<Value: SendableMetatype>(
    _ name: String, _ members: @escaping @Sendable (Specimen) -> Map<String, Value>
  ) -> [Probe] {
    [
      probe("\(name), its count", members) { use($0.count) },
      probe("\(name), a value", members) { use($0["a"]) },
      probe("\(name), its keys", members) { use($0.keys) },
      probe("\(name), its values", members) { use($0.values) },
      probe("\(name), walked", members) { for entry in $0 { use(entry.key) } },
      probe("\(name), as pairs", members) { use($0.asKeyValueSequence().map { $0.0 }) },
    ]
  }

  private static func probe<Members: SendableMetatype>(
    _ name: String, _ members: @escaping @Sendable (Specimen) -> Members,
    _ read: @escaping @Sendable (Members) -> Void
  ) -> Probe {
    .dies(name, saying: Words.wrongThread) { stage in
      let (realm, specimen) = try stocked(stage)
      let found = members(specimen)
      read(found)
      try stage.elsewhere { stage.act { read(found) } }
      use(realm)
    }
  }

  /// Each way to change something, on another thread, while its owner is in a write.
  static let changes: [Probe] = [
    change("a property", \.self) { $0.amount = 7 },
    change("a property to null", \.self) { $0.whole = nil },
    change("a link", \.self) { $0.next = nil },
    change("a list, appended to", \.numbers) { $0.append(2) },
    change("a list, inserted into", \.words) { $0.insert("new", at: 0) },
    change("a list, set at a position", \.numbers) { $0[0] = 3 },
    change("a list, shortened", \.members) { $0.remove(at: 0) },
    change("a list, emptied", \.words) { $0.removeAll() },
    change("a set, added to", \.labels) { $0.insert("new") },
    change("a set, taken from", \.labels) { $0.remove("label") },
    change("a set, emptied", \.group) { $0.removeAll() },
    change("a map, set", \.scores) { $0["b"] = 2 },
    change("a map, taken from", \.scores) { $0["a"] = nil },
    change("a map, emptied", \.named) { $0.removeAll() },
  ]

  /// What is changed elsewhere was fetched at home: else the way to it would be refused already.
  private static func change<Owner: SendableMetatype>(
    _ name: String, _ owner: @escaping @Sendable (Specimen) -> Owner,
    _ body: @escaping @Sendable (Owner) -> Void
  ) -> Probe {
    .dies("\(name), changed elsewhere while its owner is in a write", saying: Words.wrongThread) {
      stage in
      let (realm, specimen) = try stocked(stage)
      let found = owner(specimen)
      // Changed at home first, and taken back: what is remembered of that must not help elsewhere.
      realm.beginWrite()
      body(found)
      realm.cancelWrite()
      realm.beginWrite()
      try stage.elsewhere { stage.act { body(found) } }
    }
  }
}
