#if Mutants
@_private(sourceFile: "Joining.swift") import ReferenceEngine

extension Joining {
  @_dynamicReplacement(for:isFree(_:_:))
  private static func wrongIsFree(_ path: String, _ lock: LockFile) -> Bool {
    if breaks(.openFilesAreNotDeleted) { return true }
    return isFree(path, lock)
  }
}
#endif
