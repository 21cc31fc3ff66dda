import EngineUnderTest
import Evidence
import Foundation
import Harness
import Synchronization

/// What a probe stands on: a directory, realms in it, threads, latches, and a way to say what was
/// seen.
public final class Stage: Sendable {
  /// A wait that had no end, or an experiment that cannot be made here.
  enum Interruption: Error {
    case overdue(String)
    case skipped(Verdict.Skip, String)
  }

  let directory: URL
  let seed: UInt64
  /// How long something that must happen is waited for. Generous: it decides no verdict of a
  /// correct engine.
  let patience: Duration
  /// Whether axes are walked whole, whatever it takes; else in part, another part with another
  /// seed.
  let isDeep: Bool
  let cast = Cast()
  private let request: ProbeRequest
  private let held = Mutex(0)
  private let fell = Atomic(false)
  private let files = Mutex<[URL]>([])

  init(_ request: ProbeRequest) {
    self.request = request
    directory = URL(fileURLWithPath: request.directory)
    seed = request.seed
    patience = request.patience
    isDeep = request.isDeep
  }

  var stamps: Stamps { cast.stamps }

  // MARK: - Saying what was seen

  /// Asserts one thing.
  @discardableResult
  func expect(
    _ condition: Bool, _ expected: String, observed: @autoclosure () -> String = "it is not so"
  )
    -> Bool
  {
    if condition {
      held.withLock { $0 += 1 }
    } else {
      fail(expected: expected, observed: observed())
    }
    return condition
  }

  /// Asserts that something has a value.
  @discardableResult
  func equal<Value: Equatable>(_ observed: Value, _ expected: Value, _ what: String) -> Bool {
    expect(observed == expected, "\(what) is \(expected)", observed: "\(observed)")
  }

  /// Asserts that one event came before another.
  func ordered(_ first: String, before second: String) {
    expect(
      stamps.ordered(first, before: second), "'\(first)' comes before '\(second)'",
      observed: "\(first) at \(stamps.of(first).map(String.init) ?? "never"), "
        + "\(second) at \(stamps.of(second).map(String.init) ?? "never")")
  }

  func fail(expected: String, observed: String) {
    isOver()
    Testimony.violated(expected: expected, observed: observed).post()
  }

  /// Nothing more is asked of the probe: it has been seen to fall, or cannot be made.
  func isOver() { fell.store(true, ordering: .relaxed) }

  /// Whether all that was asked so far is as it must be.
  var holds: Bool { !fell.load(ordering: .relaxed) }

  /// Ends the probe because it cannot be made here.
  func skip(_ lack: Verdict.Skip, _ reason: String) throws -> Never {
    throw Interruption.skipped(lack, reason)
  }

  /// What must end the process, or throw.
  func act(_ body: () throws -> Void) {
    Testimony.before.post()
    do {
      try body()
      Testimony.after.post()
    } catch {
      Testimony.threw("\(error.localizedDescription)").post()
    }
  }

  /// The same for what suspends.
  func act(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async {
    Testimony.before.post()
    do {
      try await body()
      Testimony.after.post()
    } catch {
      Testimony.threw("\(error.localizedDescription)").post()
    }
  }

  /// Says how many times what should have raced did; a rule whose windows never met proves nothing.
  func overlapped(_ count: Int) { Testimony.overlapped(count).post() }

  func settleAccounts() {
    let count = held.withLock { $0 }
    if count > 0 { Testimony.held(count).post() }
  }

  // MARK: - Waiting

  func wait(for latch: Latch) throws {
    if !latch.wait(patience) { throw Interruption.overdue(latch.name) }
  }

  /// Waits for a member of the cast, and hands on what it threw.
  func join(_ member: Cast.Member) throws {
    if try !member.join(patience) { throw Interruption.overdue("the end of \(member.name)") }
  }

  /// Waits for everyone.
  func joinAll() throws {
    let late = try cast.joinAll(patience)
    if !late.isEmpty { throw Interruption.overdue("the end of \(late.joined(separator: ", "))") }
  }

  @discardableResult
  func thread(_ name: String, _ body: @escaping () throws -> Void) -> Cast.Member {
    cast.thread(name, body)
  }

  /// Does something on a thread of its own and waits for it: the usual foreign writer or reader.
  @discardableResult
  func elsewhere<Value>(_ name: String = "elsewhere", _ body: @escaping () throws -> Value) throws
    -> Value
  {
    var value: Value?
    let member = thread(name) { value = try body() }
    try join(member)
    return value!
  }

  /// Runs the main thread's loop until something is so.
  func spin(until condition: () -> Bool, _ what: String) throws {
    let limit = ContinuousClock.now + patience
    while !condition() {
      guard ContinuousClock.now < limit else { throw Interruption.overdue(what) }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.002))
    }
  }

  /// Suspends until a latch is open. Another thread waits for it: a task that blocked would hold a
  /// thread that the very thing it waits for may need.
  func arrival(
    isolation: isolated (any Actor)? = #isolation, of latch: Latch, _ what: String? = nil
  ) async throws {
    let came = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [patience] in
        continuation.resume(returning: latch.wait(patience))
      }
    }
    if !came { throw Interruption.overdue(what ?? latch.name) }
  }

  // MARK: - Other processes

  /// Starts a companion of this probe: the same program in the role of that name. It may take as
  /// long as anything is waited for, or as is said.
  func companion(
    _ role: String, _ words: String..., within deadline: Duration? = nil
  ) throws -> RunningChild {
    var asked = request
    asked.role = role
    asked.words = words
    return try ChildProcess(
      ChildProcess.thisProgram, ["probe"] + asked.arguments,
      limits: .init(deadline: deadline ?? patience)
    ).start()
  }

  /// What a broken engine declares otherwise.
  var declarations: String { request.declarations }

  /// What the companion was told when it was started.
  var words: [String] { request.words }

  /// Says a line to whoever started this companion.
  func tell(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress!, $0.count) }
  }

  /// Waits for a line from whoever started this companion; nil if there will be none.
  func hear() -> String? { readLine() }

  /// The next line of a companion.
  func hear(_ child: RunningChild, _ what: String) throws -> String {
    guard let line = child.line(within: patience) else {
      let left = child.remains()
      throw Interruption.overdue(
        "\(what) from the other process (\(left.ending) \(left.stderr.suffix(200)))")
    }
    return line
  }

  // MARK: - Files

  /// A file of this probe's own, which is asked at the end whether it is as good as any.
  func ownFile(_ name: String) -> URL {
    let url = directory.appendingPathComponent("\(name).realm")
    files.withLock { if !$0.contains(url) { $0.append(url) } }
    return url
  }

  /// Those that were asked for, in order.
  var ownFiles: [URL] { files.withLock { $0 } }

  // MARK: - Chance

  /// Numbers that depend on nothing but the seed.
  var chance: SeededGenerator { SeededGenerator(seed: seed) }
}
