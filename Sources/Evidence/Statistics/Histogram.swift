import Foundation

/// A distribution of durations with three significant digits, in the layout of HdrHistogram.
///
/// Recording is a count of leading zeros, a shift and an increment: no allocation, no branch on the
/// common path. Histograms of threads, children and rounds are merged by adding; percentiles are
/// read from the sum, as percentiles cannot be averaged.
///
/// 1. A recorded value lies within 1/1024 of the value its slot stands for.
/// 2. `total` is the sum of all slots.
package final class Histogram: @unchecked Sendable {
  // Unchecked: one thread records, and hands it over by a join before anybody reads.
  /// 11 bits: two digits more than the 1,000 that three significant digits need.
  private static let halfBits = 10
  private static let half = 1 << halfBits
  /// Longer than 18 hours is recorded as 18 hours.
  package static let limit: UInt64 = (1 << 46) - 1
  private static let slots = (46 - 11 + 2) * half

  private let counts: UnsafeMutablePointer<UInt64>
  package private(set) var total = 0
  package private(set) var largest: UInt64 = 0
  package private(set) var smallest = UInt64.max

  package init() {
    counts = .allocate(capacity: Histogram.slots)
    counts.initialize(repeating: 0, count: Histogram.slots)
  }

  deinit { counts.deallocate() }

  @inline(__always)
  private static func slot(of value: UInt64) -> Int {
    let bucket = 64 - 11 - (value | 0x7FF).leadingZeroBitCount
    return (bucket << halfBits) + Int(value >> UInt64(bucket))
  }

  /// The largest value that falls into the same slot.
  private static func highest(in slot: Int) -> UInt64 {
    let (lowest, width) = range(of: slot)
    return lowest + width - 1
  }

  private static func range(of slot: Int) -> (lowest: UInt64, width: UInt64) {
    let bucket = slot < 2 * half ? 0 : (slot >> halfBits) - 1
    return (UInt64(slot - (bucket << halfBits)) << UInt64(bucket), 1 << UInt64(bucket))
  }

  package func record(_ value: UInt64) {
    let value = min(value, Histogram.limit)
    counts[Histogram.slot(of: value)] &+= 1
    total &+= 1
    if value > largest { largest = value }
    if value < smallest { smallest = value }
  }

  package func merge(_ other: Histogram) {
    for slot in 0..<Histogram.slots { counts[slot] &+= other.counts[slot] }
    total &+= other.total
    largest = max(largest, other.largest)
    smallest = min(smallest, other.smallest)
  }

  package func reset() {
    counts.update(repeating: 0, count: Histogram.slots)
    total = 0
    largest = 0
    smallest = .max
  }

  /// The value that a share of all values does not exceed.
  package func quantile(_ share: Double) -> UInt64 {
    guard total > 0 else { return 0 }
    let wanted = max(1, Int((share * Double(total)).rounded(.up)))
    var seen = 0
    for slot in 0..<Histogram.slots where counts[slot] > 0 {
      seen += Int(counts[slot])
      if seen >= wanted { return min(Histogram.highest(in: slot), largest) }
    }
    return largest
  }

  package var mean: Double {
    guard total > 0 else { return 0 }
    var sum = 0.0
    forEach { value, count in sum += value * Double(count) }
    return sum / Double(total)
  }

  package var deviation: Double {
    guard total > 0 else { return 0 }
    let mean = mean
    var sum = 0.0
    forEach { value, count in sum += (value - mean) * (value - mean) * Double(count) }
    return (sum / Double(total)).squareRoot()
  }

  /// Calls with the middle of each slot in use and how many values fell into it, in rising order.
  package func forEach(_ body: (Double, Int) -> Void) {
    for slot in 0..<Histogram.slots where counts[slot] > 0 {
      let (lowest, width) = Histogram.range(of: slot)
      body(Double(lowest) + Double(width - 1) / 2, Int(counts[slot]))
    }
  }

  /// The share of values that are at most `value`.
  package func share(atMost value: UInt64) -> Double {
    guard total > 0 else { return 0 }
    var seen = 0
    for slot in 0...Histogram.slot(of: min(value, Histogram.limit)) { seen += Int(counts[slot]) }
    return Double(seen) / Double(total)
  }

  /// How many values a percentile needs before it may be printed: ten beyond it.
  package static func needed(for share: Double) -> Int {
    Int((10 / (1 - share)).rounded())
  }
}

// MARK: The interchange format of HdrHistogram, V2 compressed.

extension Histogram {
  private static let cookie: UInt32 = 0x1C84_9303 | 0x10
  private static let compressedCookie: UInt32 = 0x1C84_9304 | 0x10

  /// Base64 that any HdrHistogram reader decodes.
  package var encoded: String {
    var payload: [UInt8] = []
    var slot = 0
    let last = (0..<Histogram.slots).last { counts[$0] > 0 } ?? -1
    while slot <= last {
      if counts[slot] == 0 {
        var zeros: Int64 = 0
        while slot <= last, counts[slot] == 0 {
          zeros += 1
          slot += 1
        }
        Histogram.appendZigZag(-zeros, to: &payload)
      } else {
        Histogram.appendZigZag(Int64(counts[slot]), to: &payload)
        slot += 1
      }
    }
    var body: [UInt8] = []
    Histogram.append(Histogram.cookie, to: &body)
    Histogram.append(UInt32(payload.count), to: &body)
    Histogram.append(UInt32(0), to: &body)
    Histogram.append(UInt32(3), to: &body)
    Histogram.append(UInt64(1), to: &body)
    Histogram.append(Histogram.limit, to: &body)
    Histogram.append((1.0).bitPattern, to: &body)
    body += payload
    let packed = Histogram.stored(body)
    var document: [UInt8] = []
    Histogram.append(Histogram.compressedCookie, to: &document)
    Histogram.append(UInt32(packed.count), to: &document)
    return Data(document + packed).base64EncodedString()
  }

  /// So many values in all are believed: a text of more has not been recorded by anybody.
  private static let most = 1 << 48

  /// Reads back what `encoded` wrote; nil for anything else.
  package convenience init?(encoded: String) {
    guard let data = Data(base64Encoded: encoded) else { return nil }
    let bytes = [UInt8](data)
    guard bytes.count > 8, Histogram.read32(bytes, 0) == Histogram.compressedCookie,
      let body = Histogram.unstored(Array(bytes[8...])), body.count >= 40,
      Histogram.read32(body, 0) == Histogram.cookie
    else { return nil }
    self.init()
    var at = 40
    var slot = 0
    while at < body.count {
      guard let value = Histogram.readZigZag(body, &at) else { return nil }
      if value < 0 {
        guard value >= -Int64(Histogram.slots) else { return nil }
        slot += Int(-value)
      } else {
        guard slot < Histogram.slots, value <= Int64(Histogram.most - total) else { return nil }
        counts[slot] = UInt64(value)
        total += Int(value)
        largest = Histogram.highest(in: slot)
        if smallest == .max { smallest = Histogram.range(of: slot).lowest }
        slot += 1
      }
    }
  }

  private static func append<T: FixedWidthInteger>(_ value: T, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private static func read32(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    bytes[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func appendZigZag(_ value: Int64, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
    // Eight groups of seven bits, then a ninth byte with all eight: the format's own variant of
    // LEB128.
    for _ in 0..<8 {
      if rest < 0x80 {
        bytes.append(UInt8(rest))
        return
      }
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest & 0xFF))
  }

  private static func readZigZag(_ bytes: [UInt8], _ at: inout Int) -> Int64? {
    var value: UInt64 = 0
    for group in 0..<9 {
      guard at < bytes.count else { return nil }
      let byte = bytes[at]
      at += 1
      value |= UInt64(group < 8 ? byte & 0x7F : byte) << UInt64(7 * group)
      if byte < 0x80 || group == 8 { break }
    }
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// A zlib stream of stored blocks: valid for every inflater, and needs no deflater here.
  private static func stored(_ body: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    var rest = body[...]
    repeat {
      let block = rest.prefix(65535)
      rest = rest.dropFirst(block.count)
      out.append(rest.isEmpty ? 1 : 0)
      let length = UInt16(block.count)
      out += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
      out += block
    } while !rest.isEmpty
    append(adler(body), to: &out)
    return out
  }

  private static func adler(_ body: [UInt8]) -> UInt32 {
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in body {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return b << 16 | a
  }

  private static func unstored(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 6, bytes[0] == 0x78 else { return nil }
    var out: [UInt8] = []
    var at = 2
    while at + 5 <= bytes.count {
      let isLast = bytes[at] == 1
      guard bytes[at] <= 1 else { return nil }
      let length = Int(bytes[at + 1]) | Int(bytes[at + 2]) << 8
      guard at + 5 + length <= bytes.count else { return nil }
      out += bytes[at + 5..<at + 5 + length]
      at += 5 + length
      if isLast {
        return bytes.count == at + 4 && read32(bytes, at) == adler(out) ? out : nil
      }
    }
    return nil
  }
}
