import Evidence
import Foundation
import Harness

/// A broken engine, as far as the examiner has to know it: the mutants themselves live elsewhere.
public struct Suspect: Sendable {
  public let name: String
  /// What is broken in it.
  public let story: String
  /// The rules that must catch it.
  public let caughtBy: [String]

  public init(name: String, story: String, caughtBy: [String]) {
    self.name = name
    self.story = story
    self.caughtBy = caughtBy
  }
}

extension Examiner {
  /// Judges the suite: puts each broken engine before the rules that must catch it.
  ///
  /// Only pairs whose rule is among the chosen ones are tried; with `everyPair` all of them,
  /// whether or not the rule must fall. `progress` hears each mutant's row. Once `isStopped` says
  /// so, mutants that are not through are left out.
  public func selfTest(
    _ suspects: [Suspect], everyPair: Bool = false,
    progress: (KillMatrix.Row) -> Void = { _ in },
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws -> KillMatrix {
    let place = try Scratch("self-test", in: scratch, isClaimed: true)
    let pairs = suspects.flatMap { self.pairs(of: $0, everyPair: everyPair) }
    let bench = Bench(of: self)
    var open: [String: KillMatrix.Row] = [:]
    var left = Dictionary(grouping: pairs, by: { $0.suspect.name }).mapValues(\.count)
    var rows: [String: KillMatrix.Row] = [:]
    try eachInOrder(
      pairs,
      { pair -> (Pair, Verdict?) in
        guard !isStopped() else { return (pair, nil) }
        return (pair, try bench.verdict(on: pair, below: place.url))
      },
      { pair, verdict in
        guard let verdict else { return }
        let name = pair.suspect.name
        var row = open[name] ?? pair.suspect.row(everyPair: everyPair)
        row.take(verdict, isExpected: pair.suspect.caughtBy.contains(pair.rule.id))
        open[name] = row
        left[name]! -= 1
        guard left[name] == 0 else { return }
        rows[name] = row
        progress(row)
      })
    let proven = Set(suspects.flatMap(\.caughtBy))
    let known = Set(rules.map(\.id))
    return KillMatrix(
      rows: suspects.compactMap { rows[$0.name] },
      rulesWithoutMutant: rules.filter {
        $0.untested == nil && !proven.contains($0.id) && Catalogue.unproven[$0.id] == nil
      }.map(\.id),
      rulesThatCannotFall: Catalogue.unproven.filter { known.contains($0.key) })
  }

  private func pairs(of suspect: Suspect, everyPair: Bool) -> [Pair] {
    rules.filter { everyPair ? $0.untested == nil : suspect.caughtBy.contains($0.id) }
      .map { Pair(suspect: suspect, rule: $0) }
  }

  /// Shows that the suite can see a broken engine at all: a run whose canary survives proves
  /// nothing.
  public func canarySings(_ canary: Suspect, catalogue: [Rule] = Catalogue.all) throws -> Canary {
    let place = try Scratch("canary", in: scratch, isClaimed: true)
    // Without it nothing counts: it is not what a budget leaves out.
    var patient = self
    patient.options.budget = nil
    for id in canary.caughtBy {
      guard let rule = catalogue.first(where: { $0.id == id }) else { return .silent }
      let verdict = try patient.judge(rule, mutant: canary.name, below: place.url)
      if verdict.isOutOfSpace { return .withoutRoom }
      guard verdict.state == .violated else { return .silent }
    }
    return canary.caughtBy.isEmpty ? .silent : .sings
  }

  /// What became of the broken engine that every run must see fall.
  public enum Canary: Sendable {
    case sings, silent
    /// The work disk was full: nobody could be asked.
    case withoutRoom
  }
}

extension Suspect {
  fileprivate func row(everyPair: Bool) -> KillMatrix.Row {
    KillMatrix.Row(
      mutant: name, story: story, caughtBy: [], missedBy: [], alsoCaughtBy: everyPair ? [] : nil)
  }
}

extension KillMatrix.Row {
  fileprivate mutating func take(_ verdict: Verdict, isExpected: Bool) {
    if verdict.state == .skipped {
      skippedBy = (skippedBy ?? []) + [verdict.id]
      return
    }
    switch (verdict.state == .violated, isExpected) {
    case (true, true): caughtBy.append(verdict.id)
    case (false, true): missedBy.append(verdict.id)
    case (true, false): alsoCaughtBy?.append(verdict.id)
    case (false, false): break
    }
  }
}

extension Finding.Outcome {
  /// What was lacking, of one that was skipped.
  var lack: Verdict.Skip? {
    if case .skipped(let lack, _) = self { lack } else { nil }
  }

  /// The outcome without its words.
  var kind: String {
    switch self {
    case .holds: "holds"
    case .violated: "violated"
    case .skipped: "skipped"
    case .vacuous: "vacuous"
    case .error: "error"
    }
  }
}
