import Foundation

/// Lines over a horizontal axis: scaling, growth, grouping, percentiles, history.
struct LineChart {
  struct Point {
    var x: Double
    var y: Double
    var low: Double?
    var high: Double?
    /// Drawn hollow: more workers than cores, or too few samples.
    var isHollow = false
    /// Of a single round: two digits, and no interval.
    var isLone = false
  }

  struct Series {
    var name: String
    var points: [Point]
    /// Its place in the palette.
    var ink: Int
    /// A model or an ideal: a thin line without marks.
    var isGuide = false
  }

  var id: String
  var title: String
  var finding: String
  var xTitle: String
  var yTitle: String
  var xUnit = ""
  var yUnit: String
  var series: [Series]
  var logX = false
  /// Nil: where the values span a decade.
  var logY: Bool?
  /// Whether an even axis begins at zero; multiples of something lie about one.
  var fromZero = true
  /// Shaded from here to the right, with a word why.
  var shade: (from: Double, word: String)?
  var xLabels: [(Double, String)]?

  private static let (width, height) = (380.0, 250.0)

  var figure: Figure {
    let (top, bottom, right) = (26.0, 200.0, Self.width - 10)
    let points = series.flatMap(\.points)
    let values = points.flatMap { [$0.y, $0.low ?? $0.y, $0.high ?? $0.y] }
    let isLog = logY ?? (ground != nil || Axis.spansDecades(values))
    let y = Axis(
      values.map(raised), log: isLog, from: bottom, to: top + 6, zero: !isLog && fromZero)
    let yTicks = yTicks(y)
    let left = 14 + (yTicks.map { Axis.width($0.label) }.max() ?? 0)
    let x = Axis(
      points.map { shown($0.x) } + (xLabels ?? []).map(\.0), log: logX, from: left + 8,
      to: right - 12)
    var svg = ""
    if let shade, shade.from < x.high {
      let at = x.place(shade.from)
      svg +=
        Ink.bar(
          at, right, top: top, height: bottom - top, kind: "band", colour: "#eeeeee", opacity: 0.7)
        + Ink.text(right - 4, top + 14, shade.word, anchor: "end", kind: "soft")
    }
    for tick in yTicks {
      svg += Ink.line(left, tick.at, right, tick.at, kind: "grid", colour: "#dddddd")
      svg += Ink.text(left - 8, tick.at + 4, tick.label, anchor: "end", kind: "soft")
    }
    for tick in xTicks(x, Set(points.map(\.x)).sorted()) {
      svg += Ink.line(tick.at, bottom, tick.at, bottom + 5, kind: "axis")
      svg += Ink.text(tick.at, bottom + 19, tick.label, anchor: "middle", kind: "soft")
    }
    svg += Ink.line(left, bottom, right, bottom, kind: "axis")
    svg += Ink.text(
      (left + right) / 2, bottom + 40,
      xTitle + (logX ? ", logarithmic\(nought == nil ? "" : " but for 0")" : ""), anchor: "middle",
      kind: "soft")
    let kind = isLog ? ", logarithmic\(ground == nil ? "" : " but for 0")" : ""
    svg += Ink.text(4, 13, yTitle + kind, kind: "soft")
    svg += series.map { drawn($0, x, y) }.joined()
    return Figure(
      id: id, title: title, finding: finding, svg: svg, width: Int(Self.width),
      height: Int(Self.height), names: names, table: table)
  }

  /// Where 0 has its room on a logarithmic axis: a step below the least that is more; nil where
  /// nobody needs it.
  private var nought: Double? {
    let all = series.flatMap { $0.points.map(\.x) }
    guard logX, all.contains(0), let least = all.filter({ $0 > 0 }).min() else { return nil }
    return least / 10
  }

  private func shown(_ x: Double) -> Double { x == 0 ? nought ?? 0 : x }

  /// The same up the page, where the others span a decade: a power of ten below the least.
  private var ground: Double? {
    let all = series.flatMap { $0.points.map(\.y) }
    guard logY == nil, all.contains(0), all.allSatisfy({ $0 >= 0 && $0.isFinite }),
      case let above = all.filter({ $0 > 0 }), Axis.spansDecades(above), let least = above.min()
    else { return nil }
    return pow(10, floor(log10(least)) - 1)
  }

  private func raised(_ y: Double) -> Double { ground.map { max($0, y) } ?? y }

  private func yTicks(_ y: Axis) -> [(at: Double, label: String)] {
    // Between 0 and the least there is nothing that a tick could name.
    let ticks = y.ticks.filter { tick in ground.map { tick == $0 || tick >= $0 * 10 } ?? true }
    let all = ticks.map { tick in
      (at: y.place(tick), label: tick == ground ? "0" : Figures.tick(tick, yUnit))
    }
    // Down the page: as many as have a line of text each.
    for stride in 1...max(1, all.count) {
      let kept = all.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
      if zip(kept, kept.dropFirst()).allSatisfy({ abs($0.at - $1.at) >= 17 }) { return kept }
    }
    return []
  }

  private func xTicks(_ x: Axis, _ own: [Double]) -> [(at: Double, label: String)] {
    let wanted =
      xLabels ?? (own.count <= 8 ? own : x.ticks).map { ($0, Figures.tick($0, xUnit)) }
    return Axis.spaced(
      wanted.map { (at: x.place(shown($0.0)), label: $0.1) }, within: 0...Self.width)
  }

  private func drawn(_ one: Series, _ x: Axis, _ y: Axis) -> String {
    let places = one.points.map { (x.place(shown($0.x)), y.place(raised($0.y))) }
    var svg = Ink.polyline(places, series: one.ink, thin: one.isGuide)
    guard !one.isGuide else { return svg }
    for (point, place) in zip(one.points, places) {
      if let low = point.low, let high = point.high, high > low {
        svg += Ink.line(
          place.0, y.place(raised(low)), place.0, y.place(raised(high)), kind: "s\(one.ink % 6)",
          colour: Ink.colours[one.ink % 6], width: 1.5)
      }
      if one.points.count <= 24 {
        svg += Ink.marker(place.0, place.1, series: one.ink, hollow: point.isHollow)
      }
    }
    return svg
  }

  private var names: [Figure.Name] {
    series.map { one in
      let line = Ink.polyline([(1, 7), (25, 7)], series: one.ink, thin: one.isGuide)
      return Figure.Name(
        text: one.name, mark: one.isGuide ? line : line + Ink.marker(13, 7, series: one.ink))
    }
  }

  private var table: String {
    let shown = series.filter { !$0.isGuide }
    var table = HTMLTable(title, [.init(xTitle)] + shown.map { .init($0.name, number: true) })
    for x in Set(series.flatMap { $0.points.map(\.x) }).sorted() {
      let cells: [HTMLTable.Cell] = shown.map { one in
        guard let point = one.points.first(where: { $0.x == x }) else { return "" }
        guard let low = point.low, let high = point.high else {
          return HTMLTable.Cell(
            point.isLone ? Figures.lone(point.y, yUnit) : Figures.text(point.y, yUnit))
        }
        return HTMLTable.Cell(
          "\(Figures.text(point.y, yUnit, low: low, high: high)) "
            + "(\(Figures.interval(point.y, low, high, yUnit)))")
      }
      let label = xLabels?.first { $0.0 == x }?.1 ?? Figures.text(x, xUnit)
      if cells.contains(where: { !$0.html.isEmpty }) { table.add([HTMLTable.Cell(label)] + cells) }
    }
    return table.html
  }
}
