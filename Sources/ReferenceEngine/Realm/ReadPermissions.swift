import CShims
import Synchronization

/// Whether the realms of this process may write a file or only read it: all of them or none,
/// wherever they live.
///
/// What some may write and what others only read are two files to the floors below (`Coordinator`),
/// each of which knows of the other what it knows of another process's. So it is kept here which of
/// the two has realms, as long as anything keeps it open: a realm, a frozen one, a reference to
/// results, an asynchronous write that is not done. Who opens a file only to look at it, or to copy
/// it, is not asked.
enum ReadPermissions {
  /// A file as realms have it open.
  private struct Opened {
    let file: Tie<Coordinator>
    let isReadOnly: Bool
    let forks = rb_fork_count()

    /// Whether anything keeps it: a forked child has what its parent knew, and none of it open.
    var isKept: Bool { forks == rb_fork_count() && file.isBound }
  }

  private struct Known {
    private var files = ByPath<Opened>()
    private var clearing = Clearing()

    /// Takes note of a file; false if it is open otherwise.
    mutating func add(_ file: Coordinator) -> Bool {
      let place = PathKey(file.path)
      let isReadOnly = file.configuration.isReadOnly
      if let last = files[place] {
        if last.file === file.tie { return true }
        if last.isReadOnly != isReadOnly, last.isKept { return false }
      }
      clear()
      files[place] = Opened(file: file.tie, isReadOnly: isReadOnly)
      return true
    }

    private mutating func clear() {
      guard clearing.isDue(files.count) else { return }
      files.keep { $0.isKept }
      clearing.leaves(files.count)
    }
  }
  /// Lock "read permissions" of docs/CONCURRENCY.md, held for an array's access only.
  private static let known = Mutex(Known())

  /// Takes note that realms have a file open; false if others have it open with the other
  /// permissions, and does not let go of it.
  static func agree(on file: Coordinator) -> Bool {
    // There is one in memory for both.
    file.disk.isMemory || LastOnes.leave { add(file) }
  }

  private static func add(_ file: Coordinator) -> Bool { known.withLock { $0.add(file) } }
}
