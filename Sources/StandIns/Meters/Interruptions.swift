import ReferenceEngine
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A system that is interrupted all the time, and reads and writes less than it was asked to: all
/// of it is allowed.
package final class Interruptions: Sendable {
  private let count = Atomic(0)

  package init() {}

  /// How many calls there were.
  package var calls: Int { count.load(ordering: .relaxed) }

  /// Every second call is interrupted; the others do about a third.
  package var fileCalls: FileCalls {
    FileCalls(
      read: { [self] descriptor, bytes, count, offset in
        isInterrupted ? -1 : FileCalls.system.read(descriptor, bytes, (count + 2) / 3, offset)
      },
      write: { [self] descriptor, bytes, count, offset in
        isInterrupted ? -1 : FileCalls.system.write(descriptor, bytes, (count + 2) / 3, offset)
      },
      flush: { [self] in isInterrupted ? -1 : FileCalls.system.flush($0) },
      resize: { [self] in isInterrupted ? -1 : FileCalls.system.resize($0, $1) })
  }

  private var isInterrupted: Bool {
    guard count.add(1, ordering: .relaxed).oldValue % 2 == 0 else { return false }
    errno = EINTR
    return true
  }
}
