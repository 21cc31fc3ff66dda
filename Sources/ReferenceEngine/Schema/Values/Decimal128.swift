import Foundation

/// A decimal number of 34 digits and an exponent from -6176 to 6111, as IEEE 754 has it.
public struct Decimal128: Sendable, CustomStringConvertible {
  // The IEEE encoding with a binary integer coefficient: sign, 14 bits of exponent, 113 of
  // coefficient.
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  static let bias = 6176
  static let largestCoefficient: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999

  /// Zero.
  public init() { self.init(negative: false, coefficient: 0, exponent: 0) }

  public init(_ value: Int64) {
    self.init(negative: value < 0, coefficient: UInt128(value.magnitude), exponent: 0)
  }

  public init(_ value: Int) { self.init(Int64(value)) }

  public init(_ value: Double) {
    if value.isNaN {
      self = .nan
    } else if value.isInfinite {
      self = value < 0 ? .negativeInfinity : .infinity
    } else {
      self = Decimal128(parsing: "\(value)") ?? Decimal128()
    }
  }

  public init(number: NSNumber) { self = Decimal128(parsing: number.stringValue) ?? .nan }

  init(negative: Bool, coefficient: UInt128, exponent: Int) {
    var (coefficient, exponent) = (coefficient, exponent)
    // Too many digits: drop the last ones, half to even.
    while coefficient > Decimal128.largestCoefficient
      || (exponent < -Decimal128.bias && coefficient != 0)
    {
      let (quotient, rest) = coefficient.quotientAndRemainder(dividingBy: 10)
      coefficient = quotient + (rest > 5 || (rest == 5 && quotient & 1 == 1) ? 1 : 0)
      exponent += 1
    }
    if coefficient == 0 { exponent = Swift.min(Swift.max(exponent, -Decimal128.bias), 6111) }
    while exponent > 6111, coefficient <= Decimal128.largestCoefficient / 10 {
      coefficient *= 10
      exponent -= 1
    }
    if exponent > 6111 {
      self = negative ? .negativeInfinity : .infinity
      return
    }
    high =
      (negative ? 1 << 63 : 0) | UInt64(exponent + Decimal128.bias) << 49
      | UInt64(truncatingIfNeeded: coefficient >> 64)
    low = UInt64(truncatingIfNeeded: coefficient)
  }

  init?(parsing string: String) {
    var text = Substring(string)
    let negative = text.first == "-"
    if text.first == "-" || text.first == "+" { text.removeFirst() }
    switch text.lowercased() {
    case "nan":
      self = .nan
      return
    case "inf", "infinity":
      self = negative ? .negativeInfinity : .infinity
      return
    default: break
    }
    var (coefficient, exponent): (UInt128, Int) = (0, 0)
    var (digits, point) = (0, false)
    while let next = text.first, next != "e", next != "E" {
      text.removeFirst()
      if next == ".", !point {
        point = true
      } else if let digit = next.wholeNumberValue, next.isASCII {
        digits += 1
        if coefficient <= Decimal128.largestCoefficient / 10 {
          coefficient = coefficient * 10 + UInt128(digit)
          if point { exponent -= 1 }
        } else if !point {
          exponent += 1
        }
      } else {
        return nil
      }
    }
    guard digits > 0 else { return nil }
    if !text.isEmpty {
      guard let given = Int(text.dropFirst()), abs(given) < 100_000 else { return nil }
      exponent += given
    }
    self.init(negative: negative, coefficient: coefficient, exponent: exponent)
  }

  public static let nan = Decimal128(high: 0x7C00_0000_0000_0000, low: 0)
  static let infinity = Decimal128(high: 0x7800_0000_0000_0000, low: 0)
  static let negativeInfinity = Decimal128(high: 0xF800_0000_0000_0000, low: 0)

  /// The smallest number there is.
  public static let min = Decimal128(
    negative: true, coefficient: largestCoefficient, exponent: 6111)
  /// The largest number there is.
  public static let max = Decimal128(
    negative: false, coefficient: largestCoefficient, exponent: 6111)

  public var isNaN: Bool { high & 0x7C00_0000_0000_0000 == 0x7C00_0000_0000_0000 }
  var isInfinite: Bool { high & 0x7C00_0000_0000_0000 == 0x7800_0000_0000_0000 }
  /// Whether it is a NaN that a calculation must not pass on.
  public var isSignaling: Bool { high & 0x7E00_0000_0000_0000 == 0x7E00_0000_0000_0000 }
  public var isSignalingNaN: Bool { isNaN && isSignaling }

  public var isNegative: Bool { high >> 63 == 1 }
  var coefficient: UInt128 { UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low) }
  var exponent: Int { Int(high >> 49 & 0x3FFF) - Decimal128.bias }
  public var magnitude: Decimal128 { Decimal128(high: high & ~(1 << 63), low: low) }

  public var doubleValue: Double { Double(description) ?? .nan }

  /// The number in digits; with an exponent where it would need many zeros.
  public var description: String {
    if isNaN { return "NaN" }
    if isInfinite { return isNegative ? "-Inf" : "Inf" }
    let sign = isNegative ? "-" : ""
    let digits = String(coefficient)
    let scientific = exponent + digits.count - 1
    if exponent > 0 || scientific < -6 {
      let rest = digits.dropFirst()
      return sign + digits.prefix(1) + (rest.isEmpty ? "" : ".") + rest
        + "E" + (scientific < 0 ? "" : "+") + "\(scientific)"
    }
    if exponent == 0 { return sign + digits }
    let places = -exponent
    let padded = String(repeating: "0", count: Swift.max(0, places + 1 - digits.count)) + digits
    return sign + padded.dropLast(places) + "." + padded.suffix(places)
  }
}

extension Decimal128: Hashable, Comparable {
  /// The same number in the one form that all its encodings share.
  var canonical: Decimal128 {
    if isNaN { return .nan }
    if isInfinite { return self }
    var (coefficient, exponent) = (self.coefficient, self.exponent)
    if coefficient == 0 { return Decimal128() }
    while coefficient % 10 == 0 {
      coefficient /= 10
      exponent += 1
    }
    return Decimal128(
      high: (isNegative ? 1 << 63 : 0) | UInt64(exponent + Decimal128.bias) << 49
        | UInt64(truncatingIfNeeded: coefficient >> 64),
      low: UInt64(truncatingIfNeeded: coefficient))
  }

  public static func == (left: Decimal128, right: Decimal128) -> Bool {
    if left.high == right.high, left.low == right.low { return true }
    let (one, other) = (left.canonical, right.canonical)
    return one.high == other.high && one.low == other.low
  }

  public func hash(into hasher: inout Hasher) {
    let form = canonical
    hasher.combine(form.high)
    hasher.combine(form.low)
  }

  /// NaN stands before all numbers, so that sorting is total.
  public static func < (left: Decimal128, right: Decimal128) -> Bool { compare(left, right) < 0 }

  static func compare(_ left: Decimal128, _ right: Decimal128) -> Int {
    if left == right { return 0 }
    if left.isNaN || right.isNaN { return left.isNaN ? -1 : 1 }
    let (negative, other) = (left.isBelowZero, right.isBelowZero)
    if negative != other { return negative ? -1 : 1 }
    let order = compareMagnitudes(left, right)
    return negative ? -order : order
  }

  private var isBelowZero: Bool { isNegative && (isInfinite || coefficient != 0) }

  private static func compareMagnitudes(_ left: Decimal128, _ right: Decimal128) -> Int {
    if left.isInfinite || right.isInfinite { return left.isInfinite ? 1 : -1 }
    let (one, other) = (left.canonical, right.canonical)
    if one.coefficient == 0 || other.coefficient == 0 { return one.coefficient == 0 ? -1 : 1 }
    let (a, b) = (String(one.coefficient), String(other.coefficient))
    let (ea, eb) = (one.exponent + a.count, other.exponent + b.count)
    if ea != eb { return ea < eb ? -1 : 1 }
    let width = Swift.max(a.count, b.count)
    let (pa, pb) = (
      a + String(repeating: "0", count: width - a.count),
      b + String(repeating: "0", count: width - b.count)
    )
    return pa < pb ? -1 : pa == pb ? 0 : 1
  }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, Codable
{
  public init(integerLiteral value: Int64) { self.init(value) }
  public init(floatLiteral value: Double) { self.init(value) }
  public init(stringLiteral value: String) { self = Decimal128(parsing: value) ?? .nan }

  public init(from decoder: any Decoder) throws {
    try self.init(string: decoder.singleValueContainer().decode(String.self))
  }
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Decimal128 {
  public typealias Stride = Decimal128

  /// The number that a value stands for: a number, or digits; NaN for what is none.
  public init(value: Any) { self = Decimal128._rlmCoerce(value) ?? .nan }

  public var stringValue: String { description }

  public func distance(to other: Decimal128) -> Decimal128 { other - self }
  public func advanced(by distance: Decimal128) -> Decimal128 { self + distance }
}

extension Decimal128: Numeric {
  /// The number; nil if it has more digits than fit.
  public init?<Source: BinaryInteger>(exactly source: Source) {
    guard let magnitude = UInt128(exactly: source.magnitude) else { return nil }
    let made = Decimal128(negative: source < 0, coefficient: magnitude, exponent: 0)
    let digits = "\(magnitude)"
    let zeros = digits.reversed().prefix { $0 == "0" }.count
    guard magnitude == 0 || digits.count - zeros <= 34 else { return nil }
    self = made
  }

  public static func += (left: inout Decimal128, right: Decimal128) { left = left + right }
  public static func -= (left: inout Decimal128, right: Decimal128) { left = left - right }
  public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }
  public static func /= (left: inout Decimal128, right: Decimal128) { left = left / right }

  public static func + (left: Decimal128, right: Decimal128) -> Decimal128 {
    if left.isNaN || right.isNaN { return .nan }
    if left.isInfinite || right.isInfinite {
      if left.isInfinite, right.isInfinite, left.isNegative != right.isNegative { return .nan }
      return left.isInfinite ? left : right
    }
    // The larger exponent comes down to the smaller as far as the digits allow; the rest is lost by
    // rounding.
    var (large, small) = left.exponent >= right.exponent ? (left, right) : (right, left)
    if large.coefficient == 0 { swap(&large, &small) }
    var (a, exponent) = (large.coefficient, large.exponent)
    let room = largestCoefficient * 1000
    while exponent > small.exponent, a <= room / 10, a != 0 {
      a *= 10
      exponent -= 1
    }
    var b = small.coefficient
    if exponent < small.exponent {
      for _ in 0..<Swift.min(small.exponent - exponent, 38) where b <= room / 10 { b *= 10 }
    } else {
      for _ in 0..<Swift.min(exponent - small.exponent, 40) { b /= 10 }
    }
    if large.isNegative == small.isNegative {
      return Decimal128(negative: large.isNegative, coefficient: a + b, exponent: exponent)
    }
    return a >= b
      ? Decimal128(negative: large.isNegative && a != b, coefficient: a - b, exponent: exponent)
      : Decimal128(negative: small.isNegative, coefficient: b - a, exponent: exponent)
  }

  public static func - (left: Decimal128, right: Decimal128) -> Decimal128 { left + -right }

  public static prefix func - (value: Decimal128) -> Decimal128 {
    Decimal128(high: value.high ^ 1 << 63, low: value.low)
  }

  public static func * (left: Decimal128, right: Decimal128) -> Decimal128 {
    if left.isNaN || right.isNaN { return .nan }
    let negative = left.isNegative != right.isNegative
    if left.isInfinite || right.isInfinite {
      let zero = (left.isInfinite ? right : left).isZero
      return zero ? .nan : negative ? .negativeInfinity : .infinity
    }
    let product = left.coefficient.multipliedFullWidth(by: right.coefficient)
    var (high, low) = (product.high, UInt128(product.low))
    var exponent = left.exponent + right.exponent
    while high != 0 {
      let top = high.quotientAndRemainder(dividingBy: 10)
      let bottom = UInt128(10).dividingFullWidth((top.remainder, low))
      (high, low) = (top.quotient, bottom.quotient)
      exponent += 1
    }
    return Decimal128(negative: negative, coefficient: low, exponent: exponent)
  }

  public static func / (left: Decimal128, right: Decimal128) -> Decimal128 {
    if left.isNaN || right.isNaN || (left.isInfinite && right.isInfinite) { return .nan }
    let negative = left.isNegative != right.isNegative
    if left.isInfinite { return negative ? .negativeInfinity : .infinity }
    if right.isInfinite { return Decimal128() }
    if right.isZero { return left.isZero ? .nan : negative ? .negativeInfinity : .infinity }
    var (quotient, rest) = left.coefficient.quotientAndRemainder(dividingBy: right.coefficient)
    var exponent = left.exponent - right.exponent
    while rest != 0, quotient <= largestCoefficient {
      let (high, low) = rest.multipliedFullWidth(by: 10)
      let digit = right.coefficient.dividingFullWidth((high, low))
      quotient = quotient * 10 + digit.quotient
      rest = digit.remainder
      exponent -= 1
    }
    return Decimal128(negative: negative, coefficient: quotient, exponent: exponent)
  }

  private var isZero: Bool { !isNaN && !isInfinite && coefficient == 0 }
}
