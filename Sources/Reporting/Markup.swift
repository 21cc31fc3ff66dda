import Foundation

/// Text made fit for a place in a document: every name, message and path is taken for hostile.
package enum Markup {
  /// Text fit for HTML and XML, in elements and in quoted attributes.
  ///
  /// Characters that XML forbids are dropped; those that reorder text are shown as their number, or
  /// a name could make a table say what it does not.
  package static func escape(_ text: String) -> String {
    var out = ""
    out.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      case "\n", "\t": out.unicodeScalars.append(scalar)
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{200E}", "\u{200F}":
        out += "[U+\(String(scalar.value, radix: 16, uppercase: true))]"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.value & 0xFFFE == 0xFFFE:
        continue
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// A command, which may end a line between its words, and not behind a hyphen of an option: `--`
  /// alone means something else.
  static func command(_ text: String) -> String {
    escape(text).split(separator: " ", omittingEmptySubsequences: false).map {
      $0.hasPrefix("-") ? "<span class=\"nowrap\">\($0)</span>" : String($0)
    }.joined(separator: " ")
  }

  /// The name of a benchmark, which may end a line between its parameters.
  static func breakable(_ name: String) -> String { escape(name).replacing("/", with: "/<wbr>") }

  /// JSON fit to stand inside a `<script>` element: nothing in it can end the element.
  package static func embed(json: String) -> String {
    json.replacing("<", with: "\\u003c").replacing(">", with: "\\u003e")
      .replacing("&", with: "\\u0026")
  }

  /// A name fit to be an `id` or a link target.
  package static func anchor(_ name: String) -> String {
    String(
      name.unicodeScalars.map {
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
          ? Character($0) : "-"
      })
  }

  /// `<tag a="1">inner</tag>`; attribute values are escaped, the inside is markup already.
  package static func element(
    _ tag: String, _ attributes: [(String, String)] = [], _ inner: String = ""
  ) -> String {
    let spelled = attributes.map { " \($0.0)=\"\(escape($0.1))\"" }.joined()
    return "<\(tag)\(spelled)>\(inner)</\(tag)>"
  }
}
