import Benchmarks
import Conformance
import Evidence
import Foundation
import Mutants
import Reporting

/// One thing there is: its name, a line about it, and what else a script may want to know.
struct Listed: Encodable {
  let name: String
  let summary: String
  var details: [String: String] = [:]
}

/// Says what there is, a line each.
let listVerb = Verb(
  name: "list",
  summary: "what there is, with one line each",
  operands: "[benchmarks|rules|mutants|scenarios|anomalies|engines|metrics|retired|schema]",
  operandCount: 0...1,
  options: [
    .flag("json", "as JSON"), .flag("markdown", "the rules as the page docs/RULES.md"),
  ]
) { arguments in
  if arguments.has("json"), arguments.has("markdown") {
    throw UsageError("--json and --markdown are two formats: ask for one of them")
  }
  if arguments.has("markdown") {
    Terminal.out(Conformance.Catalogue.document(suspects: Mutant.all.map(\.suspect)))
    return .fine
  }
  // Not a list, but what there is all the same: the shape of run.json, for other programs.
  if arguments.operands.first == "schema" {
    Terminal.out(RunSchema.text)
    return .fine
  }
  let topics = listTopics
  let names = topics.map(\.name) + ["schema"]
  if let asked = arguments.operands.first, !names.contains(asked) {
    throw UsageError(
      "unknown list '\(asked)'\(suggestion(for: asked, among: names)); expected "
        + names.joined(separator: ", "))
  }
  let shown = topics.filter { arguments.operands.first.map($0.name.hasPrefix) ?? true }
  if arguments.has("json") {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let lists = Dictionary(uniqueKeysWithValues: shown.map { ($0.name, $0.entries()) })
    Terminal.out(String(decoding: try encoder.encode(lists), as: UTF8.self) + "\n")
    return .fine
  }
  for topic in shown {
    let entries = topic.entries()
    if shown.count > 1 { Terminal.out("\(topic.name) (\(entries.count))\n") }
    // A few long names must not leave all the others' sentences a narrow column. For programs each
    // is one line.
    let longest = entries.map(\.name.count).max() ?? 0
    let width = Terminal.isShown ? min(30, longest) : longest
    for entry in entries {
      let isLong = entry.name.count > width
      if isLong { Terminal.out("  \(entry.name)\n") }
      let name = isLong ? "" : entry.name
      let padding = String(repeating: " ", count: width - name.count + 2)
      // What a number is in, and what `--set` may name.
      let parameters = entry.details["parameters"].flatMap { $0.isEmpty ? nil : $0 }
      let unit = (entry.details["unit"] ?? parameters).map { "\($0): " } ?? ""
      let (start, said) = ("  \(name)\(padding)", "\(unit)\(entry.summary)")
      Terminal.out(
        Terminal.isShown ? TextTable.paragraph(said, start: start) : "\(start)\(said)\n")
    }
    if shown.count > 1 { Terminal.out("\n") }
  }
  return .fine
}

struct ListTopic {
  let name: String
  let entries: () -> [Listed]
}

var listTopics: [ListTopic] {
  [
    ListTopic(name: "benchmarks") {
      Benchmarks.Catalogue.all.map { benchmark in
        Listed(
          name: benchmark.name, summary: benchmark.sentence,
          details: [
            "parameters": benchmark.parameters.map {
              "\($0.name)=\($0.values.joined(separator: ","))"
            }
            .joined(separator: " "),
            "engines": benchmark.engines.joined(separator: " "),
            "metrics": benchmark.metrics.joined(separator: " "),
          ])
      }
    },
    ListTopic(name: "engines") {
      Benchmarks.Catalogue.engines.map {
        Listed(name: $0.name, summary: $0.setting, details: ["version": $0.version])
      }
    },
    ListTopic(name: "metrics") {
      Metric.all.map {
        Listed(
          name: $0.name, summary: $0.sentence,
          details: ["unit": $0.unit, "better": $0.better.rawValue])
      }
    },
    ListTopic(name: "rules") {
      Conformance.Catalogue.all.map { rule in
        Listed(
          name: rule.id, summary: rule.wording,
          details: [
            "tier": rule.tier.rawValue, "level": rule.level.rawValue, "source": rule.source,
            "probes": "\(rule.probes.count)", "untested": rule.untested ?? "",
          ].filter { !$0.value.isEmpty })
      }
    },
    ListTopic(name: "retired") {
      // A benchmark that is succeeded keeps its meaning.
      Retired.all.map {
        Listed(
          name: $0.name, summary: "retired on \($0.date): \($0.reason)",
          details: ["kind": $0.kind, "date": $0.date])
      }
        + Successors.all.sorted { $0.key < $1.key }.map { old, heir in
          Listed(
            name: old, summary: "keeps its meaning, but ends early; the whole cost: \(heir)",
            details: ["kind": "benchmark", "successor": heir])
        }
    },
    ListTopic(name: "anomalies") {
      AnomalyKind.allCases.map { kind in
        Listed(
          name: kind.rawValue, summary: kind.sentence,
          details: [
            "looked for by": kind.lookedForBy.joined(separator: " "),
            "rules": kind.rules.joined(separator: " "),
          ])
      }
    },
    ListTopic(name: "mutants") {
      Mutant.all.map { mutant in
        Listed(
          name: mutant.name, summary: mutant.story,
          details: ["caughtBy": mutant.caughtBy.joined(separator: " ")])
      }
    },
    ListTopic(name: "scenarios") {
      Inquiry.all.map { inquiry in
        Listed(
          name: inquiry.name, summary: inquiry.story,
          details: ["kind": inquiry.kind.rawValue, "rules": inquiry.rules.joined(separator: " ")])
      }
    },
  ]
}
