/// The number of a commit: every file starts with version 1, and a later commit has a higher one.
/// Numbers are left out: that of a commit that failed, or of a write that was cancelled behind a
/// sealed one, is not used again by the process that gave it. Another process, which never heard of
/// it, may give it to a commit of its own: where a lost version may still be read, versions are
/// told apart by number and top (`Root.isSame`).
///
/// It lies on the lowest floor because everything speaks of versions: a node knows which one wrote
/// it, a pin which one it keeps, a ruling which one may be reused.
package struct VersionID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }

  package var next: VersionID { VersionID(number + 1) }
  package var description: String { String(number) }

  package static func < (left: VersionID, right: VersionID) -> Bool { left.number < right.number }
}
