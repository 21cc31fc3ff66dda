/// Many questions asked at once.
package enum MultipleComparisons {
  /// Benjamini and Hochberg: which of the P-values may be rejected so that the expected share of
  /// false rejections stays at most `q`.
  package static func rejected(_ p: [Double], q: Double) -> [Bool] {
    let m = p.count
    let order = p.indices.sorted { p[$0] < p[$1] }
    let last = order.indices.last { p[order[$0]] <= q * Double($0 + 1) / Double(m) }
    var rejected = [Bool](repeating: false, count: m)
    if let last { for place in 0...last { rejected[order[place]] = true } }
    return rejected
  }

  /// The P-values adjusted so that comparing with `q` gives the same answer.
  package static func adjusted(_ p: [Double]) -> [Double] {
    let m = p.count
    let order = p.indices.sorted { p[$0] < p[$1] }
    var adjusted = [Double](repeating: 1, count: m)
    var least = 1.0
    for place in order.indices.reversed() {
      least = min(least, p[order[place]] * Double(m) / Double(place + 1))
      adjusted[order[place]] = least
    }
    return adjusted
  }

  /// How small each P-value must be to be rejected beside the others as they are: q·k/m, with k as
  /// many as are rejected where it is.
  package static func thresholds(_ p: [Double], q: Double) -> [Double] {
    p.indices.map { place in
      var least = p
      least[place] = 0
      return q * Double(rejected(least, q: q).count { $0 }) / Double(p.count)
    }
  }

  /// The fewest rounds with which anything could be rejected among `m` questions: 2⁻ⁿ ≤ q/m.
  package static func fewestRounds(_ m: Int, q: Double) -> Int {
    var n = 1
    var p = 0.5
    while p > q / Double(max(1, m)) {
      p /= 2
      n += 1
    }
    return n
  }
}
