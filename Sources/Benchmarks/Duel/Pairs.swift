import Evidence
import Foundation

/// What the rounds of one metric came to on both sides, pair by pair.
struct Pairs: Sendable {
  private(set) var a: [Double] = []
  private(set) var b: [Double] = []
  /// ln(B/A) of each pair by its stretches; nil for a pair that has none.
  private var byTurns: [Double?] = []
  private var byMeans: [Double?] = []
  /// How many rounds there were in which one side alone had a value, by the one that had none.
  private(set) var missing = (a: 0, b: 0)

  /// With fewer stretches two rounds are compared as a whole.
  private static let fewestTurns = 5

  init() {}

  init(a: [Double], b: [Double]) { (self.a, self.b) = (a, b) }

  /// One pair more: what the two rounds say of each other is the median ratio of stretches that lay
  /// side by side.
  ///
  /// What the machine does for longer than a stretch it does to both of two neighbours; the medians
  /// of two sides are off by whatever fell to more stretches of the one than of the other. Where a
  /// hop to another thread takes 15 µs or 70, as the system happens to place them, medians of equal
  /// builds lie 50 % apart and stretches 10.
  ///
  /// A side of which more stretches are slow, but not half as many as would move the median, has
  /// the same median ratio; that is what the means are kept for.
  mutating func append(_ one: RoundReport.Value, _ other: RoundReport.Value) {
    a.append(one.value)
    b.append(other.value)
    let turns = zip(one.turns ?? [], other.turns ?? []).filter { $0 > 0 && $1 > 0 }
    let isEnough = turns.count >= Pairs.fewestTurns
    byTurns.append(isEnough ? Quantiles.median(turns.map { log($1 / $0) }) : nil)
    byMeans.append(
      isEnough ? log(Quantiles.mean(turns.map(\.1)) / Quantiles.mean(turns.map(\.0))) : nil)
  }

  mutating func append(a value: Double) { a.append(value) }
  mutating func append(b value: Double) { b.append(value) }

  /// How many rounds at least one side had a value in.
  var rounds: Int { a.count + missing.a + missing.b }

  mutating func miss(inA: Bool) {
    if inA { missing.a += 1 } else { missing.b += 1 }
  }

  /// Why there are fewer pairs than were measured; nil where there are all. Those that are there
  /// may be the lucky ones.
  func shortage(of all: Int) -> String? {
    guard a.count < all else { return nil }
    let sides = [(missing.a, "A"), (missing.b, "B")].filter { $0.0 > 0 }
      .map { "\($0.1) had none in \($0.0)" }
    return "it is of \(a.count) of \(Plural.text(all, "pair")): "
      + (sides.isEmpty ? "neither side had one in the others" : sides.joined(separator: ", "))
  }

  static func + (one: Pairs, other: Pairs) -> Pairs {
    var all = one
    all.a += other.a
    all.b += other.b
    all.byTurns += other.byTurns
    all.byMeans += other.byMeans
    all.missing = (one.missing.a + other.missing.a, one.missing.b + other.missing.b)
    return all
  }

  /// ln(B/A) of all pairs by their stretches; nil where not all have any.
  var ratios: [Double]? { Pairs.whole(byTurns) }
  /// The same by the means of the stretches.
  var means: [Double]? { Pairs.whole(byMeans) }

  private static func whole(_ values: [Double?]) -> [Double]? {
    let there = values.compactMap { $0 }
    return there.isEmpty || there.count < values.count ? nil : there
  }
}
