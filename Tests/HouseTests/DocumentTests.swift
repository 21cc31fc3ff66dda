import Foundation
import Testing

/// What the documents name must be there: a reader who follows a name must not turn back.
struct `The documents` {
  /// All that is declared anywhere in Sources, by its last name.
  private static let declared: Set<Substring> = {
    var names: Set<Substring> = []
    for file in House.swiftFiles(below: "Sources") {
      guard let code = try? House.code(of: House.text(file)) else { continue }
      let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      let kinds: Set<Substring> = [
        "func", "var", "let", "class", "struct", "enum", "protocol", "actor", "typealias",
        "extension", "case",
      ]
      for (kind, name) in zip(words, words.dropFirst()) where kinds.contains(kind) {
        names.insert(name)
      }
    }
    return names.union(["init", "subscript"])
  }()

  /// The parts of `Type.member(label:)` and `Type+File` that must be declared.
  static func names(in text: Substring) -> [Substring] {
    let spans = text.split(separator: "`", omittingEmptySubsequences: false)
    return spans.indices.filter { !$0.isMultiple(of: 2) }.flatMap { place -> [Substring] in
      let span = spans[place].prefix { $0 != "(" }
      // Paths, file names and words of the command line are no names.
      guard !span.contains("/"), !span.contains(" "), !span.hasSuffix(".swift") else { return [] }
      let type = span.prefix { $0 != "+" }
      return type.split(separator: ".").filter { !$0.hasPrefix("-") }
    }
  }

  @Test(arguments: [
    ("ARCHITECTURE.md", "## Five flows", "## Where to begin", ["run", "ab", "conformance"]),
    ("docs/GLOSSARY.md", "## The file", "", ["rb_instant"]),
  ])
  func `name only what there is`(
    file: String, from: String, to: String, others: [String]
  ) throws {
    let text = try House.text(file)
    let start = try #require(text.range(of: from)).upperBound
    let end = to.isEmpty ? text.endIndex : try #require(text.range(of: to)).lowerBound
    let named = Self.names(in: text[start..<end])
    #expect(named.count > 40)
    for name in named where !others.contains(String(name)) {
      #expect(Self.declared.contains(name), "\(file) names `\(name)`, which nothing declares")
    }
  }

  /// Nobody could tell which judge a row is about.
  @Test func `say of every error rate which build it was counted with`() throws {
    let text = try House.text("docs/METHOD.md")
    let start = try #require(text.range(of: "| judge | the builds |")).lowerBound
    let rows = text[start...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("|") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    #expect(rows.count > 30)
    let place = try #require(rows[0].firstIndex(of: "build"))
    for row in rows.dropFirst(2) {
      try #require(row.count == rows[0].count, "\(row)")
      let builds = row[place].components(separatedBy: ", ")
      let isKnown = builds.allSatisfy { $0.count == 7 && $0.allSatisfy(\.isHexDigit) }
      #expect(isKnown || builds == ["not noted"], "\(row)")
    }
  }

  @Test func `are read as they are meant`() {
    let text = "`A.b(_:)` and `Commit+Group`, `run`, `a/b.swift`, `docs/X.md`, `--help me`"
    #expect(Self.names(in: text[...]) == ["A", "b", "Commit", "run"])
    #expect(!Self.declared.contains("nobodyDeclaresThis"))
  }
}
