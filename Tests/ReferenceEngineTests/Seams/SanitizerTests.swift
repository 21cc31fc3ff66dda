import Foundation
import Testing

/// Whether ThreadSanitizer watches this process: `make tsan`.
private let isWatched = dlsym(nil, "__tsan_init") != nil

/// Two threads count without a lock.
@inline(never)
private func plantedRace() -> Int {
  final class Count: @unchecked Sendable {
    // A race on purpose.
    var value = 0
  }
  let count = Count()
  DispatchQueue.concurrentPerform(iterations: 2) { _ in
    for _ in 0..<100_000 { count.value += 1 }
  }
  return count.value
}

@Suite struct SanitizerTests {
  /// Else a run without a report would show nothing.
  @Test(.enabled(if: isWatched)) func `ThreadSanitizer sees a race that was planted`() async {
    await #expect(processExitsWith: .exitCode(66)) { _ = plantedRace() }
  }
}
