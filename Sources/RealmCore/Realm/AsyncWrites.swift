import CRealmCore
import Foundation
import Synchronization

/// Names an asynchronous write or commit for `cancelAsyncWrite`.
public typealias AsyncTransactionId = UInt32

extension Realm {
  /// Runs a block in a write transaction, later and where the realm is at home, and commits it.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () -> Void, onComplete: ((Swift.Error?) -> Void)? = nil
  ) -> AsyncTransactionId {
    beginAsyncWrite { [realm = self] in
      block()
      if realm.isInWriteTransaction { realm.commitAsyncWrite(onComplete) }
    }
  }

  /// Runs a block in a write transaction, later and where the realm is at home. The block has to
  /// end the write.
  @discardableResult
  public func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
    begin(notifyOnly: false, block)
  }

  func begin(notifyOnly: Bool, _ block: @escaping () -> Void) -> AsyncTransactionId {
    // RealmSwift's scheduler keeps the actor whose turn is to come; here that is the turn's part.
    let box = Box { [weak session, actor = session.home.actor] in
      _ = actor
      // realm-core has begun the write by now, and cancels it unless the block ends it or was only
      // to be told.
      session?.isWriting = true
      block()
      if !notifyOnly { session?.isWriting = false }
    }
    var id: UInt32 = 0
    check(
      core.realm_async_begin_write(
        session.handle, { data in Box<() -> Void>.of(data).value() }, box.handedOver,
        Box<() -> Void>.free, notifyOnly, &id))
    return id
  }

  /// Commits the write and brings it to the disk in the background.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: ((Swift.Error?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let box = Box { [actor = session.home.actor] (words: String?) -> Void in
      _ = actor
      onComplete?(words.map { Realm.Error(.fail, $0) })
    }
    var id: UInt32 = 0
    let wasWriting = session.isWriting
    session.isWriting = false
    let done =
      core.realm_async_commit(
        session.handle,
        { data, failed, words in
          Box<(String?) -> Void>.of(data).value(
            failed ? words.map { String(cString: $0) } ?? "the commit failed" : nil)
        }, box.handedOver, Box<(String?) -> Void>.free, allowGrouping, &id)
    if done { return id }
    // What fails before realm-core has the write on its way is raised by RealmSwift, whoever waits
    // for the completion.
    session.isWriting = core.realm_is_writable(session.handle) && wasWriting
    die()
  }

  /// Drops an asynchronous write that has not begun, or the completion of a commit; anything else
  /// is left alone.
  public func cancelAsyncWrite(_ id: AsyncTransactionId) throws {
    var did = false
    check(core.realm_async_cancel(session.handle, id, &did))
  }

  /// Not askable: the C interface tells only whether a write may be made.
  public var isPerformingAsynchronousWriteOperations: Bool {
    Facade.notAskable(
      "whether asynchronous writes are under way: the C interface does not tell them apart")
  }
}

// MARK: - On actors

extension Realm {
  /// Opens a realm that is isolated to the main actor.
  @MainActor
  public init(
    configuration: Configuration = .defaultConfiguration,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    Facade.decides()
    let opened = try await Realm.openElsewhere(configuration)
    self.init(try Session.open(configuration, at: .main))
    withExtendedLifetime(opened) {}
  }

  /// Opens a realm that is isolated to an actor.
  public init<A: Actor>(
    configuration: Configuration = .defaultConfiguration, actor: isolated A,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    Facade.decides()
    let opened = try await Realm.openElsewhere(configuration)
    self.init(try Session.open(configuration, at: .of(actor)))
    withExtendedLifetime(opened) {}
  }

  /// Opens a realm that is isolated to the calling actor.
  public static func open(
    configuration: Configuration = .defaultConfiguration,
    _isolation: isolated any Actor = #isolation,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws -> Realm {
    Facade.decides()
    let opened = try await openElsewhere(configuration)
    defer { withExtendedLifetime(opened) {} }
    return Realm(try Session.open(configuration, at: .of(_isolation)))
  }

  /// Opens the file on a thread that nobody waits for, as RealmSwift does, so that the actor is
  /// free meanwhile.
  private static func openElsewhere(_ configuration: Configuration) async throws -> Session {
    let opened = OpenedElsewhere()
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        opened.open(configuration)
        continuation.resume()
      }
    }
    return try opened.take()
  }

  /// Runs a block in a write transaction and commits it, without blocking the actor.
  @discardableResult
  public func asyncWrite<R>(
    _isolation: isolated any Actor = #isolation, _ block: () throws -> R
  ) async throws -> R {
    Facade.decides()
    if !session.home.isActorIsolated {
      Facade.refuse("asyncWrite() can only be called on main thread or actor-isolated Realms")
    }
    try Task.checkCancellation()
    let turn = Turn()
    var id: AsyncTransactionId = 0
    await withTaskCancellationHandler {
      _ = _isolation
      await withCheckedContinuation { continuation in
        turn.start(continuation)
        id = begin(notifyOnly: true) { turn.arrive() }
      }
    } onCancel: {
      turn.giveUp()
    }
    guard turn.hasArrived else {
      try cancelAsyncWrite(id)
      throw CancellationError()
    }
    // realm-core has begun the write by now.
    let result: R
    do {
      try Task.checkCancellation()
      result = try block()
    } catch {
      if isInWriteTransaction { cancelWrite() }
      throw error
    }
    guard isInWriteTransaction else { return result }
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Swift.Error>) in
      commitAsyncWrite { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
    return result
  }

  /// Brings the realm to the newest version; false if it already shows it.
  @discardableResult
  public func asyncRefresh(_isolation: isolated any Actor = #isolation) async -> Bool {
    Facade.decides()
    if isFrozen || Task.isCancelled { return false }
    if !session.home.isActorIsolated {
      Facade.refuse("asyncRefresh() can only be called on main thread or actor-isolated Realms")
    }
    return refresh()
  }
}

/// What a thread that nobody waits for has opened. It lets go before whoever asked goes on: a file
/// would be open for longer than anybody holds it otherwise.
private final class OpenedElsewhere: Sendable {
  private let outcome = Mutex<Result<Session, any Error>?>(nil)

  func open(_ configuration: Realm.Configuration) {
    let opened = Result { try Session.open(configuration, at: .here()) }
    outcome.withLock { $0 = opened }
  }

  func take() throws -> Session {
    let opened = outcome.withLock { outcome in
      defer { outcome = nil }
      return outcome
    }
    guard let opened else { fatalError("nothing was opened") }
    return try opened.get()
  }
}

/// A task's wait for its turn to write: resumed once, by the turn or because the task was
/// cancelled.
private final class Turn: @unchecked Sendable {
  // Both properties are guarded by the lock.
  private let lock = NSLock()
  private var continuation: CheckedContinuation<Void, Never>?
  private var state = State.waiting

  private enum State { case waiting, arrived, givenUp }

  var hasArrived: Bool { lock.withLock { state == .arrived } }

  func start(_ continuation: CheckedContinuation<Void, Never>) {
    let isLate = lock.withLock {
      if state != .waiting { return true }
      self.continuation = continuation
      return false
    }
    if isLate { continuation.resume() }
  }

  func arrive() { end(.arrived) }
  func giveUp() { end(.givenUp) }

  private func end(_ how: State) {
    let continuation = lock.withLock {
      defer { self.continuation = nil }
      // A turn that comes after the task gave up is taken all the same: somebody has to end it.
      if state == .waiting || how == .arrived { state = how }
      return self.continuation
    }
    continuation?.resume()
  }
}
