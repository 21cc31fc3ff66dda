import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// Runs a program on real queues and actors, and judges what came of it: that everything ended,
/// that every write which was asked for happened once or was dropped for a reason, and that the
/// history shows no anomaly.
final class ProgramRun: Sendable {
  let ledgers: [Ledger]
  private let desks: [QueueDesk]
  private let actors: [ActorDesk]

  /// - Parameters:
  ///   - isLarge: whether one of the files is so large that an engine may put off what takes a look
  ///     at all of it.
  ///   - journal: where the histories of the two files are written as they happen.
  init(in directory: URL, isLarge: Bool = false, journal: Bool = false) throws {
    ledgers = try [("A", isLarge ? Ledger.largeBallast : 0), ("B", 0)].map { name, ballast in
      let path = directory.appendingPathComponent(name).path
      let ledger = Ledger(
        URL(fileURLWithPath: path + ".realm"), pages: 3, ballast: ballast,
        journal: journal ? try Journal(path + ".journal") : nil)
      try ledger.prepare()
      return ledger
    }
    desks = AsyncProgram.queues.map { QueueDesk($0) }
    actors = AsyncProgram.actors.map { ActorDesk($0) }
    for (desk, file) in zip(desks, [0, 0, 1]) { desk.sit(at: ledgers[file]) }
  }

  /// Nil if all is well. A program that does not end within the limit leaves its threads behind.
  func run(_ program: AsyncProgram, limit: Duration) -> String? {
    let ended = DispatchGroup()
    for (number, act) in program.acts.enumerated() where AsyncProgram.queues.contains(act.who) {
      desks[act.who - 1].perform(act.verb, number, ended)
    }
    for (place, who) in AsyncProgram.actors.enumerated() {
      let acts = program.acts.enumerated().filter { $0.element.who == who }
      if acts.isEmpty { continue }
      let (desk, ledger) = (actors[place], ledgers[place])
      ended.enter()
      Task {
        await desk.sit(at: ledger)
        for (number, act) in acts { await desk.perform(act.verb, number, ended) }
        ended.leave()
      }
    }
    for desk in desks { desk.settle(ended) }
    guard ended.wait(timeout: .now() + limit.inSeconds) == .success else {
      let waiting = (desks.map(\.state) + actors.map(\.state)).filter { !$0.isEmpty }
      return "deadlock: after \(limit.formatted) there still waits: "
        + (waiting.isEmpty ? "nobody that is known" : waiting.joined(separator: "; "))
    }
    for desk in desks { desk.leave() }
    let gone = DispatchSemaphore(value: 0)
    Task { [actors] in
      for desk in actors { await desk.leave() }
      gone.signal()
    }
    guard gone.wait(timeout: .now() + limit.inSeconds) == .success else {
      return "deadlock: an actor does not come back"
    }
    return ledgers.compactMap { $0.verdict() }.first
  }
}

/// What a participant has asked for and not yet been answered, by the number of the act.
final class Pending: Sendable {
  private let open = Mutex<[Int: String]>([:])

  func begin(_ number: Int, _ what: String) { open.withLock { $0[number] = what } }
  func end(_ number: Int) { _ = open.withLock { $0.removeValue(forKey: number) } }
  func end(where isSo: (Int) -> Bool) {
    open.withLock { open in for number in open.keys where isSo(number) { open[number] = nil } }
  }
  var isEmpty: Bool { open.withLock { $0.isEmpty } }
  var words: String {
    open.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.value) (act \($0.key))" } }
      .joined(separator: ", ")
  }
}

/// A queue with a realm of its own.
private final class QueueDesk: @unchecked Sendable {
  // Sendable because everything but `state` happens on the queue.
  private let session: Int
  private let queue: DispatchQueue
  private let pending = Pending()
  private var pen: Pen?
  private var last: (id: AsyncTransactionId, number: Int)?
  /// Blocks that may be dropped: not yet begun, and the realm is still the one that they were given
  /// to.
  private var unbegun: Set<Int> = []

  init(_ session: Int) {
    self.session = session
    queue = DispatchQueue(label: "queue \(session)")
  }

  var state: String { pending.isEmpty ? "" : "queue \(session): \(pending.words)" }

  func sit(at ledger: Ledger) {
    queue.sync { pen = try? Pen(ledger, session: session, queue: queue) }
  }

  func leave() { queue.sync { pen = nil } }

  func perform(_ verb: AsyncProgram.Verb, _ number: Int, _ ended: DispatchGroup) {
    pending.begin(number, "\(verb)")
    queue.async(group: ended) { [self] in
      let isOver = act(verb, number)
      if isOver { pending.end(number) }
    }
  }

  /// True if nothing is left to come.
  private func act(_ verb: AsyncProgram.Verb, _ number: Int) -> Bool {
    guard let pen else { return true }
    let keys = [1 + number % 3, 1 + (number / 3) % 3]
    switch verb {
    case .write: return ask(pen, [keys[0]], number, grouping: false)
    case .writeGrouped: return ask(pen, Array(Set(keys)), number, grouping: true)
    case .nested: return ask(pen, [keys[0]], number, grouping: true, nesting: true)
    case .beginHere:
      last = (
        pen.writeThenCommitAsync([keys[1]], grouping: number % 2 == 0) { [pending] in
          pending.end(number)
        }, number
      )
      return false
    case .writeSync: try? pen.write([keys[0]])
    case .cancelSync: try? pen.write([keys[0]], .cancel)
    case .cancel:
      if let last {
        try? pen.realm.cancelAsyncWrite(last.id)
        // Neither block nor completion comes any more, if they had not come.
        pending.end(last.number)
        unbegun.remove(last.number)
        self.last = nil
      }
    case .refrain:
      pen.realm.beginAsyncWrite { [pending] in pending.end(number) }
      unbegun.insert(number)
      return false
    case .refresh: pen.refreshAndLook()
    case .look: pen.look()
    case .invalidate:
      guard Engine.offersReins else { return true }
      pen.realm.invalidate()
      pending.end { unbegun.contains($0) }
      unbegun = []
    case .reopen:
      self.pen = nil
      self.pen = try? Pen(
        pen.ledger, session: session, queue: queue, continuing: pen.freshness)
      // Work that is pending keeps the old session, and then it is this one.
      self.pen?.refreshAndLook()
    }
    return true
  }

  private func ask(
    _ pen: Pen, _ keys: [Int], _ number: Int, grouping: Bool, nesting: Bool = false
  ) -> Bool {
    unbegun.insert(number)
    let id = pen.writeAsync(
      keys, grouping: grouping, then: { [pending] in pending.end(number) },
      block: { [self] in
        unbegun.remove(number)
        guard nesting else { return }
        let inner = number + 1000
        pending.begin(inner, "nested write")
        _ = ask(pen, [1], inner, grouping: false)
      })
    last = (id, number)
    return false
  }

  /// Leaves the group when the queue has nothing asynchronous left.
  func settle(_ ended: DispatchGroup) {
    ended.enter()
    look(ended)
  }

  /// Whether the engine says that something is under way which nobody waits for.
  private var isBusy: Bool {
    Engine.offersReins && pen?.realm.isPerformingAsynchronousWriteOperations == true
  }

  private func look(_ ended: DispatchGroup) {
    queue.async { [self] in
      if pending.isEmpty, !isBusy { return ended.leave() }
      queue.asyncAfter(deadline: .now() + .milliseconds(1)) { self.look(ended) }
    }
  }
}

/// An actor with a realm of its own.
private actor ActorDesk {
  private let session: Int
  private nonisolated let pending = Pending()
  private let freshness = Pen.Freshness()
  private var pen: Pen?

  init(_ session: Int) { self.session = session }

  nonisolated var state: String { pending.isEmpty ? "" : "actor \(session): \(pending.words)" }

  func sit(at ledger: Ledger) async {
    let stamp = ledger.stamp()
    guard let realm = try? await Realm(configuration: ledger.configuration, actor: self) else {
      return ledger.expect(false, "actor \(session) cannot open its realm")
    }
    pen = Pen(
      ledger, session: session, realm: realm, openedAfter: stamp, continuing: freshness)
  }

  func leave() { pen = nil }

  func perform(_ verb: AsyncProgram.Verb, _ number: Int, _ ended: DispatchGroup) async {
    guard let pen else { return }
    pending.begin(number, "\(verb)")
    defer { pending.end(number) }
    let key = 1 + number % 3
    switch verb {
    case .write, .writeGrouped: try? await pen.writeInTask([key])
    case .beginHere, .nested: aside(number, ended) { try? await $0.write(key) }
    case .writeSync: try? pen.write([key])
    case .cancelSync: try? pen.write([key], .cancel)
    case .cancel: aside(number, ended) { try? await $0.write(key) }?.cancel()
    case .refrain: try? await pen.writeInTask([key], refraining: true)
    case .refresh:
      await pen.refresh()
      self.pen?.look()
    case .look: pen.look()
    case .invalidate: if Engine.offersReins { pen.realm.invalidate() }
    case .reopen:
      self.pen = nil
      await sit(at: pen.ledger)
      self.pen?.refreshAndLook()
    }
  }

  private func write(_ key: Int) async throws { try await pen?.writeInTask([key]) }

  /// Does it in a task of its own, which the actor goes on beside.
  @discardableResult
  private func aside(
    _ number: Int, _ ended: DispatchGroup, _ work: @escaping @Sendable (ActorDesk) async -> Void
  ) -> Task<Void, Never>? {
    let inner = number + 1000
    pending.begin(inner, "task")
    ended.enter()
    return Task {
      await work(self)
      self.pending.end(inner)
      ended.leave()
    }
  }
}
