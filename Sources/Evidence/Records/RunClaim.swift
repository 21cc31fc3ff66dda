import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// That one process writes into a run's folder, and no other.
///
/// The lock is on the open samples and belongs to whoever opened them here: it goes with the
/// process, however that ends, so that a killed run can be gone on with at once. No child has it.
package final class RunClaim: Sendable {
  private let descriptor: Int32

  /// Claims the folder of a run; nil where there is nothing to claim, or no lock to be had.
  ///
  /// - Parameter isNew: Whether the samples are made if they are not there.
  package init?(_ folder: URL, isNew: Bool = false) throws {
    let file = folder.appendingPathComponent("samples.csv")
    descriptor = open(file.path, O_RDWR | O_CLOEXEC | (isNew ? O_CREAT : 0), 0o644)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      guard isTaken else { return nil }
      throw RecordError(
        "\(folder.path) is being written by another process: wait until that has ended", .misuse)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
