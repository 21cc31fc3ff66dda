import Foundation
import Testing

@testable import Evidence

struct StatisticsTests {
  @Test func `Clopper-Pearson bounds are SciPy's`() {
    let three = ClopperPearson.interval(3, of: 100)
    #expect(abs(three.low - 0.006229971538306227) < 1e-12)
    #expect(abs(three.high - 0.08517605297428028) < 1e-12)
    let none = ClopperPearson.interval(0, of: 100)
    #expect(none.low == 0)
    #expect(abs(none.high - 0.03621669264519054) < 1e-12)
    #expect(abs(ClopperPearson.upperBound(0, of: 100) - 0.029513049607039932) < 1e-12)
    #expect(abs(ClopperPearson.upperBound(7, of: 200) - 0.06473252213684852) < 1e-12)
    #expect(ClopperPearson.upperBound(0, of: 0) == 1)
  }

  @Test func `adjusted P-values are SciPy's, and agree with the rejections`() {
    let p = [0.01, 0.02, 0.03, 0.04, 0.05, 0.2, 0.5, 0.001]
    let expected = [0.04, 0.16 / 3, 0.06, 0.064, 0.2 / 3, 0.8 / 3.5, 0.5, 0.008]
    let adjusted = MultipleComparisons.adjusted(p)
    #expect(zip(adjusted, expected).allSatisfy { abs($0 - $1) < 1e-12 })
    for q in [0.01, 0.05, 0.0650001, 0.3] {
      #expect(MultipleComparisons.rejected(p, q: q) == adjusted.map { $0 <= q })
    }
    #expect(MultipleComparisons.rejected([], q: 0.02).isEmpty)
  }

  @Test func `below its threshold a P-value is rejected beside the others, and not above`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<50 {
      let p = (0..<12).map { _ in pow(generator.unit(), 6) }
      let q = 0.05
      for (place, threshold) in MultipleComparisons.thresholds(p, q: q).enumerated() {
        func isRejected(_ value: Double) -> Bool {
          var other = p
          other[place] = value
          return MultipleComparisons.rejected(other, q: q)[place]
        }
        #expect(isRejected(threshold) && !isRejected(threshold * 1.000001), "\(p) at \(place)")
      }
    }
    let alone = MultipleComparisons.thresholds([0.5, 0.5, 0.5, 0.5], q: 0.02)
    #expect(alone == [0.005, 0.005, 0.005, 0.005])
    #expect(MultipleComparisons.thresholds([], q: 0.02).isEmpty)
  }

  @Test func `forty questions need eleven rounds`() {
    #expect(MultipleComparisons.fewestRounds(40, q: 0.02) == 11)
    #expect(MultipleComparisons.fewestRounds(1, q: 0.02) == 6)
  }

  @Test func `quantiles interpolate as type 7 does`() {
    let d = [0.3, -0.1, 0.5, 0.22, 0.17, -0.05, 0.41, 0.09, 0.8, -0.33, 0.28]
    #expect(abs(Quantiles.quantile(d, 0.1) - -0.1) < 1e-12)
    #expect(abs(Quantiles.quantile(d, 0.25) - 0.02) < 1e-12)
    #expect(abs(Quantiles.quantile(d, 0.9) - 0.5) < 1e-12)
    #expect(Quantiles.median([4, 1, 3, 2]) == 2.5)
  }

  @Test func `six values are the fewest with a 95 percent interval of their median`() {
    let five = Quantiles.medianInterval([1, 2, 3, 4, 5])
    #expect(five.low == 1 && five.high == 5 && five.confidence == 0.9375)
    let six = Quantiles.medianInterval([1, 2, 3, 4, 5, 6])
    #expect(six.low == 1 && six.high == 6 && six.confidence == 0.96875)
    let ten = Quantiles.medianInterval((1...10).map(Double.init))
    #expect(ten.low == 2 && ten.high == 9)
    #expect(abs(ten.confidence - 0.978515625) < 1e-12)
  }

  @Test func `the bootstrap is repeatable and surrounds the statistic`() {
    let rounds = (0..<20).map { 100 + sin(Double($0)) * 5 }
    let one = Bootstrap.interval(rounds, resamples: 500, seed: 7, Quantiles.median)
    let two = Bootstrap.interval(rounds, resamples: 500, seed: 7, Quantiles.median)
    #expect(one == two)
    #expect(one.low <= Quantiles.median(rounds) && Quantiles.median(rounds) <= one.high)
  }

  @Test func `the scalability law is found again from its own points`() throws {
    let truth = { (n: Double) in 1000 * n / (1 + 0.08 * (n - 1) + 0.002 * n * (n - 1)) }
    let law = try #require(Scalability([1.0, 2, 4, 8, 16].map { ($0, truth($0)) }))
    #expect(abs(law.rate - 1000) < 1e-6)
    #expect(abs(law.contention - 0.08) < 1e-9)
    #expect(abs(law.coherency - 0.002) < 1e-9)
    let peak = try #require(law.peak)
    #expect(abs(peak - (0.92 / 0.002).squareRoot()) < 1e-6)
    #expect(Scalability([(1, 10)]) == nil)
    let two = try #require(Scalability([(1, 10), (2, 19)]))
    #expect(two.coherency == 0 && abs(two.throughput(2) - 19) < 1e-9)
  }

  @Test func `more than linear scaling is no negative contention`() throws {
    let law = try #require(Scalability([(1, 10), (2, 25), (4, 60)]))
    #expect(law.contention >= 0 && law.coherency >= 0)
  }

  @Test func `a seed always gives the same numbers`() {
    var generator = SeededGenerator(seed: 42)
    #expect(generator.next() == 0xBDD7_3226_2FEB_6E95)
    #expect((0..<1000).allSatisfy { _ in (0..<7).contains(generator.below(7)) })
    #expect(derivedSeed(1, "a") != derivedSeed(1, "b"))
    #expect(derivedSeed(1, "a") == derivedSeed(1, "a"))
  }
}
