import Evidence
import Foundation
import Testing

@testable import Reporting

/// A record is a file that anybody may have written: whatever stands in it, a reader refuses it in
/// one sentence or draws it, and never dies of it.
struct OddRecordTests {
  /// A place in a document: every element of a list is the same place.
  private typealias Place = [String]

  private static var numbers: [Any] {
    [
      0, -1, 1e308, -1e308, Double.leastNonzeroMagnitude, 1e17, Int.max, Int.min, "text", NSNull(),
    ]
  }
  private static var texts: [Any] {
    [
      "", "\u{202E}<img src=x onerror=alert(1)>", "9223372036854775807-01-01T00:00:00Z",
      "a=1e30/b=nan/threads=inf", "-1/0", "1/9223372036854775807", 3, NSNull(),
    ]
  }
  private static var lists: [Any] { [[Any](), [NSNull()], [String: Any]()] }

  /// A run with something of everything.
  private static var whole: Run {
    var run = Fixture.run
    let wanted = [
      "reads.by-primary-key", "reads.scaling", "async.commit", "frozen.growth", "floor",
    ]
    run.results = run.results.enumerated().filter { place, finding in
      wanted.contains { finding.benchmark.hasPrefix($0) } && (place % 3 == 0 || !finding.valid)
    }.map(\.element)
    run.comparison = Fixture.comparison
    run.comparison?.agreed = ["tolerated: all"]
    run.control = RunControl(rows: [
      .init(
        benchmark: "floor.cache-miss", engine: "c", metric: "time", first: [1, 2], last: [2, 2])
    ])
    run.leftOut = [LeftOut(benchmark: "reads.a", engine: "reference", reason: "no time")]
    (run.missingShards, run.crossings) = (["2/4"], ["a: x on m, y on n"])
    (run.asked.budget, run.asked.shard, run.asked.linkBase) = (60, "1/4", "https://example.org/")
    run.catalogue = [.init(name: "reads.scaling", sentence: "reads", source: "Sources/A.swift:1")]
    var exploration = Exploration(kind: .crashes, name: "crash-x", rules: ["READ-01"], seed: 1)
    exploration.failure = .init(sentence: "lost", story: ["one"], repro: "realm-bench repro")
    run.examination = Examination(
      engine: "reference", engineVersion: "1", seed: 1,
      verdicts: [
        Verdict(
          id: "READ-01", tier: "documented", level: "required", wording: "A", state: .violated)
      ])
    run.examination?.explorations = [exploration]
    run.examination?.kills = KillMatrix(
      rows: [
        .init(mutant: "m", story: "s", caughtBy: ["READ-01"], missedBy: [], alsoCaughtBy: [])
      ], rulesWithoutMutant: [])
    return run
  }

  private static func places(_ value: Any, _ place: Place = []) -> [(Place, Any)] {
    switch value {
    case let object as [String: Any]:
      object.sorted { $0.key < $1.key }.flatMap { places($0.value, place + [$0.key]) }
        + (place.isEmpty ? [] : [(place, value)])
    case let list as [Any]: list.flatMap { places($0, place + ["*"]) } + [(place, value)]
    default: [(place, value)]
    }
  }

  /// The document with every value at a place exchanged.
  private static func changed(_ value: Any, at place: ArraySlice<String>, to odd: Any) -> Any {
    guard let first = place.first else { return odd }
    if first == "*" {
      return (value as? [Any])?.map { changed($0, at: place.dropFirst(), to: odd) } ?? value
    }
    guard var object = value as? [String: Any], let inner = object[first] else { return value }
    object[first] = changed(inner, at: place.dropFirst(), to: odd)
    return object
  }

  private static func odd(_ value: Any) -> [Any] {
    switch value {
    case is String: texts
    case is NSNumber: numbers
    default: lists
    }
  }

  @Test func `whatever stands in a record is refused or drawn`() throws {
    let document = try JSONSerialization.jsonObject(
      with: Data(try RunDirectory.encode(Self.whole).utf8))
    var seen: Set<Place> = []
    var drawn = 0
    for (place, value) in Self.places(document) where seen.insert(place).inserted {
      for odd in Self.odd(value) {
        let data = try JSONSerialization.data(
          withJSONObject: Self.changed(document, at: place[...], to: odd))
        let run: Run
        do { run = try RunDirectory.decode(data, path: "run.json") } catch let error as RecordError
        {
          #expect(!error.description.contains("\n"), "\(place) \(odd)")
          continue
        }
        drawn += 1
        let page = RunReport(run).html
        #expect(!page.contains("<img") && !page.contains("\"nan\""), "\(place) \(odd)")
        let texts = [
          TextTable.run(run), SummaryMarkdown.text(run), Annotations.text(run),
          ResultsCSV.text(run),
        ]
        for text in texts { #expect(!text.isEmpty, "\(place) \(odd)") }
        _ = run.comparison.map(TextTable.comparison)
        for exporter in Exporter.all { _ = exporter.files(run) }
        _ = TrendReport([run, Self.whole]).html
        if StoredComparison.refusal(Self.whole, run) == nil {
          let found = StoredComparison.compare(Self.whole, run)
          _ = ComparisonReport.html(runs: [Self.whole, run], comparisons: [found])
        }
        _ = RunMerge.merged([run, Self.whole])
      }
    }
    #expect(seen.count > 100 && drawn > 400, "\(seen.count) places, \(drawn) drawn")
  }
}
