import Foundation
import Testing

@testable import ReferenceEngine

/// A row that is found by a text.
class Labelled: Object {
  @Persisted(primaryKey: true) var label: String
  @Persisted var number: Int
  @Persisted var text: String
}

/// A row that is found by a text or by none.
class MaybeLabelled: Object {
  @Persisted(primaryKey: true) var label: String?
  @Persisted var number: Int
}

/// A row that is found by a number.
class Numbered: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var value: Int
}

/// Looking up rows by a String as primary key, whatever the String.
struct StringKeyTests {
  /// Two texts of 16 bytes with the same hash: what the first halves do differently the second ones
  /// undo.
  private static func colliding(
    using random: inout Dice
  ) -> (String, String) {
    func hash(_ text: String) -> UInt64 {
      var text = text
      return text.withUTF8 { StoredValue.hash(UnsafeRawBufferPointer($0)) }
    }
    func letters() -> UInt64 {
      (0..<8).reduce(0) { word, _ in word << 8 | UInt64.random(in: 97...122, using: &random) }
    }
    func text(_ words: UInt64...) -> String {
      String(
        decoding: words.flatMap { word in
          (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }, as: UTF8.self)
    }
    // The state of the hash after its first word.
    func state(_ word: UInt64) -> UInt64 {
      let mixed = ((0xCBF2_9CE4_8422_2325 ^ 16) ^ word) &* 0x9FB2_1C65_1E98_DF25
      return mixed ^ mixed >> 32
    }
    while true {
      let (one, two, rest) = (letters(), letters(), letters())
      let other = rest ^ state(one) ^ state(two)
      guard one != two, other & 0x8080_8080_8080_8080 == 0 else { continue }
      let pair = (text(one, rest), text(two, other))
      #expect(hash(pair.0) == hash(pair.1), "the hash in the file was changed")
      return pair
    }
  }

  /// Keys of all kinds, none of them twice.
  private static func keys(using random: inout Dice) -> [String] {
    var keys: Set<String> = ["", "a", "🐕", "🐕‍🦺", "日本", "\u{0}", "a\u{0}", " ", "null"]
    for length in 5...33 { keys.insert(String(repeating: "x", count: length)) }
    for end in ["a", "b", "é"] { keys.insert(String(repeating: "k", count: 70_000) + end) }
    keys.insert(String(repeating: "k", count: 1 << 20))
    for _ in 0..<8 {
      let (one, other) = colliding(using: &random)
      keys.formUnion([one, other])
    }
    for number in 0..<300 { keys.insert("id \(number)") }
    return keys.sorted()
  }

  @Test func `any String finds its row and no other, through writes, cancels and reopening`() throws
  {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let keys = StringKeyTests.keys(using: &random)
    let scratch = Scratch()
    var realm = try scratch.realm()
    var committed: [String: Int] = [:]
    for step in 0..<40 {
      var model = committed
      realm.beginWrite()
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        guard let key = keys.randomElement(using: &random) else { continue }
        let known = realm.object(ofType: Labelled.self, forPrimaryKey: key)
        #expect(known?.number == model[key], "step \(step), \(key.prefix(40))")
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          if let known { realm.delete(known) }
          model[key] = nil
        default:
          realm.create(Labelled.self, value: [key, step, "text \(step)"], update: .modified)
          model[key] = step
        }
      }
      if Int.random(in: 0..<5, using: &random) == 0 {
        realm.cancelWrite()
      } else {
        try realm.commitWrite()
        committed = model
      }
      if step % 20 == 19 {
        realm.invalidate()
        realm = try scratch.realm()
      }
      for key in keys {
        let found = realm.object(ofType: Labelled.self, forPrimaryKey: key)
        #expect(found?.number == committed[key], "step \(step), \(key.prefix(40))")
      }
    }
    #expect(realm.objects(Labelled.self).count == committed.count)
  }

  @Test func `of two Strings with one hash each finds its own row`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    let realm = try scratch.realm()
    for number in 0..<20 {
      let (one, other) = StringKeyTests.colliding(using: &random)
      try realm.write {
        realm.create(Labelled.self, value: [one, number])
        #expect(realm.object(ofType: Labelled.self, forPrimaryKey: other) == nil)
        realm.create(Labelled.self, value: [other, -number])
      }
      #expect(realm.object(ofType: Labelled.self, forPrimaryKey: one)?.number == number)
      #expect(realm.object(ofType: Labelled.self, forPrimaryKey: other)?.number == -number)
      try realm.write {
        if let row = realm.object(ofType: Labelled.self, forPrimaryKey: one) { realm.delete(row) }
      }
      #expect(realm.object(ofType: Labelled.self, forPrimaryKey: one) == nil)
      #expect(realm.object(ofType: Labelled.self, forPrimaryKey: other)?.number == -number)
    }
  }

  @Test func `no String and the empty one are two keys`() throws {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    let realm = try scratch.realm()
    try realm.write {
      realm.create(MaybeLabelled.self, value: ["label": "", "number": 1])
      #expect(realm.object(ofType: MaybeLabelled.self, forPrimaryKey: String?.none) == nil)
      realm.create(MaybeLabelled.self, value: ["label": NSNull(), "number": 2])
    }
    func number(_ key: String?) -> Int? {
      realm.object(ofType: MaybeLabelled.self, forPrimaryKey: key)?.number
    }
    #expect(number("") == 1)
    #expect(number(nil) == 2)
    #expect(number("a") == nil)
  }

  /// Of a large table the lines of memory are fetched ahead, at places that are guessed from the
  /// lengths of other texts.
  @Test
  func `a large table finds texts of all lengths, and after changes, in live and frozen realms`()
    throws
  {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let rows = 70_000
    let scratch = Scratch()
    let realm = try scratch.realm()
    func text(_ number: Int) -> String { String(repeating: "t", count: number % 61) }
    func label(_ number: Int) -> String { "\(number &* 0x9E37_79B9)" }
    try realm.write {
      for number in 0..<rows {
        realm.add(Labelled(value: [label(number), number, text(number)]))
      }
    }
    func check(_ realm: Realm) {
      for _ in 0..<500 {
        let number = Int.random(in: -100..<(rows + 100), using: &random)
        let found = realm.object(ofType: Labelled.self, forPrimaryKey: label(number))
        #expect(found?.number == ((0..<rows).contains(number) ? number : nil))
        if let found { #expect(found.text == text(number)) }
      }
    }
    check(realm)
    check(realm.freeze())
    try realm.write {
      // Texts that a cluster keeps in another form.
      for number in stride(from: 7, to: rows, by: 9001) {
        let row = realm.object(ofType: Labelled.self, forPrimaryKey: label(number))
        row?.text = text(number) + String(repeating: "long", count: 5000)
        row?.text = text(number)
        check(realm)
      }
    }
    check(realm)
  }

  @Test func `a property that a migration makes the primary key is found by`() throws {
    let scratch = Scratch()
    func open(version: UInt64, isKey: Bool) throws -> Realm {
      var configuration = scratch.configuration(version: version)
      configuration.classes = [
        ClassLayout(
          dynamic: ObjectSchema(
            className: "Thing",
            properties: [
              Property(name: "label", type: .string, isIndexed: isKey, isPrimaryKey: isKey),
              Property(name: "number", type: .int),
            ]))
      ]
      configuration.cache = false
      return try Realm(configuration: configuration)
    }
    do {
      let realm = try open(version: 0, isKey: false)
      try realm.write {
        for number in 0..<500 {
          realm.dynamicCreate("Thing", value: ["label": "thing \(number)", "number": number])
        }
      }
    }
    let realm = try open(version: 1, isKey: true)
    for number in 0..<500 {
      let found = realm.dynamicObject(ofType: "Thing", forPrimaryKey: "thing \(number)")
      #expect(found?["number"] as? Int == number)
    }
    #expect(realm.dynamicObject(ofType: "Thing", forPrimaryKey: "thing 500") == nil)
  }
}

/// Rows of large tables that are asked for again and again, by both kinds of primary keys.
struct OftenAskedTests {
  /// What both tables should have: numbers by numbers.
  private struct Model {
    var rows: [Int: Int] = [:]
    /// Keys that came and went, and some that never came.
    var gone: [Int] = []

    func check(_ realm: Realm, _ times: Int, _ random: inout Dice, _ what: String) {
      let keys = Array(rows.keys)
      for _ in 0..<times {
        if let key = keys.randomElement(using: &random) {
          let labelled = realm.object(ofType: Labelled.self, forPrimaryKey: Model.label(key))
          #expect(labelled?.number == rows[key], "\(key) \(what)")
          #expect(labelled?.label == Model.label(key), "\(key) \(what)")
          let numbered = realm.object(ofType: Numbered.self, forPrimaryKey: key)
          #expect(numbered?.value == rows[key], "\(key) \(what)")
        }
        let other =
          gone.randomElement(using: &random) ?? Int.random(in: .min...(-1), using: &random)
        if rows[other] != nil { continue }
        let label = Model.label(other)
        #expect(realm.object(ofType: Labelled.self, forPrimaryKey: label) == nil, "\(what)")
        #expect(realm.object(ofType: Numbered.self, forPrimaryKey: other) == nil, "\(what)")
      }
    }

    static func label(_ key: Int) -> String { "label \(key &* 0x9E37_79B9)" }
  }

  /// By what is known of the leaves of one version the rows of another must not be looked for: each
  /// version here is asked until that is known, and stepped away from.
  @Test(arguments: [1, 1009])
  func `are found at every version, in writes, after cancelled ones, and frozen`(gap: Int) throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    let realm = try scratch.realm()
    var model = Model()
    var next = 0
    func add(_ count: Int, _ model: inout Model) {
      for _ in 0..<count {
        next += 1
        let key = next * gap
        realm.add(Labelled(value: [Model.label(key), next, "text \(next)"]))
        realm.add(Numbered(value: [key, next]))
        model.rows[key] = next
      }
    }
    func remove(_ keys: [Int], _ model: inout Model) {
      for key in keys {
        if let row = realm.object(ofType: Labelled.self, forPrimaryKey: Model.label(key)) {
          realm.delete(row)
        }
        if let row = realm.object(ofType: Numbered.self, forPrimaryKey: key) { realm.delete(row) }
        model.rows[key] = nil
        model.gone.append(key)
      }
    }
    try realm.write { add(9_000, &model) }
    for step in 0..<8 {
      model.check(realm, 1_500, &random, "at step \(step)")
      if step == 4 { model.check(realm.freeze(), 500, &random, "frozen at step \(step)") }
      let keys = model.rows.keys.sorted()
      var after = model
      realm.beginWrite()
      // One by one, or so many in a row that leaves go.
      let first = Int.random(in: 0..<(keys.count - 1_500), using: &random)
      remove(
        step % 2 == 0
          ? keys.shuffled(using: &random).prefix(300).map { $0 }
          : Array(keys[first..<(first + 1_500)]), &after)
      add(step % 3 == 0 ? 1_200 : 10, &after)
      after.check(realm, 50, &random, "in the write of step \(step)")
      if step % 4 == 2 {
        realm.cancelWrite()
      } else {
        try realm.commitWrite()
        model = after
      }
    }
    model.check(realm, 1_500, &random, "in the end")
    realm.invalidate()
    model.check(realm, 1_500, &random, "after it was invalidated")
  }

  @Test func `are found after another realm's commits`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    let realm = try scratch.realm()
    var apart = scratch.configuration()
    apart.cache = false
    let other = try Realm(configuration: apart)
    var model = Model()
    try realm.write {
      for key in 0..<6_000 {
        realm.add(Labelled(value: [Model.label(key), key, ""]))
        realm.add(Numbered(value: [key, key]))
        model.rows[key] = key
      }
    }
    for step in 0..<6 {
      model.check(realm, 1_000, &random, "at step \(step)")
      let keys = Array(model.rows.keys.shuffled(using: &random).prefix(200))
      let before = model
      try other.write {
        for (place, key) in keys.enumerated() {
          let labelled = other.object(ofType: Labelled.self, forPrimaryKey: Model.label(key))
          let numbered = other.object(ofType: Numbered.self, forPrimaryKey: key)
          guard let labelled, let numbered else { continue }
          if place % 2 == 0 {
            other.delete(labelled)
            other.delete(numbered)
          } else {
            (labelled.number, numbered.value) = (-key, -key)
          }
        }
      }
      for (place, key) in keys.enumerated() {
        model.rows[key] = place % 2 == 0 ? nil : -key
        if place % 2 == 0 { model.gone.append(key) }
      }
      before.check(realm, 300, &random, "before the refresh of step \(step)")
      realm.refresh()
    }
    model.check(realm, 1_000, &random, "in the end")
  }
}
