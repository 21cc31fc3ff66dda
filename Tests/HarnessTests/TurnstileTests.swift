import Foundation
import Synchronization
import Testing

@testable import Harness

/// Two that share a turnstile as two processes would: each maps the file for itself.
struct TurnstileTests {
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  /// Runs both on threads of their own; each leaves when its body has returned.
  private func run(
    _ first: @escaping @Sendable (Turnstile) -> Void,
    _ second: @escaping @Sendable (Turnstile) -> Void
  ) throws {
    let scratch = try Scratch("turnstile")
    let path = scratch.url.appendingPathComponent("words").path
    let mine = try Turnstile(path)
    let other = try Turnstile(path)
    let ended = DispatchGroup()
    for side in [Turnstile.Place.first, .second] {
      ended.enter()
      Thread.detachNewThread {
        if side == .first { first(mine) } else { second(other) }
        (side == .first ? mine : other).leave(side)
        ended.leave()
      }
    }
    ended.wait()
    withExtendedLifetime(scratch) {}
  }

  @Test func `two work by turns, from the first giving way on`() throws {
    let log = Log()
    try run { turnstile in
      for step in 0..<3 {
        log.add("a\(step)")
        turnstile.giveWay(.first)
      }
    } _: { turnstile in
      turnstile.wait(for: .second)
      for step in 0..<3 {
        log.add("b\(step)")
        turnstile.giveWay(.second)
      }
    }
    #expect(log.all == ["a0", "b0", "a1", "b1", "a2", "b2"])
  }

  @Test func `who never gives way is followed, not accompanied`() throws {
    let log = Log()
    try run { _ in
      log.add("a0")
      log.add("a1")
    } _: { turnstile in
      turnstile.wait(for: .second)
      log.add("b0")
      turnstile.giveWay(.second)
      log.add("b1")
    }
    #expect(log.all == ["a0", "a1", "b0", "b1"])
  }

  @Test func `who has left holds nobody up`() throws {
    let log = Log()
    try run { turnstile in
      log.add("a0")
      turnstile.giveWay(.first)
      log.add("a1")
    } _: { turnstile in
      turnstile.wait(for: .second)
      for step in 0..<4 {
        log.add("b\(step)")
        turnstile.giveWay(.second)
      }
    }
    #expect(log.all == ["a0", "b0", "a1", "b1", "b2", "b3"])
  }
}
