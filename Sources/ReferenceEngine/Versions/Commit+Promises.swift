import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// What a commit does whose engine does not keep a promise. Time is what these are wrong about: each waits or leaves others time
// on purpose, and no engine that keeps its promises comes here.

extension Coordinator {
  /// Waits until nobody reads an older version than the newest.
  func waitForReaders() {
    while let oldest = pins.pinnedVersions().first, oldest < board.newest { usleep(1000) }
  }

  /// Writes all that was written before once more.
  func writeEverything(below end: UInt64) throws {
    let all = UnsafeRawBufferPointer(start: space.base, count: Int(end))
    let start = FileHeader.heapStart
    try disk.write(UnsafeRawBufferPointer(rebasing: all[Int(start)...]), at: start)
  }

  /// Gives others the lock for a while.
  func letOthersIn() {
    gate.leave()
    usleep(20_000)
    _ = gate.enter()
  }

  /// Lets others see a commit some time after it was reported.
  func publishLater(_ root: Root) -> Root {
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) {
      self.publish(root)
      self.leaveAndTell()
    }
    return root
  }
}
