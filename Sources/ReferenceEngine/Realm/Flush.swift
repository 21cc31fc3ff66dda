import Dispatch

/// Sealed commits on their way to the disk.
final class Flush: @unchecked Sendable {
  // Sendable because what varies is written before the signal and read after it.
  let count: Int
  private(set) var error: (any Error)?
  private var hasEnded = false
  private let ended = DispatchSemaphore(value: 0)

  private let moments: any Moments

  init(of count: Int, _ moments: any Moments) { (self.count, self.moments) = (count, moments) }

  /// The commits are lost already: their end is only to be told.
  func fail(_ error: any Error) { self.error = error }

  func run(at coordinator: Coordinator) {
    if error == nil {
      do { _ = try coordinator.commitGroup() } catch { self.error = error }
    }
    end(error)
  }

  /// The commits are on the disk, or lost.
  func end(_ error: (any Error)?) {
    invariant(!hasEnded, "\(count) commits go to the disk twice")
    // Nobody need have asked to be told.
    if let error { Logger.tell(.error, "Commit failed: \(Realm.Error(error).message)") }
    self.error = error
    hasEnded = true
    ended.signal()
  }

  /// Waits for the end; may be called again.
  func wait() {
    moments.wait(at: .flushAwaited) { self.hasEnded }
    ended.wait()
    ended.signal()
  }
}
