import CShims

/// The home of a realm that was opened for an actor.
///
/// The actor is not kept alive: it usually holds the realm, and neither would ever go. Only its
/// memory is kept, as an unowned reference does: by its address it is known at every access, and
/// another actor may not have it as long as somebody asks for this one.
package final class ActorScheduler: Scheduler, @unchecked Sendable {
  // Constants, but for the weak reference, which the runtime guards.
  private weak var actor: (any Actor)?
  private unowned let place: any Actor
  private let executor: Executor
  private let inbox = SchedulerInbox()
  package let home: Home

  package init(_ actor: any Actor) {
    self.actor = actor
    place = actor
    executor = Executor(actor.unownedExecutor)
    home = .actor(UInt(bitPattern: ObjectIdentifier(actor)))
  }

  package var threadToken: UInt { .max }

  package var isHere: Bool {
    // The address of an executor with code of its own may only be handed to the runtime while it
    // exists.
    if executor.isDefault { return executor.isCurrent }
    guard let actor else { return false }
    return withExtendedLifetime(actor) { executor.isCurrent }
  }

  package var canDeliver: Bool { true }
  package var sign: HomeSign { executor.isDefault ? .actor(executor.identity) : .none }
  package var isAlive: Bool { actor != nil }
  package var isActorIsolated: Bool { true }
  package var anchor: AnyObject? { actor }

  package func run(_ work: @escaping @Sendable () -> Void) {
    if inbox.add(work) { knock() }
  }

  /// Tasks reach an actor in any order; the inbox keeps that of the work.
  private func knock() {
    guard let actor else { return inbox.close() }
    Task { await self.arrive(on: actor) }
  }

  private func arrive(on actor: isolated any Actor) {
    inbox.drain { knock() }
  }
}

/// The two words by which the runtime knows a serial executor.
struct Executor: Sendable {
  let identity: UInt
  private let implementation: UInt

  init(_ executor: UnownedSerialExecutor) {
    let words = unsafeBitCast(executor, to: (UInt, UInt).self)
    (identity, implementation) = words
  }

  /// Whether it is an actor's built-in executor, which runs no code of the user's.
  var isDefault: Bool { implementation == 0 }

  /// Whether the calling code runs on it.
  var isCurrent: Bool {
    rb_executor_is_current(UnsafeRawPointer(bitPattern: identity), implementation)
  }
}
