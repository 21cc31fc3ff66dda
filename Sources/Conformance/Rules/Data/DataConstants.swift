import EngineUnderTest
import Evidence
import Foundation

/// Numbers that are compared with numbers of other kinds: a whole one with a fraction, and so on.
private struct Constants {
  let name: String
  let count: Int
  /// Whether constants become single fractions first: then only those are asked for that stay what
  /// they are.
  let isSingle: Bool
  /// Gives an object the number of a place; nothing where there is none.
  let put: (Cupboard, Int) -> Void
  /// Whether the number of a place stands so to another, exactly.
  let stands: (Int, String, Exact) -> Bool

  init<Value>(
    _ name: String, _ path: ReferenceWritableKeyPath<Cupboard, Value?>, _ values: [Value],
    _ exact: @escaping (Value) -> Exact
  ) {
    self.name = name
    isSingle = Value.self == Float.self
    count = values.count + 1
    put = { $0[keyPath: path] = $1 < values.count ? values[$1] : nil }
    stands = { place, operation, other in
      guard place < values.count else { return operation == "!=" }
      return exact(values[place]).stands(operation, other)
    }
  }
}

/// A number as it is, whatever kind it is of.
private enum Exact: CustomStringConvertible {
  case whole(Int)
  case fraction(Double)

  var any: Any {
    switch self {
    case .whole(let value): value
    case .fraction(let value): value
    }
  }

  var isSingle: Bool {
    switch self {
    case .whole(let value): Float(exactly: value) != nil
    case .fraction(let value): Float(exactly: value) != nil
    }
  }

  var description: String {
    switch self {
    case .whole(let value): "\(value)"
    case .fraction(let value): "\(value) (a fraction)"
    }
  }

  func stands(_ operation: String, _ other: Exact) -> Bool {
    let order = order(other)
    return switch operation {
    case "==": order == 0
    case "!=": order != 0
    case "<": order < 0
    case "<=": order <= 0
    case ">": order > 0
    default: order >= 0
    }
  }

  /// Without rounding: a large whole number has no fraction beside it that is like it.
  private func order(_ other: Exact) -> Int {
    switch (self, other) {
    case (.whole(let one), .whole(let two)): one < two ? -1 : one == two ? 0 : 1
    case (.fraction(let one), .fraction(let two)): one < two ? -1 : one == two ? 0 : 1
    case (.whole(let one), .fraction(let two)): Exact.order(one, two)
    case (.fraction(let one), .whole(let two)): -Exact.order(two, one)
    }
  }

  private static func order(_ one: Int, _ two: Double) -> Int {
    if two >= 0x1p63 { return -1 }
    if two < -0x1p63 { return 1 }
    let below = Int(two.rounded(.down))
    return one < below ? -1 : one > below ? 1 : two == Double(below) ? 0 : -1
  }
}

extension Probe {
  /// Each kind of number property beside constants of each kind.
  static let constantsOfOtherKinds = Probe(
    "numbers beside constants of another kind: whole ones, fractions, large and small"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Realm(configuration: stage.cupboards())
    let wholes = [
      Int.min, -(1 << 53) - 1, -300, -129, -2, -1, 0, 1, 2, 3, 127, 128, 1 << 24,
      1 << 53 + 1, .max,
    ]
    let fractions = [
      -1e300, -2.5, -2, -0.5, 0, 0.1, 0.5, 1, 1.5, 2.0.nextDown, 2, 2.0.nextUp, 127.5, 16_777_216,
      9_007_199_254_740_992, 0x1p63, 1e300,
    ]
    let kinds: [Constants] = [
      Constants("maybeWhole", \.maybeWhole, wholes) { .whole($0) },
      Constants("maybeLong", \.maybeLong, wholes.map { Int64($0) }) { .whole(Int($0)) },
      Constants("maybeTiny", \.maybeTiny, [.min, -2, -1, 0, 1, 2, 3, .max]) { .whole(Int($0)) },
      Constants("maybeMiddle", \.maybeMiddle, [.min, -2, 0, 1, 2, 128, .max]) { .whole(Int($0)) },
      Constants("maybeFraction", \.maybeFraction, fractions) { .fraction($0) },
      Constants("maybeSingle", \.maybeSingle, [-2.5, -2, 0, 0.1, 0.5, 1, 1.5, 2, 16_777_216]) {
        .fraction(Double($0))
      },
    ]
    let count = kinds.map(\.count).max()!
    try realm.write {
      for id in 0..<count {
        let cupboard = Cupboard(id: id)
        for kind in kinds { kind.put(cupboard, id) }
        realm.add(cupboard)
      }
    }
    let all = realm.objects(Cupboard.self)
    let constants = wholes.map { Exact.whole($0) } + fractions.map { Exact.fraction($0) }
    for kind in kinds {
      for constant in constants where constant.isSingle || !kind.isSingle {
        for operation in ["==", "!=", "<", "<=", ">", ">="] {
          let format = "\(kind.name) \(operation) %@"
          let ids = (0..<count).filter {
            kind.stands(min($0, kind.count - 1), operation, constant)
          }
          stage.equal(
            Array(all.filter(format, constant.any).map(\.id)), ids, "\(format), \(constant)")
        }
      }
    }
  }
}
