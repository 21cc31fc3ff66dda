/// A version and where it begins: all that a reader needs, by value.
struct Root: Hashable, Sendable {
  let version: VersionID

  /// The top node; none in a file that nobody has written to yet.
  let top: NodeRef

  /// The record of what the commit changed, see ChangeLog.
  let log: NodeRef

  /// The end of the heap at this version.
  let end: UInt64

  /// When it was committed: nanoseconds since 1970.
  let when: UInt64

  /// Which of the two slots names it.
  let slot: Int

  /// How it was made durable.
  let commitProtocol: CommitProtocol

  /// What is known of a version of which nothing is known.
  static func nowhere(_ version: VersionID) -> Root {
    Root(
      version: version, top: .none, log: .none, end: 0, when: 0, slot: 0, commitProtocol: .twoPhase)
  }

  /// A node has 40 bits for the version that wrote it.
  static let mostVersions: UInt64 = 1 << 40

  /// Whether it is a sealed commit's whose nodes are not in the file yet: only the session that
  /// sealed it may read it, and only until the group is placed.
  var isWaiting: Bool { log.isWaiting }

  /// Whether it is the same version; one that was lost may have had the same number.
  func isSame(as other: Root?) -> Bool {
    guard let other else { return false }
    return version == other.version && top == other.top
  }

  /// The same version, as it was made durable in the end.
  func committed(by commitProtocol: CommitProtocol, slot: Int, end: UInt64) -> Root {
    Root(
      version: version, top: top, log: log, end: end, when: when, slot: slot,
      commitProtocol: commitProtocol)
  }
}
