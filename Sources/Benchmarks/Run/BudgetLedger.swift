import Evidence

/// Keeps a run within its time: what each case costs as far as is known, what is still owed to
/// those that were begun, and what must be left out.
///
/// 1. A benchmark is begun only if the fewest rounds of all its engines fit beside what is owed
///    already.
/// 2. What is owed is measured before anything more than that.
/// 3. Where it turns out dearer than thought, whole benchmarks are left out, the dearest first, and
///    named: none is measured less than it should be without a word.
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
  private var debts: [Case: Debt] = [:]
  private var begun: [Case] = []
  /// Data sets that somebody has made by now.
  private var made: Set<String> = []
  private(set) var leftOut: [(case: Case, reason: String)] = []

  init(limit: Double, reserve: Double, fewest: Int, counts: Int, costs: Costs) {
    (self.limit, self.reserve, self.costs) = (limit, reserve, costs)
    (self.fewest, self.counts) = (fewest, counts)
  }

  private func cost(_ one: Case, _ pass: Track.Pass) -> Double {
    pass == .time ? timed[one] ?? costs.timed(one) : counted[one] ?? costs.counted(one)
  }

  private func owed(_ one: Case) -> Double {
    guard let debt = debts[one] else { return 0 }
    return Double(max(0, debt.rounds)) * cost(one, .time)
      + Double(max(0, debt.counts)) * cost(one, .count)
  }

  /// What is owed to all that were begun, and to the end.
  var pledge: Double { reserve + debts.keys.reduce(0) { $0 + owed($1) } }

  func isLeftOut(_ one: Case) -> Bool { leftOut.contains { $0.case == one } }

  /// Takes a benchmark in with all its engines if its fewest rounds fit; else it is left out.
  mutating func begin(_ group: [Case], after elapsed: Double) -> Bool {
    let sets = costs.sets(group)
    let setUp = sets.filter { !made.contains($0.key) }.values.reduce(0, +)
    let needed = group.reduce(setUp) {
      $0 + Double(fewest) * cost($1, .time) + Double(counts) * cost($1, .count)
    }
    guard elapsed + pledge + needed <= limit else {
      leave(group, "its fewest rounds would take about \(Int(needed.rounded(.up))) s")
      return false
    }
    made.formUnion(sets.keys)
    for one in group {
      debts[one] = Debt(rounds: fewest, counts: costs.countsNothing(one) ? 0 : counts)
      begun.append(one)
    }
    return true
  }

  /// Whether a step may begin: what is owed always, more than that only beside what is owed.
  func allows(_ one: Case, _ pass: Track.Pass, after elapsed: Double) -> Bool {
    if isLeftOut(one) { return false }
    let owes = debts[one].map { pass == .time ? $0.rounds > 0 : $0.counts > 0 } ?? false
    return owes || elapsed + pledge + cost(one, pass) <= limit
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
      timed[one] = timed[one].map { ($0 + again) / 2 } ?? again
      debt?.rounds -= 1
    } else {
      counted[one] = counted[one].map { ($0 + again) / 2 } ?? again
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

  /// A child that took all there was.
  mutating func leave(_ group: [Case], _ reason: String) {
    for one in group where !isLeftOut(one) {
      debts[one] = nil
      leftOut.append((one, reason))
    }
  }

  /// Leaves out the dearest until what is owed fits again; a twentieth more is no reason.
  mutating func shed(after elapsed: Double) {
    while elapsed + pledge > limit * 1.05 {
      let groups = Plan.groups(begun.filter { owed($0) > 0 })
      func owedTo(_ group: [Case]) -> Double { group.reduce(0) { $0 + owed($1) } }
      guard let dearest = groups.max(by: { owedTo($0) < owedTo($1) }) else { return }
      let more = Int(owedTo(dearest).rounded(.up))
      leave(
        begun.filter { $0.name == dearest[0].name },
        "its fewest rounds would have taken \(more) s more")
    }
  }
}
