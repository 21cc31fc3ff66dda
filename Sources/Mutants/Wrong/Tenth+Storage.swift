#if Mutants
@_private(sourceFile: "FreeSpace.swift") import ReferenceEngine

// The tenth set: space.

extension FreeSpace {
  @_dynamicReplacement(for:newest(of:from:before:))
  static func tenthNewest(
    of versions: [VersionID], from: VersionID, before: VersionID
  ) -> VersionID? {
    let right = newest(of: versions, from: from, before: before)
    return breaks(.birthVersionsCount) && right == from ? nil : right
  }
}
#endif
