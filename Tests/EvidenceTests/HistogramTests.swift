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
