import Foundation
import Testing

@testable import ReferenceEngine

/// Objects added with values of every plain kind: their rows are filled in one go, which trusts
/// that a new row holds zeros and nulls wherever it is made, also where another row has just been.
struct FillingTests {
  class Plain: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var int: Int
    @Persisted var int8: Int8
    @Persisted var int16: Int16
    @Persisted var int32: Int32
    @Persisted var int64: Int64
    @Persisted var bool: Bool
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted var date: Date
    @Persisted var string: String
    @Persisted var maybeInt: Int?
    @Persisted var maybeInt8: Int8?
    @Persisted var maybeInt16: Int16?
    @Persisted var maybeInt32: Int32?
    @Persisted var maybeInt64: Int64?
    @Persisted var maybeBool: Bool?
    @Persisted var maybeFloat: Float?
    @Persisted var maybeDouble: Double?
    @Persisted var maybeDate: Date?
    @Persisted var maybeString: String?
  }

  /// What an object holds, bit by bit: -0.0 is not 0.0.
  private func facts(_ plain: Plain) -> [AnyHashable?] {
    [
      plain.int, plain.int8, plain.int16, plain.int32, plain.int64, plain.bool,
      plain.float.bitPattern, plain.double.bitPattern, plain.date, plain.string, plain.maybeInt,
      plain.maybeInt8, plain.maybeInt16, plain.maybeInt32, plain.maybeInt64, plain.maybeBool,
      plain.maybeFloat?.bitPattern, plain.maybeDouble?.bitPattern, plain.maybeDate,
      plain.maybeString,
    ]
  }

  private func made(_ id: Int, using random: inout Dice) -> Plain {
    let plain = Plain()
    plain.id = id
    func chance() -> Bool { Int.random(in: 0..<3, using: &random) > 0 }
    func whole<Value: FixedWidthInteger>(_: Value.Type) -> Value {
      [0, 1, .max, .min, Value.random(in: .min ... .max, using: &random)]
        .randomElement(using: &random) ?? 0
    }
    let texts = [
      "", "a", "fifteen bytes!!", "sixteen bytes!!!", String(repeating: "long ", count: 99),
    ]
    // What is left out has the value of its type, or null.
    if chance() { plain.int = whole(Int.self) }
    if chance() { plain.int8 = whole(Int8.self) }
    if chance() { plain.int16 = whole(Int16.self) }
    if chance() { plain.int32 = whole(Int32.self) }
    if chance() { plain.int64 = whole(Int64.self) }
    if chance() { plain.bool = Bool.random(using: &random) }
    if chance() { plain.float = [0, -0.0, 1.5, .infinity].randomElement(using: &random) ?? 0 }
    if chance() { plain.double = [0, -0.0, 1.5, .infinity].randomElement(using: &random) ?? 0 }
    if chance() { plain.date = Date(timeIntervalSinceReferenceDate: Double(whole(Int8.self))) }
    if chance() { plain.string = texts.randomElement(using: &random) ?? "" }
    if chance() { plain.maybeInt = whole(Int.self) }
    if chance() { plain.maybeInt8 = whole(Int8.self) }
    if chance() { plain.maybeInt16 = whole(Int16.self) }
    if chance() { plain.maybeInt32 = whole(Int32.self) }
    if chance() { plain.maybeInt64 = whole(Int64.self) }
    if chance() { plain.maybeBool = Bool.random(using: &random) }
    if chance() { plain.maybeFloat = [0, -0.0, 1.5].randomElement(using: &random) ?? 0 }
    if chance() { plain.maybeDouble = [0, -0.0, 1.5].randomElement(using: &random) ?? 0 }
    if chance() { plain.maybeDate = Date(timeIntervalSinceReferenceDate: Double(whole(Int8.self))) }
    if chance() { plain.maybeString = texts.randomElement(using: &random) ?? "" }
    return plain
  }

  @Test func `a new row holds what the object held, wherever it is made`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let scratch = Scratch()
    let realm = try scratch.realm()
    var known: [Int: [AnyHashable?]] = [:]
    for round in 0..<12 {
      try realm.write {
        for _ in 0..<60 {
          let id = Int.random(in: 0..<400, using: &random)
          if let old = realm.object(ofType: Plain.self, forPrimaryKey: id) {
            realm.delete(old)
            known[id] = nil
            // Its place is taken again at once, half of the time.
            if Bool.random(using: &random) { continue }
          }
          let plain = made(id, using: &random)
          known[id] = facts(plain)
          realm.add(plain)
          #expect(facts(plain) == known[id], "round \(round), id \(id), just added")
        }
      }
      let all = realm.objects(Plain.self)
      #expect(all.count == known.count)
      for plain in all { #expect(facts(plain) == known[plain.id], "round \(round), \(plain.id)") }
    }
  }

  @Test func `an object that is there already is refused, or written over`() async throws {
    let scratch = Scratch()
    let realm = try scratch.realm()
    try realm.write {
      realm.add(Plain(value: ["id": 7, "int": 1, "string": "old"]))
      realm.add(Plain(value: ["id": 7, "int": 2]), update: .modified)
    }
    let seven = realm.object(ofType: Plain.self, forPrimaryKey: 7)
    #expect(realm.objects(Plain.self).count == 1 && seven?.int == 2 && seven?.string == "")
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      try realm.write {
        realm.add(Plain(value: ["id": 7]))
        realm.add(Plain(value: ["id": 7]))
      }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      said.contains(
        "Attempting to create an object of type 'Plain' with an existing primary key value '7'."))
  }
}
