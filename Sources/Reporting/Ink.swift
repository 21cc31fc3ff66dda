import Foundation

/// Marks and lines; each series differs by marker and dash as well as by colour.
enum Ink {
  static let colours = ["#0072b2", "#b34700", "#007a5a", "#a1417d", "#6b6400", "#444444"]
  static let dashes = ["", "7 3", "2 3", "9 3 2 3", "4 4", "1 3"]

  /// A place in a drawing: a tenth of a point, and never far outside of any picture.
  static func number(_ x: Double) -> String {
    guard x.isFinite else { return "0" }
    let rounded = (min(1e6, max(-1e6, x)) * 10).rounded() / 10
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }

  /// Six significant digits: enough to sort by.
  static func short(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9
      ? String(Int(value)) : String(format: "%.6g", value)
  }

  static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, kind: String,
    colour: String = "#888888", width: Double = 1, dash: String = ""
  ) -> String {
    "<line x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\" "
      + "class=\"\(kind)\" stroke=\"\(colour)\" stroke-width=\"\(number(width))\""
      + "\(dash.isEmpty ? "" : " stroke-dasharray=\"\(dash)\"")/>"
  }

  static func bar(
    _ from: Double, _ to: Double, top: Double, height: Double, kind: String, colour: String,
    opacity: Double
  ) -> String {
    "<rect x=\"\(number(min(from, to)))\" y=\"\(number(top))\" "
      + "width=\"\(number(max(1, abs(to - from))))\" height=\"\(number(height))\" "
      + "class=\"\(kind)\" fill=\"\(colour)\" fill-opacity=\"\(number(opacity))\"/>"
  }

  static func dot(_ x: Double, _ y: Double, series: Int) -> String {
    "<circle cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"2\" class=\"f\(series % 6)\" "
      + "fill=\"\(colours[series % 6])\"/>"
  }

  static func text(
    _ x: Double, _ y: Double, _ text: String, anchor: String = "start", kind: String = "",
    size: Int? = nil
  ) -> String {
    "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\""
      + "\(kind.isEmpty ? "" : " class=\"\(kind)\"")\(size.map { " font-size=\"\($0)\"" } ?? "")>"
      + "\(Markup.escape(text))</text>"
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
    return "<polyline points=\"\(spelled)\" fill=\"none\" class=\"s\(s)\" "
      + "stroke=\"\(colours[s])\" stroke-width=\"\(thin ? "1" : "2")\""
      + "\(dashes[s].isEmpty ? "" : " stroke-dasharray=\"\(dashes[s])\"")/>"
  }
}
