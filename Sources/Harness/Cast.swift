import Foundation
import Synchronization

/// The order of what happened: one counter that every interesting event draws from.
///
/// Honest ordering instead of sleeping: `release < got` is a fact about one counter, never about a
/// clock.
public final class Stamps: Sendable {
  private let next = Atomic<Int>(1)
  private let seen = Mutex<[String: Int]>([:])
  private let latches = Mutex<[String: Latch]>([:])

  public init() {}

  /// Draws the next number. Numbers start at 1.
  @discardableResult public func draw() -> Int {
    next.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue
  }

  /// Draws the next number and remembers it under a name; the first one counts.
  @discardableResult public func mark(_ name: String) -> Int {
    let number = draw()
    seen.withLock { if $0[name] == nil { $0[name] = number } }
    latches.withLock { $0[name] }?.open()
    return number
  }

  /// A latch that opens when a name is marked, or has been.
  public func latch(_ name: String) -> Latch {
    let latch = latches.withLock { latches in
      let latch = latches[name] ?? Latch(name)
      latches[name] = latch
      return latch
    }
    // Asked after the latch is known: a mark in between opens it twice rather than never.
    if of(name) != nil { latch.open() }
    return latch
  }

  /// The number that was drawn under a name; nil if that has not happened.
  public func of(_ name: String) -> Int? {
    seen.withLock { $0[name] }
  }

  /// Whether one named event happened before another. An event that never happened is before
  /// nothing.
  public func ordered(_ first: String, before second: String) -> Bool {
    guard let one = of(first), let two = of(second) else { return false }
    return one < two
  }
}

/// A door that opens once and stays open. Waiting has a limit, always.
public final class Latch: Sendable {
  public let name: String
  private let state = Mutex(false)
  private let condition = NSCondition()

  public init(_ name: String) { self.name = name }

  public func open() {
    condition.lock()
    state.withLock { $0 = true }
    condition.broadcast()
    condition.unlock()
  }

  public var isOpen: Bool { state.withLock { $0 } }

  /// Waits until the latch is open; false if that did not happen in time.
  public func wait(_ limit: Duration) -> Bool {
    let until = Date(timeIntervalSinceNow: limit.inSeconds)
    condition.lock()
    defer { condition.unlock() }
    while !isOpen {
      if !condition.wait(until: until) { return isOpen }
    }
    return true
  }
}

/// Named threads that wait for each other by latches, and whose failures reach whoever waits for
/// them.
public final class Cast: Sendable {
  /// A member's thread and what became of it.
  public final class Member: Sendable {
    public let name: String
    let done: Latch
    let failure = Mutex<(any Error)?>(nil)

    init(_ name: String) {
      self.name = name
      done = Latch("the end of \(name)")
    }

    /// Waits for the end of the thread; false if that did not happen in time. Throws what it threw.
    public func join(_ limit: Duration) throws -> Bool {
      guard done.wait(limit) else { return false }
      if let error = failure.withLock({ $0 }) { throw error }
      return true
    }

    public var isDone: Bool { done.isOpen }
  }

  public let stamps = Stamps()
  private let members = Mutex<[Member]>([])

  public init() {}

  /// Starts a plain thread without run loop.
  ///
  /// The body may capture anything: what it may touch is the very thing being examined, so the
  /// compiler's opinion on sending is not asked here.
  @discardableResult public func thread(_ name: String, _ body: @escaping () throws -> Void)
    -> Member
  {
    let member = Member(name)
    members.withLock { $0.append(member) }
    let smuggled = Smuggled(body)
    let thread = Thread {
      // The body and all that it holds must be gone before the end is announced.
      do { try smuggled.takeAndCall() } catch { member.failure.withLock { $0 = error } }
      member.done.open()
    }
    thread.name = name
    thread.stackSize = 4 << 20
    thread.start()
    return member
  }

  /// Waits for everyone; returns the names of those who have not finished in time.
  public func joinAll(_ limit: Duration) throws -> [String] {
    let until = ContinuousClock.now + limit
    var late: [String] = []
    for member in members.withLock({ $0 }) {
      let left = max(.zero, ContinuousClock.now.duration(to: until))
      if try !member.join(left) { late.append(member.name) }
    }
    return late
  }
}

/// Carries a value past the compiler to another thread, on purpose.
final class Smuggled: @unchecked Sendable {
  // Written once before the thread starts, taken once by it: the start orders the two.
  private var body: (() throws -> Void)?

  init(_ body: @escaping () throws -> Void) { self.body = body }

  func takeAndCall() throws {
    let mine = body
    body = nil
    try mine?()
  }
}
