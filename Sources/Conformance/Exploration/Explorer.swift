import Evidence
import Foundation
import Harness

/// Explores: each inquiry in a child of its own, so that what an engine dies of is a finding and not the end.
public struct Explorer: Sendable {
  public let inquiries: [Inquiry]
  public var effort: Inquiry.Effort
  let mutant: String?
  let program: Examiner.Program
  let scratch: URL

  public init(
    _ inquiries: [Inquiry] = Inquiry.all, effort: Inquiry.Effort = .init(), mutant: String? = nil,
    program: Examiner.Program = .init(ChildProcess.thisProgram, ["explore"]), scratch: URL
  ) {
    (self.inquiries, self.effort, self.mutant) = (inquiries, effort, mutant)
    (self.program, self.scratch) = (program, scratch)
  }

  /// Those that bear on one of the rules.
  public static func inquiries(about rules: [String]) -> [Inquiry] {
    let asked = Set(rules)
    return Inquiry.all.filter { !asked.isDisjoint(with: $0.rules) }
  }

  /// Explores all, `jobs` at a time; `progress` hears of each, in order.
  public func explore(jobs: Int = 2, progress: (Exploration) -> Void = { _ in }) throws
    -> [Exploration]
  {
    let place = try Scratch("exploration", in: scratch)
    var found: [Exploration] = []
    try eachInOrder(
      inquiries, jobs: jobs, { try explore($0, below: place.url) },
      {
        found.append($0)
        progress($0)
      })
    return try found.map { try shrunk($0, below: place.url) }
  }

  /// A program that failed, with as few acts as lead to it. Each try runs in a child several times, because queues and
  /// actors have the last word.
  private func shrunk(_ found: Exploration, below directory: URL) throws -> Exploration {
    guard let failure = found.failure, effort.replay == nil,
      let inquiry = Inquiry.named(found.name),
      let text = failure.program, var best = AsyncProgram(text)
    else { return found }
    var result = found
    var again = self
    again.effort.amount = 20
    var tries = 40
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for shorter in best.shorter where tries > 0 {
        tries -= 1
        again.effort.replay = shorter.text
        if let smaller = try again.explore(inquiry, below: directory).failure {
          best = shorter
          result.failure = smaller
          isSmaller = true
          break
        }
      }
    }
    return result
  }

  /// Judges the explorer: explores what must see each of the broken engines.
  public func selfTest(_ suspects: [Suspect], progress: (KillMatrix.Row) -> Void = { _ in }) throws
    -> [KillMatrix.Row]
  {
    try suspects.map { suspect in
      let inquiries = suspect.caughtBy.compactMap(Inquiry.named)
      let found = try Explorer(
        inquiries, effort: effort, mutant: suspect.name, program: program, scratch: scratch
      ).explore()
      let row = KillMatrix.Row(
        mutant: suspect.name, story: suspect.story,
        caughtBy: found.filter { $0.failure != nil }.map(\.name),
        missedBy: found.filter { $0.failure == nil }.map(\.name))
      progress(row)
      return row
    }
  }

  func explore(_ inquiry: Inquiry, below directory: URL) throws -> Exploration {
    let own = try Scratch(inquiry.name, in: directory)
    let request = ExploreRequest(
      inquiry.name, directory: own.path, effort: effort, mutant: mutant)
    let remains = try ChildProcess(
      program.executable, program.arguments + request.arguments,
      limits: .init(deadline: effort.limit + .seconds(90), memory: 2 << 30)
    ).run()
    if var found = ExploreRequest.read(remains.stdout) {
      if let mutant { found.failure?.repro += " --mutant \(mutant)" }
      return found
    }
    var dead = inquiry.blank(effort)
    let last = BlackBox.read(request.boxPath)
    let words = remains.stderr.split(separator: "\n").first { $0.contains("Fatal error") }
    dead.detail = "ended early"
    dead.failure = Exploration.Failure(
      sentence: "\(remains.stopped.map { "\($0)" } ?? "\(remains.ending)")"
        + (words.map { ": \($0.suffix(300))" } ?? ": \(remains.stderr.suffix(200))"),
      repro: inquiry.repro(effort, replay: last.flatMap { $0.isEmpty ? nil : $0 })
        + (mutant.map { " --mutant \($0)" } ?? ""))
    return dead
  }
}

extension Exploration.Failure {
  /// The program that failed, if it was one.
  fileprivate var program: String? {
    guard repro.contains("--scenario async-programs"), let at = repro.range(of: "--schedule ")
    else {
      return nil
    }
    return String(repro[at.upperBound...].prefix { $0 != " " })
  }
}
