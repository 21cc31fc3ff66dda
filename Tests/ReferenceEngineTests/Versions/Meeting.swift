import CShims
import Foundation

/// A place where processes wait for each other, again and again: a word in a file that all of them
/// map.
struct Meeting: @unchecked Sendable {
  // Sendable because it only names memory that is shared by purpose.
  private let word: UnsafeMutablePointer<UInt32>
  private let parties: UInt32

  /// Somebody has not come.
  struct Deserted: Error {}

  init(_ path: String, parties: Int) {
    self.parties = UInt32(parties)
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    precondition(file >= 0 && ftruncate(file, 4096) == 0)
    let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    close(file)
    guard let memory, memory != MAP_FAILED else { preconditionFailure("no memory to meet in") }
    word = memory.assumingMemoryBound(to: UInt32.self)
  }

  /// Waits until all have come as often as the caller. It blocks the thread, so no task may call it
  /// that shares its thread with others.
  ///
  /// - Parameter limit: after which a party has died. It is no measure of anything: a process may
  ///   take minutes to start where all the tests run at once.
  /// - Parameter isDeserted: whether it is known that nobody else comes.
  /// - Throws: ``Deserted``.
  func meet(limit: Duration = .seconds(900), unless isDeserted: () -> Bool = { false }) throws {
    let place = rb_add32(word, 1)
    let complete = (place / parties + 1) * parties
    if place + 1 == complete { return rb_futex_wake(word, Int32.max) }
    let start = ContinuousClock.now
    while true {
      let now = rb_load32(word)
      if now >= complete { return }
      _ = rb_futex_wait(word, now, 1000)
      // Asked before the word: who came last may have gone already.
      let isOver = isDeserted() || ContinuousClock.now - start > limit
      if isOver, rb_load32(word) < complete { throw Deserted() }
    }
  }

  /// Whether some have come and wait for the rest.
  var isAwaited: Bool { rb_load32(word) % parties != 0 }
}

/// Runs what blocks on a thread of its own. The threads that run tasks are few, and whoever blocks
/// one stops other tests, among them those that it waits for.
func apart<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result { try body() }) }
    thread.stackSize = 1 << 20
    thread.start()
  }
}
