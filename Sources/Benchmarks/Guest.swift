import Evidence
import Foundation
import Harness

/// An engine that another build of this program measures: `run --engine-at realm=PATH/realm-bench`.
package struct Guest: Sendable {
  package let engine: Environment.Engine
  package let executable: String
  /// What it can measure of what was asked for, by full names.
  let names: Set<String>

  /// Asks the other build what it holds and what of the request it would measure. `text` is
  /// `NAME=PATH`.
  package init(_ text: String, _ request: RunRequest) throws {
    let words = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
      throw BenchmarkError(
        "--engine-at wants NAME=PATH, an engine and a build that has it: '\(text)'")
    }
    let (name, path) = (words[0], URL(fileURLWithPath: words[1]).path)
    if name == RealmStore.name {
      throw BenchmarkError("--engine-at \(text): this build measures '\(name)' itself")
    }
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchmarkError("--engine-at \(text): \(path) is no program that can be run")
    }
    let held = try Guest.said(path, ["list", "engines", "--json"], for: text)
    guard let lists = try? JSONDecoder().decode([String: [Listed]].self, from: Data(held.utf8)),
      let engines = lists["engines"]
    else {
      throw BenchmarkError("--engine-at \(text): \(path) is no build of realm-bench")
    }
    guard let found = engines.first(where: { $0.name == name }) else {
      throw BenchmarkError(
        "--engine-at \(text): that build holds \(engines.map(\.name).joined(separator: ", "))")
    }
    engine = Environment.Engine(
      name: name, version: found.details["version"] ?? "", setting: found.summary)
    executable = path
    names = Guest.names(
      in: try Guest.said(path, Guest.planning(name, request), for: text), of: name)
  }

  /// The words that make a build print what it would measure.
  private static func planning(_ engine: String, _ request: RunRequest) -> [String] {
    var words = ["run", "--dry-run", "--engine", engine]
    for filter in request.filters { words += ["--filter", filter] }
    if !request.threads.isEmpty {
      words += ["--threads", request.threads.map(String.init).joined(separator: ",")]
    }
    for (name, values) in request.settings.sorted(by: { $0.key < $1.key }) {
      words += ["--set", "\(name)=\(values.joined(separator: ","))"]
    }
    return words + (request.isQuick ? ["--quick"] : [])
  }

  /// The names in a printed plan: `  name  (engine, engine)`, where it is long on several lines, of
  /// which the further ones begin further in.
  static func names(in plan: String, of engine: String) -> Set<String> {
    Set(
      plan.replacing(/\n {6}/, with: " ").split(separator: "\n").compactMap { line in
        guard line.hasPrefix("  "), line.hasSuffix(")"),
          let start = line.range(of: " (", options: .backwards)
        else { return nil }
        let engines = line[start.upperBound...].dropLast().components(separatedBy: ", ")
        guard engines.contains(engine) else { return nil }
        return line[..<start.lowerBound].trimmingCharacters(in: .whitespaces)
      })
  }

  private struct Listed: Decodable {
    let name: String
    let summary: String
    let details: [String: String]
  }

  /// Lets the other build judge its engine by the rules.
  package func examined(seed: UInt64, in parent: URL) throws -> Examination {
    let place = try Scratch("guest", in: parent, isClaimed: true)
    let remains = try ChildProcess(
      executable, ["conformance", "--seed", "\(seed)", "--out", place.path + "/run"],
      limits: .init(deadline: .seconds(7200), output: 16 << 20, memory: 4 << 30)
    ).run()
    guard let run = try? RunDirectory.load(place.path + "/run"), let found = run.examination else {
      let last = remains.stderr.split(separator: "\n").last.map { ": \($0.prefix(300))" } ?? ""
      throw BenchmarkError("'conformance' of \(executable) ended with \(remains.ending)\(last)")
    }
    return found
  }

  private static func said(_ path: String, _ words: [String], for text: String) throws -> String {
    let remains = try ChildProcess(
      path, words, limits: .init(deadline: .seconds(30), output: 4 << 20)
    ).run()
    guard case .exited(0) = remains.ending else {
      let last = remains.stderr.split(separator: "\n").last.map { ": \($0.prefix(300))" } ?? ""
      throw BenchmarkError(
        "--engine-at \(text): '\(words.joined(separator: " "))' of that build ended with "
          + "\(remains.ending)\(last)")
    }
    return remains.stdout
  }
}

/// Rounds of this build and of its guests, each in a child of the build that has the engine.
package struct GuestRounds: RoundRunner {
  private let own: any RoundRunner
  private let guests: [String: ChildRounds]

  package init(_ own: any RoundRunner, _ guests: [Guest]) {
    self.own = own
    self.guests = Dictionary(
      guests.map { ($0.engine.name, ChildRounds(executable: $0.executable)) },
      uniquingKeysWith: { first, _ in first })
  }

  package func run(_ order: RoundOrder) -> RoundReport {
    (guests[order.case.engine] ?? own).run(order)
  }
}
