#if Mutants
import Dispatch
import Foundation
import Synchronization
@_private(sourceFile: "Session+Objects.swift") import ReferenceEngine
@_private(sourceFile: "Session+Opening.swift") import ReferenceEngine
@_private(sourceFile: "SessionCache.swift") import ReferenceEngine
@_private(sourceFile: "QueueScheduler.swift") import ReferenceEngine
@_private(sourceFile: "OwnWrites.swift") import ReferenceEngine
@_private(sourceFile: "Departures.swift") import ReferenceEngine
@_private(sourceFile: "ReferredRows.swift") import ReferenceEngine
@_private(sourceFile: "Realm+Observe.swift") import ReferenceEngine

// The seventh set: what a session knows and does.

extension Session {
  @_dynamicReplacement(for:isEmpty)
  var seventhIsEmpty: Bool {
    guard breaks(.emptinessIsThatOfTheWrite), isInWrite, let root, !root.isWaiting else {
      return isEmpty
    }
    let top = Top(space: coordinator.space, ref: root.top)
    return stored.tables.indices.allSatisfy {
      stored.tables[$0].isDropped || top.table($0)?.rows.count ?? 0 == 0
    }
  }

  @_dynamicReplacement(for:noteDepartures(_:of:))
  func seventhNoteDepartures(_ keys: [Int64], of number: Int) {
    guard breaks(.longRunsComeBack), keys.count >= 64, let first = keys.first,
      let last = keys.last, first < last, last &- first == Int64(keys.count - 1)
    else { return noteDepartures(keys, of: number) }
    departures.read(number, first...last, at: generation)
  }

  @_dynamicReplacement(for:finishDescent())
  private func seventhFinishDescent() {
    guard breaks(.deepChainsAreAddedWhole) else { return finishDescent() }
    let policy = updatePolicy
    if let work = descent.next() { work() }
    updatePolicy = policy
  }

  @_dynamicReplacement(for:scheduler(for:))
  static func seventhScheduler(for queue: DispatchQueue?) throws -> any Scheduler {
    if breaks(.openQueuesAreConfined), let queue, let known = schedulers.queue(queue) {
      return known
    }
    if breaks(.plainRealmsAreOfTheThread), let known = knownQueue(for: queue) { return known }
    if breaks(.openedQueuesAreEntered), let queue, let known = schedulers.queue(queue) {
      let home = known.home
      let isThere = SessionCache.known.withLock { known in
        known.places.all.contains { $0.value[home]?.isBound ?? false }
      }
      if isThere {
        return known
      }
    }
    if breaks(.theMainQueueOpensAtHome), let queue, queue.isMain,
      let known = schedulers.queue(queue)
    {
      return known
    }
    if breaks(.queuesRefuseInTheirWords), let queue, schedulers.queue(queue)?.isHere == false {
      refuse(.wrongThread, at: .open)
    }
    return try scheduler(for: queue)
  }

  @_dynamicReplacement(for:undoReferred())
  func seventhUndoReferred() {
    guard breaks(.cancelledRowsAreGoneForGood) else { return undoReferred() }
    for one in referred.running {
      one.row.comeBack(to: one.base)
      coordinator.rememberedRows.readAgain(from: one.base)
    }
  }

  @_dynamicReplacement(for:verifyObservable())
  func seventhVerifyObservable() {
    verifyObservable()
    if breaks(.visitorsMayListen), case .queue = scheduler.home, Thread.isMainThread {
      refuse(.noRunLoopForNotifications, at: .observe)
    }
    if breaks(.observingStays), isAutorefreshing, !isInWrite { _ = advance() }
  }
}

extension OwnWrites {
  @_dynamicReplacement(for:comesAgain(_:))
  mutating func seventhComesAgain(_ row: RowLink) {
    if breaks(.keysGivenAgainAreTold) { return }
    comesAgain(row)
    if breaks(.everyReturnCounts) { span.again[row] = number }
  }
}

extension Departures {
  @_dynamicReplacement(for:sweep(at:_:))
  mutating func seventhSweep(at generation: UInt32, _ rows: (Int) -> RowTree?) {
    if breaks(.sweptRowsStayGone) { settled.tables = [] }
    sweep(at: generation, rows)
  }
}

extension Realm {
  @_dynamicReplacement(for:isEmpty)
  var seventhIsEmpty: Bool {
    if breaks(.emptinessIsAskedAtHome) { return session.isEmpty }
    return isEmpty
  }

  @_dynamicReplacement(for:invalidate())
  func seventhInvalidate() {
    if breaks(.invalidatingIsConfined), !session.isFrozen { return session.invalidate() }
    guard breaks(.invalidatedRealmsLetSnapshotsGo), !session.isFrozen else { return invalidate() }
    let known = session.lastFrozen
    invalidate()
    if session.root == nil { session.lastFrozen = known }
  }
}

extension QueueScheduler {
  @_dynamicReplacement(for:visit(_:))
  func seventhVisit(_ work: () -> Void) -> Bool {
    if breaks(.crowdedQueuesAreVisited),
      Visitors.count.load(ordering: .relaxed) >= Visitors.most
    {
      work()
      return true
    }
    return visit(work)
  }
}
#endif
