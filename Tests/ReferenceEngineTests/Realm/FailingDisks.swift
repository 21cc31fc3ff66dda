import StandIns
import Synchronization

@testable import ReferenceEngine

/// All disks that this process opens from `install` on; they fail when a test says so.
final class FailingDisks: Sendable {
  private let disks = Mutex<[FailingDisk]>([])

  /// To be called before a file is opened, which is when its disk is made.
  func install() {
    let honest = Seams.given.disk
    Seams.given.disk = { [self] path, writable, create in
      let disk = FailingDisk(try honest(path, writable, create))
      disks.withLock { $0.append(disk) }
      return disk
    }
  }

  var all: [FailingDisk] { disks.withLock { $0 } }

  /// Each of them fails at its k-th call from now on.
  func fail(at call: Int, _ failure: FailingDisk.Failure, sticky: Bool) {
    for disk in all { disk.fail(at: call, failure, sticky: sticky) }
  }

  func heal() { for disk in all { disk.heal() } }
}
