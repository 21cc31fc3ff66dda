import EngineUnderTest
import Foundation

/// A property of a specimen: how it is set and asked for, and the values that tell wrong engines
/// from right ones.
///
/// A rule is stated over fields, and walks all of them: so what it says of one kind of value it
/// says of each.
struct Field<Value: Hashable>: AnyField {
  let name: String
  let isOptional: Bool
  /// What it is set to, ascending where the kind has an order: zeros and empty values, the ends of
  /// the range, and neighbours.
  let values: [Value]
  /// Whether one value is before another; nil where queries know no order.
  let precedes: ((Value, Value) -> Bool)?
  let read: (Specimen) -> Value?
  let write: (Specimen, Value?) -> Void
  /// The conditions as they are written in Swift.
  let equal: (Query<Specimen>, Value?) -> Query<Bool>
  let unequal: (Query<Specimen>, Value?) -> Query<Bool>
}

/// A field whose kind of value does not matter.
protocol AnyField {
  associatedtype Value: Hashable
  var name: String { get }
  var isOptional: Bool { get }
  var values: [Value] { get }
  var precedes: ((Value, Value) -> Bool)? { get }
  var read: (Specimen) -> Value? { get }
  var write: (Specimen, Value?) -> Void { get }
  var equal: (Query<Specimen>, Value?) -> Query<Bool> { get }
  var unequal: (Query<Specimen>, Value?) -> Query<Bool> { get }
}

extension AnyField {
  /// What it can hold: its values, and null if it may be null.
  var range: [Value?] { values.map(Optional.some) + (isOptional ? [nil] : []) }

  /// One of those, by a number.
  func pick(_ number: UInt64) -> Value? { range[Int(number % UInt64(range.count))] }

  func read(from specimen: Specimen) -> AnyHashable? { read(specimen).map { AnyHashable($0) } }

  func write(_ value: AnyHashable?, to specimen: Specimen) {
    write(specimen, value.flatMap { $0.base as? Value })
  }

  /// Where a value stands in a sort: null before everything.
  func place(_ value: AnyHashable?) -> Int {
    value.flatMap { $0.base as? Value }.flatMap { values.firstIndex(of: $0) } ?? -1
  }
}

extension Field {
  fileprivate static func optional(
    _ name: String, _ path: ReferenceWritableKeyPath<Specimen, Value?>, _ values: [Value],
    precedes: ((Value, Value) -> Bool)?,
    _ equal: @escaping (Query<Specimen>, Value?) -> Query<Bool>,
    _ unequal: @escaping (Query<Specimen>, Value?) -> Query<Bool>
  ) -> Field {
    Field(
      name: name, isOptional: true, values: values, precedes: precedes,
      read: { $0[keyPath: path] }, write: { $0[keyPath: path] = $1 }, equal: equal, unequal: unequal
    )
  }

  fileprivate static func required(
    _ name: String, _ path: ReferenceWritableKeyPath<Specimen, Value>, _ values: [Value],
    precedes: ((Value, Value) -> Bool)?,
    _ equal: @escaping (Query<Specimen>, Value) -> Query<Bool>,
    _ unequal: @escaping (Query<Specimen>, Value) -> Query<Bool>
  ) -> Field {
    Field(
      name: name, isOptional: false, values: values, precedes: precedes,
      read: { $0[keyPath: path] }, write: { $0[keyPath: path] = $1! }, equal: { equal($0, $1!) },
      unequal: { unequal($0, $1!) })
  }
}

/// All fields of a specimen but its key.
enum Fields {
  static var all: [any AnyField] { ordered + texts + identities + [truth] }

  /// Those whose values have an order that queries use.
  static var ordered: [any AnyField] {
    [
      Field.optional(
        "whole", \.whole, [.min, -70_000, -1, 0, 1, 70_000, .max], precedes: <,
        { $0.whole == $1 }, { $0.whole != $1 }),
      Field.optional(
        "small", \.small, [.min, -1, 0, 1, .max], precedes: <,
        { $0.small == $1 }, { $0.small != $1 }),
      Field.optional(
        "number", \.number, [-5, 0, 1, 2, 900], precedes: <,
        { $0.number == $1 }, { $0.number != $1 }),
      Field.optional(
        "single", \.single, [-0x1p40, -0.25, 0, 0.5, 0x1p40], precedes: <,
        { $0.single == $1 }, { $0.single != $1 }),
      Field.optional(
        "fraction", \.fraction, [-1e300, -0.5, 0, 0.125, 1e300], precedes: <,
        { $0.fraction == $1 }, { $0.fraction != $1 }),
      Field.optional(
        "price", \.price, [-12.5, -1, 0, 1, 2.25], precedes: <,
        { $0.price == $1 }, { $0.price != $1 }),
      Field.optional(
        "day", \.day, [-1e9, -1, 0, 0.5, 1e9].map { Date(timeIntervalSince1970: $0) },
        precedes: <, { $0.day == $1 }, { $0.day != $1 }),
      Field.required(
        "amount", \.amount, [-300, -1, 0, 1, 65_536], precedes: <,
        { $0.amount == $1 }, { $0.amount != $1 }),
      Field.required(
        "ratio", \.ratio, [-2.5, 0, 0.5, 1e9], precedes: <, { $0.ratio == $1 }, { $0.ratio != $1 }),
    ]
  }

  static var texts: [any AnyField] {
    let short = ["", "A", "Z", "a", "ab", "z"]
    let long = String(repeating: "zebra ", count: 60)
    return [
      Field.optional(
        "text", \.text, short + [long], precedes: nil, { $0.text == $1 }, { $0.text != $1 }),
      Field.optional("tag", \.tag, short, precedes: nil, { $0.tag == $1 }, { $0.tag != $1 }),
      Field.required("word", \.word, short, precedes: nil, { $0.word == $1 }, { $0.word != $1 }),
      Field.required(
        "name", \.name, short + [long], precedes: nil, { $0.name == $1 }, { $0.name != $1 }),
    ]
  }

  private static var identities: [any AnyField] {
    [
      Field.optional(
        "bytes", \.bytes, [Data(), Data([0]), Data([0, 1]), Data(count: 300)], precedes: nil,
        { $0.bytes == $1 }, { $0.bytes != $1 }),
      Field.optional(
        "mark", \.mark,
        (0..<4).map { UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)) },
        precedes: nil, { $0.mark == $1 }, { $0.mark != $1 }),
      Field.optional(
        "code", \.code,
        ["000000000000000000000000", "0000000000000000000000ff", "5f0000000000000000000001"].map {
          try! ObjectId(string: $0)
        }, precedes: nil, { $0.code == $1 }, { $0.code != $1 }),
    ]
  }

  private static var truth: any AnyField {
    Field.optional(
      "truth", \.truth, [false, true], precedes: nil, { $0.truth == $1 }, { $0.truth != $1 })
  }
}
