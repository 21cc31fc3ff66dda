import CShims
import Foundation

/// A place where processes wait for each other, again and again: a word in a file that all of them
/// map.
struct Meeting: @unchecked Sendable {
  // Sendable because it only names memory that is shared by purpose.
  private let word: UnsafeMutablePointer<UInt32>
  private let parties: UInt32

  init(_ path: String, parties: Int) {
    self.parties = UInt32(parties)
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    precondition(file >= 0 && ftruncate(file, 4096) == 0)
    let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    close(file)
    guard let memory, memory != MAP_FAILED else { preconditionFailure("no memory to meet in") }
    word = memory.assumingMemoryBound(to: UInt32.self)
  }

  /// Waits until all have come as often as the caller.
  func meet() {
    let place = rb_add32(word, 1)
    let complete = (place / parties + 1) * parties
    if place + 1 == complete { return rb_futex_wake(word, Int32.max) }
    let start = ContinuousClock.now
    while true {
      let now = rb_load32(word)
      if now >= complete { return }
      _ = rb_futex_wait(word, now, 1000)
      // Somebody has died. The others must not wait for ever, and what they do next says so.
      if ContinuousClock.now - start > .seconds(120) { exit(99) }
    }
  }

  /// Whether some have come and wait for the rest.
  var isAwaited: Bool { rb_load32(word) % parties != 0 }
}
