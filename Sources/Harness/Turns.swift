import Foundation

/// Lets threads run one at a time, and somebody else decide which: the same decisions give the same
/// run.
///
/// A thread of a program gives its turn away at points (`point`), and where it would have to wait
/// for another (`wait(for:until:)`); in between it runs alone. What happens at a thread that waits
/// for deliveries (`attend`) is handed to it by `post`, and a thread may set off others (`start`).
/// Threads that do not belong to the program pass points freely. What is explored is therefore
/// every interleaving at the points, under sequential consistency; weaker memory orders are
/// ThreadSanitizer's matter.
///
/// Partial-order reduction: at a point that says that nothing shared is touched before the next one
/// (`isPrivate`), a thread keeps its turn. To take the turn from it there, or at that next point,
/// comes to the same, for what it does in between commutes with whatever the others do; and it is
/// one preemption either way. So every outcome within a bound of preemptions is still met.
public final class Turns: @unchecked Sendable {
  // Sendable because only the thread that holds the turn, or the director while nobody does,
  // touches what varies; the semaphores order the two.

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
    /// A thread kept its turn beyond the limit: it waits for something that the director does not
    /// see.
    case stuck(String)
    case threw(String)
    /// The program goes round in circles: more steps than anybody would follow.
    case endless(Int)
  }

  /// A decision: who could go on, who went, and whether that took the turn from one that could have
  /// kept it.
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
    unowned let turns: Turns
    let index: Int
    let part: Part
    let go = DispatchSemaphore(value: 0)
    var at = "start"
    /// Whether what follows `at` concerns nobody else.
    var isPrivate = false
    var condition: (() -> Bool)?
    /// When it may go on as one that has waited for long.
    var late: (() -> Bool)?
    var inbox: [() -> Void] = []
    var hasFinished = false
    var error: (any Error)?

    init(_ part: Part, _ index: Int, of turns: Turns) {
      (self.part, self.index, self.turns) = (part, index, turns)
    }

    var isReady: Bool { !hasFinished && (condition?() ?? true) }
    var isLate: Bool { !hasFinished && (late?() ?? false) }
  }

  /// More steps than this are taken for a circle.
  public static let stepLimit = 20_000

  private let back = DispatchSemaphore(value: 0)
  private var threads: [Thread] = []

  public private(set) var steps: [Step] = []
  /// Told each decision before it is carried out, so that it is known even if the process dies of
  /// it.
  public var recorder: ((Character) -> Void)?

  /// Whether a thread keeps its turn where that changes no outcome.
  public let reduces: Bool
  /// Points that a program does not ask about: who comes to one keeps its turn, unless it has to
  /// wait there.
  public var passes: Set<String> = []

  public init(reducing: Bool = true) { reduces = reducing }

  /// The points passed so far, in order, as `A:gateEntered`: what a failing schedule shows.
  public var story: [String] { steps.map { "\(Turns.letter($0.chosen)):\($0.at)" } }

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  /// Which thread is which letter in a schedule.
  public static func letter(_ index: Int) -> Character { letters[index] }

  /// Which thread a letter stands for; nil if for none.
  public static func index(of letter: Character) -> Int? { letters.firstIndex(of: letter) }

  /// Whether a text is one of decisions.
  @Sendable public static func isSchedule(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { index(of: $0) != nil }
  }

  /// The decisions of this run as letters, to be replayed.
  public var schedule: String { String(steps.map { Turns.letter($0.chosen) }) }

  /// Runs the parts to their end. `choose` is asked at each step, with the ready ones and the last
  /// one that ran.
  public func run(
    _ parts: [Part], limit: Duration = .seconds(30),
    choose: (_ ready: [Int], _ previous: Int?) -> Int
  ) -> End {
    precondition(threads.isEmpty, "turns are for one run")
    for part in parts { add(part) }
    var previous: Int?
    while threads.contains(where: { !$0.hasFinished }) {
      var ready = threads.indices.filter { threads[$0].isReady }
      // Time passes while others go on.
      let late = threads.indices.filter { !ready.contains($0) && threads[$0].isLate }
      ready = (ready + late.filter { ready.isEmpty || $0 != previous }).sorted()
      guard !ready.isEmpty else {
        return .deadlock(
          threads.filter { !$0.hasFinished }.map { "\($0.part.name) waits at \($0.at)" })
      }
      if steps.count >= Turns.stepLimit { return .endless(steps.count) }
      if reduces, let previous, threads[previous].isPrivate, ready.contains(previous) {
        ready = [previous]
      }
      let chosen = choose(ready, previous)
      let thread = threads[chosen]
      steps.append(Step(ready: ready, chosen: chosen, previous: previous, at: thread.at))
      recorder?(Turns.letter(chosen))
      (thread.condition, thread.late) = (nil, nil)
      thread.go.signal()
      guard back.wait(timeout: .now() + limit.inSeconds) == .success else {
        return .stuck("\(thread.part.name) did not come back from \(thread.at)")
      }
      if let error = thread.error { return .threw("\(thread.part.name): \(error)") }
      previous = chosen
    }
    // Work that nobody came for may hold what the program used, and the parts hold this.
    threads = []
    return .finished
  }

  private func add(_ part: Part) {
    precondition(threads.count < Turns.letters.count, "a program has at most 52 threads")
    let thread = Thread(part, threads.count, of: self)
    threads.append(thread)
    let start = Smuggled { [self] in live(thread) }
    let real = Foundation.Thread { try? start.takeAndCall() }
    real.stackSize = 4 << 20
    real.start()
  }

  private func live(_ thread: Thread) {
    thread.go.wait()
    pthread_setspecific(Turns.key, Unmanaged.passUnretained(thread).toOpaque())
    do { try thread.part.body() } catch { thread.error = error }
    pthread_setspecific(Turns.key, nil)
    thread.hasFinished = true
    back.signal()
  }

  // MARK: Who is asking

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static var here: Thread? {
    pthread_getspecific(key).map { Unmanaged<Thread>.fromOpaque($0).takeUnretainedValue() }
  }

  private var current: Thread? { Turns.here.flatMap { $0.turns === self ? $0 : nil } }

  /// Whose turn it is that the calling thread holds; nil if it belongs to no program.
  public static var current: Turns? { here?.turns }

  /// Whether the calling thread belongs to the program.
  public var isDirected: Bool { current != nil }

  /// The number of the calling thread in its program.
  public var number: Int? { current?.index }

  // MARK: Giving the turn away

  /// Gives the turn away here; returns when it is given back.
  ///
  /// - Parameter isPrivate: Whether the thread touches nothing that others may see, and waits for
  ///   nobody, before its next point.
  public func point(_ name: String, isPrivate: Bool = false) {
    guard let thread = current, !passes.contains(name) else { return }
    thread.at = name
    thread.isPrivate = isPrivate
    back.signal()
    thread.go.wait()
  }

  /// Gives the turn away and gets none until the condition holds. The condition is evaluated while
  /// nobody runs.
  ///
  /// - Parameter late: When it may go on as well, after a time in which others have gone on: as one
  ///   that waits no longer.
  /// - Returns: false if this thread does not belong to the program: it has to wait in its own way.
  @discardableResult public func wait(
    for name: String, until condition: @escaping () -> Bool, late: (() -> Bool)? = nil
  ) -> Bool {
    guard let thread = current else { return false }
    if passes.contains(name), condition() { return true }
    thread.at = name
    thread.isPrivate = false
    (thread.condition, thread.late) = (condition, late)
    back.signal()
    thread.go.wait()
    return true
  }

  // MARK: Setting things off

  /// Sets off another thread of the program: it takes part from the next decision on.
  public func start(_ part: Part) { add(part) }

  /// Leaves work for a thread, which does it when it attends. For a thread that has finished it is
  /// lost.
  public func post(to number: Int, _ work: @escaping () -> Void) {
    guard threads.indices.contains(number) else { return }
    if !threads[number].hasFinished { threads[number].inbox.append(work) }
  }

  /// Whether a thread has come to its end, and will attend to nothing any more.
  public func hasFinished(_ number: Int) -> Bool {
    !threads.indices.contains(number) || threads[number].hasFinished
  }

  /// Does the work that is left for this thread, until no more waits and something is so that this
  /// work brings about.
  public func attend(until isEnough: () -> Bool = { true }) {
    guard let thread = current else { return }
    point("attending")
    while true {
      while !thread.inbox.isEmpty {
        thread.inbox.removeFirst()()
        point("attended")
      }
      if isEnough() { return }
      wait(for: "delivery") { !thread.inbox.isEmpty }
    }
  }

  /// Does one piece of the work that is left for this thread, if there is any.
  public func attendOnce() {
    guard let thread = current, !thread.inbox.isEmpty else { return }
    thread.inbox.removeFirst()()
  }
}
