/// A table for a terminal: columns as wide as their widest cell, numbers to the right.
///
/// What a verb prints is made in the extension that is named for it: `TextTable+Comparison.swift`
/// for `compare` and `ab`.
package struct TextTable {
  /// Nothing that is printed is wider.
  package static let limit = 100

  private let heads: [String]
  private let rightAligned: [Bool]
  private var rows: [[String]] = []
  /// Lines of their own, by the row that they stand above.
  private var headings: [Int: [String]] = [:]

  /// A head that ends in `>` names a column of numbers.
  package init(_ heads: [String]) {
    self.heads = heads.map { $0.hasSuffix(">") ? String($0.dropLast()) : $0 }
    rightAligned = heads.map { $0.hasSuffix(">") }
  }

  package mutating func add(_ cells: [String]) { rows.append(cells.map(Printable.line)) }

  var isEmpty: Bool { rows.isEmpty }

  /// Lines over the rows that follow; as long as they are.
  package mutating func head(_ lines: [String]) { headings[rows.count, default: []] += lines }

  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// One for each row, the heads first; wider than the limit only by their last cell, which is then
  /// continued below.
  private var lines: [String] {
    let widths = heads.indices.map { column in
      ([heads] + rows).map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return ([heads] + rows).enumerated().flatMap { place, cells -> [String] in
      let above = headings[place - 1] ?? []
      var line = ""
      for (column, cell) in cells.enumerated() {
        let isLast = column + 1 == cells.count
        if isLast, line.count + cell.count > TextTable.limit, !rightAligned[column] {
          return above + TextTable.wrapped(line, cell)
        }
        let padding = String(repeating: " ", count: max(0, widths[column] - cell.count))
        line += rightAligned[column] ? padding + cell : cell + padding
        if !isLast { line += "  " }
      }
      return above + [TextTable.trimmed(line)]
    }
  }

  /// Words behind a beginning, continued below it as far as they do not fit.
  static func wrapped(_ start: String, _ text: String) -> [String] {
    let indent = String(repeating: " ", count: min(start.count, limit / 2))
    var lines: [String] = []
    var line = start.count > limit / 2 ? trimmed(start) + "\n" + indent : start
    if start.count > limit / 2 {
      lines.append(trimmed(start))
      line = indent
    }
    for word in pieces(of: text, width: limit - indent.count) {
      let isFirst = line == start || line == indent
      if !isFirst, line.count + 1 + word.count > limit {
        lines.append(trimmed(line))
        line = indent + word
      } else {
        line += (isFirst ? "" : " ") + word
      }
    }
    return lines + [trimmed(line)]
  }

  /// Words, and those that are longer than a line in parts: a name breaks between its parameters
  /// only.
  private static func pieces(of text: String, width: Int) -> [String] {
    text.split(separator: " ").flatMap { folded(String($0), width: width) }
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }

  /// The same as Markdown, for a page or a pull request.
  package var markdown: String {
    let rule = rightAligned.map { $0 ? "--:" : "---" }
    return ([heads, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }

  /// A sentence that may be long, at most so wide.
  package static func paragraph(_ text: String, start: String = "") -> String {
    wrapped(Printable.line(start), Printable.line(text)).map { $0 + "\n" }.joined()
  }

  /// The same text in lines that are no wider: what does not fit goes on below, further in than
  /// what it belongs to, so that it is not read as a line of its own.
  package static func within(_ text: String) -> String {
    Printable.text(text).split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.count > limit else { return String(line) }
      let start = line.prefix { $0 == " " }
      let indent = start + continuation
      var lines = [String(start)]
      var isFirst = true
      for word in pieces(of: String(line), width: limit - indent.count) {
        let last = lines.count - 1
        if !isFirst, lines[last].count + 1 + word.count > limit {
          lines.append(indent + word)
        } else {
          lines[last] += (isFirst ? "" : " ") + word
        }
        isFirst = false
      }
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// How much further in what goes on below stands.
  private static let continuation = "    "

  /// A name in as many lines as it takes, broken between its parameters and never cut.
  static func folded(_ name: String, width: Int = limit) -> [String] {
    guard name.count > width else { return [name] }
    var lines = [""]
    for (place, part) in name.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
      let piece = (place == 0 ? "" : "/") + part
      if !lines[lines.count - 1].isEmpty, lines[lines.count - 1].count + piece.count > width {
        lines.append(piece)
      } else {
        lines[lines.count - 1] += piece
      }
    }
    return lines
  }

  /// A text within a width, with a sign where it was cut: in the middle, for names are told apart
  /// by both their ends.
  package static func shortened(_ text: String, to width: Int) -> String {
    guard text.count > width else { return text }
    let kept = max(0, width - 1)
    return text.prefix(kept / 2) + "…" + text.suffix(kept - kept / 2)
  }
}
