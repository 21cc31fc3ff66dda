/// Gunther's Universal Scalability Law: X(N) = λN / (1 + σ(N−1) + κN(N−1)).
///
/// σ is the share that waits in line, κ what workers cost each other by talking.
package struct Scalability: Hashable, Sendable {
  package let rate: Double
  package let contention: Double
  package let coherency: Double

  package func throughput(_ n: Double) -> Double {
    rate * n / (1 + contention * (n - 1) + coherency * n * (n - 1))
  }

  /// Where more workers make it slower, if ever.
  package var peak: Double? {
    guard coherency > 0, contention < 1 else { return nil }
    return ((1 - contention) / coherency).squareRoot()
  }

  /// Least squares on N/X = a + b(N−1) + cN(N−1); a coefficient that comes out negative is left
  /// out.
  ///
  /// Two points fix λ and σ only; nil for fewer.
  package init?(_ points: [(workers: Double, throughput: Double)]) {
    guard Set(points.map(\.workers)).count >= 2, points.allSatisfy({ $0.throughput > 0 }) else {
      return nil
    }
    let y = points.map { $0.workers / $0.throughput }
    let terms: [(Double) -> Double] = [{ _ in 1 }, { $0 - 1 }, { $0 * ($0 - 1) }]
    let canBend = Set(points.map(\.workers)).count >= 3
    let candidates: [[Int]] = (canBend ? [[0, 1, 2], [0, 2]] : []) + [[0, 1], [0]]
    var best: (error: Double, values: [Double])?
    for used in candidates {
      guard let solved = Scalability.leastSquares(points.map(\.workers), y, used.map { terms[$0] }),
        solved[0] > 0, solved.dropFirst().allSatisfy({ $0 >= 0 })
      else { continue }
      var values = [0.0, 0, 0]
      for (place, term) in used.enumerated() { values[term] = solved[place] }
      let error = zip(points, y).reduce(0) { sum, pair in
        let n = pair.0.workers
        let miss = pair.1 - values[0] - values[1] * (n - 1) - values[2] * n * (n - 1)
        return sum + miss * miss
      }
      // Simpler fits come later and win only when really better.
      if best.map({ error < $0.error * (1 - 1e-9) }) ?? true { best = (error, values) }
    }
    guard let best else { return nil }
    rate = 1 / best.values[0]
    contention = best.values[1] / best.values[0]
    coherency = best.values[2] / best.values[0]
  }

  /// Solves the normal equations by elimination with pivoting; nil when they are singular.
  private static func leastSquares(
    _ x: [Double], _ y: [Double], _ terms: [(Double) -> Double]
  ) -> [Double]? {
    let n = terms.count
    var m = (0..<n).map { i in
      (0..<n).map { j in x.reduce(0) { $0 + terms[i]($1) * terms[j]($1) } }
        + [zip(x, y).reduce(0) { $0 + terms[i]($1.0) * $1.1 }]
    }
    for column in 0..<n {
      guard
        let pivot = (column..<n).max(by: { abs(m[$0][column]) < abs(m[$1][column]) }),
        abs(m[pivot][column]) > 1e-300
      else { return nil }
      m.swapAt(column, pivot)
      for row in 0..<n where row != column {
        let factor = m[row][column] / m[column][column]
        for k in column...n { m[row][k] -= factor * m[column][k] }
      }
    }
    return (0..<n).map { m[$0][n] / m[$0][$0] }
  }
}
