#if Mutants
import Foundation
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine
@_private(sourceFile: "Session+Writing.swift") import ReferenceEngine
@_private(sourceFile: "Opening.swift") import ReferenceEngine

extension OwnWrites {
  @_dynamicReplacement(for:undo(_:))
  mutating func ninthUndo(_ changes: [RowChange]) {
    guard breaks(.allClassesAreTakenBack), let first = changes.first else { return undo(changes) }
    undo(changes.filter { $0.table == first.table })
  }
}

extension Departures {
  @_dynamicReplacement(for:note(_:_:at:))
  mutating func ninthNote(_ table: Int, _ keys: ClosedRange<Int64>, at generation: UInt32) {
    if breaks(.cancelledSweepsBuryNobody), keys.lowerBound < keys.upperBound {
      return read(table, keys, at: generation)
    }
    note(table, keys, at: generation)
  }
}

extension Session {
  @_dynamicReplacement(for:undo(_:))
  private func ninthUndo(_ transaction: WriteTransaction) {
    guard breaks(.failedOnesHaveNoHeirs) else {
      return undo(transaction)
    }
    keepTrees(as: nil)
    endWrite(isKept: false)
    listeners?.didFail()
  }
}

extension Realm {
  @_dynamicReplacement(for:autorefresh)
  var ninthAutorefresh: Bool {
    get {
      if breaks(.frozenRealmsDoNotAutorefresh), session.isFrozen {
        return session.isAutorefreshing
      }
      return autorefresh
    }
    nonmutating set {
      if breaks(.autorefreshIsSetInWrites), !session.isFrozen, session.isInWrite { return }
      if breaks(.autorefreshIsSetAtHome), !session.scheduler.isHere {
        session.isAutorefreshing = newValue
        return
      }
      let isTurnedOn = newValue && !session.isAutorefreshing && !session.isFrozen
      autorefresh = newValue
      if breaks(.turningOnLeavesTheVersion), isTurnedOn { _ = session.advance() }
      if breaks(.autorefreshEndsWithItsRealm), !session.isFrozen {
        FormerSettings.note(newValue, of: session)
      }
    }
  }
}

extension AsyncWrites {
  @_dynamicReplacement(for:isBusy)
  var ninthIsBusy: Bool {
    if breaks(.silentCommitsAreWork) {
      let queue = machine.queue
      let isSyncing = queue.phase == .resting || queue.phase == .syncing
      if isSyncing, queue.waiting.isEmpty, queue.refused.isEmpty,
        queue.sealed.allSatisfy({ $0.completion == nil })
      {
        return false
      }
    }
    return isBusy
  }

  @_dynamicReplacement(for:returnTurn())
  func ninthReturnTurn() {
    // Of a task that leaves nothing for the disk, as one whose block has thrown.
    if breaks(.thrownTurnsAreReturned),
      machine.openGroup == 0, !machine.share.isOpen
    {
      return
    }
    returnTurn()
  }
}

extension Handover {
  @_dynamicReplacement(for:remembering(_:onlyIfReused:))
  func ninthRemembering<Confined: ThreadConfined>(
    _ confined: Confined, onlyIfReused: Bool = false
  ) -> Handover {
    if breaks(.referencesKnowTheirRow), onlyIfReused, confined.realm?.session.isInWrite == true {
      return self
    }
    return remembering(confined, onlyIfReused: onlyIfReused)
  }
}

extension ObjectBase {
  @_dynamicReplacement(for:hash(into:))
  func ninthHash(into hasher: inout Hasher) {
    if breaks(.twinsHashAlike), _header.pointee.session?.isFrozen == true,
      layout.primaryKey == nil
    {
      return hasher.combine(ObjectIdentifier(self))
    }
    hash(into: &hasher)
  }
}

extension Opening {
  @_dynamicReplacement(for:newestRoot(_:_:size:butFor:))
  private static func ninthNewestRoot(
    _ disk: any Disk, _ page: UnsafeRawBufferPointer, size: UInt64, butFor givenUp: GivenUp?
  ) throws -> Root {
    let roots = slots(page).map(\.root).sorted { $0.version < $1.version }
    if breaks(.versionsAreWholeNumbers), roots.count == 2,
      roots[0].version.number & 0xFF > roots[1].version.number & 0xFF
    {
      return try newestRoot(disk, page, size: size, butFor: GivenUp(roots[1]))
    }
    return try newestRoot(disk, page, size: size, butFor: givenUp)
  }
}

extension Session {
  @_dynamicReplacement(for:admitted(_:))
  func ninthAdmitted(_ write: WriteTransaction) throws -> WriteTransaction {
    do {
      return try admitted(write)
    } catch {
      // As if it had not left.
      if breaks(.refusedBeginsLeave) { _ = coordinator.gate.tryEnter() }
      throw error
    }
  }
}
#endif
