import Foundation
import Testing

/// Whether ThreadSanitizer watches this process: `make tsan`.
private let isWatched = dlsym(nil, "__tsan_init") != nil

/// Two threads count without a lock. Whether they do so at the same time is all the same: nothing
/// says who comes first.
@inline(never)
private func plantedRace() -> Int {
  final class Count: @unchecked Sendable {
    // A race on purpose.
    var value = 0
  }
  let count = Count()
  let ended = DispatchSemaphore(value: 0)
  for _ in 0..<2 {
    Thread {
      for _ in 0..<1000 { count.value += 1 }
      ended.signal()
    }.start()
  }
  for _ in 0..<2 { ended.wait() }
  return count.value
}

@Suite struct SanitizerTests {
  /// Else a run without a report would show nothing.
  @Test(.enabled(if: isWatched)) func `ThreadSanitizer sees a race that was planted`() async {
    await #expect(processExitsWith: .exitCode(66)) { _ = plantedRace() }
  }
}
