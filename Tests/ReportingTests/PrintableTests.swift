import Testing

@testable import Reporting

/// What a terminal would obey is shown instead.
struct PrintableTests {
  @Test(arguments: [
    ("plain, ä and 日本", "plain, ä and 日本"), ("a\nb\tc\r", "a\\nb\\tc\\r"),
    ("\u{1B}[2J\u{9B}31m\u{7F}", "\\u{1B}[2J\\u{9B}31m\\u{7F}"),
    ("\u{202E}desrever\u{2066}\u{2028}", "\\u{202E}desrever\\u{2066}\\u{2028}"), ("", ""),
  ])
  func `a name is one line and moves nothing`(text: String, spelled: String) {
    #expect(Printable.line(text) == spelled)
  }

  @Test func `lines that are meant stay lines`() {
    #expect(Printable.text("a\n\u{1B}b\n") == "a\n\\u{1B}b\n")
    #expect(TextTable.within("a\n\u{1B}b\n") == "a\n\\u{1B}b\n")
    #expect(TextTable.paragraph("a\nb", start: "\u{7}: ") == "\\u{7}: a\\nb\n")
    var table = TextTable(["name"])
    table.add(["a\u{1B}\nb"])
    #expect(table.text == "name\na\\u{1B}\\nb\n")
  }
}
