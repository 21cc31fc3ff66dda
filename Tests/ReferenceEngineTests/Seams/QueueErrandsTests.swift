import Dispatch
import Synchronization
import Testing

@testable import ReferenceEngine

@Suite struct `Errands of a queue` {
  private final class Notes: Sendable {
    let numbers = Mutex<[Int]>([])
    let ended = DispatchSemaphore(value: 0)
  }

  @Test func `are done in order, also by a thread that got up for them`() {
    let errands = QueueErrands("test")
    let notes = Notes()
    for number in 0..<300 {
      if number % 3 == 0 { errands.prepare() }
      errands.run {
        notes.numbers.withLock { $0.append(number) }
        notes.ended.signal()
      }
      if number % 2 == 0 { notes.ended.wait() }
    }
    for _ in 0..<150 { notes.ended.wait() }
    #expect(notes.numbers.withLock { $0 } == Array(0..<300))
  }

  @Test func `are not held up by a thread that got up for nothing`() {
    let errands = QueueErrands("test")
    let notes = Notes()
    for _ in 0..<50 { errands.prepare() }
    errands.run { notes.ended.signal() }
    #expect(notes.ended.wait(timeout: .now() + .seconds(60)) == .success)
  }
}
