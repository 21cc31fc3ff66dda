extension Catalogue {
  /// The catalogue as a page for people: docs/RULES.md.
  public static func document(suspects: [Suspect]) -> String {
    let probed = all.count { $0.untested == nil }
    let documented = all.count { $0.tier == .documented }
    let probedDocumented = all.count { $0.tier == .documented && $0.untested == nil }
    let proven = Set(suspects.flatMap(\.caughtBy))
    var lines = [
      "# The rules",
      "",
      "Made from the catalogue in `Sources/Conformance/Rules`; do not edit. `realm-bench list "
        + "rules --markdown` prints it,",
      "and so does `UPDATE_GOLDENS=1 swift test --filter ConformanceTests`.",
      "",
      "\(all.count) rules, \(documented) of them **documented** (a sentence of Realm's "
        + "documentation says so) and "
        + "\(all.count - documented) of",
      "them of the **implementation** (only realm-swift's code, comments or tests say so). "
        + "\(probed) are probed, \(probedDocumented) of the",
      "documented ones. \(suspects.count) broken engines prove that "
        + "\(all.count { proven.contains($0.id) }) rules can fail; "
        + "\(unproven.count) have none,",
      "each for the reason that stands with it.",
      "",
      "Sources: S0 is Realm's page “Threading - Swift SDK”, S1 “Threading - iOS SDK”, S2 “Swift "
        + "Concurrency - Swift",
      "SDK”, S3 the older “Threading”, S4 “Use Realm with Actors - Swift SDK”. RS/, OC/, RST/ and "
        + "OCT/ are folders of",
      "realm-swift 10.54.6 (RealmSwift, Realm, and their tests), CORE/, OS/ and TOS/ of realm-core "
        + "14.14.0 (src/realm,",
      "its object-store, and that one's tests). A sentence of S0 to S4 is cited by its section, "
        + "its ordinal on the page",
      "and the beginning of the hash of its words; the pages themselves are Realm's and not kept "
        + "here.",
      "",
    ]
    lines += coverage
    for (family, title) in families {
      let rules = all.filter { $0.family == family }
      lines += ["## \(family): \(title)", ""]
      for rule in rules {
        let marks = [rule.tier.rawValue] + (rule.level == .required ? [] : [rule.level.rawValue])
        lines.append("**\(rule.id)** (\(marks.joined(separator: ", "))) \(rule.wording)")
        lines.append("- source: \(rule.source)")
        let said = DocumentCoverage.citation(of: rule.id)
        if !said.isEmpty { lines.append("- sentences: \(said)") }
        lines.append("- an engine breaks it by: \(rule.broken)")
        if let reason = rule.untested {
          lines.append("- untested: \(reason)")
        } else {
          lines.append("- probes: \(rule.probes.map(\.name).joined(separator: "; "))")
        }
        if let known = knownViolations[rule.id] {
          lines.append("- **known violation of the reference engine**: \(known)")
        }
        let killers = suspects.filter { $0.caughtBy.contains(rule.id) }.map { "`\($0.name)`" }
        if !killers.isEmpty { lines.append("- catches: \(killers.joined(separator: ", "))") }
        if let reason = unproven[rule.id] { lines.append("- has no mutant: \(reason)") }
        lines.append("")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// What became of the documents' sentences.
  private static var coverage: [String] {
    let total = DocumentCoverage.total
    var lines = [
      "## The documents, sentence by sentence",
      "",
      "\(total.sentences) sentences (a block of code is one): \(total.binding) bind an engine and "
        + "name their rules, \(total.probed) of",
      "these are probed; the other \(total.sentences - total.binding) are accounted for by a "
        + "reason. `realm-bench coverage DIR` compares with the pages.",
      "",
      "| page | sentences | bind | bind nothing, because |",
      "|---|--:|--:|---|",
    ]
    for page in DocumentCoverage.all {
      let asides = DocumentCoverage.Aside.allCases.compactMap { aside -> String? in
        page.count(aside) == 0 ? nil : "\(page.count(aside)) \(aside.rawValue)"
      }
      lines.append(
        "| \(page.name) “\(page.title)” | \(page.entries.count) | \(page.binding) | "
          + "\(asides.joined(separator: ", ")) |")
    }
    return lines + [""]
  }
}
