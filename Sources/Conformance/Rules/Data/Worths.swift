import EngineUnderTest
import Foundation

/// Values of each kind that tell an engine which keeps all of them from one that keeps most: the
/// ends, the neighbours of powers of two, texts and data of lengths at which engines like to store
/// them otherwise, and what is told apart in one place only.
enum Worths {
  static let truths = [false, true]

  static func wholes<Value: FixedWidthInteger & SignedInteger>(_: Value.Type) -> [Value] {
    var all: Set<Value> = [.min, .max, 0]
    for bits in 0..<(Value.bitWidth - 1) {
      let power = Value(1) << Value(bits)
      all.formUnion([power, power - 1, power ^ 1, -power, -power + 1, -power - 1])
    }
    return all.sorted()
  }

  static let singles: [Float] = [
    -.infinity, -.greatestFiniteMagnitude, -1.5, -.leastNonzeroMagnitude, 0,
    .leastNonzeroMagnitude, .leastNormalMagnitude, 0.1, Float(1).nextDown, 1, Float(1).nextUp,
    16_777_215, 16_777_216, .greatestFiniteMagnitude, .infinity,
  ]

  static let fractions: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -1.5, -.leastNonzeroMagnitude, 0,
    .leastNonzeroMagnitude, .leastNormalMagnitude, 0.1, 0.1.nextUp, 1.0.nextDown, 1, 1.0.nextUp,
    9_007_199_254_740_991, 9_007_199_254_740_992, .greatestFiniteMagnitude, .infinity,
  ]

  static let prices: [Decimal128] =
    [
      "-9.999999999999999999999999999999999E+6144", "-1234567890123456789012345678901234",
      "-1.5", "-1E-6143", "0", "1E-6143", "0.1", "0.1000000000000000000000000000000001",
      "1", "1.000000000000000000000000000000001", "18446744073709551616",
      "1234567890123456789012345678901234", "1234567890123456789012345678901235",
      "9.999999999999999999999999999999999E+6144",
    ].map { try! Decimal128(string: $0) }

  /// Lengths around which engines change how they keep texts and data.
  static let lengths = [
    1, 2, 3, 4, 6, 7, 8, 9, 14, 15, 16, 17, 23, 24, 25, 31, 32, 33, 62, 63, 64, 65, 127, 128, 129,
    254, 255, 256, 257, 511, 512, 513, 1_023, 1_024, 4_000, 4_095, 4_096, 4_097, 16_384, 65_535,
    65_536, 65_537,
  ]

  /// Of each length three or more that differ in one place: the first, the middle, the last.
  static let bytes: [Data] = {
    var all: Set<Data> = [Data()]
    for length in lengths {
      all.insert(Data(count: length))
      all.insert(Data(repeating: 7, count: length))
      for place in [0, length / 2, length - 1] {
        var one = Data(repeating: 7, count: length)
        one[place] = 8
        all.insert(one)
      }
    }
    return all.sorted { $0.lexicographicallyPrecedes($1) }
  }()

  /// The same of texts, and some in which what looks alike is not: they are told apart by bytes.
  static let texts: [String] = {
    var all: [String] = []
    for length in lengths where length < 16_384 {
      let text = [UInt8](repeating: UInt8(ascii: "m"), count: length)
      all.append(String(decoding: text, as: UTF8.self))
      for place in Set([0, length / 2, length - 1]).sorted() {
        var one = text
        one[place] = UInt8(ascii: "n")
        all.append(String(decoding: one, as: UTF8.self))
      }
    }
    all += ["", " ", "  ", "\u{0}", "a\u{0}", "a\u{0}b", "M", "\u{e9}", "e\u{301}", "E\u{301}"]
    all += ["\u{c5}", "\u{212b}", "A\u{30a}", "\u{7f}", "\u{80}", "\u{7ff}", "\u{800}"]
    all += [
      "\u{ffff}", "\u{10000}", "\u{10ffff}", "\u{1f468}\u{200d}\u{1f469}", "%", "'", "\"", "\\",
    ]
    return all.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }()

  static let days: [Date] = [
    -62_135_596_800, -1e9, -86_400.125, -1, -0.5, -0.125, 0, 0.125, 0.25, 0.5, 1, 1.125,
    978_307_200,
    1_764_000_000, 1_764_000_000.125, 1_764_000_000.25, 4e9, 64_092_211_200,
  ].map { Date(timeIntervalSince1970: $0) }

  /// One, and all that differ from it in one byte; in the order of their bytes.
  private static func identities(_ count: Int) -> [[UInt8]] {
    let one = (0..<count).map { UInt8(16 + $0) }
    let others = (0..<count).flatMap { place in
      [UInt8(0x80), 0x01].map { bit in
        var other = one
        other[place] ^= bit
        return other
      }
    }
    return ([one, .init(repeating: 0, count: count), .init(repeating: 255, count: count)] + others)
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  static let marks: [UUID] = identities(16).map { bytes in
    bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  static let codes: [ObjectId] = identities(12).map { bytes in
    try! ObjectId(string: bytes.map { String(format: "%02x", $0) }.joined())
  }

  /// Of mixed values some of each kind; none equals another by value, or a text data by its bytes.
  // It is never changed, and leads to no object.
  nonisolated(unsafe) static let mixtures: [AnyRealmValue] =
    [.none, .bool(false), .bool(true)]
    + wholes(Int.self).filter { $0 % 7 == 3 || abs($0 / 2) > 1 << 60 }.map { .int($0) }
    + fractions.filter { $0 != $0.rounded() }.map { .double($0) }
    + prices.prefix(2).map { .decimal128($0) } + texts.filter { $0.count < 70 }.map { .string($0) }
    + bytes.filter { $0.count > 1 && $0.count < 70 }.map { .data($0) } + days.map { .date($0) }
    + marks.map { .uuid($0) } + codes.map { .objectId($0) }

  /// A value as it is told from others: texts by their bytes, whatever Swift takes for alike.
  static func mark(_ value: some Any) -> AnyHashable {
    switch value {
    case let text as String: Array(text.utf8)
    case let mixed as AnyRealmValue:
      if case .string(let text) = mixed {
        ["text", Array(text.utf8)] as [AnyHashable]
      } else {
        mixed
      }
    case let value as any Hashable: AnyHashable(value)
    default: "\(value)"
    }
  }
}
