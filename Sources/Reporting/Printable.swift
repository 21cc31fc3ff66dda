/// Text made fit for a terminal: a name that somebody chose neither moves the cursor nor ends a
/// line, and nothing is read in another order than it stands in.
package enum Printable {
  /// One line: what would end it is spelled, too.
  package static func line(_ text: String) -> String { spelled(text) { !isHarmful($0) } }

  /// Text whose lines are meant.
  package static func text(_ text: String) -> String {
    spelled(text) { $0 == "\n" || !isHarmful($0) }
  }

  private static func spelled(
    _ text: String, where isFine: (Unicode.Scalar) -> Bool
  ) -> String {
    guard !text.unicodeScalars.allSatisfy(isFine) else { return text }
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where isFine(scalar): out.unicodeScalars.append(scalar)
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      default: out += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return out
  }

  /// Controls of both sets, what separates lines and paragraphs, and what turns the direction.
  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{200E}", "\u{200F}", "\u{2028}"..."\u{202E}",
      "\u{2066}"..."\u{2069}":
      true
    default: false
    }
  }
}
