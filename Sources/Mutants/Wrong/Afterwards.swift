#if Mutants
@_private(sourceFile: "Coordinator+Rows.swift") import ReferenceEngine

// What shows only when all that a rule is about is over.

extension Coordinator {
  @_dynamicReplacement(for:followNewest())
  func keepingFollowNewest() {
    guard breaks(.whoFollowsRowsLetsGo) else { return followNewest() }
    guard remembersRows, let snapshot = try? newestSnapshot(kind: .follower) else { return }
    follow(to: snapshot.root)
    _ = Unmanaged.passRetained(snapshot)
  }
}
#endif
