/// What the engine promises, each a decision that it takes in one place or a few.
///
/// The honest rulings keep them all. A stand-in that breaks one is a broken engine in three lines, and the rules that
/// forbid just this fault must catch it. A promise is named by what is so when it is kept.
package enum Promise: UInt8, Sendable, CaseIterable {
  // MARK: Reading

  // MARK: Writing

  /// A commit does not wait until older versions are read no more.
  case commitsWaitForNoReader
  /// A write that its block has ended is not ended again.
  case endedWritesAreLeftAlone
  /// A write that nobody can end any more is cancelled.
  case droppedWritesAreCancelled
  /// The lock of a process that died is taken from it.
  case theDeadHoldNoLock
  /// A commit returns when others can see it.
  case commitsReturnPublished
  /// A commit writes what has changed, not what there is.
  case commitsWriteWhatChanged

  // MARK: Confinement

  /// The home of an asynchronous write is free while the write waits for the lock.
  case beginsWaitElsewhere

  // MARK: Asynchronous writes

  /// Asking for an asynchronous write does not wait for the lock.
  case callsTakeNoLock
  /// The gate is not held for a home that has yet to come for the space that was looked for.
  case gateStaysOpenForBusyHomes
  /// Objects of before the call can be used in the block.
  case blocksSeeTheCallersObjects
  /// A completion is called when its write has ended.
  case completionsComeAfterTheWrite
  /// A failure without a completion to hear of it ends nothing.
  case unheardFailuresPass
  /// Blocks run in the order in which they were queued.
  case blocksRunInOrder
  /// Completions are called in the order of the commits.
  case completionsComeInOrder
  /// A realm performs asynchronous writes as soon as one was asked for.
  case busyFromTheCallOn
  /// A realm performs no asynchronous writes any more when all have ended.
  case idleWhenAllIsDone
  /// A synchronous write is none of the asynchronous ones.
  case plainWritesAreNotAsynchronous
  /// `invalidate` waits for what was committed asynchronously.
  case closingFinishesCommits
  /// `invalidate` drops the blocks that have not begun.
  case closingDropsWhatWaits
  /// `invalidate` waits for the lock that was asked for, and leaves it.
  case closingTakesTheLockBack
  /// `commitAsyncWrite` ends a write, however it was begun.
  case asyncCommitsEndAnyWrite
  /// Blocks queued behind one that cancels run all the same.
  case queueOutlivesCancelledBlocks
  /// Pending asynchronous operations have different ids.
  case idsAreUnique
  /// A block that was cancelled before it began never runs.
  case cancellingDropsTheBlock
  /// A completion that was cancelled in time is not called.
  case cancellingSilencesTheCompletion
  /// Cancelling what has ended, or never was, does nothing.
  case unknownIdsNameNothing
  /// Cancelling the block that runs does nothing.
  case runningBlocksCannotBeCancelled
  /// An asynchronous write may be asked for inside a write.
  case writesMayBeQueuedInWrites
  /// A synchronous commit ends the asynchronous ones before it.
  case plainCommitsFinishEarlierOnes
  /// A synchronous begin waits for what is on its way to the disk.
  case beginsWaitForTheFlush
  /// The lock is kept until an asynchronous commit is on the disk.
  case lockOutlastsTheFlush
  /// Commits of a group share their flushes.
  case groupsShareTheirFlushes
  /// A commit without grouping is on the disk before the next block runs.
  case ungroupedCommitsAreBarriers
  /// Asynchronous writes run whether or not the realm refreshes by itself.
  case asyncWritesNeedNoAutorefresh
  /// Asynchronous work keeps its realm until it has ended.
  case pendingWorkKeepsTheRealm
  /// Asynchronous commits go to the disk on another thread.
  case flushesGoOnElsewhere
  /// Tasks that write asynchronously take turns.
  case tasksTakeTurns

  // MARK: References

  // MARK: Refreshing

  // MARK: Freezing

  /// A snapshot keeps its version.
  case snapshotsArePinned

  // MARK: The file

  /// Opening a file does not read its data.
  case opensWithoutReadingAll
  /// Space that a crash lost is used again.
  case lostSpaceIsFound
  /// Who opens a file joins those who have it open.
  case openersAgree
  /// A file is compacted only while nobody has it open.
  case compactionWaitsForItsTurn

  // MARK: Notifications

  /// A listener's call may begin a write.
  case listenersMayWrite
  /// Nobody is told when another process opens the file.
  case openingIsNoNews

  // MARK: Actors

  // MARK: Life

  /// A copy of the file overwrites no other file.
  case copiesOverwriteNothing
}

/// Whether a promise is kept: always, but in an engine that was broken on purpose.
///
/// It tests one bit of a word that never changes. The reads of properties and the steps of loops do not ask even that.
@inline(__always)
func keeps(_ promise: Promise) -> Bool { _fastPath(!Promise.broken.contains(promise)) }

extension Promise {
  /// The promises that the rulings in force do not keep.
  // Unsafe without a lock because it is written with `Seams.current` only: before any realm opens.
  fileprivate(set) nonisolated(unsafe) static var broken = Promises()

  /// Asks the rulings once, so that nobody has to ask them again.
  static func ask(_ rulings: any Rulings) {
    broken = Promises()
    for promise in allCases where !rulings.keeps(promise) { broken.insert(promise) }
  }
}

/// A set of promises.
struct Promises: Sendable {
  private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)

  @inline(__always)
  func contains(_ promise: Promise) -> Bool {
    let bit: UInt64 = 1 << UInt64(promise.rawValue & 63)
    return switch promise.rawValue >> 6 {
    case 0: words.0 & bit != 0
    case 1: words.1 & bit != 0
    default: words.2 & bit != 0
    }
  }

  mutating func insert(_ promise: Promise) {
    let bit: UInt64 = 1 << UInt64(promise.rawValue & 63)
    switch promise.rawValue >> 6 {
    case 0: words.0 |= bit
    case 1: words.1 |= bit
    default: words.2 |= bit
    }
  }
}
