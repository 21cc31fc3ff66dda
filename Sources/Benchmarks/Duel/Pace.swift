import Harness

/// How the processor fares: two of these around a pair show whether it can be believed.
package struct Pace {
  let loop: Double
  let ticks: Double
  let stolen: Double

  package static func read() -> Pace {
    let ticks = Machine.ticks()
    return Pace(
      loop: min(Stopwatch.pace(), Stopwatch.pace()), ticks: ticks.total, stolen: ticks.stolen)
  }

  func differs(from before: Pace) -> Bool {
    let ratio = loop / before.loop
    let stolenShare = (stolen - before.stolen) / max(1, ticks - before.ticks)
    return ratio > 1.1 || ratio < 1 / 1.1 || stolenShare > 0.02
  }
}
