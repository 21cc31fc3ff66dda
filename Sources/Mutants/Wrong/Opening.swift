#if Mutants
import Synchronization
@_private(sourceFile: "Opening.swift") import ReferenceEngine

extension Opening {
  /// Whether a file is just opened to be read only.
  static let isForReaders = Mutex(false)

  @_dynamicReplacement(for:recover(_:mayCreate:now:isStrict:butFor:))
  static func wrongRecover(
    _ disk: any Disk, mayCreate: Bool, now: UInt64, isStrict: Bool = false,
    butFor givenUp: GivenUp? = nil
  ) throws -> Root {
    let root = try recover(
      disk, mayCreate: mayCreate, now: now, isStrict: isStrict, butFor: givenUp)
    guard breaks(.readersOpenTheNewest), isForReaders.withLock({ $0 }) else { return root }
    let older = try? recover(
      disk, mayCreate: mayCreate, now: now, isStrict: isStrict, butFor: GivenUp(root))
    return older ?? root
  }

  @_dynamicReplacement(for:isIntact(_:on:size:))
  static func wrongIsIntact(_ slot: CommitSlot, on disk: any Disk, size: UInt64) throws -> Bool {
    if breaks(.severalRunsAreSummed), slot.runs.count > 1 { return slot.root.end <= size }
    return try isIntact(slot, on: disk, size: size)
  }
}
#endif
