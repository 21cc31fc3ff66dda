/// Runs a program under many schedules, and stops at the first one that it fails.
///
/// Up to a bound of preemptions every schedule is run: a preemption takes the turn from a thread
/// that could have kept it, and most races need one or two. Beyond the bound schedules are drawn at
/// random, with a seed. Of schedules that differ only in the order of steps that concern nobody
/// else, one is run.
public struct Schedules: Sendable {
  /// A fresh instance of the program: its parts, and what must hold after them; nil if it does.
  public struct Program {
    public let parts: [Turns.Part]
    public let verdict: () -> String?
    public init(_ parts: [Turns.Part], verdict: @escaping () -> String?) {
      (self.parts, self.verdict) = (parts, verdict)
    }
  }

  public struct Failure: Sendable, Equatable {
    /// One letter a step; `replay` runs it again.
    public let schedule: String
    public let sentence: String
    public let story: [String]

    /// How often the turn passes from one thread to another.
    public var switches: Int { zip(schedule, schedule.dropFirst()).count { $0 != $1 } }
  }

  public struct Report: Sendable, Equatable {
    /// How many different schedules were run.
    public var schedules = 0
    /// Whether these were all there are at the bound.
    public var isExhaustive = false
    public var failure: Failure?
  }

  public let bound: Int
  public let limit: Int
  /// Whether schedules are left out that come to the same as others; see `Turns`.
  public let reduces: Bool

  public init(bound: Int = 2, limit: Int = 100_000, reducing: Bool = true) {
    (self.bound, self.limit, reduces) = (bound, limit, reducing)
  }

  /// All schedules with at most `bound` preemptions, depth first; fewer if the time is over before.
  public func explore(
    until deadline: ContinuousClock.Instant? = nil, _ make: (Turns) -> Program
  ) -> Report {
    var report = Report()
    var prefix: [Int] = []
    while report.schedules < limit, deadline.map({ .now < $0 }) ?? true {
      let (turns, failure) = Self.run(make, following: prefix, reducing: reduces)
      report.schedules += 1
      if let failure {
        report.failure = failure
        return report
      }
      guard let next = successor(of: turns.steps) else {
        report.isExhaustive = true
        return report
      }
      prefix = next
    }
    return report
  }

  /// Schedules drawn at random: each run gives every thread a rank, the highest ready one runs, and
  /// at `depth` random steps the running one falls to the lowest rank.
  public func sample(
    seed: UInt64, runs: Int, depth: Int = 3, until deadline: ContinuousClock.Instant? = nil,
    _ make: (Turns) -> Program
  ) -> Report {
    var report = Report()
    var dice = SplitMix(seed: seed)
    var length = 64
    for _ in 0..<runs where deadline.map({ .now < $0 }) ?? true {
      var ranks: [Int: Int] = [:]
      let falls = Set((0..<depth).map { _ in Int(dice.next() % UInt64(max(1, length))) })
      var step = 0
      let turns = Turns(reducing: reduces)
      let failure = Self.judge(turns, make(turns)) { ready, previous in
        for index in ready where ranks[index] == nil { ranks[index] = Int(dice.next() >> 8) }
        if falls.contains(step), let previous { ranks[previous] = -step }
        step += 1
        return ready.max { ranks[$0]! < ranks[$1]! }!
      }
      length = max(length, step)
      report.schedules += 1
      if let failure {
        report.failure = failure
        return report
      }
    }
    return report
  }

  /// Runs one schedule again, letter by letter. Where the letters end, the last thread keeps its
  /// turn.
  public static func replay(_ schedule: String, _ make: (Turns) -> Program) -> (
    turns: Turns, failure: Failure?
  ) {
    run(make, following: schedule.compactMap(Turns.index(of:)))
  }

  /// The same failure with fewer switches between threads, as far as leaving out one after the
  /// other leads.
  public static func shrink(_ failure: Failure, tries: Int = 200, _ make: (Turns) -> Program)
    -> Failure
  {
    var best = failure
    var tried = 0
    var place = 1
    while place < best.schedule.count, tried < tries {
      var letters = Array(best.schedule)
      // Where the turn passes on, the one before keeps it for as long as the other one had it.
      guard letters[place] != letters[place - 1] else {
        place += 1
        continue
      }
      var end = place
      while end < letters.count, letters[end] == letters[place] { end += 1 }
      let run = letters[place..<end]
      letters.removeSubrange(place..<end)
      var later = place
      while later < letters.count, letters[later] == letters[place - 1] { later += 1 }
      letters.insert(contentsOf: run, at: later)
      tried += 1
      if let smaller = replay(String(letters), make).failure, smaller.switches < best.switches {
        best = smaller
        place = 1
      } else {
        place += 1
      }
    }
    return best
  }

  private static func run(
    _ make: (Turns) -> Program, following prefix: [Int], reducing: Bool = true
  ) -> (Turns, Failure?) {
    let turns = Turns(reducing: reducing)
    var step = 0
    let failure = judge(turns, make(turns)) { ready, previous in
      defer { step += 1 }
      if step < prefix.count, ready.contains(prefix[step]) { return prefix[step] }
      if let previous, ready.contains(previous) { return previous }
      return ready[0]
    }
    return (turns, failure)
  }

  private static func judge(
    _ turns: Turns, _ program: Program, choose: ([Int], Int?) -> Int
  ) -> Failure? {
    let end = turns.run(program.parts, choose: choose)
    let sentence: String?
    switch end {
    case .finished: sentence = program.verdict()
    case .deadlock(let waiting): sentence = "deadlock: \(waiting.joined(separator: ", "))"
    case .stuck(let who): sentence = who
    case .threw(let error): sentence = error
    case .endless(let steps): sentence = "it did not end within \(steps) steps"
    }
    return sentence.map {
      Failure(schedule: turns.schedule, sentence: $0, story: turns.story)
    }
  }

  /// The next schedule in depth-first order: the deepest step with an untried choice within the
  /// bound.
  private func successor(of steps: [Turns.Step]) -> [Int]? {
    var preemptions = steps.map { $0.isPreemption ? 1 : 0 }
    for place in preemptions.indices.dropFirst() { preemptions[place] += preemptions[place - 1] }
    for place in steps.indices.reversed() {
      let step = steps[place]
      let spent = place == 0 ? 0 : preemptions[place - 1]
      // Tried in this order: the one that keeps its turn, then the others by number.
      let order =
        [step.previous].compactMap { $0 }.filter(step.ready.contains)
        + step.ready.filter { $0 != step.previous }
      guard let at = order.firstIndex(of: step.chosen) else { continue }
      for other in order[(at + 1)...] {
        let takes = step.previous.map { $0 != other && step.ready.contains($0) } ?? false
        if spent + (takes ? 1 : 0) <= bound {
          return steps[..<place].map(\.chosen) + [other]
        }
      }
    }
    return nil
  }
}

/// A small generator with a seed, the same on every machine.
public struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
