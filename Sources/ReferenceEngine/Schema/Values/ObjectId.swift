import Foundation

/// A 12-byte identifier that is unique without asking anybody: seconds, a number of the process, a
/// counter.
public final class ObjectId: Hashable, Comparable, Codable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible
{
  // Big-endian, so that words compare as the bytes do.
  let high: UInt64
  let low: UInt32

  init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// The id of twelve zero bytes.
  public convenience init() { self.init(high: 0, low: 0) }

  /// An id nobody has.
  public static func generate() -> ObjectId {
    let seconds = UInt64(UInt32(truncatingIfNeeded: Int(Date().timeIntervalSince1970)))
    let count = counter.next()
    return ObjectId(
      high: seconds << 32 | processNumber >> 8, low: UInt32(processNumber & 0xFF) << 24 | count)
  }

  /// The id written as 24 hexadecimal digits in the program's text; anything else ends the process.
  public convenience init(_ digits: StaticString) {
    guard let (high, low) = ObjectId.parse(Array("\(digits)".utf8)) else {
      refuse(Violation("Invalid Object ID string '\(digits)': must be 24 hex digits"))
    }
    self.init(high: high, low: low)
  }

  /// The id of a moment, a machine and a process, as older generators made them.
  public convenience init(timestamp: Date, machineId: Int, processId: Int) {
    let seconds = UInt64(UInt32(truncatingIfNeeded: Int(timestamp.timeIntervalSince1970)))
    let middle = UInt64(machineId & 0xFF_FFFF) << 16 | UInt64(processId & 0xFFFF)
    self.init(
      high: seconds << 32 | middle >> 8,
      low: UInt32(middle & 0xFF) << 24 | ObjectId.counter.next())
  }

  /// When the id was generated, to the second.
  public var timestamp: Date { Date(timeIntervalSince1970: TimeInterval(high >> 32)) }

  public var stringValue: String {
    let digits = String(high, radix: 16)
    let rest = String(low, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
      + String(repeating: "0", count: 8 - rest.count) + rest
  }

  public var description: String { stringValue }
  public var debugDescription: String { stringValue }

  public static func == (left: ObjectId, right: ObjectId) -> Bool {
    left.high == right.high && left.low == right.low
  }

  public static func < (left: ObjectId, right: ObjectId) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(high)
    hasher.combine(low)
  }

  public convenience init(from decoder: any Decoder) throws {
    let string = try decoder.singleValueContainer().decode(String.self)
    guard string.utf8.count == 24, let (high, low) = ObjectId.parse(Array(string.utf8)) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(string)' is no ObjectId"))
    }
    self.init(high: high, low: low)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }

  static func parse(_ digits: [UInt8]) -> (UInt64, UInt32)? {
    guard digits.count == 24 else { return nil }
    var high: UInt64 = 0
    var low: UInt32 = 0
    for (place, digit) in digits.enumerated() {
      guard let value = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
      if place < 16 { high = high << 4 | UInt64(value) } else { low = low << 4 | UInt32(value) }
    }
    return (high, low)
  }

  private static let processNumber = UInt64.random(in: 0..<1 << 40)
  private static let counter = ObjectIdCounter()
}

/// The last three bytes of generated ids.
private final class ObjectIdCounter: Sendable {
  private let lock = NSLock()  // guards `value`
  private nonisolated(unsafe) var value = UInt32.random(in: 0..<1 << 24)

  func next() -> UInt32 {
    lock.withLock {
      value = (value + 1) & 0xFF_FFFF
      return value
    }
  }
}
