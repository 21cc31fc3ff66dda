import Evidence
import Foundation
import Harness
import Synchronization

/// The examiners before whom a broken engine comes, one after the other, each more patient.
///
/// Rules whose probes hang before a broken engine are cut short: the verdict is the same. But what
/// only ran out of time says nothing where the honest engine does so, too; then the next is asked.
struct Bench: Sendable {
  private let examiners: [Examiner]
  private let alibis = Alibis()

  init(of examiner: Examiner) {
    // Most children wait for what never comes; four of them for each core hold up nobody, and where
    // there are more, each waits as much longer.
    let cores = max(1, Processors.usable)
    let jobs = Double(examiner.options.jobs)
    var hasty = examiner
    hasty.options.patience = min(examiner.options.patience, .seconds(3))
    hasty.options.slowness = max(1, jobs / (4 * cores))
    hasty.options.deadline =
      examiner.options.deadline ?? examiner.options.haste * hasty.options.slowness
    // As many times as long as there are children for each core.
    let slowness = max(1, jobs / cores)
    var patient = examiner
    patient.options.slowness = slowness
    guard examiner.options.deadline == nil else {
      examiners = [hasty, patient]
      return
    }
    // Most of what is slow has done its work long before it would have been given up for lost.
    var calm = hasty
    calm.options.slowness = slowness
    calm.options.deadline = hasty.options.deadline.map { $0 * 4 }
    examiners = [hasty, calm, patient]
  }

  func verdict(on pair: Pair, below directory: URL) throws -> Verdict {
    for examiner in examiners.dropLast() {
      let found = try examiner.judge(pair.rule, mutant: pair.suspect.name, below: directory)
      guard found.state == .violated, found.observed?.hasPrefix(Finding.hung) == true,
        let probe = pair.rule.probes.first(where: { $0.name == found.reason }),
        try !alibis.hold(pair.rule, probe, before: examiner, below: directory)
      else { return found }
    }
    return try examiners.last!.judge(pair.rule, mutant: pair.suspect.name, below: directory)
  }
}

/// A broken engine, and a rule that is to catch it.
struct Pair: Sendable {
  let suspect: Suspect
  let rule: Rule
}

/// What the honest engine answered, for not being asked the same again.
final class Alibis: Sendable {
  private struct Question: Hashable {
    let rule: String
    let probe: String
    let deadline: Duration?
  }

  private let known = Mutex<Set<Question>>([])

  /// Whether the probe holds before the honest engine and this examiner.
  func hold(
    _ rule: Rule, _ probe: Probe, before examiner: Examiner, below directory: URL
  ) throws -> Bool {
    let deadline = examiner.options.deadline
    let question = Question(rule: rule.id, probe: probe.name, deadline: deadline)
    if known.withLock({ $0.contains(question) }) { return true }
    let begun = ContinuousClock.now
    let holds = try examiner.find(rule, probe, mutant: nil, below: directory).outcome == .holds
    // What was barely in time may be late another time, and is asked anew.
    if holds, let deadline, begun.duration(to: .now) * 3 < deadline {
      _ = known.withLock { $0.insert(question) }
    }
    return holds
  }
}
