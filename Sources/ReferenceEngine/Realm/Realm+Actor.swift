import Synchronization

extension Realm {
  /// Opens a realm that is isolated to the main actor.
  @MainActor
  public init(
    configuration: Configuration = .defaultConfiguration,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    let file = try await Session.openFile(configuration)
    self.init(try Session.open(configuration, at: Session.schedulers.actor(MainActor.shared)))
    withExtendedLifetime(file) {}
  }

  /// Opens a realm that is isolated to an actor; the actor is free while the file is prepared.
  public init<A: Actor>(
    configuration: Configuration = .defaultConfiguration, actor: isolated A,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    let file = try await Session.openFile(configuration)
    self.init(try Session.open(configuration, at: Session.schedulers.actor(actor)))
    withExtendedLifetime(file) {}
  }

  /// Opens a realm that is isolated to the calling actor.
  public static func open(
    configuration: Configuration = .defaultConfiguration,
    _isolation: isolated any Actor = #isolation,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws -> Realm {
    let file = try await Session.openFile(configuration)
    defer { withExtendedLifetime(file) {} }
    return Realm(
      try Session.open(configuration, at: Session.schedulers.actor(_isolation)))
  }

  /// Runs a block in a write transaction and commits it, without blocking the actor.
  ///
  /// The task is suspended while others write and while the disk works; the block itself runs on
  /// the actor. If it throws, the write is cancelled and the error passed on. A task that is
  /// cancelled before its turn never writes.
  @discardableResult
  public func asyncWrite<R>(
    _isolation: isolated any Actor = #isolation, _ block: () throws -> R
  ) async throws -> R {
    if !session.scheduler.isActorIsolated {
      refuse(.needsMainThreadOrActor("asyncWrite"), at: .asyncWrite)
    }
    session.verifyAsyncWrite()
    try await waitForTurn()
    let result: R
    do {
      try Task.checkCancellation()
      try session.startWrite()
      result = try block()
    } catch {
      if session.isInWrite { try session.endWrite(after: error) }
      session.asyncWrites.returnTurn()
      throw error
    }
    guard session.isInWrite else {
      session.asyncWrites.returnTurn()
      return result
    }
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Swift.Error>) in
      commitAsyncWrite { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
      session.asyncWrites.returnTurn()
    }
    return result
  }

  /// Suspends the task until it can write.
  private func waitForTurn(_isolation: isolated any Actor = #isolation) async throws {
    try Task.checkCancellation()
    let request = TurnRequest(session: session)
    while true {
      await withTaskCancellationHandler {
        // Without this capture the closure belongs to no actor, and asks for its turn on any
        // thread.
        _ = _isolation
        await withCheckedContinuation { continuation in request.start(continuation) }
      } onCancel: {
        request.cancel()
      }
      if try request.takeTurn() { return }
      // It was late, and waits again, in its old place.
    }
  }

  /// Brings the realm to the newest version; false if it already shows it.
  @discardableResult
  public func asyncRefresh(_isolation: isolated any Actor = #isolation) async -> Bool {
    if session.isFrozen { return false }
    if !session.scheduler.isActorIsolated {
      refuse(.needsMainThreadOrActor("asyncRefresh"), at: .asyncRefresh)
    }
    session.verify(at: .asyncRefresh)
    if session.isFrozen || session.configuration.readOnly || session.root == nil { return false }
    if Task.isCancelled { return false }
    // Listeners may have yet to hear of what the realm has written itself.
    if session.isNewest, session.listeners?.hasObservers != true { return false }
    let waiter = RefreshWaiter()
    let before = session.version
    let session = Handed(session)
    return await withTaskCancellationHandler {
      // Keeps the closure on the actor, and spares the way to another thread and back.
      _ = _isolation
      return await withCheckedContinuation { continuation in
        waiter.start(continuation)
        // The realm may be there by itself before its turn comes.
        session.value.scheduler.run {
          waiter.end { session.value.refreshIfPossible() || session.value.hasMoved(from: before) }
        }
      }
    } onCancel: {
      waiter.end { false }
    }
  }
}

extension Session {
  /// Opens a file that this process does not have open, migrations and all, on a thread that nobody
  /// waits for. Nil if it is open.
  fileprivate static func openFile(
    _ configuration: Realm.Configuration
  ) async throws -> Coordinator? {
    if SessionCache.isOpen(configuration.path) { return nil }
    return try await Task.detached { try Session.prepareFile(configuration) }.value
  }

  /// Opens a file that this process does not have open, migrations and all, on the calling thread,
  /// for a realm that is opened elsewhere meanwhile.
  static func prepareFile(_ configuration: Realm.Configuration) throws -> Coordinator? {
    if SessionCache.isOpen(configuration.path) { return nil }
    return try Session.openHere(configuration).coordinator
  }
}

/// A task's wait for its turn to write.
private final class TurnRequest: @unchecked Sendable {
  // Sendable because everything but `cancel` happens on the realm's actor, and `cancel` only hands
  // over.
  private let session: Session
  private var id: AsyncTransactionId?
  private var continuation: CheckedContinuation<Void, Never>?
  private var failure: (any Swift.Error)?
  /// The turn came before the task had begun to wait for it again.
  private var isDue = false

  init(session: Session) { self.session = session }

  func start(_ continuation: CheckedContinuation<Void, Never>) {
    session.verify(at: .asyncWrite)
    self.continuation = continuation
    if id == nil { id = session.asyncWrites.add(.task(resume: { error in self.end(error) })) }
    if isDue { end(failure) } else if Task.isCancelled { cancelHere() }
  }

  /// Called once, or again with the error if the turn is lost before the task has come for it.
  private func end(_ error: (any Swift.Error)?) {
    failure = error
    isDue = continuation == nil
    continuation?.resume()
    continuation = nil
  }

  /// Whether the task can write now: others may have written between its resumption and this.
  func takeTurn() throws -> Bool {
    if let failure { throw failure }
    return session.asyncWrites.takeTurn(id)
  }

  /// The task was cancelled: without effect once it has been resumed.
  func cancel() { session.scheduler.run { self.cancelHere() } }

  private func cancelHere() {
    guard let id, continuation != nil else { return }
    session.asyncWrites.cancel(id)
    end(CancellationError())
  }
}

/// Resumes a task once: when the realm was refreshed, or when the task was cancelled.
private final class RefreshWaiter: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Bool, Never>)
    case ended
  }
  private let state = Mutex(State.idle)

  func start(_ continuation: CheckedContinuation<Bool, Never>) {
    let isLate = state.withLock { state in
      if case .ended = state { return true }
      state = .waiting(continuation)
      return false
    }
    if isLate { continuation.resume(returning: false) }
  }

  func end(_ outcome: () -> Bool) {
    let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      defer { state = .ended }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(returning: outcome())
  }
}
