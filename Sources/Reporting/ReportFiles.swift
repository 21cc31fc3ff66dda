import Evidence
import Foundation

/// Writes every file of a run directory that can be computed from the others.
///
/// The same run gives the same bytes, so reports may be rewritten whenever a newer build draws them
/// better.
package enum ReportFiles {
  /// `results.csv`, `rounds.csv`, `report.html`, `summary.md`, and the exports that were asked for.
  package static func write(
    _ run: Run, into directory: URL, extra: [PageSection] = [], exports: [String] = [],
    links: Links = Links()
  ) throws {
    func put(_ text: String, _ name: String) throws {
      try RunDirectory.write(text, to: directory.appendingPathComponent(name))
    }
    try put(ResultsCSV.text(run), "results.csv")
    if let comparison = run.comparison { try put(ResultsCSV.rounds(comparison), "rounds.csv") }
    if let examination = run.examination {
      try put(ConformanceFiles.csv(examination), "verdicts.csv")
      if let moments = ConformanceFiles.moments(examination) { try put(moments, "moments.csv") }
      if examination.kills != nil { try put(ConformanceFiles.kills(examination), "kills.csv") }
      if let others = run.otherExaminations {
        try put(ConformanceMatrix([examination] + others).csv, "matrix.csv")
      }
    }
    try put(RunReport(run, extra: extra, links: links).html, "report.html")
    try put(SummaryMarkdown.text(run), "summary.md")
    for name in exports {
      for file in try Exporter.named(name).files(run) {
        let url = directory.appendingPathComponent(file.name)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try RunDirectory.write(file.text, to: url)
      }
    }
  }

  /// Several shards or machines as one run: results side by side, none averaged.
  package static func merged(_ runs: [Run]) -> Run {
    var merged = RunMerge.merged(runs)
    let examinations = Examination.merged(
      runs.flatMap { [$0.examination].compactMap(\.self) + ($0.otherExaminations ?? []) })
    merged.examination = examinations.first
    merged.otherExaminations = examinations.count > 1 ? Array(examinations.dropFirst()) : nil
    let entries = runs.flatMap { $0.catalogue ?? [] }
    merged.catalogue =
      entries.isEmpty
      ? nil
      : entries.reduce(into: [Run.Entry]()) { known, one in
        if !known.contains(where: { $0.name == one.name }) { known.append(one) }
      }
    return merged
  }
}
