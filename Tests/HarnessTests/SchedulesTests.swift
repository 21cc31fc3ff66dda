import Testing

@testable import Harness

/// A counter that is read and written in two steps, as a race would.
private final class Counter: @unchecked Sendable {
  // Only the thread with the turn touches it.
  var value = 0
  var isLocked = false
}

@Suite struct `Explored schedules` {
  private static func increments(_ turns: Turns, locked: Bool) -> Schedules.Program {
    let counter = Counter()
    let part: () -> Void = {
      if locked {
        turns.wait(for: "lock") { !counter.isLocked }
        counter.isLocked = true
      }
      let read = counter.value
      turns.point("between")
      counter.value = read + 1
      if locked { counter.isLocked = false }
    }
    return .init([.init("one", part), .init("two", part)]) {
      counter.value == 2 ? nil : "two increments made \(counter.value)"
    }
  }

  @Test func `find the lost update, and replay it`() throws {
    let report = Schedules(bound: 1).explore { Self.increments($0, locked: false) }
    let failure = try #require(report.failure)
    #expect(failure.sentence == "two increments made 1")
    for _ in 0..<20 {
      let again = Schedules.replay(failure.schedule) { Self.increments($0, locked: false) }
      #expect(again.failure == failure)
      #expect(again.turns.schedule == failure.schedule)
    }
  }

  @Test func `without a preemption find nothing`() {
    let report = Schedules(bound: 0).explore { Self.increments($0, locked: false) }
    #expect(report.failure == nil)
    #expect(report.isExhaustive)
    #expect(report.schedules == 2)
  }

  @Test func `run every one within the bound, once`() {
    // Two threads with n points each: the interleavings with at most k preemptions can be counted
    // by hand.
    var seen: Set<String> = []
    let report = Schedules(bound: 8).explore { turns in
      let part: () -> Void = {
        turns.point("a")
        turns.point("b")
      }
      return .init([.init("one", part), .init("two", part)]) {
        seen.insert(turns.schedule)
        return nil
      }
    }
    #expect(report.isExhaustive)
    #expect(report.schedules == 20, "6 over 3 orders of three steps each")
    #expect(seen.count == 20)
  }

  @Test func `hold for a lock that the director sees`() {
    let report = Schedules(bound: 3).explore { Self.increments($0, locked: true) }
    #expect(report.failure == nil)
    #expect(report.isExhaustive)
  }

  @Test func `see a deadlock and say who waits`() throws {
    let report = Schedules(bound: 2).explore { turns in
      let (left, right) = (Counter(), Counter())
      func take(_ one: Counter, _ other: Counter) -> () -> Void {
        {
          turns.wait(for: "first") { !one.isLocked }
          one.isLocked = true
          turns.wait(for: "second") { !other.isLocked }
          (one.isLocked, other.isLocked) = (false, false)
        }
      }
      return .init([.init("one", take(left, right)), .init("two", take(right, left))]) { nil }
    }
    #expect(report.failure?.sentence == "deadlock: one waits at second, two waits at second")
  }

  @Test func `drawn at random find a race of depth two`() {
    let report = Schedules().sample(seed: 1, runs: 200) { Self.increments($0, locked: false) }
    #expect(report.failure?.sentence == "two increments made 1")
  }

  @Test func `are shrunk to fewer switches`() throws {
    // Drawn at random, the race is found among switches that have nothing to do with it.
    func racing(_ turns: Turns) -> Schedules.Program {
      let counter = Counter()
      let part: () -> Void = {
        for _ in 0..<4 { turns.point("idle") }
        let read = counter.value
        turns.point("between")
        counter.value = read + 1
        for _ in 0..<4 { turns.point("idle") }
      }
      return .init([.init("one", part), .init("two", part)]) {
        counter.value == 2 ? nil : "two increments made \(counter.value)"
      }
    }
    let found = try #require(
      Schedules().sample(seed: 3, runs: 500, depth: 8, racing).failure)
    let small = Schedules.shrink(found, racing)
    #expect(small.switches <= 3 && small.switches <= found.switches)
    #expect(Schedules.replay(small.schedule, racing).failure == small)
  }

  @Test func `include threads that are set off on the way, and what is delivered`() {
    var orders: Set<String> = []
    let report = Schedules(bound: 3).explore { turns in
      var order = ""
      return .init([
        .init("home") {
          turns.attend { order.count == 2 }
        },
        .init("worker") {
          for letter in ["x", "y"] {
            turns.start(.init(letter) { turns.post(to: 0) { order += letter } })
          }
        },
      ]) {
        orders.insert(order)
        return order.count == 2 ? nil : "lost: \(order)"
      }
    }
    #expect(report.failure == nil && report.isExhaustive)
    #expect(orders == ["xy", "yx"])
  }

  /// Three threads that work by themselves between two looks at what they share.
  private static func partlyPrivate(
    _ turns: Turns, isLocked: Bool, _ outcome: @escaping ([String]) -> String?
  ) -> Schedules.Program {
    let (counter, order) = (Counter(), Order())
    let part: (String) -> () -> Void = { name in
      {
        var own = 0
        for _ in 0..<2 {
          turns.point("alone", isPrivate: true)
          own += 1
        }
        if isLocked {
          turns.wait(for: "lock") { !counter.isLocked }
          counter.isLocked = true
        }
        let read = counter.value
        turns.point("aside", isPrivate: true)
        own += 1
        turns.point("between")
        counter.value = read + own
        order.names.append(name)
        counter.isLocked = false
      }
    }
    return .init(["a", "b", "c"].map { .init($0, part($0)) }) {
      outcome(order.names + ["\(counter.value)"])
    }
  }

  private final class Order { var names: [String] = [] }

  @Test(arguments: [0, 1, 2, 3], [false, true])
  func `that are left out would have come to an outcome that others come to`(
    bound: Int, isLocked: Bool
  ) {
    func outcomes(reducing: Bool) -> (Set<[String]>, Int) {
      var outcomes: Set<[String]> = []
      let report = Schedules(bound: bound, reducing: reducing).explore { turns in
        Self.partlyPrivate(turns, isLocked: isLocked) {
          outcomes.insert($0)
          return nil
        }
      }
      #expect(report.isExhaustive)
      return (outcomes, report.schedules)
    }
    let (all, count) = outcomes(reducing: false)
    let (reduced, fewer) = outcomes(reducing: true)
    #expect(reduced == all)
    #expect(bound == 0 ? fewer == count : fewer < count, "\(fewer) of \(count)")
    #expect(all.count >= 6)
  }

  @Test func `still find a race when some are left out`() throws {
    func racing(_ turns: Turns) -> Schedules.Program {
      Self.partlyPrivate(turns, isLocked: false) { $0.last == "9" ? nil : "made \($0)" }
    }
    let failure = try #require(Schedules(bound: 1).explore(racing).failure)
    #expect(Schedules.replay(failure.schedule, racing).failure == failure)
    #expect(Schedules(bound: 0).explore(racing).failure == nil)
  }

  @Test func `know a circle when they run in one`() {
    let report = Schedules(bound: 0).explore { turns in
      .init([.init("runner") { while true { turns.point("again") } }]) { nil }
    }
    #expect(report.failure?.sentence == "it did not end within \(Turns.stepLimit) steps")
  }
}
