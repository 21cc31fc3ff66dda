import Foundation

/// The whole numbers that a comparison with constants allows, both ends included; empty if low >
/// high.
struct IntegerBounds: Equatable {
  var low = Int64.min
  var high = Int64.max

  static let empty = IntegerBounds(low: 1, high: 0)

  private init(low: Int64, high: Int64) {
    self.low = low
    self.high = high
  }

  /// Nil for constants that are no numbers this can deal with.
  init?(_ operation: Comparison.Operation, _ values: [StoredValue]) {
    switch operation {
    case .between:
      guard values.count == 2, let from = IntegerBounds(.greaterOrEqual, [values[0]]),
        let to = IntegerBounds(.lessOrEqual, [values[1]])
      else { return nil }
      self = IntegerBounds(low: from.low, high: to.high)
      if from.low > from.high || to.low > to.high { self = .empty }
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard values.count == 1 else { return nil }
      switch values[0] {
      case .int(let value): self = IntegerBounds(operation, whole: value)
      case .bool(let value): self = IntegerBounds(operation, whole: value ? 1 : 0)
      case .link(let link): self = IntegerBounds(operation, whole: link.key)
      case .instance, .null: self = .empty
      case .float(let value): self = IntegerBounds(operation, fraction: Double(value))
      case .double(let value): self = IntegerBounds(operation, fraction: value)
      default: return nil
      }
    default: return nil
    }
  }

  /// Those that one of the six comparisons with a whole number allows.
  init(_ operation: Comparison.Operation, whole value: Int64) {
    switch operation {
    case .less:
      self = value == .min ? .empty : IntegerBounds(low: .min, high: value - 1)
    case .lessOrEqual: self = IntegerBounds(low: .min, high: value)
    case .greater:
      self = value == .max ? .empty : IntegerBounds(low: value + 1, high: .max)
    case .greaterOrEqual: self = IntegerBounds(low: value, high: .max)
    default: self = IntegerBounds(low: value, high: value)
    }
  }

  private init(_ operation: Comparison.Operation, fraction value: Double) {
    let down = value.rounded(.down)
    if value.isNaN {
      self = .empty
    } else if down >= 9_223_372_036_854_775_808 {
      self =
        operation == .less || operation == .lessOrEqual
        ? IntegerBounds(low: .min, high: .max) : .empty
    } else if down < -9_223_372_036_854_775_808 {
      self =
        operation == .greater || operation == .greaterOrEqual
        ? IntegerBounds(low: .min, high: .max) : .empty
    } else if down == value {
      self = IntegerBounds(operation, whole: Int64(down))
    } else {
      // Between two whole numbers: none is equal, and "at least" means "above the lower one".
      switch operation {
      case .less, .lessOrEqual: self = IntegerBounds(.lessOrEqual, whole: Int64(down))
      case .greater, .greaterOrEqual: self = IntegerBounds(.greater, whole: Int64(down))
      default: self = .empty
      }
    }
  }
}

/// The fractions that a comparison with constants allows, both ends included; empty if low > high.
struct FractionBounds: Equatable {
  var low = -Double.infinity
  var high = Double.infinity

  private init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  init?(_ operation: Comparison.Operation, _ values: [StoredValue]) {
    if operation == .between {
      guard values.count == 2, let from = FractionBounds(.greaterOrEqual, [values[0]]),
        let to = FractionBounds(.lessOrEqual, [values[1]])
      else { return nil }
      self = FractionBounds(low: max(from.low, to.low), high: min(from.high, to.high))
      return
    }
    guard values.count == 1 else { return nil }
    let value: Double
    switch values[0] {
    case .int(let number):
      // One that a double cannot hold exactly is compared the slow way.
      guard let exact = Double(exactly: number) else { return nil }
      value = exact
    case .float(let number): value = Double(number)
    case .double(let number): value = number
    case .date(let date): value = date.timeIntervalSinceReferenceDate
    case .null: value = .nan
    default: return nil
    }
    self.init(operation, fraction: value)
  }

  /// Those that one of the six comparisons with a fraction allows; nil for any other operation.
  init?(_ operation: Comparison.Operation, fraction value: Double) {
    if value.isNaN {
      (low, high) = (1, 0)
      return
    }
    switch operation {
    case .equal, .notEqual: (low, high) = (value, value)
    case .lessOrEqual: high = value
    case .greaterOrEqual: low = value
    case .less:
      if value == -.infinity { (low, high) = (1, 0) } else { high = value.nextDown }
    case .greater:
      if value == .infinity { (low, high) = (1, 0) } else { low = value.nextUp }
    default: return nil
    }
  }
}
