import Evidence
import Foundation
import Harness
import Synchronization

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
  /// Only pairs whose rule is among the chosen ones are tried; `progress` hears each mutant's row.
  public func selfTest(
    _ suspects: [Suspect], progress: (KillMatrix.Row) -> Void = { _ in }
  ) throws -> KillMatrix {
    let place = try Scratch("self-test", in: scratch)
    let known = Dictionary(uniqueKeysWithValues: rules.map { ($0.id, $0) })
    let pairs = suspects.flatMap { suspect in
      suspect.caughtBy.compactMap { id in known[id].map { (suspect, $0) } }
    }
    // Rules whose probes hang before a broken engine are cut short: the verdict is the same.
    var hasty = self
    hasty.options.patience = min(options.patience, .seconds(3))
    hasty.options.deadline = options.deadline ?? .seconds(12)
    let examiner = hasty
    var caught: [String: [String]] = [:]
    var missed: [String: [String]] = [:]
    var left = Dictionary(grouping: pairs, by: { $0.0.name }).mapValues(\.count)
    var rows: [String: KillMatrix.Row] = [:]
    try eachInOrder(
      pairs.map { Pair(suspect: $0.0, rule: $0.1) },
      { pair in
        (pair, try examiner.judge(pair.rule, mutant: pair.suspect.name, below: place.url))
      },
      { pair, verdict in
        let name = pair.suspect.name
        if verdict.state == .violated {
          caught[name, default: []].append(pair.rule.id)
        } else {
          missed[name, default: []].append(pair.rule.id)
        }
        left[name]! -= 1
        if left[name] == 0 {
          let row = KillMatrix.Row(
            mutant: name, story: pair.suspect.story, caughtBy: caught[name] ?? [],
            missedBy: missed[name] ?? [])
          rows[name] = row
          progress(row)
        }
      })
    let proven = Set(suspects.flatMap(\.caughtBy))
    return KillMatrix(
      rows: suspects.compactMap { rows[$0.name] },
      rulesWithoutMutant: rules.filter {
        $0.untested == nil && !proven.contains($0.id) && Catalogue.unproven[$0.id] == nil
      }.map(\.id),
      rulesThatCannotFall: Catalogue.unproven.filter { known[$0.key] != nil })
  }

  /// Shows that the suite can see a broken engine at all: a run whose canary survives proves nothing.
  public func canarySings(_ canary: Suspect, catalogue: [Rule] = Catalogue.all) throws -> Bool {
    let place = try Scratch("canary", in: scratch)
    for id in canary.caughtBy {
      guard let rule = catalogue.first(where: { $0.id == id }) else { return false }
      guard try judge(rule, mutant: canary.name, below: place.url).state == .violated else {
        return false
      }
    }
    return !canary.caughtBy.isEmpty
  }

  private struct Pair: Sendable {
    let suspect: Suspect
    let rule: Rule
  }
}

extension Finding.Outcome {
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
