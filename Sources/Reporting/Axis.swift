import Foundation

/// An axis: where a value lies on a length, and where its labelled ticks are.
struct Axis {
  let low: Double
  let high: Double
  let isLog: Bool
  let from: Double
  let to: Double

  /// Wide enough for all values, rounded outwards to whole decades or steps.
  init(_ values: [Double], log isLog: Bool, from: Double, to: Double, zero: Bool = false) {
    // What nobody can have measured is drawn at the edge.
    let usable = values.filter { $0.isFinite && (!isLog || $0 > 0) }.map { value in
      isLog ? min(1e60, max(1e-60, value)) : min(1e60, max(-1e60, value))
    }
    var low = usable.min() ?? (isLog ? 1 : 0)
    var high = usable.max() ?? 1
    if isLog {
      low *= 0.93
      high *= 1.07
    } else {
      if zero { low = min(0, low) }
      if high - low < max(1e-60, abs(high) * 1e-12) { high = low + max(1, abs(low) * 0.1) }
      let step = Axis.step(high - low)
      high = (high / step).rounded(.up) * step
      low = (low / step).rounded(.down) * step
    }
    self.low = low
    self.high = high
    self.isLog = isLog
    self.from = from
    self.to = to
  }

  /// Whether values are so far apart that the small ones would lie on the axis itself.
  static func spansDecades(_ values: [Double]) -> Bool {
    let usable = values.filter { $0.isFinite && $0 > 0 }
    guard usable.count == values.count, let low = usable.min(), let high = usable.max() else {
      return false
    }
    return high / low >= 10
  }

  func place(_ value: Double) -> Double {
    let share =
      isLog
      ? (log(max(value, low / 10)) - log(low)) / (log(high) - log(low))
      : (value - low) / (high - low)
    return from + min(1, max(0, share)) * (to - from)
  }

  private static func step(_ span: Double) -> Double {
    let rough = span / 5
    let power = pow(10, floor(log10(rough)))
    let lead = rough / power
    return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power
  }

  var ticks: [Double] {
    guard isLog else {
      let step = Axis.step(high - low)
      return stride(from: low, through: high + step / 2, by: step).map { $0 }
    }
    let decades = log10(high / low)
    let leads: [Double] = decades < 1.2 ? [1, 1.5, 2, 3, 5, 7] : decades < 3 ? [1, 2, 5] : [1]
    var found: [Double] = []
    for power in Int(floor(log10(low)))...Int(ceil(log10(high))) {
      for lead in leads {
        let tick = lead * pow(10, Double(power))
        if tick >= low * 0.999, tick <= high * 1.001 { found.append(tick) }
      }
    }
    guard found.count < 3 else { return found }
    // Closer than the first digits of ticks there are none of these: then even steps are.
    let step = Axis.step(high - low)
    let even = stride(from: (low / step).rounded(.up) * step, through: high, by: step).map { $0 }
    return even.count > found.count ? even : found
  }

  /// About how wide a label is, in the letters of a chart.
  static func width(_ label: String) -> Double { 7.4 * Double(label.count) }

  /// Those of some labelled ticks that have room beside each other, every n-th of them and the one
  /// at `kept`; none reaches out of the range.
  static func spaced(
    _ ticks: [(at: Double, label: String)], gap: Double = 10, within range: ClosedRange<Double>,
    keeping kept: Double? = nil
  ) -> [(at: Double, label: String)] {
    let inside = ticks.filter {
      $0.at - width($0.label) / 2 >= range.lowerBound
        && $0.at + width($0.label) / 2 <= range.upperBound
    }
    let wanted = kept.flatMap { at in inside.firstIndex { abs($0.at - at) < 0.5 } } ?? 0
    for stride in 1...max(1, inside.count) {
      let kept = inside.enumerated().filter { ($0.offset - wanted) % stride == 0 }
        .map(\.element)
      let fits = zip(kept, kept.dropFirst()).allSatisfy { l, r in
        abs(r.at - l.at) >= (width(l.label) + width(r.label)) / 2 + gap
      }
      if fits { return kept }
    }
    return []
  }
}
