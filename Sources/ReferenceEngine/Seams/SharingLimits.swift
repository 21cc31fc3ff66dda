/// How far the synchronous commits of several threads go together to the disk.
///
/// Times, because nobody's commit shall wait long for others; a test that says who comes when takes
/// longer ones, so that nothing in it hangs on a busy machine.
package struct SharingLimits: Sendable {
  /// So many commits are shared at most: who opens the file looks at all that stands for a flush.
  package var commits = 16
  /// So many bytes they write.
  package var bytes = 1 << 18
  /// So many nanoseconds they are gathered: others wait for the gate meanwhile.
  package var gathering: UInt64 = 1_000_000
  /// For how many nanoseconds the threads that shared the last flush are waited for.
  package var company: UInt64 = 100_000
  /// After so many milliseconds who waits for a flush makes it.
  package var patience: Int64 = 1

  package init() {}
}
