import Foundation

/// How a benchmark's time follows from what machines can do at best: ln x = α + Σ wₖ·ln cₖ, where c
/// are the limits of a machine and the weights w add up to one.
///
/// Fitted over three machines at least. Weights are tried in quarters, and of those that fit alike
/// the ones with the fewest limits are taken: a handful of machines carries no finer answer. What
/// is left over says how much slower a machine is than its own limits predict; it never gates, and
/// no number sums up machines.
package struct MachineFit: Hashable, Sendable {
  package static let fewestMachines = 3
  /// By the names of the limits; those of no weight are left out.
  package let weights: [String: Double]
  /// For each machine what is predicted, and what was measured as a multiple of that.
  package let predicted: [Double]
  package let residuals: [Double]

  /// `times`: one for each machine; `limits`: the same machines' limits by name. Nil for fewer than
  /// three machines, or numbers that have no logarithm.
  package init?(times: [Double], limits: [[String: Double]]) {
    guard times.count >= MachineFit.fewestMachines, times.count == limits.count,
      times.allSatisfy({ $0 > 0 && $0.isFinite })
    else { return nil }
    let shared = limits.dropFirst().reduce(Set(limits[0].keys)) { $0.intersection($1.keys) }
    let names = shared.filter { name in
      limits.allSatisfy { ($0[name] ?? 0) > 0 && ($0[name] ?? .infinity).isFinite }
    }.sorted()
    guard !names.isEmpty else { return nil }
    let x = times.map { log($0) }
    let c = limits.map { machine in names.map { log(machine[$0] ?? 1) } }
    var best: (quarters: [Int], error: Double)?
    for quarters in MachineFit.splits(of: 4, over: names.count) {
      let errors = MachineFit.errors(x, c, quarters)
      let error = errors.reduce(0) { $0 + $1 * $1 }
      // Ascending in the number of limits: a further one has to explain more than rounding.
      if best.map({ error < $0.error * 0.99 - 1e-12 }) ?? true { best = (quarters, error) }
    }
    guard let best else { return nil }
    weights = Dictionary(
      uniqueKeysWithValues: zip(names, best.quarters).filter { $0.1 > 0 }
        .map { ($0, Double($1) / 4) })
    let errors = MachineFit.errors(x, c, best.quarters)
    residuals = errors.map { exp($0) }
    predicted = zip(times, errors).map { $0 / exp($1) }
  }

  /// What is left of each machine's logarithm when the fit is taken off.
  private static func errors(_ x: [Double], _ c: [[Double]], _ quarters: [Int]) -> [Double] {
    let rest = zip(x, c).map { time, machine in
      time - zip(machine, quarters).reduce(0) { $0 + $1.0 * Double($1.1) / 4 }
    }
    let alpha = rest.reduce(0, +) / Double(rest.count)
    return rest.map { $0 - alpha }
  }

  /// All ways to split so many quarters over so many places, those with the fewest places first.
  static func splits(of total: Int, over places: Int) -> [[Int]] {
    func all(_ total: Int, _ places: Int) -> [[Int]] {
      guard places > 1 else { return [[total]] }
      return (0...total).flatMap { first in all(total - first, places - 1).map { [first] + $0 } }
    }
    return all(total, places).enumerated().sorted { l, r in
      let (a, b) = (l.element.count { $0 > 0 }, r.element.count { $0 > 0 })
      return a != b ? a < b : l.offset < r.offset
    }.map(\.element)
  }
}
