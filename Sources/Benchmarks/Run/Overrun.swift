import Evidence

/// How many times as long as was thought things take on this machine, as busy as it is: the middle
/// of three at least, for one that is dearer than thought says nothing of the others.
struct Overrun {
  private var ratios: [Case: Double] = [:]
  private(set) var value = 1.0

  /// Notes what one of a case took; what was noted of it before counts no more.
  mutating func note(_ one: Case, took: Double, thought: Double) {
    ratios[one] = took / max(thought, 1e-9)
    if ratios.count >= 3 { value = max(0.2, Quantiles.median(Array(ratios.values))) }
  }
}
