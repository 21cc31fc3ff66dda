import CShims

/// Which lock file, since when the machine runs: as long as both are the same, all that was stored
/// into the file is in it, and its counts say how much of it was ever used.
///
/// A machine that loses its power leaves pages of different times, and a copy may hold pages of
/// different times, too: they have another start of the machine, or another number.
struct Vouched: Equatable {
  let start: UInt64
  let file: FileStatus.Identity

  /// Of a lock file that is open; nil where the system does not say since when it runs.
  init?(ofLock file: FileStatus.Identity) {
    guard Vouched.start != 0 else { return nil }
    (start, self.file) = (Vouched.start, file)
  }

  /// What a lock file says; nil if it says nothing.
  init?(at words: UnsafeMutablePointer<UInt64>) {
    start = rb_load_acquire(words)
    file = FileStatus.Identity(
      device: rb_load_acquire(words + 1), number: rb_load_acquire(words + 2))
    if start == 0 { return nil }
  }

  /// Says it in a lock file.
  func write(at words: UnsafeMutablePointer<UInt64>) {
    rb_store_release(words + 1, file.device)
    rb_store_release(words + 2, file.number)
    rb_store_release(words, start)
  }

  /// By chance another one each time that the machine starts; 0 if it does not say.
  private static let start = rb_start_of_machine()
}
