import Evidence

/// About how long things take, before any of them was measured: set-up included.
struct Costs {
  /// Seconds a child spends outside measuring: starting, opening its data set, warming up.
  static let overhead = 0.06
  /// Seconds to make a row of a data set, which happens once per engine and size, and to copy it
  /// where it is written to, which happens each round.
  private static let making: [String: Double] = ["reference": 2e-6, "lmdb": 3e-6, "sqlite": 5e-6]
  private static let copying = 0.2e-6

  private let catalogue: [String: Benchmark]
  let seconds: Double

  init(_ catalogue: [Benchmark], seconds: Double) {
    self.catalogue = Dictionary(
      catalogue.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.seconds = seconds
  }

  /// One round against the clock.
  func timed(_ one: Case) -> Double {
    let benchmark = catalogue[one.name.family]
    let asked = (benchmark?.weight ?? 1) * seconds * 1.6
    return Costs.overhead + copying(one) + max(asked, benchmark?.least.seconds(one.name) ?? 0)
  }

  /// One counting pass; none for what only runs against the clock.
  func counted(_ one: Case) -> Double {
    countsNothing(one) ? 0 : Costs.overhead + copying(one) + min(0.15, seconds)
  }

  /// Whether a round of it is not much longer than was asked for.
  func isShort(_ one: Case) -> Bool { (catalogue[one.name.family]?.weight ?? 1) <= 1.5 }

  func countsNothing(_ one: Case) -> Bool { catalogue[one.name.family]?.isOnlyTimed ?? false }

  /// The data sets that some cases want, and how long making each takes: once, whoever needs it
  /// first.
  func sets(_ cases: [Case]) -> [String: Double] {
    var sets: [String: Double] = [:]
    for one in cases {
      sets["\(one.engine) \(rows(one))"] = rows(one) * (Costs.making[one.engine] ?? 0)
    }
    return sets
  }

  func setUp(_ cases: [Case]) -> Double { sets(cases).values.reduce(0, +) }

  private func rows(_ one: Case) -> Double { one.name.number("rows") }

  private func copying(_ one: Case) -> Double {
    one.name.chapter == "reads" ? 0 : rows(one) * Costs.copying
  }
}
