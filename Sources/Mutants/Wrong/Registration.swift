#if Mutants
import Dispatch
@_private(sourceFile: "Registration.swift") import ReferenceEngine

extension Registration {
  @_dynamicReplacement(for:on(_:_:in:farewell:_:))
  static func wrongOn<Thing: ThreadConfined>(
    _ queue: DispatchQueue, _ thing: Thing, in session: Session, farewell: (() -> Void)? = nil,
    _ make: @escaping Make<Thing>
  ) -> NotificationToken {
    if breaks(.listenersComeToTheirHome) { return here(thing, in: session, make) }
    return on(queue, thing, in: session, farewell: farewell, make)
  }

  // An asynchronous function cannot be called from what replaces it: this is all of it, with the
  // faults.
  @_dynamicReplacement(for:on(_:_:in:farewell:isolation:_:_:))
  static func wrongOn<A: Actor, Thing: ThreadConfined, Change>(
    _ actor: A, _ thing: Thing, in session: Session, farewell: Change? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, Change) -> Void,
    _ observer: (@escaping (Change) -> Void) -> Make<Thing>
  ) async -> NotificationToken {
    let transfer = Transfer(thing, from: session)
    let token = NotificationToken()
    if Task.isCancelled, !breaks(.cancelledTasksListenToNothing) {
      if !breaks(.stillbornTokensHaveEnded) { token.invalidate() }
      return token
    }
    let block = unisolated(block)
    let make = observer { [unowned actor] change in block(actor, change) }
    let schedulers = session.coordinator.seams.schedulers
    let arrive = Handed { (actor: A) in
      if token.hasEnded { return }
      let scheduler = schedulers.actor(actor)
      let told = breaks(.actorsAreToldOfEnds) ? nil : farewell
      let farewell = told.map { farewell in { block(actor, farewell) } }
      transfer.arrive(at: scheduler, as: Thing.self, token, farewell: farewell, make)
    }
    if breaks(.listenersComeToTheirHome) { return here(thing, in: session, make) }
    if breaks(.actorListenersAreInForce) {
      // Comes too late, by more than anybody would take for late.
      Task { [weak token] in
        try? await Task.sleep(for: .milliseconds(100))
        if token != nil { await open(arrive, at: actor) }
      }
      return token
    }
    await open(arrive, at: actor)
    return token
  }
}

extension Transfer {
  @_dynamicReplacement(for:arrive(at:as:_:farewell:_:))
  func wrongArrive<Thing>(
    at scheduler: any Scheduler, as thing: Thing.Type, _ token: NotificationToken,
    farewell: (() -> Void)?, _ make: Registration.Make<Thing>
  ) {
    if breaks(.waitingListenersKeepTheirVersion) {
      guard
        let session = try? Session.open(
          handover.configuration, at: scheduler, of: handover.origin.file),
        let found = handover.found(in: session) as? Thing,
        let observer = make(found, session, since.root)
      else { return }
      session.listeners?.add(observer)
      guard token.hold(observer) else { return }
      session.listeners?.tellObservers()
      return
    }
    if breaks(.listenersJoinTheirQueuesRealm) {
      return arriveApart(at: scheduler, as: thing, token, farewell: farewell, make)
    }
    let isLate = breaks(.actorListenersAreInForce)
    arrive(
      at: scheduler, as: thing, token,
      farewell: breaks(.lateListenersHearTheEnd) ? nil : farewell
    ) { thing, session, since in make(thing, session, isLate ? session.root ?? since : since) }
  }
}
#endif
