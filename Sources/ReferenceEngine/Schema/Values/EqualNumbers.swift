import Foundation

// Which numbers a set of mixed values has once, of whatever type: those of equal value, as in
// Realm. 1, 1.0 and the decimal 1.00 are one element, true is no number. Nothing is rounded between
// whole and binary numbers: 2^53 + 1 is not the double 2^53. Beside a decimal a double counts with
// its first 15 digits and a float with its first 7, so that 0.1 is 0.1.

extension StoredValue {
  /// Whether both are numbers of one value and none is a decimal. A NaN is the same as one of its
  /// bits.
  func isSameBinaryNumber(as other: StoredValue) -> Bool {
    switch (self, other) {
    case (.int(let one), .int(let two)): return one == two
    case (.int(let whole), _): return other.binary.flatMap { Int64(exactly: $0) } == whole
    case (_, .int(let whole)): return binary.flatMap { Int64(exactly: $0) } == whole
    default:
      guard let one = binary, let two = other.binary else { return false }
      return one == two || one.bitPattern == two.bitPattern
    }
  }

  private var binary: Double? {
    switch self {
    case .float(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// All numbers that are no decimals and of the same value, the value itself among them if it is
  /// none; nothing for what is no number.
  var equalBinaryNumbers: [StoredValue] {
    switch self {
    case .int(let whole):
      let (double, float) = (Double(whole), Float(whole))
      return [self] + StoredValue.signed(Int64(exactly: double) == whole ? double : nil)
        + StoredValue.signed(Int64(exactly: float) == whole ? float : nil)
    case .float(let value):
      let whole = Int64(exactly: value).map { [StoredValue.int($0)] } ?? []
      return StoredValue.signed(value) + StoredValue.signed(Double(value)) + whole
    case .double(let value):
      let float = Float(value)
      let isExact = Double(float) == value || Double(float).bitPattern == value.bitPattern
      let whole = Int64(exactly: value).map { [StoredValue.int($0)] } ?? []
      return StoredValue.signed(value) + StoredValue.signed(isExact ? float : nil) + whole
    case .decimal(let value):
      let whole = value.whole.map { [StoredValue.int($0)] } ?? []
      return value.doubles.map(StoredValue.double) + value.floats.map(StoredValue.float) + whole
    default: return []
    }
  }

  /// The decimal that has the same value, or stands for it; nil for what is no number.
  var equalDecimal: Decimal128? {
    switch self {
    case .int(let value): Decimal128(value)
    case .float(let value): Decimal128(shortened: Double(value), digits: 7)
    case .double(let value): Decimal128(shortened: value, digits: 15)
    case .decimal(let value): value
    default: nil
    }
  }

  /// Zero is written in two ways.
  private static func signed(_ value: Double?) -> [StoredValue] {
    value.map { $0 == 0 ? [.double(0), .double(-0.0)] : [.double($0)] } ?? []
  }

  private static func signed(_ value: Float?) -> [StoredValue] {
    value.map { $0 == 0 ? [.float(0), .float(-0.0)] : [.float($0)] } ?? []
  }
}

extension Decimal128 {
  /// A binary fraction, with so many digits as are surely its own.
  init(shortened value: Double, digits: Int) {
    guard value.isFinite else {
      self.init(value)
      return
    }
    self = Decimal128(parsing: String(format: "%.\(digits - 1)e", value)) ?? .nan
  }

  /// All ways to write the number; nil if they are too many to be listed, as those of zero.
  var spellings: [Decimal128]? {
    if isNaN || isInfinite || coefficient == 0 { return nil }
    var next = canonical
    var found = [next]
    while next.coefficient <= Decimal128.largestCoefficient / 10, next.exponent > -Decimal128.bias {
      next = Decimal128(
        negative: isNegative, coefficient: next.coefficient * 10, exponent: next.exponent - 1)
      found.append(next)
    }
    return found
  }

  /// The whole number that it is.
  fileprivate var whole: Int64? {
    if isNaN || isInfinite { return nil }
    let form = canonical
    if form.coefficient == 0 { return 0 }
    guard (0..<19).contains(form.exponent) else { return nil }
    var magnitude = form.coefficient
    for _ in 0..<form.exponent {
      if magnitude > UInt128(UInt64.max) { return nil }
      magnitude *= 10
    }
    return Int64(exactly: isNegative ? -Int128(magnitude) : Int128(magnitude))
  }

  /// The doubles that stand for it beside a decimal.
  fileprivate var doubles: [Double] {
    neighbours(of: doubleValue) { Decimal128(shortened: $0, digits: 15) }
  }

  fileprivate var floats: [Float] {
    let nearest: Float = isNaN ? .nan : Float(description) ?? .nan
    return neighbours(of: nearest) { Decimal128(shortened: Double($0), digits: 7) }
  }

  /// The binary fractions around the nearest one that come to this number: they are a few, as none
  /// of them is shortened by more than two digits.
  private func neighbours<Value: BinaryFloatingPoint>(
    of nearest: Value, _ shortened: (Value) -> Decimal128
  ) -> [Value] {
    guard shortened(nearest) == self else { return [] }
    if nearest == 0 { return [0, -0.0] }
    var found = [nearest]
    if !nearest.isFinite { return found }
    var next = nearest.nextUp
    while next.isFinite, shortened(next) == self {
      found.append(next)
      next = next.nextUp
    }
    next = nearest.nextDown
    while next.isFinite, shortened(next) == self {
      found.append(next)
      next = next.nextDown
    }
    return found
  }
}
