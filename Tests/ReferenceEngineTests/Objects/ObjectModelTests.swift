import Testing

@testable import ReferenceEngine

/// Random operations on objects, lists, sets, maps and links, beside plain Swift values that must
/// say the same.
struct ObjectModelTests {
  private static let steps = Wish.number("REALM_STEPS", orElse: 400)

  /// What one row should hold.
  private struct Row: Equatable {
    var name = ""
    var age = 0
    var note: String?
    var ints: [Int] = []
    var strings: [String?] = []
    var set: Set<Int> = []
    var map: [String: Int] = [:]
    var link: Int?
    var links: [Int] = []
  }

  @Test func `objects agree with plain values through writes, cancels and reopening`() throws {
    var dice = Dice(seed: Wish.seed(orElse: 20_260_101))
    let scratch = Scratch()
    var realm = try scratch.realm()
    var committed: [Int: Row] = [:]
    var nextID = 0
    for step in 0..<ObjectModelTests.steps {
      var model = committed
      realm.beginWrite()
      for _ in 0..<Int.random(in: 1...8, using: &dice) {
        change(realm, &model, &nextID, &dice)
      }
      if Int.random(in: 0..<5, using: &dice) == 0 {
        try compare(realm, model, step)
        realm.cancelWrite()
      } else {
        try realm.commitWrite()
        committed = model
      }
      if step % 20 == 0 { try compare(realm, committed, step) }
      if step % 150 == 149 {
        realm = try reopened(realm, scratch)
        try compare(realm, committed, step)
      }
    }
    try compare(realm, committed, ObjectModelTests.steps)
  }

  private func reopened(_ realm: Realm, _ scratch: Scratch) throws -> Realm {
    realm.invalidate()
    return try scratch.realm()
  }

  private func object(_ realm: Realm, _ id: Int) -> ModelRow? {
    realm.object(ofType: ModelRow.self, forPrimaryKey: "id \(id)")
  }

  private func change(
    _ realm: Realm, _ model: inout [Int: Row], _ nextID: inout Int, _ dice: inout Dice
  ) {
    let ids = model.keys.sorted()
    guard let id = ids.randomElement(using: &dice), Int.random(in: 0..<6, using: &dice) > 0,
      let object = object(realm, id), var row = model[id]
    else {
      let made = ModelRow()
      made.id = "id \(nextID)"
      made.name = dice.text()
      made.ints.append(nextID)
      realm.add(made)
      model[nextID] = Row(name: made.name, ints: [nextID])
      nextID += 1
      return
    }
    switch Int.random(in: 0..<16, using: &dice) {
    case 0:
      row.name = dice.text()
      object.name = row.name
    case 1:
      row.age = dice.number()
      object.age = row.age
    case 2:
      row.note = Bool.random(using: &dice) ? dice.text() : nil
      object.note = row.note
    case 3:
      let (value, place) = (dice.number(), Int.random(in: 0...row.ints.count, using: &dice))
      row.ints.insert(value, at: place)
      object.ints.insert(value, at: place)
    case 4 where !row.ints.isEmpty:
      let place = Int.random(in: 0..<row.ints.count, using: &dice)
      row.ints.remove(at: place)
      object.ints.remove(at: place)
    case 5 where !row.ints.isEmpty:
      let (value, place) = (dice.number(), Int.random(in: 0..<row.ints.count, using: &dice))
      row.ints[place] = value
      object.ints[place] = value
    case 6 where row.ints.count > 1:
      let from = Int.random(in: 0..<row.ints.count, using: &dice)
      let to = Int.random(in: 0..<row.ints.count, using: &dice)
      row.ints.insert(row.ints.remove(at: from), at: to)
      object.ints.move(from: from, to: to)
    case 7:
      let value = Bool.random(using: &dice) ? dice.text() : nil
      row.strings.append(value)
      object.strings.append(value)
    case 8:
      let value = Int.random(in: -20...20, using: &dice)
      row.set.insert(value)
      object.set.insert(value)
    case 9:
      let value = Int.random(in: -20...20, using: &dice)
      row.set.remove(value)
      object.set.remove(value)
    case 10:
      let key = "k\(Int.random(in: 0..<12, using: &dice))"
      row.map[key] = dice.number()
      object.map[key] = row.map[key]
    case 11:
      let key = "k\(Int.random(in: 0..<12, using: &dice))"
      row.map[key] = nil
      object.map[key] = nil
    case 12:
      row.link = ids.randomElement(using: &dice)
      object.link = row.link.flatMap { self.object(realm, $0) }
    case 13:
      guard let target = ids.randomElement(using: &dice) else { return }
      row.links.append(target)
      if let other = self.object(realm, target) { object.links.append(other) }
    case 14:
      let many = (0..<300).map { _ in dice.number() }
      row.ints = many
      object.ints.assign(many)
    default:
      realm.delete(object)
      model[id] = nil
      for (key, var other) in model {
        if other.link == id { other.link = nil }
        other.links.removeAll { $0 == id }
        model[key] = other
      }
      return
    }
    model[id] = row
  }

  private func compare(_ realm: Realm, _ model: [Int: Row], _ step: Int) throws {
    #expect(realm.objects(ModelRow.self).count == model.count, "step \(step)")
    for (id, row) in model {
      guard let object = object(realm, id) else {
        Issue.record("step \(step): object \(id) is missing")
        continue
      }
      let found = Row(
        name: object.name, age: object.age, note: object.note, ints: Array(object.ints),
        strings: Array(object.strings), set: Set(object.set),
        map: Dictionary(uniqueKeysWithValues: object.map.map { ($0.key, $0.value) }),
        link: object.link.flatMap(number), links: object.links.compactMap(number))
      #expect(found == row, "step \(step), object \(id)")
      #expect(
        Set(object.linkers.compactMap(number)) == Set(model.filter { $0.value.link == id }.keys),
        "step \(step), links to \(id)")
      #expect(
        Set(object.listLinkers.compactMap(number))
          == Set(model.filter { $0.value.links.contains(id) }.keys), "step \(step), lists of \(id)")
    }
  }

  private func number(_ object: ModelRow) -> Int? { Int(object.id.dropFirst(3)) }
}

class ModelRow: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var name: String
  @Persisted(indexed: true) var age: Int
  @Persisted var note: String?
  @Persisted var ints: List<Int>
  @Persisted var strings: List<String?>
  @Persisted var set: MutableSet<Int>
  @Persisted var map: Map<String, Int>
  @Persisted var link: ModelRow?
  @Persisted var links: List<ModelRow>
  @Persisted(originProperty: "link") var linkers: LinkingObjects<ModelRow>
  @Persisted(originProperty: "links") var listLinkers: LinkingObjects<ModelRow>
}

extension Dice {
  fileprivate mutating func text() -> String {
    let lengths = [0, 1, 7, 8, 15, 16, 40, 3000]
    let letters = ["a", "é", "日", "🐕", "z", " "]
    let length = lengths.randomElement(using: &self) ?? 0
    return (0..<length).map { _ in letters.randomElement(using: &self) ?? "" }.joined()
  }
  fileprivate mutating func number() -> Int {
    [0, 1, -1, 13, 200, -40_000, .max, .min, Int.random(in: -9...9, using: &self)]
      .randomElement(using: &self) ?? 0
  }
}
