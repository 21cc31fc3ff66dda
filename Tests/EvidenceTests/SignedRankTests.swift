import Foundation
import Testing

@testable import Evidence

/// Values by SciPy 1.17: `wilcoxon(x, alternative="greater", method="exact")`.
struct SignedRankTests {
  let differences = [0.3, -0.1, 0.5, 0.22, 0.17, -0.05, 0.41, 0.09, 0.8, -0.33, 0.28]

  @Test func `the P-value of eleven differences is SciPy's to twelve digits`() {
    #expect(abs(SignedRank.pGreater(differences) - 0.03369140625) < 1e-12)
  }

  @Test(arguments: [(5, 0.15625), (10, 0.4228515625), (30, 0.12671805266290903)])
  func `P-values are SciPy's for five, ten and thirty differences`(n: Int, expected: Double) {
    let x = (0..<n).map { (i: Int) -> Double in
      let angle = Double(i * i) * 1.7 + Double(n)
      return ((sin(angle) + 0.35) * 1e6).rounded() / 1e6
    }
    #expect(abs(SignedRank.pGreater(x) - expected) < 1e-12)
  }

  @Test func `the distribution sums to one and is symmetric`() {
    for n in [1, 5, 24, 60] {
      let f = SignedRank.distribution(n)
      #expect(f.count == n * (n + 1) / 2 + 1)
      #expect(abs(f.reduce(0, +) - 1) < 1e-12)
      #expect(abs(f[0] - pow(0.5, Double(n))) < 1e-18)
      #expect(zip(f, f.reversed()).allSatisfy { abs($0 - $1) < 1e-15 })
    }
  }

  @Test func `eight differences take the fourth and the thirty-third Walsh average`() {
    let d = [1.0, 2, 3, 4, 5, 6, 7, 8.5]
    let averages = WalshAverages.all(of: d)
    let interval = SignedRank.interval(d)
    #expect(averages.count == 36)
    #expect(interval.low == averages[3])
    #expect(interval.high == averages[32])
    #expect(interval.confidence > 0.95)
  }

  @Test func `the estimate is the median of the Walsh averages`() {
    #expect(abs(SignedRank.estimate(differences) - 0.21) < 1e-12)
  }

  @Test func `four differences give the whole range and say how little it covers`() {
    let interval = SignedRank.interval([1, 2, 3, 4])
    #expect(interval.low == 1 && interval.high == 4)
    #expect(interval.confidence == 0.875)
  }

  @Test func `ties share ranks and zeros are left out`() {
    // All eight signs of three equal values: only +++ reaches the observed sum.
    #expect(SignedRank.pGreater([2, 2, 2, 0]) == 0.125)
    #expect(SignedRank.pGreater([]) == 1)
    #expect(SignedRank.pGreater([0, 0]) == 1)
  }

  // MARK: Many rounds

  /// The exact ways take minutes of a thousand differences, and gigabytes of ten thousand.
  @Test func `of ten thousand differences estimate, interval and P-value are told`() {
    let many = (0..<10_000).map { (place: Int) -> Double in
      sin(Double(place) * 1.7) + 0.05 * Double(place % 7)
    }
    let interval = SignedRank.interval(many)
    let estimate = SignedRank.estimate(many)
    #expect(interval.low < estimate && estimate < interval.high)
    #expect(interval.high - interval.low < 0.04 && interval.confidence == 0.95)
    #expect(SignedRank.pGreater(many) < 1e-12 && SignedRank.pGreater(many.map { -$0 }) > 0.999)
  }

  @Test func `where exact ways end the others go on alike`() {
    let two = (0..<201).map { (sin(Double($0 * $0)) + 0.1) * 3 }
    let exact = SignedRank.interval(Array(two.dropLast()))
    let wide = SignedRank.interval(two)
    #expect(abs(exact.low - wide.low) < 0.02 && abs(exact.high - wide.high) < 0.02)
    let (a, b) = (SignedRank.pGreater(Array(two.dropLast())), SignedRank.pGreater(two))
    #expect(abs(a - b) < 0.01 && b > 0)
    #expect(
      abs(SignedRank.estimate(two) - Quantiles.median(WalshAverages.all(of: two))) < 1e-15)
  }

  @Test func `ranks of pairs are those of all pairs in a row`() {
    let values = [3.5, -2, 0, 0, 1e-9, -7.25, 4, 4]
    let means = WalshAverages.all(of: values)
    let ranked = PairRanks(meansOf: values)
    #expect(ranked.count == means.count && means.indices.allSatisfy { ranked[$0] == means[$0] })
    let others = [1.0, -1, 0.25]
    let all = values.flatMap { x in others.map { x - $0 } }.sorted()
    let differences = PairRanks(differencesOf: values, from: others)
    #expect(differences.count == all.count && all.indices.allSatisfy { differences[$0] == all[$0] })
  }

  /// Two to the minus n is no number for a thousand rounds and more: the interval was its middle.
  @Test func `the interval of a median of two thousand rounds is none of a point`() {
    let found = Quantiles.medianInterval((0..<2000).map(Double.init))
    #expect(found.low < 970 && found.low > 940 && found.high > 1030 && found.high < 1060)
    #expect(found.confidence == 0.95)
  }
}
