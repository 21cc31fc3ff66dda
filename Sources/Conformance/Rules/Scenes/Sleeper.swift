import Foundation
import Harness

/// A thread, as the kernel tells of it, which may wait for somebody. Whoever is only held up by
/// others on a busy machine does not sleep: it wants a processor.
struct Sleeper {
  /// Where it is told; nil where the system has no such place.
  private let place: String?

  /// The calling thread.
  init() {
    place = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"))
      .map { "/proc/\($0)/stat" }
  }

  /// The first thread of a process.
  init(process: pid_t) { place = "/proc/\(process)/stat" }

  /// Whether it sleeps; nil if it has ended, or nobody can tell.
  var sleeps: Bool? {
    guard let place, let text = KernelFile.text(place), let name = text.lastIndex(of: ")") else {
      return nil
    }
    return text[name...].dropFirst(2).first == "S"
  }

  /// Returns when it has slept for a while, or has ended.
  func awaitSleep() {
    var looks = 0
    // One that spins in place of sleeping is not waited for to the end.
    for _ in 0..<2000 where looks < 30 {
      guard let sleeps else { return }
      looks = sleeps ? looks + 1 : 0
      // The system tells nobody that a thread falls asleep: it is looked at again and again.
      usleep(2000)
    }
  }
}
