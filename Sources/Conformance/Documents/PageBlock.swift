/// A paragraph, a heading or a block of code of a page, whichever of three markups the page is in.
enum PageBlock: Equatable {
  case heading(String)
  case prose(String)
  case code([String])

  static func blocks(of text: String) -> [PageBlock] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.contains(where: { $0.hasPrefix("# ") }) { return marked(lines) }
    if lines.contains(where: isUnderline) { return marked(structured(lines)) }
    return plain(lines)
  }

  // MARK: - Markdown

  private static func marked(_ lines: [String]) -> [PageBlock] {
    var blocks: [PageBlock] = []
    var paragraph: [String] = []
    var code: [String]?
    func close() {
      if !paragraph.isEmpty { blocks.append(.prose(paragraph.joined(separator: " "))) }
      paragraph = []
    }
    for raw in lines {
      // Notes and examples are quoted, some twice.
      let line = raw.replacing(/^(> ?)+/, with: "")
      let words = line.trimmed
      if words.hasPrefix("```") {
        if let finished = code {
          blocks.append(.code(finished))
          code = nil
        } else {
          close()
          code = []
        }
      } else if code != nil {
        code?.append(line)
      } else if words.hasPrefix("#"), words.first(where: { $0 != "#" }) == " " {
        close()
        let heading = words.drop { $0 == "#" }.trimmed
        if !tabs.contains(heading) { blocks.append(.heading(heading)) }
      } else if words.isEmpty || words.hasPrefix("![") || labels.contains(words) {
        close()
      } else if let mark = line.prefixMatch(of: /\s*([-*•]|[0-9]+\.|#\.)\s+/) {
        close()
        paragraph = [String(line[mark.range.upperBound...])]
      } else {
        paragraph.append(words)
        // The name of a definition: what it defines is indented below it.
        if line == words, words.hasSuffix(":"), paragraph.count == 1 { close() }
      }
    }
    close()
    return blocks
  }

  /// What a note is called says nothing of its own.
  private static let labels: Set<String> = [
    "Seealso:", "See also:", "Tip:", "Important:", "Example:", "Note:",
  ]

  /// Two forms of one example under one heading.
  private static let tabs: Set<String> = ["Swift", "Objective-C"]

  // MARK: - reStructuredText

  /// The same page with Markdown's headings and without directives, so that one reader does for
  /// both.
  private static func structured(_ lines: [String]) -> [String] {
    var result: [String] = []
    for (index, line) in lines.enumerated() {
      let words = line.trimmed
      if isUnderline(line) { continue }
      if index + 1 < lines.count, isUnderline(lines[index + 1]), !words.isEmpty {
        result += ["", "# " + words, ""]
      } else if words.hasPrefix(".. ") || words.prefixMatch(of: /:[a-z]+:( |$)/) != nil {
        result.append("")
      } else {
        result.append(line)
      }
    }
    return result
  }

  private static func isUnderline(_ line: String) -> Bool {
    guard line.count >= 4, let mark = line.first, "=-~".contains(mark) else { return false }
    return line.allSatisfy { $0 == mark }
  }

  // MARK: - No markup at all

  /// A paragraph is a line; lines that stand together and do not end like sentences are code.
  private static func plain(_ lines: [String]) -> [PageBlock] {
    var blocks: [PageBlock] = []
    for group in lines.split(whereSeparator: { $0.trimmed.isEmpty }) {
      let items = group.map { $0.trimmed.replacing(/^([•*-]|[0-9]+\.)\s+/, with: "") }
      let isListed = group.contains { $0.trimmed.prefixMatch(of: /[•*-]\s/) != nil }
      let told = items.count { $0.last.map(".:!?".contains) ?? false }
      if group.count > 1, !isListed, told * 2 < group.count {
        blocks.append(.code(Array(group)))
      } else if group.count == 1, !isListed, told == 0, items[0].count < 40 {
        blocks.append(.heading(items[0]))
      } else {
        blocks += items.filter { !labels.contains($0) }.map { .prose($0) }
      }
    }
    return blocks
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }
}
