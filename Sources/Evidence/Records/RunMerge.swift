import Foundation

/// Several runs put together: the shards of one, or the same of several machines. Side by side,
/// none averaged.
package enum RunMerge {
  package static func merged(_ runs: [Run]) -> Run {
    guard var merged = runs.first else { return Run() }
    let places = places(runs)
    merged.results = []
    var doubles: [String] = []
    for (run, place) in zip(runs, places) {
      doubles += add(run, to: &merged, naming: Set(places).count > 1 ? place : nil)
      if run.state != .finished { merged.state = run.state }
      for warning in run.environment.warnings where !merged.environment.warnings.contains(warning) {
        merged.environment.warnings.append(warning)
      }
    }
    if !doubles.isEmpty {
      let more = doubles.count > 3 ? " and \(doubles.count - 3) more" : ""
      merged.environment.warnings.append(
        "of what several of these runs measured the first counts, and the others are left out: "
          + doubles.prefix(3).joined(separator: ", ") + more)
    }
    let controls = runs.compactMap(\.control)
    merged.control = controls.isEmpty ? nil : RunControl(rows: controls.flatMap(\.rows))
    let leftOut = runs.compactMap(\.leftOut)
    merged.leftOut = leftOut.isEmpty ? nil : leftOut.flatMap(\.self)
    let missing = missingShards(runs)
    merged.missingShards = missing.isEmpty ? nil : missing
    let crossings = crossings(merged.results)
    merged.crossings = crossings.isEmpty ? nil : crossings
    merged.asked.shard = ""
    if runs.count > 1 {
      merged.id = id(of: runs)
      merged.asked.command = command(of: runs)
    }
    return merged
  }

  /// A name of its own, made of theirs: under the first one's it would pass for that shard.
  private static func id(of runs: [Run]) -> String {
    let named = runs.prefix(runs.count > mostNamed ? mostNamed - 1 : mostNamed).map(\.id)
    let more = runs.count - named.count
    return (named + (more > 0 ? ["\(more) more"] : [])).joined(separator: joint)
  }

  /// What a merged run is put together of, by its id; empty of one that is not, or of too many.
  package static func parts(of id: String) -> [String] {
    let parts = id.components(separatedBy: joint)
    return parts.count > 1 && parts.last?.hasSuffix(" more") != true ? parts : []
  }

  private static let joint = "+"
  private static let mostNamed = 8

  /// What asks for all of it again: of shards the run without its parts, else each command.
  private static func command(of runs: [Run]) -> String {
    func distinct(_ all: [String]) -> [String] {
      all.filter { !$0.isEmpty }
        .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    }
    let whole = distinct(runs.map { $0.command(without: ["shard", "out"]) })
    return whole.count == 1
      ? whole[0] : distinct(runs.map(\.asked.command)).joined(separator: " && ")
  }

  /// Where each was measured: on which machine, and where their commits differ, of which.
  private static func places(_ runs: [Run]) -> [String] {
    let commits = runs.map { String($0.environment.commit.prefix(12)) }
    let areMany = Set(commits).count > 1
    return zip(runs, commits).map { run, commit in
      run.environment.machineID + (areMany ? " at \(commit.isEmpty ? "no commit" : commit)" : "")
    }
  }

  /// Returns what was there already, and so is not added.
  private static func add(_ run: Run, to merged: inout Run, naming name: String?) -> [String] {
    var known = Set(merged.results.map(place))
    var doubles: [String] = []
    for var finding in run.results {
      guard known.insert(place(finding)).inserted else {
        doubles.append("\(finding.benchmark) (\(finding.engine))")
        continue
      }
      if let name { finding.machine = finding.machine ?? name }
      merged.results.append(finding)
    }
    return doubles
  }

  private static func place(_ finding: Finding) -> [String] {
    [finding.benchmark, finding.engine, finding.side]
  }

  /// The shards that nobody brought, as `2/4`; runs that are no shards miss none.
  package static func missingShards(_ runs: [Run]) -> [String] {
    var there: [Int: Set<Int>] = [:]
    for run in runs {
      let parts = run.asked.shard.split(separator: "/").map { Int($0) }
      guard parts.count == 2, let index = parts[0], let count = parts[1], count > 0 else {
        continue
      }
      there[count, default: []].insert(index)
    }
    return there.keys.sorted().flatMap { count in
      (1...count).filter { !(there[count] ?? []).contains($0) }.map { "\($0)/\(count)" }
    }
  }

  /// What a reader would compare and must not: engines of one benchmark, and values of one
  /// parameter, on several machines or of several commits.
  static func crossings(_ results: [Finding]) -> [String] {
    var order: [String] = []
    var byFamily: [String: [Finding]] = [:]
    for finding in results where finding.machine != nil {
      let family = finding.name.family
      if byFamily[family] == nil { order.append(family) }
      byFamily[family, default: []].append(finding)
    }
    return order.flatMap { family -> [String] in
      let all = byFamily[family] ?? []
      guard Set(all.map(\.machine)).count > 1 else { return [] }
      let names = Set(all.map(\.benchmark)).sorted()
      let torn = names.filter { name in
        Set(all.filter { $0.benchmark == name }.map(\.machine)).count > 1
      }
      guard torn.isEmpty else { return torn.map { "\($0): " + places(all, of: $0) } }
      return ["\(family): its parameters were measured in several places"]
    }
  }

  private static func places(_ all: [Finding], of name: String) -> String {
    all.filter { $0.benchmark == name }.map { "\($0.engine) on \($0.machine ?? "?")" }
      .joined(separator: ", ")
  }
}
