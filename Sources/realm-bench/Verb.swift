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
    var lines = [
      "usage: realm-bench \(name)\(operands.isEmpty ? "" : " \(operands)") [options]", "",
    ]
    lines.append(summary)
    lines.append("")
    let spelled = options.map(\.spelled)
    let width = spelled.map(\.count).max() ?? 0
    for (option, words) in zip(options, spelled) {
      let padding = String(repeating: " ", count: width - words.count + 2)
      lines.append("  \(words)\(padding)\(option.help)\(option.repeatable ? " (repeatable)" : "")")
    }
    if !notes.isEmpty { lines += ["", notes] }
    return lines.joined(separator: "\n") + "\n"
  }
}
