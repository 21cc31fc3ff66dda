/// What tells a commit that was given up from all others: another one may have its number.
struct GivenUp: Hashable, Sendable {
  let version: VersionID
  /// Where it begins.
  let top: UInt64
  /// When it was sealed: nanoseconds since 1970.
  let when: UInt64
}
