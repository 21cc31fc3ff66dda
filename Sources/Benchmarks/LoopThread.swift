import CoreFoundation
import Foundation
import Synchronization

/// A thread that runs its run loop and nothing else, as the main thread of an app does.
///
/// Benchmarks of what the main loop feels use one of these instead of the main thread, which
/// belongs to whoever runs the benchmark. It is an executor too, so that an actor can live on it as
/// the main actor does on its thread.
final class LoopThread: SerialExecutor, @unchecked Sendable {
  // Unchecked: the loop is written before `ready` opens and read after; CoreFoundation allows the
  // calls made here from any thread.
  private var loop: CFRunLoop?
  private let isStopped = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  init(_ name: String) {
    let ready = DispatchSemaphore(value: 0)
    let thread = Thread { [self] in
      loop = CFRunLoopGetCurrent()
      // A loop without any source returns at once.
      let keeper = Timer(timeInterval: 3600, repeats: true) { _ in }
      RunLoop.current.add(keeper, forMode: .default)
      ready.signal()
      while !isStopped.load(ordering: .acquiring) {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 1))
      }
      keeper.invalidate()
      ended.signal()
    }
    thread.name = name
    thread.stackSize = 8 << 20
    thread.start()
    ready.wait()
  }

  /// Runs work in one of the next turns of the loop.
  func async(_ work: @escaping @Sendable () -> Void) {
    CFRunLoopPerformBlock(loop, kCFRunLoopDefaultMode, work)
    CFRunLoopWakeUp(loop)
  }

  /// Runs work in one of the next turns and waits for its result.
  func sync<Result>(_ work: @escaping () throws -> Result) throws -> Result {
    let done = DispatchSemaphore(value: 0)
    // Written before the signal, read after it; the caller waits while the loop works.
    nonisolated(unsafe) var outcome: Swift.Result<Result, any Error>?
    nonisolated(unsafe) let work = work
    async {
      outcome = Swift.Result { try work() }
      done.signal()
    }
    done.wait()
    guard let outcome else { throw BenchmarkError("a turn of the loop ended without an outcome") }
    return try outcome.get()
  }

  /// Ends the thread; what was asked of it before is done.
  func stop() {
    async {
      self.isStopped.store(true, ordering: .releasing)
      // A block is no source: the loop would sleep to the end of its second before it looks.
      CFRunLoopStop(self.loop)
    }
    ended.wait()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// What lives on a loop as the main actor lives on its thread.
actor LoopActor {
  private let thread: LoopThread
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ thread: LoopThread) { self.thread = thread }

  func run<Result: Sendable>(
    _ body: @Sendable (isolated LoopActor) async throws -> Result
  ) async throws -> Result {
    try await body(self)
  }
}
