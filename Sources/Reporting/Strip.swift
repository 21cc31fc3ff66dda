import Foundation

/// A strip in a row of a table: the interval as a bar, single rounds as dots, the value as a mark.
///
/// All strips of a table share one axis, which stands in its head. They are drawings of what the
/// row says in words and are hidden from whoever listens to it.
struct Strip {
  static let width = 250.0
  private static let height = 22.0
  /// A browser's figures may be wider than they are taken for.
  private static let rim = 4.0

  let axis: Axis
  let label: (Double) -> String
  /// A line through all strips: where two things are equal.
  var middle: Double?

  /// On a logarithmic axis unless told otherwise.
  init(
    _ values: [Double], log isLog: Bool = true, middle: Double? = nil,
    label: @escaping (Double) -> String
  ) {
    axis = Axis(values + [middle].compactMap(\.self), log: isLog, from: 10, to: Self.width - 10)
    self.label = label
    self.middle = middle
  }

  /// The axis in the head of the column.
  var head: String {
    let ticks = Axis.spaced(
      axis.ticks.map { (at: axis.place($0), label: label($0)) }, gap: 6,
      within: Self.rim...(Self.width - Self.rim),
      keeping: middle.map(axis.place))
    let drawn = ticks.map {
      Ink.text($0.at, 12, $0.label, anchor: "middle", kind: "soft")
        + Ink.line($0.at, 16, $0.at, 21, kind: "axis")
    }.joined()
    let line = Ink.line(axis.from, 21, axis.to, 21, kind: "axis")
    return Self.svg(drawn + line)
  }

  /// One row. `margin` is a band around the middle within which nothing is said to differ.
  func row(
    _ value: Double, low: Double?, high: Double?, rounds: [Double] = [], ink: Int,
    margin: ClosedRange<Double>? = nil
  ) -> String {
    let s = ink % 6
    var svg = ""
    if let margin {
      svg += Ink.bar(
        axis.place(margin.lowerBound), axis.place(margin.upperBound), top: 0, height: Self.height,
        kind: "margin", colour: "#dddddd", opacity: 1)
    }
    if let middle {
      svg += Ink.line(axis.place(middle), 0, axis.place(middle), Self.height, kind: "axis")
    }
    if let low, let high, high > low {
      svg += Ink.bar(
        axis.place(low), axis.place(high), top: 7, height: 8, kind: "f\(s)",
        colour: Ink.colours[s], opacity: 0.3)
    }
    svg += rounds.map { Ink.dot(axis.place($0), 11, series: s) }.joined()
    svg += Ink.marker(axis.place(value), 11, series: ink)
    return Self.svg(svg)
  }

  private static func svg(_ inner: String) -> String {
    "<svg class=\"strip\" width=\"\(Ink.number(width))\" height=\"\(Ink.number(height))\" "
      + "viewBox=\"0 0 \(Ink.number(width)) \(Ink.number(height))\" font-family=\"sans-serif\" "
      + "font-size=\"12\" aria-hidden=\"true\">\(inner)</svg>"
  }
}

/// How the rounds of one number lie about it, on a scale of their own: what an axis of decades
/// hides.
struct Spread {
  let value: Double
  let low: Double
  let high: Double
  let rounds: [Double]
  let ink: Int

  /// The largest deviation of a round, as a share of the value.
  var reach: Double? {
    guard rounds.count > 1, value > 0 else { return nil }
    return rounds.map { abs($0 / value - 1) }.max()
  }

  /// `3 rounds, ±4 %`, with a dot for each.
  var html: String {
    let said = Figures.count(rounds.count, "round")
    guard let reach, reach > 0 else { return said }
    let (width, height) = (92.0, 18.0)
    let scale = max(reach, 0.001) * 1.08
    func place(_ value: Double) -> Double {
      width / 2 + min(1, max(-1, (value / self.value - 1) / scale)) * (width / 2 - 4)
    }
    let s = ink % 6
    var svg = Ink.line(width / 2, 1, width / 2, height - 1, kind: "axis")
    if high > low {
      svg += Ink.bar(
        place(low), place(high), top: 5, height: 8, kind: "f\(s)", colour: Ink.colours[s],
        opacity: 0.3)
    }
    svg += rounds.map { Ink.dot(place($0), 9, series: s) }.joined()
    return "<svg class=\"spread\" width=\"92\" height=\"18\" viewBox=\"0 0 92 18\" "
      + "aria-hidden=\"true\">\(svg)</svg> <span class=\"nowrap\">\(said), "
      + "±\(Figures.percent(reach, signed: false))</span>"
  }
}
