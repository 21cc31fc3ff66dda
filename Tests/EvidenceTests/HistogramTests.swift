import Foundation
import Testing

@testable import Evidence

struct HistogramTests {
  @Test func `quantiles lie within a thousandth of the exact ones`() {
    let seed: UInt64 = 20
    var generator = SeededGenerator(seed: seed)
    let histogram = Histogram()
    var values: [UInt64] = []
    for _ in 0..<50_000 {
      let value = UInt64(exp(generator.unit() * 20))
      values.append(value)
      histogram.record(value)
    }
    values.sort()
    for share in [0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1] {
      let exact = Double(values[max(0, Int((share * 50_000).rounded(.up)) - 1)])
      let found = Double(histogram.quantile(share))
      #expect(abs(found - exact) <= exact / 1000 + 1, "seed \(seed), share \(share)")
    }
    #expect(histogram.total == 50_000)
    #expect(histogram.largest == values.last)
    #expect(histogram.smallest == values.first)
  }

  @Test func `merging is the same as recording everything in one`() {
    let (a, b, both) = (Histogram(), Histogram(), Histogram())
    for value: UInt64 in stride(from: 1, to: 3_000_000, by: 977) {
      (value % 2 == 0 ? a : b).record(value)
      both.record(value)
    }
    a.merge(b)
    #expect(a.encoded == both.encoded)
    #expect(a.quantile(0.99) == both.quantile(0.99))
    #expect(a.mean == both.mean && a.deviation == both.deviation)
  }

  /// Counts and gaps that nobody can have recorded ended the process.
  @Test(
    arguments: [
      [Int64.max, Int64.max], [.min], [-Int64.max, 1], [-(1 << 40), -(1 << 40)],
      [1 << 62, 1 << 62],
    ] as [[Int64]])
  func `a text with counts that nobody recorded is none`(payload: [Int64]) {
    #expect(Histogram(encoded: encoded(payload)) == nil)
    #expect(Histogram(encoded: encoded([-5, 7]))?.total == 7)
  }

  /// The format by hand: a zlib stream of one stored block.
  private func encoded(_ payload: [Int64]) -> String {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
    var counts: [UInt8] = []
    for value in payload {
      var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
      for _ in 0..<8 {
        counts.append(rest < 0x80 ? UInt8(rest) : UInt8(rest & 0x7F) | 0x80)
        if rest < 0x80 { break }
        rest >>= 7
      }
      if counts[counts.count - 1] >= 0x80 { counts.append(UInt8(rest & 0xFF)) }
    }
    let body =
      bytes(UInt32(0x1C84_9313)) + bytes(UInt32(counts.count)) + bytes(UInt32(0))
      + bytes(UInt32(3)) + bytes(UInt64(1)) + bytes(Histogram.limit) + bytes((1.0).bitPattern)
      + counts
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in body {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    let length = UInt16(body.count)
    let packed =
      [
        0x78, 0x01, 1, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF),
        UInt8(~length >> 8),
      ] + body + bytes(b << 16 | a)
    return Data(bytes(UInt32(0x1C84_9314)) + bytes(UInt32(packed.count)) + packed)
      .base64EncodedString()
  }

  @Test func `the interchange format reads back, and nothing else does`() throws {
    let histogram = Histogram()
    for value: UInt64 in [0, 1, 2047, 2048, 100_000, Histogram.limit + 5] {
      histogram.record(value)
    }
    for _ in 0..<1000 { histogram.record(777) }
    #expect(histogram.encoded.hasPrefix("HISTFAAAA"))
    let again = try #require(Histogram(encoded: histogram.encoded))
    #expect(again.encoded == histogram.encoded)
    #expect(again.total == 1006)
    #expect(Histogram(encoded: "HISTFAAAAAA=") == nil)
    #expect(Histogram(encoded: "not base64 at all") == nil)
    #expect(Histogram(encoded: String(histogram.encoded.dropLast(8))) == nil)
  }

  @Test func `a percentile needs ten values beyond it`() {
    #expect(Histogram.needed(for: 0.99) == 1000)
    #expect(Histogram.needed(for: 0.999) == 10_000)
  }

  @Test func `an empty histogram has zeros for answers`() {
    #expect(Histogram().quantile(0.5) == 0)
    #expect(Histogram().mean == 0)
    #expect(Histogram().share(atMost: 5) == 0)
  }
}
