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
    let usable = values.filter { $0.isFinite && (!isLog || $0 > 0) }
    var low = usable.min() ?? (isLog ? 1 : 0)
    var high = usable.max() ?? 1
    if isLog {
      low *= 0.93
      high *= 1.07
    } else {
      if zero { low = min(0, low) }
      if high == low { high = low + 1 }
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

  func place(_ value: Double) -> Double {
    let share =
      isLog
      ? (log(max(value, low / 10)) - log(low)) / (log(high) - log(low))
      : (value - low) / (high - low)
    return from + min(1.05, max(-0.05, share)) * (to - from)
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
    let leads: [Double] = decades < 1.2 ? [1, 2, 3, 5, 7] : decades < 3 ? [1, 2, 5] : [1]
    var found: [Double] = []
    for power in Int(floor(log10(low)))...Int(ceil(log10(high))) {
      for lead in leads {
        let tick = lead * pow(10, Double(power))
        if tick >= low * 0.999, tick <= high * 1.001 { found.append(tick) }
      }
    }
    return found.count > 9 ? found.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) : found
  }
}

/// A figure: drawing, a sentence that says what it shows, and the numbers themselves.
struct Figure {
  let id: String
  let title: String
  let finding: String
  let svg: String
  let width: Int
  let height: Int
  let table: String

  var html: String {
    """
    <figure><figcaption>\(Markup.escape(title))</figcaption>
    <p class="soft">\(Markup.escape(finding))</p>
    <div class="scroll" role="region" tabindex="0" aria-label="\(Markup.escape("chart: " + title))">
    <svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="\(id)-t \(id)-d" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="13"><title id="\(id)-t">\(Markup.escape(title))</title><desc id="\(id)-d">\(Markup.escape(finding))</desc>
    \(svg)</svg></div>
    <details><summary>The numbers of this chart</summary>\(table)</details></figure>
    """
  }
}

/// Marks and lines; each series differs by marker and dash as well as by colour.
enum Ink {
  static let colours = ["#0072b2", "#b34700", "#007a5a", "#a1417d", "#6b6400", "#444444"]
  static let dashes = ["", "7 3", "2 3", "9 3 2 3", "4 4", "1 3"]

  static func number(_ x: Double) -> String {
    let rounded = (x * 10).rounded() / 10
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }

  static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, kind: String,
    colour: String = "#888888",
    width: Double = 1, dash: String = ""
  ) -> String {
    "<line x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\" class=\"\(kind)\" stroke=\"\(colour)\" stroke-width=\"\(number(width))\"\(dash.isEmpty ? "" : " stroke-dasharray=\"\(dash)\"")/>"
  }

  static func text(
    _ x: Double, _ y: Double, _ text: String, anchor: String = "start", kind: String = "",
    size: Int? = nil, rotate: Bool = false
  ) -> String {
    "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\"\(kind.isEmpty ? "" : " class=\"\(kind)\"")\(size.map { " font-size=\"\($0)\"" } ?? "")\(rotate ? " transform=\"rotate(-90 \(number(x)) \(number(y)))\"" : "")>\(Markup.escape(text))</text>"
  }

  static func marker(_ x: Double, _ y: Double, series: Int, hollow: Bool = false) -> String {
    let s = series % 6
    let paint =
      hollow
      ? "fill=\"none\" class=\"s\(s)\" stroke=\"\(colours[s])\" stroke-width=\"2\""
      : "class=\"f\(s)\" fill=\"\(colours[s])\""
    switch s {
    case 0: return "<circle cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"4.5\" \(paint)/>"
    case 1:
      return
        "<rect x=\"\(number(x - 4))\" y=\"\(number(y - 4))\" width=\"8\" height=\"8\" \(paint)/>"
    case 2: return path([(x, y - 5.5), (x + 5, y + 4), (x - 5, y + 4)], paint)
    case 3: return path([(x, y - 5.5), (x + 5.5, y), (x, y + 5.5), (x - 5.5, y)], paint)
    case 4: return path([(x, y + 5.5), (x + 5, y - 4), (x - 5, y - 4)], paint)
    default:
      return path(
        [(x - 5, y - 2), (x + 5, y - 2), (x + 5, y + 2), (x - 5, y + 2)], paint)
    }
  }

  private static func path(_ points: [(Double, Double)], _ paint: String) -> String {
    let spelled = points.map { "\(number($0.0)) \(number($0.1))" }.joined(separator: "L")
    return "<path d=\"M\(spelled)Z\" \(paint)/>"
  }

  static func polyline(_ points: [(Double, Double)], series: Int, thin: Bool = false) -> String {
    let s = series % 6
    let spelled = points.map { "\(number($0.0)),\(number($0.1))" }.joined(separator: " ")
    return
      "<polyline points=\"\(spelled)\" fill=\"none\" class=\"s\(s)\" stroke=\"\(colours[s])\" stroke-width=\"\(thin ? "1" : "2")\"\(dashes[s].isEmpty ? "" : " stroke-dasharray=\"\(dashes[s])\"")/>"
  }
}

/// Lines over a horizontal axis: scaling, growth, grouping, percentiles, history.
struct LineChart {
  struct Point {
    var x: Double
    var y: Double
    var low: Double?
    var high: Double?
    /// Drawn hollow: more workers than cores, or too few samples.
    var isHollow = false
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
  var logY = false
  /// Shaded from here to the right, with a word why.
  var shade: (from: Double, word: String)?
  var xLabels: [(Double, String)]?

  var figure: Figure {
    let (width, height) = (640.0, 340.0)
    let (left, right, top, bottom) = (86.0, 470.0, 14.0, 286.0)
    let points = series.flatMap(\.points)
    let x = Axis(
      points.map(\.x) + (xLabels ?? []).map(\.0), log: logX, from: left + 8, to: right - 8)
    let y = Axis(
      points.flatMap { [$0.y, $0.low ?? $0.y, $0.high ?? $0.y] }, log: logY, from: bottom,
      to: top + 6, zero: !logY)
    var svg = ""
    if let shade, shade.from < x.high {
      let at = x.place(shade.from)
      svg +=
        "<rect x=\"\(Ink.number(at))\" y=\"\(Ink.number(top))\" width=\"\(Ink.number(right - at))\" height=\"\(Ink.number(bottom - top))\" class=\"band\" fill=\"#eeeeee\" fill-opacity=\"0.7\"/>"
        + Ink.text(right - 4, top + 14, shade.word, anchor: "end", kind: "soft", size: 12)
    }
    for tick in y.ticks {
      svg += Ink.line(left, y.place(tick), right, y.place(tick), kind: "grid", colour: "#dddddd")
      svg += Ink.text(
        left - 8, y.place(tick) + 4, Figures.text(tick, yUnit), anchor: "end", kind: "soft",
        size: 12)
    }
    let few = Set(points.map(\.x)).sorted()
    let xTicks =
      xLabels ?? (few.count <= 8 ? few : x.ticks).map { ($0, Figures.text($0, xUnit)) }
    for (tick, label) in xTicks {
      svg += Ink.line(x.place(tick), bottom, x.place(tick), bottom + 5, kind: "axis")
      svg += Ink.text(
        x.place(tick), bottom + 20, label, anchor: "middle", kind: "soft", size: 12)
    }
    svg += Ink.line(left, bottom, right, bottom, kind: "axis")
    svg += Ink.text((left + right) / 2, bottom + 42, xTitle, anchor: "middle", kind: "soft")
    svg += Ink.text(16, (top + bottom) / 2, yTitle, anchor: "middle", kind: "soft", rotate: true)
    for one in series {
      let places = one.points.map { (x.place($0.x), y.place($0.y)) }
      svg += Ink.polyline(places, series: one.ink, thin: one.isGuide)
      guard !one.isGuide else { continue }
      for (point, place) in zip(one.points, places) {
        if let low = point.low, let high = point.high, high > low {
          svg += Ink.line(
            place.0, y.place(low), place.0, y.place(high), kind: "s\(one.ink % 6)",
            colour: Ink.colours[one.ink % 6], width: 1.5)
        }
        if one.points.count <= 24 {
          svg += Ink.marker(place.0, place.1, series: one.ink, hollow: point.isHollow)
        }
      }
    }
    svg += legend(x: right + 14, top: top, bottom: bottom, y: y)
    return Figure(
      id: id, title: title, finding: finding, svg: svg, width: Int(width), height: Int(height),
      table: table)
  }

  /// Names at the ends of the lines, pushed apart where they would overlap.
  private func legend(x: Double, top: Double, bottom: Double, y: Axis) -> String {
    var wanted = series.enumerated().compactMap { place, one in
      one.points.last.map { (place, y.place($0.y)) }
    }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    for i in wanted.indices.dropFirst() {
      wanted[i].1 = max(wanted[i].1, wanted[i - 1].1 + 18)
    }
    let overflow = max(0, (wanted.last?.1 ?? 0) - bottom)
    return wanted.map { place, at in
      let one = series[place]
      let at = max(top + 6, at - overflow)
      let mark =
        one.isGuide
        ? Ink.polyline([(x - 8, at), (x + 8, at)], series: one.ink, thin: true)
        : Ink.polyline([(x - 8, at), (x + 8, at)], series: one.ink)
          + Ink.marker(x, at, series: one.ink)
      return mark + Ink.text(x + 14, at + 4, one.name, size: 12)
    }.joined()
  }

  private var table: String {
    var table = HTMLTable(
      title,
      [.init(xTitle)] + series.filter { !$0.isGuide }.map { .init($0.name, number: true) })
    for x in Set(series.flatMap { $0.points.map(\.x) }).sorted() {
      let cells: [HTMLTable.Cell] = series.filter { !$0.isGuide }.map { one in
        guard let point = one.points.first(where: { $0.x == x }) else { return "" }
        guard let low = point.low, let high = point.high else {
          return HTMLTable.Cell(Figures.text(point.y, yUnit))
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

/// Dots with whiskers on one common axis: a row per value.
struct IntervalChart {
  struct Row {
    var group: String
    var label: String
    var ink: Int
    var value: Double
    var low: Double
    var high: Double
    var text: String
  }

  var id: String
  var title: String
  var finding: String
  var unit: String
  var rows: [Row]
  var isLog = true
  /// A band around zero within which nothing is said to have changed.
  var margin: Double?
  /// Labels of ticks, where not the unit's.
  var label: ((Double) -> String)?

  var figure: Figure {
    let (left, right) = (300.0, 640.0)
    let width = 760.0
    var y = 10.0
    var svg = ""
    var body = ""
    let axis = Axis(
      rows.flatMap { [$0.value, $0.low, $0.high] } + (margin.map { [$0 * 1.3, -$0 * 1.3] } ?? []),
      log: isLog, from: left, to: right)
    var group = ""
    for row in rows {
      if row.group != group {
        group = row.group
        y += 20
        body += Ink.text(8, y, group, size: 13)
      }
      y += 19
      let s = row.ink % 6
      body += Ink.text(left - 10, y + 4, row.label, anchor: "end", kind: "soft", size: 12)
      body += Ink.line(
        axis.place(row.low), y, axis.place(row.high), y, kind: "s\(s)", colour: Ink.colours[s],
        width: 2)
      body += Ink.marker(axis.place(row.value), y, series: row.ink)
      body += Ink.text(right + 12, y + 4, row.text, size: 12)
    }
    let bottom = y + 16
    if let margin {
      let (from, to) = (axis.place(-margin), axis.place(margin))
      svg +=
        "<rect x=\"\(Ink.number(from))\" y=\"8\" width=\"\(Ink.number(to - from))\" height=\"\(Ink.number(bottom - 8))\" class=\"band\" fill=\"#eeeeee\"/>"
      svg += Ink.line(axis.place(0), 8, axis.place(0), bottom, kind: "axis")
    }
    for tick in axis.ticks {
      svg += Ink.line(
        axis.place(tick), 8, axis.place(tick), bottom, kind: "grid", colour: "#dddddd")
      svg += Ink.text(
        axis.place(tick), bottom + 18, label?(tick) ?? Figures.text(tick, unit), anchor: "middle",
        kind: "soft", size: 12)
    }
    svg += Ink.line(left, bottom, right, bottom, kind: "axis")
    var table = HTMLTable(title, [.init("what"), .init("value with interval", number: true)])
    for row in rows {
      table.add([
        HTMLTable.Cell("\(row.group) \(row.label)"), HTMLTable.Cell(row.text),
      ])
    }
    return Figure(
      id: id, title: title, finding: finding, svg: svg + body, width: Int(width),
      height: Int(bottom + 30), table: table.html)
  }
}
