import EngineUnderTest
import Evidence
import Foundation
import Harness

/// A course of commits whose crash states are explored: who commits how, what was acknowledged
/// when.
public struct Workload: Sendable {
  public let name: String
  public let story: String
  public let rules: [String]
  let pages: Int
  /// How far a commit comes before it returns, where the engine offers a choice.
  var durability: String?
  let body: @Sendable (Recorder) throws -> Void

  init(
    _ name: String, _ story: String, rules: [String], pages: Int = 3, durability: String? = nil,
    body: @escaping @Sendable (Recorder) throws -> Void
  ) {
    (self.name, self.story, self.rules, self.pages) = (name, story, rules, pages)
    (self.durability, self.body) = (durability, body)
  }

  public static let all: [Workload] = [
    single, singleFlush, scattered, asynchronous, grouped, observed, groupsAndOthers, reuse,
    growing, cancelling, failing,
  ]

  static let single = Workload(
    "crash-of-commits", "commits one after the other", rules: ["COMMIT-02", "COMMIT-04"]
  ) { recorder in
    for round in 0..<12 { try recorder.write(round) }
  }

  static let singleFlush = Workload(
    "crash-of-single-flush", "commits that flush once", rules: ["COMMIT-02", "COMMIT-04"],
    durability: "single-flush"
  ) { recorder in
    for round in 0..<12 { try recorder.write(round) }
  }

  /// What does not fit into one place of the file lies in several, and one checksum is of all.
  static let scattered = Workload(
    "crash-of-scattered", "commits that flush once, and write to several places",
    rules: ["COMMIT-02", "COMMIT-04"], pages: 2600, durability: "single-flush"
  ) { recorder in
    for round in 0..<2 {
      try recorder.write(round * 113)
      try recorder.write(nil)
    }
  }

  static let asynchronous = Workload(
    "crash-of-async", "asynchronous commits, each by itself", rules: ["ASYNC-08", "COMMIT-08"]
  ) { recorder in
    for round in 0..<8 { recorder.writeAsync(round, grouping: false) }
    try recorder.settle()
  }

  static let grouped = Workload(
    "crash-of-groups", "asynchronous commits in groups", rules: ["ASYNC-44", "COMMIT-17"]
  ) { recorder in
    for _ in 0..<3 {
      recorder.writeAllAsync(5, grouping: true)
      try recorder.settle()
    }
  }

  static let observed = Workload(
    "crash-of-observed-groups", "groups of a home where somebody listens to each of their commits",
    rules: ["ASYNC-44", "COMMIT-06"]
  ) { recorder in
    recorder.listen()
    for _ in 0..<2 {
      recorder.writeAllAsync(4, grouping: true)
      try recorder.settle()
    }
  }

  static let groupsAndOthers = Workload(
    "crash-of-mixed", "groups, single and synchronous commits of one home",
    rules: ["ASYNC-40", "ASYNC-44", "COMMIT-17"]
  ) { recorder in
    for round in 0..<4 {
      recorder.writeAsync(round, grouping: true)
      recorder.writeAsync(round + 1, grouping: true)
      try recorder.write(round + 2)
      recorder.writeAsync(round, grouping: false)
      try recorder.settle()
    }
  }

  static let reuse = Workload(
    "crash-of-reuse", "commits large enough to write where older versions were",
    rules: ["COMMIT-09", "COMMIT-17"], pages: 260
  ) { recorder in
    for round in 0..<4 {
      try recorder.write(nil)
      recorder.writeAsync(nil, grouping: round % 2 == 0)
      recorder.writeAsync(round, grouping: false)
      try recorder.settle()
    }
  }

  static let growing = Workload(
    "crash-of-growth", "commits that make the file longer", rules: ["COMMIT-04"], pages: 600
  ) { recorder in
    for _ in 0..<3 { try recorder.write(nil) }
  }

  static let cancelling = Workload(
    "crash-of-cancels", "commits with cancelled writes and a frozen version in between",
    rules: ["COMMIT-03", "COMMIT-09"]
  ) { recorder in
    let frozen = recorder.freeze()
    for round in 0..<6 {
      try recorder.cancel(round)
      try recorder.write(round)
    }
    withExtendedLifetime(frozen) {}
  }

  static let failing = Workload(
    "crash-after-failures", "commits of which some fail, at a write or at a flush",
    rules: ["COMMIT-03", "COMMIT-18", "WRITE-27"]
  ) { recorder in
    for round in 0..<4 {
      try recorder.write(round)
      recorder.hooks.fail(.writes, after: round % 2, times: 1)
      recorder.attempt(round)
      try recorder.attemptAsync(round)
      try recorder.settle()
    }
    try recorder.write(1)
  }
}

/// Runs a workload on a recorded disk, and notes what was acknowledged when.
final class Recorder: @unchecked Sendable {
  // Sendable because everything happens on the queue, or while the queue has nothing to do.
  let hooks: any Hooks
  let ledger: Ledger
  private let pen: Pen
  private let queue: DispatchQueue
  private let pending = DispatchGroup()
  private let patience: Duration
  private var knownFlushes: Int?
  private var token: NotificationToken?

  init(_ hooks: any Hooks, _ ledger: Ledger, patience: Duration) throws {
    (self.hooks, self.ledger, self.patience) = (hooks, ledger, patience)
    hooks.record()
    let queue = DispatchQueue(label: "recorded")
    self.queue = queue
    pen = try queue.sync {
      let pen = try Pen(ledger, session: 1, queue: queue)
      try pen.realm.write { for id in 0...ledger.pages { pen.realm.add(Page(id: id)) } }
      return pen
    }
    try write(nil)
  }

  /// The pages of a round; nil for all of them.
  private func keys(_ round: Int?) -> [Int] {
    round.map { [1 + $0 % ledger.pages, 1 + ($0 * 7 + 1) % ledger.pages] }.map { Array(Set($0)) }
      ?? Array(1...ledger.pages)
  }

  private func acknowledge() {
    hooks.note(pen.realm.object(ofType: Page.self, forPrimaryKey: 0)?.version ?? 0)
  }

  func write(_ round: Int?) throws {
    try queue.sync {
      try pen.write(keys(round))
      acknowledge()
    }
  }

  func cancel(_ round: Int) throws { try queue.sync { try pen.write(keys(round), .cancel) } }

  /// Observes all pages, so that each commit of a group is of interest by itself.
  func listen() {
    queue.sync { token = pen.realm.objects(Page.self).observe { _ in } }
    // Behind the first call.
    queue.sync {}
  }

  func freeze() -> Realm { queue.sync { pen.realm.freeze() } }

  /// Writes and commits in the background; noted when the completion is called.
  func writeAsync(_ round: Int?, grouping: Bool, committed: @escaping @Sendable () -> Void = {}) {
    queue.sync { enqueue(round, grouping: grouping, committed: committed) }
  }

  private func enqueue(
    _ round: Int?, grouping: Bool, committed: @escaping @Sendable () -> Void
  ) {
    pending.enter()
    var version = 0
    _ = pen.writeAsync(
      keys(round), grouping: grouping,
      then: { [hooks, pending] in
        hooks.note(version)
        pending.leave()
      },
      block: { [pen] in
        version = (pen.realm.object(ofType: Page.self, forPrimaryKey: 0)?.version ?? 0) + 1
        committed()
      })
  }

  /// Queues so many at once that they can be grouped.
  func writeAllAsync(
    _ count: Int, grouping: Bool, committed: @escaping @Sendable () -> Void = {}
  ) {
    queue.sync {
      for round in 0..<count { enqueue(round, grouping: grouping, committed: committed) }
    }
  }

  /// A write that is expected to fail, and to change nothing.
  func attempt(_ round: Int) {
    queue.sync {
      do {
        try pen.write(keys(round))
        ledger.expect(false, "a commit succeeded although the disk refused")
      } catch {
        pen.look()
      }
    }
  }

  /// The same in the background, at the first or the last of its flushes: the completion must be
  /// told.
  func attemptAsync(_ round: Int) throws {
    let flushes = try flushesOfAsync()
    pending.enter()
    queue.sync {
      let realm = pen.realm
      // It may begin with the flush that the one before has left.
      realm.beginWrite()
      hooks.fail(.flushes, after: round % 2 == 0 ? 0 : max(0, flushes - 1), times: 1)
      // What may be there after a crash belongs to the history all the same.
      var draft = pen.draft(keys(round), began: nil)
      draft.outcome = .unknown
      ledger.add(draft)
      realm.commitAsyncWrite { [ledger, pending] error in
        ledger.expect(error != nil, "a commit was acknowledged although its flush failed")
        pending.leave()
      }
    }
  }

  /// How often the disk is flushed for one commit in the background: that is the engine's to
  /// decide.
  private func flushesOfAsync() throws -> Int {
    if let knownFlushes { return knownFlushes }
    func count() -> Int { hooks.requests.count { $0 == .flush } }
    let before = count()
    writeAsync(0, grouping: false)
    try settle()
    let flushes = count() - before
    knownFlushes = flushes
    return flushes
  }

  /// Waits until all that was begun is acknowledged.
  func settle() throws {
    guard pending.wait(timeout: .now() + patience.inSeconds) == .success else {
      throw Stage.Interruption.overdue("the completions of asynchronous commits")
    }
    queue.sync {}
  }

  /// Lets go of the realm, and hands over what the disk was asked.
  func finish() -> [DiskRequest] {
    hooks.stop()
    return hooks.requests
  }
}

extension Workload {
  /// Runs it, and explores the states of its record.
  func images(
    _ hooks: any Hooks, in directory: URL, patience: Duration,
    change: (CrashImages) -> Void = { _ in }
  ) throws -> CrashImages {
    let file = directory.appendingPathComponent("\(name).realm")
    let ledger = Ledger(file, pages: pages, durability: durability)
    let recorder = try Recorder(hooks, ledger, patience: patience)
    try body(recorder)
    let images = CrashImages(recorder.finish(), of: ledger, in: directory)
    change(images)
    if let complaint = ledger.complaint { images.fail(complaint) } else { images.explore() }
    return images
  }
}

extension Inquiry {
  /// The crash states of a workload.
  init(crashesOf workload: Workload) {
    let shortening = Shortening(tries: 60, runs: 1) {
      CrashState($0)?.shorter.map(\.text) ?? []
    }
    self.init(
      .crashes, workload.name, workload.story, rules: workload.rules, shortening: shortening,
      understands: CrashState.isText
    ) { inquiry, task in
      guard let hooks = Backstage.hooks else {
        var skipped = inquiry.blank(task.effort)
        skipped.detail = "this engine gives no hooks"
        return skipped
      }
      let images = try workload.images(
        hooks, in: task.directory, patience: .seconds(20)
      ) {
        $0.seed = task.effort.seed
        $0.random = task.effort.amount
        $0.deadline = task.deadline
        $0.only = task.effort.replay.flatMap(CrashState.init)
        $0.begins = { task.begins($0.text) }
      }
      var result = inquiry.blank(task.effort)
      result.count = images.states
      result.detail = "at \(images.epochs) points, \(task.effort.amount) at random of each"
      result.failure = images.problem.map { problem in
        guard let (state, of) = images.wrong else {
          return .init(sentence: problem, repro: inquiry.repro(task.effort, replay: nil))
        }
        let there = "\(state.pieces.count) of \(of) pieces written since the last flush are there"
        return .init(
          sentence: "\(problem); \(there)", repro: inquiry.repro(task.effort, replay: state.text))
      }
      return result
    }
  }
}
