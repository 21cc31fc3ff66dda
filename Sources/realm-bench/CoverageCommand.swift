import Conformance
import Foundation
import Reporting

/// Shows how Realm's documents are covered by rules, and checks it where the documents are at hand.
let coverageVerb = Verb(
  name: "coverage",
  summary: "which sentences of Realm's documents have rules; with DIR checks it against the pages",
  operands: "[DIR]",
  operandCount: 0...1,
  notes: """
      DIR holds the pages as text (.txt, .md or .rst), under any names: a page is known by its title. The pages are not
      part of this tool: of each sentence it keeps a hash and the rules that came of it. Ends with 4 if a page has a
      sentence without rule or reason, or lacks one that has, and with 5 if a page is not there.
    """
) { arguments in
  Terminal.out(coverageTable)
  guard let directory = arguments.operands.first else { return .fine }
  let pages = try documentPages(in: directory)
  var differs = false
  var missing = false
  for coverage in DocumentCoverage.all {
    guard let page = pages.first(where: { $0.title == coverage.title }) else {
      Terminal.say("realm-bench: \(directory) holds no page titled '\(coverage.title)'")
      missing = true
      continue
    }
    let differences = coverage.differences(from: page)
    Terminal.out(
      "\(coverage.name): \(page.sentences.count) sentences read, "
        + (differences.isEmpty ? "all accounted for\n" : "\(differences.count) differ\n"))
    for difference in differences { Terminal.out("  \(difference.line)\n") }
    differs = differs || !differences.isEmpty
  }
  return missing ? .baseline : differs ? .violated : .fine
}

/// A line for each page.
private var coverageTable: String {
  var text = ""
  for page in DocumentCoverage.all {
    let asides = DocumentCoverage.Aside.allCases.compactMap { aside -> String? in
      page.count(aside) == 0 ? nil : "\(page.count(aside)) \(aside.rawValue)"
    }
    text += TextTable.paragraph(
      "“\(page.title)”: \(page.entries.count) sentences, \(page.binding) bind; "
        + asides.joined(separator: ", "), start: "\(page.name) ")
  }
  let total = DocumentCoverage.total
  return text
    + TextTable.paragraph(
      "\(total.sentences) sentences: \(total.binding) bind, \(total.probed) of these are "
        + "probed; \(total.sentences - total.binding) bind nothing, each for a reason")
}

private func documentPages(in directory: String) throws -> [DocumentPage] {
  let folder = URL(fileURLWithPath: directory)
  guard
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path),
    !names.isEmpty
  else { throw UsageError("no pages in \(directory): expected a folder with Realm's documents") }
  let kinds: Set = ["txt", "md", "rst"]
  return names.sorted().map { folder.appendingPathComponent($0) }
    .filter { kinds.contains($0.pathExtension) }
    .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    .map { DocumentPage($0) }
}

extension DocumentCoverage.Difference {
  fileprivate var line: String {
    switch self {
    case .unaccounted(let sentence):
      "new   \(sentence.ordinal) \(sentence.hash)  “\(sentence.section)”: \(sentence.words)"
    case .gone(let ordinal, let rules):
      "gone  \(ordinal), which bound \(rules.isEmpty ? "nothing" : rules.joined(separator: " "))"
    }
  }
}
