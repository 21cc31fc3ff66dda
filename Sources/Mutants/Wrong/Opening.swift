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
}
#endif
