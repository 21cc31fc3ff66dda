import Evidence

/// Keeps a run within its time: what each case costs as far as is known, what is still owed to
/// those that were begun, and what must be left out.
///
/// 1. A benchmark is begun only if the fewest rounds of all its engines fit beside what is owed
///    already.
/// 2. What is owed is measured before anything more than that.
/// 3. Where it turns out dearer than thought, whole benchmarks are left out, the dearest for what
///    they say first, and named: none is measured less than it should be without a word.
/// 4. The last one that is left goes engine by engine, and its counts before its rounds: a number
///    of one engine is more than none of any.
/// 5. What was refused waits, and is taken in once nothing is owed and there is room after all.
struct BudgetLedger {
  struct Debt {
    var rounds: Int
    var counts: Int
  }

  /// Seconds after the start.
  let limit: Double
  /// What the end of the run takes: the second half of the control.
  var reserve: Double
  private let fewest: Int
  private let counts: Int
  private let costs: Costs
  private var timed: [Case: Double] = [:]
  private var counted: [Case: Double] = [:]
  private var overrun = Overrun()
  private var debts: [Case: Debt] = [:]
  private var begun: [Case] = []
  /// Data sets that somebody has made by now.
  private var made: Set<String> = []
  /// Benchmarks of the plan whose turn has not come.
  private var coming: Set<BenchmarkName>
  /// Benchmarks that found no room, neither in the plan nor when it was their turn.
  private var waiting: [[Case]]
  private(set) var leftOut: [(case: Case, reason: String)] = []
  /// Counts that were owed and given up so that rounds had time.
  private var waived: [Case: Int] = [:]

  /// `cases`: what the plan holds; `waiting`: what it had no room for.
  init(
    limit: Double, reserve: Double, fewest: Int, counts: Int, costs: Costs, cases: [Case],
    waiting: [Case]
  ) {
    (self.limit, self.reserve, self.costs) = (limit, reserve, costs)
    (self.fewest, self.counts) = (fewest, counts)
    coming = Set(cases.map(\.name))
    self.waiting = Plan.groups(waiting)
  }

  private func cost(_ one: Case, _ pass: Track.Pass) -> Double {
    pass == .time
      ? timed[one] ?? costs.timed(one) * overrun.value
      : counted[one] ?? costs.counted(one) * overrun.value
  }

  private func owed(_ one: Case) -> Double {
    guard let debt = debts[one] else { return 0 }
    return Double(max(0, debt.rounds)) * cost(one, .time)
      + Double(max(0, debt.counts)) * cost(one, .count)
  }

  /// What is owed to all that were begun, and to the end.
  var pledge: Double { reserve + debts.keys.reduce(0) { $0 + owed($1) } }

  func isLeftOut(_ one: Case) -> Bool { leftOut.contains { $0.case == one } }

  /// Takes a benchmark in with all its engines if its fewest rounds fit; else it waits, and is left
  /// out.
  mutating func begin(_ group: [Case], after elapsed: Double) -> Bool {
    coming.subtract(group.map(\.name))
    let needed = needed(group)
    guard elapsed + pledge + needed <= limit else {
      leave(group, "its fewest rounds would take about \(Seconds.text(needed))")
      waiting.append(group)
      return false
    }
    take(group)
    return true
  }

  /// What the fewest rounds and the counts of these take, with the data sets that nobody has made.
  private func needed(_ group: [Case]) -> Double {
    let setUp = costs.sets(group).filter { !made.contains($0.key) }.values.reduce(0, +)
    return group.reduce(setUp) {
      $0 + Double(fewest) * cost($1, .time) + Double(counts) * cost($1, .count)
    }
  }

  private mutating func take(_ group: [Case]) {
    made.formUnion(costs.sets(group).keys)
    for one in group {
      debts[one] = Debt(rounds: fewest, counts: costs.countsNothing(one) ? 0 : counts)
      begun.append(one)
    }
  }

  /// Takes in of what waits as much as fits, the cheapest first, once every other had its turn;
  /// where nothing was measured at all, of the cheapest as many engines as fit.
  mutating func admit(after elapsed: Double) -> [Case] {
    guard coming.isEmpty else { return [] }
    var admitted: [Case] = []
    while let next = waiting.indices.min(by: { needed(waiting[$0]) < needed(waiting[$1]) }) {
      var group = waiting[next]
      if elapsed + pledge + needed(group) > limit {
        guard !isAnythingKept else { break }
        group = cheapest(of: group, after: elapsed)
      }
      guard !group.isEmpty else { break }
      waiting.remove(at: next)
      leftOut.removeAll { group.contains($0.case) }
      take(group)
      admitted += group
    }
    return admitted
  }

  private func cheapest(of group: [Case], after elapsed: Double) -> [Case] {
    var chosen: [Case] = []
    for one in group.sorted(by: { needed([$0]) < needed([$1]) })
    where elapsed + pledge + needed(chosen + [one]) <= limit { chosen.append(one) }
    return chosen
  }

  /// Whether the run has something to say by now, or will have.
  private var isAnythingKept: Bool { begun.contains { debts[$0] != nil } }

  /// Whether something must still be measured of it, whatever comes.
  func owes(_ one: Case, _ pass: Track.Pass) -> Bool {
    debts[one].map { pass == .time ? $0.rounds > 0 : $0.counts > 0 } ?? false
  }

  /// Whether a step may begin: what is owed always, more than that only beside what is owed.
  func allows(_ one: Case, _ pass: Track.Pass, after elapsed: Double) -> Bool {
    if isLeftOut(one) { return false }
    return owes(one, pass) || elapsed + pledge + cost(one, pass) <= limit
  }

  /// How long a child may take: not at the expense of the others, and not ten times what was
  /// expected, as whoever hangs would take the time of all that have not begun.
  func patience(_ one: Case, _ pass: Track.Pass, after elapsed: Double) -> Double {
    let expected = 2 + 10 * (costs.setUp([one]) + cost(one, pass))
    return max(0.5, min(expected, limit * 1.05 - elapsed - (pledge - owed(one))))
  }

  /// Notes what a step took; making data that others use, too, is no part of what it will cost
  /// again.
  mutating func spent(_ one: Case, _ pass: Track.Pass, took: Double, making: Double) {
    let again = max(0, took - making)
    var debt = debts[one]
    if pass == .time {
      // Later ones are known by their own.
      if timed[one] == nil { overrun.note(one, took: again, thought: costs.timed(one)) }
      timed[one] = timed[one].map { ($0 + again) / 2 } ?? again
      debt?.rounds -= 1
    } else {
      counted[one] = counted[one].map { ($0 + again) / 2 } ?? again
      if let debt, debt.counts <= 0 { waived[one]? -= 1 }
      debt?.counts -= 1
    }
    debts[one] = debt
  }

  /// What was measured before this run went on is owed no longer.
  mutating func settled(_ one: Case, _ pass: Track.Pass) {
    if pass == .time { debts[one]?.rounds -= 1 } else { debts[one]?.counts -= 1 }
  }

  /// Nothing more is owed to what has no right answer anyway.
  mutating func giveUp(_ one: Case) { debts[one] = nil }

  /// A child that took all there was: without it the others of its benchmark are none, unless they
  /// are all there is.
  mutating func cut(_ one: Case, _ reason: String) {
    let group = begun.filter { $0.name == one.name && !isLeftOut($0) }
    leave(isLast(group) ? [one] : group, reason)
  }

  private mutating func leave(_ group: [Case], _ reason: String) {
    for one in group where !isLeftOut(one) {
      debts[one] = nil
      leftOut.append((one, reason))
    }
  }

  /// Whether nothing else is there, or to come.
  private func isLast(_ group: [Case]) -> Bool {
    coming.isEmpty && !begun.contains { debts[$0] != nil && !group.contains($0) }
  }

  /// Leaves out the dearest until what is owed fits again; a twentieth more is no reason.
  mutating func shed(after elapsed: Double) {
    while elapsed + pledge > limit * 1.05 {
      let groups = Plan.groups(begun.filter { owed($0) > 0 })
      func owedTo(_ group: [Case]) -> Double { group.reduce(0) { $0 + owed($1) } }
      func price(_ group: [Case]) -> Double {
        owedTo(group) / Plan.worth(begun.filter { $0.name == group[0].name })
      }
      guard let dearest = groups.max(by: { price($0) < price($1) }) else { return }
      var gone = begun.filter { $0.name == dearest[0].name && debts[$0] != nil }
      if isLast(gone) {
        if let one = dearest.max(by: { count(owedTo: $0) < count(owedTo: $1) }),
          count(owedTo: one) > 0
        {
          waive(one)
          continue
        }
        gone = dearest.max { owed($0) < owed($1) }.map { [$0] } ?? []
      }
      leave(gone, "its fewest rounds would have taken \(Seconds.text(owedTo(gone))) more")
    }
  }

  private func count(owedTo one: Case) -> Double {
    Double(max(0, debts[one]?.counts ?? 0)) * cost(one, .count)
  }

  private mutating func waive(_ one: Case) {
    waived[one] = debts[one]?.counts
    debts[one]?.counts = 0
  }

  /// Whether there was no time for all of its counts.
  func isCountedLess(_ one: Case) -> Bool { waived[one, default: 0] > 0 }
}
