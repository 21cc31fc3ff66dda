import Evidence
import Foundation

/// Stacks as a picture: a box for each function, as wide as it was found often, what it called
/// above it.
///
/// A drawing without a script: names that have no room stand in the box's title, which browsers
/// show.
package struct FlameGraph {
  private let stacks: FoldedStacks
  private let title: String

  package init(_ stacks: FoldedStacks, title: String) {
    self.stacks = stacks
    self.title = title
  }

  /// A function and what it called, by name.
  private final class Node {
    var samples = 0
    var callees: [String: Node] = [:]
  }

  private static let (width, line, letter) = (1200.0, 18.0, 6.6)
  /// Boxes of less than a tenth of a pixel are left out.
  private static let least = 0.1

  package var svg: String {
    let root = Node()
    for (stack, samples) in stacks.counts {
      root.samples += samples
      var node = root
      for frame in stack.split(separator: ";") {
        let next = node.callees[String(frame)] ?? Node()
        node.callees[String(frame)] = next
        next.samples += samples
        node = next
      }
    }
    let depth = depth(root)
    let height = 60 + Double(depth) * Self.line
    var boxes = ""
    draw(root, x: 10, level: 0, bottom: height - 30, into: &boxes)
    let said = "\(title): \(Figures.count(stacks.total, "sample"))"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t" width="1220" \
      height="\(Ink.number(height))" viewBox="0 0 1220 \(Ink.number(height))" \
      font-family="monospace" font-size="11">
      <title id="t">\(Markup.escape(said))</title>
      <rect width="1220" height="\(Ink.number(height))" fill="#ffffff"/>
      <text x="10" y="20" font-size="14" font-family="sans-serif">\(Markup.escape(said))</text>
      \(boxes)</svg>

      """
  }

  private func depth(_ node: Node) -> Int {
    1 + (node.callees.values.filter(isWide).map(depth).max() ?? 0)
  }

  private func isWide(_ node: Node) -> Bool {
    Self.width * Double(node.samples) / Double(max(1, stacks.total)) >= Self.least
  }

  private func draw(_ node: Node, x: Double, level: Int, bottom: Double, into boxes: inout String) {
    var x = x
    for (name, callee) in node.callees.sorted(by: { $0.key < $1.key }) where isWide(callee) {
      let share = Double(callee.samples) / Double(stacks.total)
      let width = Self.width * share
      let y = bottom - Double(level + 1) * Self.line
      let samples = Figures.count(callee.samples, "sample")
      let told = "\(name): \(samples), \(Figures.percent(share, signed: false))"
      boxes +=
        "<g><title>\(Markup.escape(told))</title><rect x=\"\(Ink.number(x))\" "
        + "y=\"\(Ink.number(y))\" width=\"\(Ink.number(max(0.1, width - 0.4)))\" height=\"17\" "
        + "fill=\"\(colour(name))\"/>"
      let letters = Int((width - 6) / Self.letter)
      if letters >= 3 {
        let shown = name.count <= letters ? name : name.prefix(letters - 1) + "…"
        boxes +=
          "<text x=\"\(Ink.number(x + 3))\" "
          + "y=\"\(Ink.number(y + 12.5))\">\(Markup.escape(shown))</text>"
      }
      boxes += "</g>\n"
      draw(callee, x: x, level: level + 1, bottom: bottom, into: &boxes)
      x += width
    }
  }

  /// Warm colours by the name, the same on every picture; dark letters stay legible on all of them.
  private func colour(_ name: String) -> String {
    let seed = derivedSeed(0, name)
    return String(
      format: "#%02x%02x%02x", 215 + Int(seed % 40), 150 + Int(seed / 64 % 80),
      90 + Int(seed / 8192 % 60))
  }
}
