#if Mutants
@_private(sourceFile: "Deletions.swift") import ReferenceEngine

extension Deletions {
  @_dynamicReplacement(for:each(_:))
  private func wrongEach(
    _ body: (_ table: UInt32, _ keys: ClosedRange<Int64>, _ version: VersionID) -> Void
  ) {
    guard breaks(.recordsLeaveTheirDeletions) else { return each(body) }
    for log in logs.reversed() where log.knowsDeletions {
      for change in log.changes where change.deletes {
        body(change.table, change.keys, log.version)
      }
    }
  }
}
#endif
