import Evidence
import Foundation
import Testing

@testable import Reporting

/// A number at the end of a line and its unit on the next are read as two things.
struct QuantitiesTests {
  private func marked(_ text: String) -> String { "<span class=\"nowrap\">\(text)</span>" }

  @Test(arguments: [
    "12.3 µs", "+4 %", "−2.3 %", "±0.00 %", "1\u{202F}000\u{202F}000 ns/op", "786 B", "3.2 KiB/op",
    "783 k op/s", "277 M op/s", "0.020 per op", "60 Hz", "14 frames", "38 s",
  ])
  func `a number and its unit are one word`(quantity: String) {
    for (before, after) in [("", ""), ("took ", ", as"), ("(", "; so"), ("→ ", " → x"), ("–", ".")]
    {
      #expect(
        Quantities.whole("<p>\(before)\(quantity)\(after)</p>")
          == "<p>\(before)\(marked(quantity))\(after)</p>")
    }
  }

  @Test(arguments: [
    "8 rounds", "5 of 8", "2 benchmarks", "12 (bookworm)", "in 3 sections", "99 of 100 operations",
    "<svg><text>12 ms</text></svg>", "<code>sleep 5 s</code>", "<pre>5 s\n</pre>",
    "<a title=\"12 ms\">x</a>", "<span class=\"nowrap\">8 rounds, ±3.5 %</span>", "5 ", " s", "",
  ])
  func `what is no number with a unit, or one word already, is left alone`(markup: String) {
    #expect(Quantities.whole(markup) == markup)
    #expect(Quantities.whole("<td>\(markup)</td> 1 s") == "<td>\(markup)</td> \(marked("1 s"))")
  }

  @Test func `what a style shows of an attribute is joined by its spaces`() {
    #expect(
      Quantities.joined("change and 95 % interval, 2 k op/s")
        == "change and 95\u{A0}% interval, 2\u{A0}k\u{A0}op/s")
  }

  // MARK: Pages

  /// Pages of every kind: of runs that were made up, and of those in results/.
  private func pages() throws -> [(name: String, html: String)] {
    let samples = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().appendingPathComponent("../../results").standardizedFileURL
    func sample(_ name: String) throws -> Run {
      try RunDirectory.load(samples.appendingPathComponent("sample-\(name)").path)
    }
    var made = Fixture.run
    made.comparison = Fixture.comparison
    let (a, b) = (try sample("compare/a"), try sample("compare/b"))
    var found = [
      ("a run made up", RunReport(made).html),
      (
        "two made up",
        ComparisonReport.html(runs: [Fixture.run, Fixture.run], comparisons: [Fixture.comparison])
      ),
      (
        "compare",
        ComparisonReport.html(runs: [a, b], comparisons: [StoredComparison.compare(a, b)])
      ),
      ("trend", TrendReport([a, b]).html),
    ]
    for name in ["run", "ab", "conformance"] {
      found.append((name, RunReport(try sample(name)).html))
    }
    return found
  }

  /// What a browser may break: text outside of drawings, commands and what is kept whole.
  private func texts(of html: String) -> [Substring] {
    var found: [Substring] = []
    var closing: Substring?
    for piece in html.split(separator: "<", omittingEmptySubsequences: true) {
      if let end = closing {
        guard piece.hasPrefix(end) else { continue }
        closing = nil
      } else if piece.hasPrefix("span class=\"nowrap\"") {
        closing = "/span"
        continue
      } else if let name = ["svg", "pre", "code", "script", "style", "title"].first(where: {
        piece.hasPrefix($0)
      }) {
        closing = "/\(name)>"
        continue
      }
      found.append(piece.drop { $0 != ">" }.dropFirst())
    }
    return found
  }

  @Test func `no line of a page ends between a number and its unit`() throws {
    let units = "%|([nµm]?s|([KMG]i)?B)(/op)?|[kMG] op/s|op/s|per op|Hz|MB|frames"
    let apart = try NSRegularExpression(pattern: "[0-9] (\(units))(?![A-Za-z])")
    for (name, html) in try pages() {
      for text in texts(of: html).map(String.init) where text.contains(" ") {
        let all = NSRange(text.startIndex..., in: text)
        #expect(apart.firstMatch(in: text, range: all) == nil, "\(name): \(text)")
      }
      let kept = html.components(separatedBy: "<span class=\"nowrap\">").count - 1
      #expect(kept > 2, "\(name): \(kept)")
      for label in html.components(separatedBy: "data-l=\"").dropFirst() {
        #expect(!label.prefix { $0 != "\"" }.contains("5 %"), "\(name)")
      }
    }
  }
}
