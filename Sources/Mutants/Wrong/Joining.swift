#if Mutants
@_private(sourceFile: "Joining.swift") import ReferenceEngine

extension Joining {
  @_dynamicReplacement(for:isFree(_:_:))
  private static func wrongIsFree(_ path: String, _ lock: LockFile) throws -> Bool {
    if breaks(.openFilesAreNotDeleted) { return true }
    return try isFree(path, lock)
  }
}
#endif
