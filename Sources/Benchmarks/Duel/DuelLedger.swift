import Evidence

/// Keeps an `ab` within its time: what a pair and a count of each case take as far as is known, and
/// what is still owed.
///
/// 1. Control, screen and counts are owed to all that are measured, and a share of the time to what
///    will have to be confirmed. Where that turns out dearer than thought, whole benchmarks are
///    left out and named, the least likely to be decided first and of those the dearest, and what
///    the control stands on last, unless that is what has become so dear. The last benchmark goes
///    engine by engine, and of the last engine what was kept for confirming it before the engine:
///    an answer that is open is more than none.
/// 2. What is confirmed or measured further is chosen by what fits, the most urgent first. What did
///    not fit has a row that says so.
/// 3. Nothing is measured further that what is left would not settle: others have the time, or
///    nobody needs it.
final class DuelLedger {
  private struct Debt {
    var pairs: Int
    var counts: Int
  }

  private let plan: DuelPlan
  private let limit: Double
  /// Seconds since the session was asked for.
  let elapsed: () -> Double
  private var pairs: [Case: Double] = [:]
  private var counts: [Case: Double] = [:]
  private var debts: [Case: Debt] = [:]
  private var overrun = Overrun()
  private var controlled: Set<Case> = []
  /// Whether something is kept for what will have to be confirmed.
  private var isScreening = true
  private var keepsForConfirming = true
  /// What is measured again, the most urgent first, and what of it had to be given up.
  private var chosen: [Case] = []
  private(set) var abandoned: Set<Case> = []
  private(set) var leftOut: [(case: Case, reason: String)] = []

  init(_ plan: DuelPlan, limit: Double, elapsed: @escaping () -> Double) {
    (self.plan, self.limit, self.elapsed) = (plan, limit, elapsed)
    for one in plan.cases {
      debts[one] = Debt(
        pairs: plan.setting.screenRounds,
        counts: plan.count(one) > 0 ? plan.setting.countRounds : 0)
    }
  }

  // MARK: What things take

  private func pair(_ one: Case) -> Double { pairs[one] ?? plan.pair(one) * overrun.value }

  private func count(_ one: Case) -> Double { counts[one] ?? plan.count(one) * overrun.value }

  private func owed(_ one: Case) -> Double {
    guard let debt = debts[one] else { return 0 }
    return Double(max(0, debt.pairs)) * pair(one) + Double(max(0, debt.counts)) * count(one)
  }

  /// What is owed to all, and kept for what will have to be confirmed.
  private var pledge: Double {
    let due = debts.keys.reduce(0) { $0 + owed($1) }
    guard isScreening, keepsForConfirming, !debts.isEmpty else { return due }
    let typical = debts.keys.reduce(0) { $0 + pair($1) } / Double(debts.count)
    return due
      + typical * Double(plan.suspects(of: debts.count) * plan.setting.confirmRounds)
  }

  // MARK: What is asked while it goes on

  func isLeftOut(_ one: Case) -> Bool { leftOut.contains { $0.case == one } }

  /// Whether a case is still measured in this stage.
  func wants(_ one: Case) -> Bool { !isLeftOut(one) && !abandoned.contains(one) }

  /// The control comes on top of what these are owed.
  func beginControl(_ cases: [Case]) {
    controlled = Set(cases)
    for one in cases { debts[one]?.pairs += plan.setting.controlRounds }
  }

  /// How long one child may take before it hangs: ten times what was expected.
  func allowance(_ one: Case) -> Double {
    2 + 10 * (2 * plan.costs.setUp([one]) + pair(one))
  }

  /// The same, and not at the expense of the others. Where one of a pair hangs the other waits as
  /// long.
  func patience(_ one: Case) -> Double {
    max(0.5, min(allowance(one), (limit * 1.05 - elapsed() - (pledge - owed(one))) / 2))
  }

  /// Whether a pair may be measured once more because it was void.
  func hasRoom(for one: Case) -> Bool { elapsed() + pledge + pair(one) <= limit }

  /// Notes what a pair took; making data that later rounds find ready is no part of what it will
  /// cost again.
  func spent(pair one: Case, took: Double, making: Double, isDone: Bool) {
    let again = max(0, took - making)
    overrun.note(one, took: again, thought: plan.pair(one))
    pairs[one] = pairs[one].map { ($0 + again) / 2 } ?? again
    if isDone { debts[one]?.pairs -= 1 }
    shed()
  }

  func spent(count one: Case, took: Double) {
    counts[one] = counts[one].map { ($0 + took) / 2 } ?? took
    debts[one]?.counts -= 1
    shed()
  }

  /// Nothing more is owed to what has no right answer anyway.
  func giveUp(_ one: Case) { debts[one] = nil }

  /// A child that took all there was: without it the others of its benchmark are none, unless they
  /// are all there is.
  func cut(_ one: Case, _ reason: String) {
    let group = kept.filter { $0.name == one.name }
    leave(isLast(group) ? [one] : group, reason)
  }

  private func leave(_ group: [Case], _ reason: String) {
    for one in group where !isLeftOut(one) {
      debts[one] = nil
      leftOut.append((one, reason))
    }
  }

  private var kept: [Case] { plan.cases.filter { !isLeftOut($0) } }

  /// Whether nothing else is there.
  private func isLast(_ group: [Case]) -> Bool { kept.allSatisfy(group.contains) }

  /// Gives up the dearest, or the least urgent, until what is owed fits again; a twentieth more is
  /// no reason.
  private func shed() {
    while elapsed() + pledge > limit * 1.05 {
      if !isScreening {
        guard let last = chosen.popLast() else { return }
        if owed(last) > 0 { abandoned.insert(last) }
        debts[last] = nil
        continue
      }
      let owing = Plan.groups(plan.cases.filter { owed($0) > 0 })
      let free = owing.filter { controlled.isDisjoint(with: $0) }
      func owedTo(_ group: [Case]) -> Double { group.reduce(0) { $0 + owed($1) } }
      guard var dearest = owing.max(by: { owedTo($0) < owedTo($1) }) else { return }
      // What the control stands on goes last; but one that takes as much as several others is not
      // worth them, as the control has more. Nor is one that will be decided worth several that
      // may not be.
      if let other = free.max(by: {
        (plan.prospect($0[0]), owedTo($0)) < (plan.prospect($1[0]), owedTo($1))
      }),
        owedTo(dearest) < DuelLedger.several * owedTo(other)
      {
        dearest = other
      }
      var gone = kept.filter { $0.name == dearest[0].name }
      if isLast(gone) {
        if gone.count == 1, keepsForConfirming {
          keepsForConfirming = false
          continue
        }
        gone = dearest.max { owed($0) < owed($1) }.map { [$0] } ?? []
      }
      leave(gone, "its fewest rounds would have taken \(Seconds.text(owedTo(gone))) more")
    }
  }

  /// How many others one of the control may take the time of. A control owes four times as many
  /// pairs as what is only screened.
  private static let several = 3 * Double(1 + Decision.confirmRounds / Decision.screenRounds)

  // MARK: What is measured again

  /// How many pairs will probably settle a case.
  struct Wish {
    let `case`: Case
    var pairs: Int
  }

  /// Of wishes, the most urgent first, those that so many looks of so many pairs each, and the time
  /// that is left, may fulfil; what one is given is not there for the next.
  ///
  /// How many pairs it takes follows from a spread that 24 of them know to a seventh, and so their
  /// number to a third: what would do if it were so many fewer is not given up.
  func within(reach wishes: [Wish], looks: Int, of count: Int) -> [Case] {
    var left = limit - elapsed()
    func looksFor(_ pairs: Double) -> Int { max(1, Int((pairs / Double(count)).rounded(.up))) }
    return wishes.filter { wish in
      let look = Double(count) * pair(wish.case)
      let fewest = looksFor(Double(wish.pairs) * 2 / 3)
      guard fewest <= looks, Double(fewest) * look <= left else { return false }
      left -= Double(min(looks, looksFor(Double(wish.pairs)))) * look
      return true
    }.map(\.case)
  }

  /// Of cases, the most urgent first, those of which so many pairs fit; they are owed from here on.
  func choose(_ cases: [Case], pairs count: Int) -> [Case] {
    isScreening = false
    debts = [:]
    abandoned = []
    var left = limit - elapsed()
    chosen = cases.filter { one in
      let cost = Double(count) * pair(one)
      guard cost <= left else { return false }
      left -= cost
      return true
    }
    for one in chosen { debts[one] = Debt(pairs: count, counts: 0) }
    return chosen
  }
}
