import Evidence
import Foundation
import Harness

/// Explores: each inquiry in a child of its own, so that what an engine dies of is a finding and
/// not the end.
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

  /// Explores all, `jobs` at a time; `progress` hears of each, in order. Once `isStopped` says so
  /// nothing more is begun.
  public func explore(
    jobs: Int = 2, shortening: Bool = true, progress: (Exploration) -> Void = { _ in },
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws -> [Exploration] {
    let place = try Scratch("exploration", in: scratch, isClaimed: true)
    var found: [Exploration] = []
    try eachInOrder(
      inquiries, jobs: jobs, { isStopped() ? nil : try explore($0, below: place.url) },
      { (one: Exploration?) in
        guard let one else { return }
        found.append(one)
        progress(one)
      })
    return try found.map {
      shortening && !isStopped() ? try shortened($0, below: place.url) : $0
    }
  }

  /// A failure whose text is as short as it gets and still fails. Each try runs in a child, because
  /// it may die of it.
  private func shortened(_ found: Exploration, below directory: URL) throws -> Exploration {
    guard let failure = found.failure, effort.replay == nil,
      let inquiry = Inquiry.named(found.name), let shortening = inquiry.shortening,
      var best = failure.replayed
    else { return found }
    var result = found
    var again = self
    again.effort.amount = shortening.runs
    var tries = shortening.tries
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for shorter in shortening.shorter(best) where tries > 0 {
        tries -= 1
        again.effort.replay = shorter
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
  public func selfTest(
    _ suspects: [Suspect], progress: (KillMatrix.Row) -> Void = { _ in },
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws -> [KillMatrix.Row] {
    var rows: [KillMatrix.Row] = []
    for suspect in suspects where !isStopped() {
      let inquiries = suspect.caughtBy.compactMap(Inquiry.named)
      let found = try Explorer(
        inquiries, effort: effort, mutant: suspect.name, program: program, scratch: scratch
      ).explore(shortening: false, isStopped: isStopped)
      if found.count < inquiries.count { break }
      let row = KillMatrix.Row(
        mutant: suspect.name, story: suspect.story,
        caughtBy: found.filter { $0.failure != nil }.map(\.name),
        missedBy: found.filter { $0.failure == nil }.map(\.name))
      rows.append(row)
      progress(row)
    }
    return rows
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
  /// What was run when it failed, as `repro` is told.
  fileprivate var replayed: String? {
    guard let at = repro.range(of: "--schedule ") else { return nil }
    return String(repro[at.upperBound...].prefix { $0 != " " })
  }
}
