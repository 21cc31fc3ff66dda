import Reporting

/// One word the tool understands: what it does, what may follow it, and the code that does it.
struct Verb: Sendable {
  let name: String
  let summary: String
  /// What stands behind the verb in its usage line.
  var operands = ""
  var operandCount: ClosedRange<Int> = 0...0
  var options: [Option] = []
  /// More to say in its help, below the options.
  var notes = ""
  /// Understood, but not shown in help: for the tool's own children. Reads its words itself, so
  /// that what a child is told needs no second description here.
  var child: (@Sendable ([String]) throws -> Never)?
  var hidden: Bool { child != nil }
  let run: @Sendable (Arguments) throws -> ExitCode

  /// A verb for the tool's own children.
  static func hidden(
    _ name: String, _ summary: String, options: [Option] = [],
    _ child: @escaping @Sendable ([String]) throws -> Never
  ) -> Verb {
    Verb(name: name, summary: summary, options: options, child: child) { _ in .usage }
  }

  /// What help, completions and the manual page show.
  var shownOptions: [Option] {
    options.filter { !$0.hidden } + [.flag("help", "this text")]
  }

  var help: String {
    let options = shownOptions
    var lines = Verb.folded(
      "\(operands.isEmpty ? "" : "\(operands) ")[options]", start: "usage: realm-bench \(name) ")
    lines.append("")
    lines.append(summary)
    lines.append("")
    let spelled = options.map(\.spelled)
    let width = spelled.map(\.count).max() ?? 0
    for (option, words) in zip(options, spelled) {
      let padding = String(repeating: " ", count: width - words.count + 2)
      lines += Verb.folded(
        option.help + (option.repeatable ? " (repeatable)" : ""), start: "  \(words)\(padding)")
    }
    if !notes.isEmpty {
      lines.append("")
      for line in notes.split(separator: "\n", omittingEmptySubsequences: false) {
        lines += Verb.folded(
          String(line.drop { $0 == " " }), start: String(line.prefix { $0 == " " }))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Lines of help, none wider than what reports print: continued below their beginning.
  static func folded(_ text: String, start: String) -> [String] {
    guard start.count + text.count > TextTable.limit else { return [start + text] }
    let first = text.prefix { $0 != " " }
    let isIndent = start.allSatisfy { $0 == " " }
    guard isIndent || start.count + first.count <= TextTable.limit else {
      // A first word that has no room behind its beginning gets a line of its own.
      return [String(start.reversed().drop { $0 == " " }.reversed())]
        + folded(text, start: "    ")
    }
    return TextTable.paragraph(text, start: start).split(separator: "\n").map(String.init)
  }
}
