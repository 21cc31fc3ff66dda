import Foundation
import Testing

@testable import Conformance

@Suite struct `The documents` {
  @Test func `have a rule or a reason for every sentence`() {
    for page in DocumentCoverage.all {
      #expect(page.entries.map(\.ordinal) == Array(1...page.entries.count), "\(page.name)")
      for entry in page.entries {
        #expect(entry.hash.count == 16 && entry.hash.allSatisfy(\.isHexDigit), "\(page.name)")
        if case .binds(let rules) = entry.standing {
          for id in rules {
            #expect(Catalogue.rule(id) != nil, "\(page.name).\(entry.ordinal) names \(id)")
          }
        }
      }
    }
    #expect(DocumentCoverage.total.sentences == 653)
  }

  @Test func `say each documented rule, and no other`() {
    for rule in Catalogue.all {
      #expect(
        DocumentCoverage.places(of: rule.id).isEmpty == (rule.tier == .implementation),
        "\(rule.id) is of tier \(rule.tier)")
    }
  }

  /// Runs where the pages are: `REALM_DOCUMENTS=DIR swift test --filter ConformanceTests`.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["REALM_DOCUMENTS"] != nil,
      "REALM_DOCUMENTS names no folder with Realm's documents"))
  func `still say what the rules were written for`() throws {
    let folder = URL(
      fileURLWithPath: ProcessInfo.processInfo.environment["REALM_DOCUMENTS"] ?? "")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".txt") }
      .map {
        DocumentPage(
          try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
      }
    for coverage in DocumentCoverage.all {
      let page = try #require(pages.first { $0.title == coverage.title }, "\(coverage.title)")
      #expect(page.sentences.map(\.hash) == coverage.entries.map(\.hash))
      #expect(page.sentences.map(\.section) == coverage.entries.map(\.section))
    }
  }
}

@Suite struct `A page` {
  func words(_ text: String) -> [String] { DocumentPage(text).sentences.map(\.words) }

  @Test func `in Markdown is taken apart into sentences, list items and blocks of code`() {
    let page = DocumentPage(
      """
      # On boats
      A boat *floats*. It
      is `wet`! See [the sea](https://example.org/sea_(big)).

      > Tip:
      > Bring a bucket.
      >

      ## Kinds
      There are:

      - Punts
      - Barges that are
      long

      #### Swift
      ```swift
      let boat =
        Boat()
      ```
      ![A boat.](boat.png)
      """)
    #expect(page.title == "On boats")
    #expect(
      page.sentences.map(\.words) == [
        "A boat floats.", "It is wet!", "See the sea.", "Bring a bucket.", "There are:", "Punts",
        "Barges that are long", "let boat = Boat()",
      ])
    #expect(page.sentences.map(\.ordinal) == Array(1...8))
    #expect(page.sentences[4].section == "Kinds")
    // A tab that shows another language is no section.
    #expect(page.sentences[7].section == "Kinds")
  }

  @Test func `in reStructuredText loses its roles and directives`() {
    let page = DocumentPage(
      """
      ====
      Boat
      ====

      .. contents:: On this page
         :local:

      Float first:
        A :term:`boat` is like :doc:`a ship </ship>` or `a raft <https://raft>`__.

      #. One (A\\ :sup:`1`).
      #. Two.
      """)
    #expect(page.title == "Boat")
    #expect(
      page.sentences.map(\.words) == [
        "Float first:", "A boat is like a ship or a raft.", "One (A1).", "Two.",
      ])
  }

  @Test func `without markup has a paragraph on each line`() {
    let page = DocumentPage(
      """
      On boats

      A boat floats. It is wet.

        • Punts
        • Barges

      let boat = Boat()
      boat.float()
      }
      """)
    #expect(page.title == "On boats")
    #expect(
      page.sentences.map(\.words) == [
        "A boat floats.", "It is wet.", "Punts", "Barges", "let boat = Boat() boat.float() }",
      ])
  }

  @Test func `changes a hash by its words and not by their dress`() {
    func hashes(_ text: String) -> [String] { DocumentPage("# T\n" + text).sentences.map(\.hash) }
    #expect(hashes("A *boat*\nfloats.") == hashes("a `boat` floats"))
    #expect(hashes("“A boat”") == hashes("\"A boat\""))
    #expect(hashes("A boat floats.") != hashes("A boat sinks."))
  }

  @Test func `that differs from what is known is told sentence by sentence`() {
    let page = DocumentPage("# T\nA boat floats. A stone sinks.")
    let known = page.sentences[0].hash
    let coverage = DocumentCoverage(
      "S9", title: "T", "## T\n1 \(known) READ-01\n2 0123456789abcdef READ-02\n3 \(known) -motive")
    #expect(
      coverage.differences(from: page) == [
        .unaccounted(page.sentences[1]), .gone(ordinal: 2, rules: ["READ-02"]),
      ])
    #expect(coverage.binding == 2 && coverage.count(.motive) == 1)
  }
}
