import Foundation

/// A thread that can be waited for until nothing of it is left, of what it had for itself neither.
final class JoinedThread: @unchecked Sendable {
  // Sendable because what varies is written before anybody else has it.
  private var thread = pthread_t()

  init(_ work: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Work(work)).toOpaque()
    pthread_create(
      &thread, nil,
      { box in
        Unmanaged<Work>.fromOpaque(box!).takeRetainedValue().run()
        return nil
      }, box)
  }

  func join() { pthread_join(thread, nil) }

  private final class Work {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
