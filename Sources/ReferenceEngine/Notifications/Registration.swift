import Dispatch

/// How a listener comes to where it listens: here, on a queue, or on an actor.
///
/// Elsewhere the observed thing is found again in that place's own realm, and the listener gets
/// that one.
enum Registration {
  /// Makes the listener of a thing in its session, or nil if there is nothing to listen to.
  typealias Make<Thing> = (_ thing: Thing, _ session: Session, _ told: Root) -> Observer?

  /// Registers where the thing is at home.
  static func here<Thing>(
    _ thing: Thing, in session: Session, _ make: Make<Thing>
  ) -> NotificationToken {
    session.verifyObservable()
    if session.hasChangesInWrite { refuse(.observedAfterChanges, at: .observe) }
    session.read()
    guard let root = session.root, let observer = make(thing, session, root) else {
      refuse(.invalidated)
    }
    session.listeners?.add(observer)
    session.listeners?.knock()
    return NotificationToken(observer)
  }

  /// Registers on a queue, when the queue comes to it; the token may end before.
  ///
  /// - Parameter farewell: What is told instead if the thing has gone before; nothing if nil.
  static func on<Thing: ThreadConfined>(
    _ queue: DispatchQueue, _ thing: Thing, in session: Session, farewell: (() -> Void)? = nil,
    _ make: @escaping Make<Thing>
  ) -> NotificationToken {
    let transfer = Transfer(thing, from: session)
    guard let scheduler = session.coordinator.seams.schedulers.queue(queue) else {
      refuse(.queueIsNotSerial(label: queue.label, kind: "concurrent"))
    }
    let token = NotificationToken()
    let arrive = Handed { (token: NotificationToken) in
      transfer.arrive(at: scheduler, as: Thing.self, token, farewell: farewell, make)
    }
    scheduler.run { [weak token] in
      guard let token, !token.hasEnded else { return }
      arrive.value(token)
    }
    return token
  }

  /// Registers on an actor, and returns when the listener is in force.
  ///
  /// - Parameter farewell: What is told instead if the thing has gone before; nothing if nil.
  static func on<A: Actor, Thing: ThreadConfined, Change>(
    _ actor: A, _ thing: Thing, in session: Session, farewell: Change? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, Change) -> Void,
    _ observer: (@escaping (Change) -> Void) -> Make<Thing>
  ) async -> NotificationToken {
    let transfer = Transfer(thing, from: session)
    let token = NotificationToken()
    if Task.isCancelled {
      token.invalidate()
      return token
    }
    let block = unisolated(block)
    // The realm's scheduler has brought the code to the actor whenever it is called.
    let make = observer { [unowned actor] change in block(actor, change) }
    let schedulers = session.coordinator.seams.schedulers
    let arrive = Handed { (actor: A) in
      if token.hasEnded { return }
      let scheduler = schedulers.actor(actor)
      let farewell = farewell.map { farewell in { block(actor, farewell) } }
      transfer.arrive(at: scheduler, as: Thing.self, token, farewell: farewell, make)
    }
    await open(arrive, at: actor)
    return token
  }

  private static func open<A: Actor>(_ work: Handed<(A) -> Void>, at actor: isolated A) {
    work.value(actor)
  }
}

/// An observed thing on its way to where it is listened to, with the version from which on there is
/// something to tell.
struct Transfer: Sendable {
  private let handover: Handover
  private let since: Snapshot

  init<Thing: ThreadConfined>(_ thing: Thing, from session: Session) {
    session.verify(at: .observe)
    if session.isFrozen { refuse(.frozenHasNoNotifications, at: .observe) }
    if session.configuration.readOnly { refuse(.readOnlyHasNoNotifications, at: .observe) }
    if session.hasChangesInWrite { refuse(.observedAfterChanges, at: .observe) }
    // Else the queue would listen to whoever has its owner's key when it comes to it.
    handover = Handover(of: thing, in: session).remembering(thing, onlyIfReused: true)
    since = session.committedSnapshot(for: .notifier)
  }

  func arrive<Thing>(
    at scheduler: any Scheduler, as _: Thing.Type, _ token: NotificationToken,
    farewell: (() -> Void)?, _ make: Registration.Make<Thing>
  ) {
    guard
      let session = try? Session.open(
        handover.configuration, at: scheduler, of: handover.origin.file)
    else { return }
    // What a write there was begun on is told to nobody before it is durable.
    session.write?.settleBase()
    guard let thing = handover.found(in: session) as? Thing,
      let observer = make(thing, session, since.root)
    else {
      farewell?()
      return
    }
    session.listeners?.keep(since)
    session.listeners?.add(observer)
    guard token.hold(observer) else { return }
    // In the middle of a write there is something to be seen that may never be committed: who has
    // come is told when the write has ended.
    if session.hasChangesInWrite || session.write?.isBaseLost == true { return }
    session.listeners?.tellObservers()
  }
}

/// A function that is isolated to an actor, for code that runs there already.
///
/// As `assumeIsolated` does it; that one asks for values that may be sent, though nothing leaves
/// the actor here.
func unisolated<A: Actor, Value>(
  _ function: @escaping (isolated A, Value) -> Void
) -> (A, Value) -> Void {
  unsafeBitCast(function, to: ((A, Value) -> Void).self)
}
