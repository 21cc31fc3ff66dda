import Foundation
import Synchronization

/// Lets threads run one at a time, and somebody else decide which: the same decisions give the same run.
///
/// A thread of a program gives its turn away at points (`point`), and where it would have to wait for another
/// (`wait(for:until:)`); in between it runs alone. Threads that do not belong to the program pass points freely. What is
/// explored is therefore every interleaving at the points, under sequential consistency; weaker memory orders are
/// ThreadSanitizer's matter.
public final class Turns: @unchecked Sendable {
  // Sendable because only the thread that holds the turn, or the director while nobody does, touches what varies; the
  // semaphores order the two.

  /// One thread of a program.
  public struct Part {
    public let name: String
    public let body: () throws -> Void
    public init(_ name: String, _ body: @escaping () throws -> Void) {
      (self.name, self.body) = (name, body)
    }
  }

  /// How a run ended.
  public enum End: Equatable, Sendable {
    case finished
    /// Nobody can go on: who waits for what.
    case deadlock([String])
    /// A thread kept its turn beyond the limit: it waits for something that the director does not see.
    case stuck(String)
    case threw(String)
  }

  /// A decision: who could go on, who went, and whether that took the turn from one that could have kept it.
  public struct Step: Sendable, Equatable {
    public let ready: [Int]
    public let chosen: Int
    public let previous: Int?
    /// Where the chosen one had stopped.
    public let at: String

    public var isPreemption: Bool {
      previous.map { $0 != chosen && ready.contains($0) } ?? false
    }
  }

  private final class Thread {
    let part: Part
    let go = DispatchSemaphore(value: 0)
    var at = "start"
    var condition: (() -> Bool)?
    var hasFinished = false
    var error: (any Error)?
    init(_ part: Part) { self.part = part }

    var isReady: Bool { !hasFinished && (condition?() ?? true) }
  }

  private let back = DispatchSemaphore(value: 0)
  private var threads: [Thread] = []
  private static let key = "realm-bench.turn"

  public private(set) var steps: [Step] = []

  public init() {}

  /// The points passed so far, in order, as `A:gateEntered`: what a failing schedule shows.
  public var story: [String] { steps.map { "\(Turns.letter($0.chosen)):\($0.at)" } }

  /// Which thread is which letter in a schedule.
  public static func letter(_ index: Int) -> Character {
    Character(UnicodeScalar(UInt8(65 + index)))
  }

  /// The decisions of this run as letters, to be replayed.
  public var schedule: String { String(steps.map { Turns.letter($0.chosen) }) }

  /// Runs the parts to their end. `choose` is asked at each step, with the ready ones and the last one that ran.
  public func run(
    _ parts: [Part], limit: Duration = .seconds(30),
    choose: (_ ready: [Int], _ previous: Int?) -> Int
  ) -> End {
    precondition(threads.isEmpty && parts.count <= 26)
    threads = parts.map(Thread.init)
    for thread in threads {
      let start = Smuggled { [self] in live(thread) }
      let real = Foundation.Thread { try? start.takeAndCall() }
      real.stackSize = 4 << 20
      real.start()
    }
    var previous: Int?
    while threads.contains(where: { !$0.hasFinished }) {
      let ready = threads.indices.filter { threads[$0].isReady }
      guard !ready.isEmpty else {
        return .deadlock(
          threads.filter { !$0.hasFinished }.map { "\($0.part.name) waits at \($0.at)" })
      }
      let chosen = choose(ready, previous)
      let thread = threads[chosen]
      steps.append(Step(ready: ready, chosen: chosen, previous: previous, at: thread.at))
      thread.condition = nil
      thread.go.signal()
      guard back.wait(timeout: .now() + limit.inSeconds) == .success else {
        return .stuck("\(thread.part.name) did not come back from \(thread.at)")
      }
      if let error = thread.error { return .threw("\(thread.part.name): \(error)") }
      previous = chosen
    }
    return .finished
  }

  private func live(_ thread: Thread) {
    thread.go.wait()
    Foundation.Thread.current.threadDictionary[Turns.key] = thread
    do { try thread.part.body() } catch { thread.error = error }
    Foundation.Thread.current.threadDictionary.removeObject(forKey: Turns.key)
    thread.hasFinished = true
    back.signal()
  }

  private var current: Thread? {
    Foundation.Thread.current.threadDictionary[Turns.key] as? Thread
  }

  /// Gives the turn away here; returns when it is given back.
  public func point(_ name: String) {
    guard let thread = current else { return }
    thread.at = name
    back.signal()
    thread.go.wait()
  }

  /// Gives the turn away and gets none until the condition holds. The condition is evaluated while nobody runs.
  ///
  /// - Returns: false if this thread does not belong to the program: it has to wait in its own way.
  @discardableResult public func wait(for name: String, until condition: @escaping () -> Bool)
    -> Bool
  {
    guard let thread = current else { return false }
    thread.at = name
    thread.condition = condition
    back.signal()
    thread.go.wait()
    return true
  }

  /// Whether the calling thread belongs to the program.
  public var isDirected: Bool { current != nil }
}
