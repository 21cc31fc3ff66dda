import Evidence

/// Keeps an `ab` within its time: what a pair and a count of each case take as far as is known, and
/// what is still owed.
///
/// 1. Control, screen and counts are owed to all that are measured, and a share of the time to what
///    will have to be confirmed. Where that turns out dearer than thought, whole benchmarks are
///    left out and named, the least likely to be decided first and of those the dearest, and what
///    the control stands on last, unless that is what has become so dear. The last benchmark goes
///    engine by engine, and of the last engine what was kept for confirming it before the engine:
///    an answer that is open is more than none. One slow pair leaves nothing out: the machine may
///    have been kept by something else.
/// 2. What was left out for that reason gets another chance before the screen and behind it, where
///    there is room for it beside all else; if two pairs say again that there is not, it is the
///    first to go.
/// 3. What is confirmed or measured further is chosen by what fits, the most urgent first. What did
///    not fit has a row that says so.
/// 4. Nothing is measured further that what is left would not settle: others have the time, or
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
  /// What pairs took, in their order; of what was taken in again those since then.
  private var pairs: [Case: [Double]] = [:]
  private var slowest: [Case: Double] = [:]
  private var counts: [Case: Double] = [:]
  private var debts: [Case: Debt] = [:]
  private var overrun = Overrun()
  private var controlled: Set<Case> = []
  /// Whether something is kept for what will have to be confirmed.
  private var isScreening = true
  private var keepsForConfirming = true
  /// What seems to differ, and how many pairs confirm each of it; nil before the screen has ended.
  private var suspects: (cases: [Case], pairs: Int)?
  /// What is measured again, the most urgent first, and what of it had to be given up.
  private var chosen: [Case] = []
  private(set) var abandoned: Set<Case> = []
  private(set) var leftOut: [(case: Case, reason: String)] = []
  /// Benchmarks that were left out so that others had the time, as they were left out together; and
  /// those of them that were measured after all.
  private var shedGroups: [[Case]] = []
  private var takenIn: Set<Case> = []
  /// What has no right answer.
  private var hopeless: Set<Case> = []

  init(_ plan: DuelPlan, limit: Double, elapsed: @escaping () -> Double) {
    (self.plan, self.limit, self.elapsed) = (plan, limit, elapsed)
    for one in plan.cases { debts[one] = screening(one) }
  }

  /// What is owed to each case, controlled or not.
  private func screening(_ one: Case) -> Debt {
    Debt(
      pairs: plan.setting.screenRounds,
      counts: plan.count(one) > 0 ? plan.setting.countRounds : 0)
  }

  // MARK: What things take

  /// What was thought a pair takes before any of this case was measured.
  private func thought(_ one: Case) -> Double { plan.pair(one) * overrun.value }

  /// The middle of the last few. Of fewer than three the first thought is one more: so a pair that
  /// something else kept the machine from says nothing by itself, and two that are slow do.
  private func pair(_ one: Case) -> Double {
    let known = pairs[one] ?? []
    guard let middle = middle(one) else { return thought(one) }
    return switch known.count {
    case 1: min(thought(one), middle)
    case 2: Quantiles.median(known + [thought(one)])
    default: middle
    }
  }

  private func middle(_ one: Case) -> Double? {
    pairs[one].map { Quantiles.median(Array($0.suffix(DuelLedger.latest))) }
  }

  /// How many pairs say what the next one takes: a machine may become slower.
  private static let latest = 5

  /// The least that a pair may take, as far as is known by now.
  private func least(_ one: Case) -> Double {
    let known = pairs[one]?.suffix(DuelLedger.latest) ?? []
    return (known.count < 3 ? known + [thought(one)] : known).min() ?? 0
  }

  /// Of what was not counted yet: whose rounds take longer than was thought takes longer to count.
  private func count(_ one: Case) -> Double {
    counts[one] ?? plan.count(one) * max(overrun.value, pair(one) / max(plan.pair(one), 1e-9))
  }

  /// The least that counting may take.
  private func leastCount(_ one: Case) -> Double { counts[one] ?? plan.count(one) * overrun.value }

  private func owed(_ one: Case) -> Double {
    guard let debt = debts[one] else { return 0 }
    return Double(max(0, debt.pairs)) * pair(one) + Double(max(0, debt.counts)) * count(one)
  }

  /// What is owed to all.
  private var due: Double { debts.keys.reduce(0) { $0 + owed($1) } }

  /// What is owed to all, and kept for what will have to be confirmed.
  private var pledge: Double {
    guard isScreening, keepsForConfirming, !debts.isEmpty else { return due }
    // Where more seems to differ than was foreseen nothing is left out for it.
    return due + min(foreseen(Array(debts.keys)), suspected ?? .infinity)
  }

  /// What confirming takes of these, before anything is known of them.
  private func foreseen(_ cases: [Case]) -> Double {
    let typical = cases.reduce(0) { $0 + pair($1) } / Double(max(1, cases.count))
    return typical * Double(plan.suspects(of: cases.count) * plan.setting.confirmRounds)
  }

  /// What it takes of what seems to differ.
  private var suspected: Double? {
    suspects.map { suspects in
      suspects.cases.reduce(0) { $0 + Double(suspects.pairs) * pair($1) }
    }
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

  /// How long one child may take before it hangs: ten times what was expected, or seen.
  func allowance(_ one: Case) -> Double {
    2 + 10 * (2 * plan.costs.setUp([one]) + max(pair(one), slowest[one] ?? 0))
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
    pairs[one, default: []].append(again)
    overrun.note(one, took: middle(one) ?? again, thought: plan.pair(one))
    slowest[one] = max(slowest[one] ?? 0, again)
    if isDone { debts[one]?.pairs -= 1 }
    shed()
  }

  func spent(count one: Case, took: Double) {
    counts[one] = counts[one].map { ($0 + took) / 2 } ?? took
    debts[one]?.counts -= 1
    shed()
  }

  /// Nothing more is owed to what has no right answer anyway.
  func giveUp(_ one: Case) {
    debts[one] = nil
    hopeless.insert(one)
  }

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
      let all = Plan.groups(plan.cases.filter { owed($0) > 0 })
      // There was room for it or it would not be here, but all others were here before.
      let again = all.filter { !takenIn.isDisjoint(with: $0) }
      let owing = again.isEmpty ? all : again
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
        // Nobody else has a use for the time: the last one has it while there is hope.
        if gone.count == 1, elapsed() + leastOwed(gone[0]) <= limit * 1.05 { return }
        gone = dearest.max { owed($0) < owed($1) }.map { [$0] } ?? []
      }
      let wasTaken = gone.contains(where: takenIn.contains)
      leave(
        gone,
        "its fewest rounds would have taken \(Seconds.text(owedTo(gone))) more"
          + (wasTaken ? ", also when it was taken in again" : ""))
      shedGroups.append(gone)
    }
  }

  private func leastOwed(_ one: Case) -> Double {
    let debt = debts[one] ?? Debt(pairs: 0, counts: 0)
    return Double(max(0, debt.pairs)) * least(one)
      + Double(max(0, debt.counts)) * leastCount(one)
  }

  /// How many others one of the control may take the time of. A control owes four times as many
  /// pairs as what is only screened.
  private static let several = 3 * Double(1 + Decision.confirmRounds / Decision.screenRounds)

  // MARK: What was left out

  /// From the end of the screen on what will have to be confirmed is known.
  func endScreen(_ cases: [Case], pairs count: Int) { suspects = (cases, count) }

  /// Takes in again what was left out and has room beside all that is owed, and returns it: all
  /// that a screen owes is owed to it, and what its pairs took counts no more. What is likeliest
  /// to be decided is asked first, and of that the cheapest.
  func takeIn() -> [Case] {
    // What was given up for pairs that then were quicker.
    keepsForConfirming = true
    if elapsed() + pledge > limit { keepsForConfirming = false }
    let groups = shedGroups.map { group in
      (cases: group, prospect: plan.prospect(group[0]), needed: needed(group))
    }.sorted { ($0.prospect, $0.needed) < ($1.prospect, $1.needed) }
    var taken: [Case] = []
    for group in groups {
      let kept = max(pledge, due + (suspected ?? 0))
      guard elapsed() + kept + group.needed <= limit else { continue }
      for one in group.cases {
        debts[one] = hopeless.contains(one) ? nil : screening(one)
        if takenIn.insert(one).inserted { pairs[one] = nil }
      }
      taken += group.cases
    }
    leftOut.removeAll { taken.contains($0.case) }
    shedGroups.removeAll { taken.contains($0[0]) }
    return plan.cases.filter(taken.contains)
  }

  /// What it takes to screen, count and confirm these. The first time that may be as little as was
  /// thought, but for two pairs that would show once more that it is not.
  private func needed(_ group: [Case]) -> Double {
    let setting = plan.setting
    let isFirst = takenIn.isDisjoint(with: group)
    let price: (Case) -> Double = isFirst ? thought : pair
    let typical = group.reduce(0) { $0 + price($1) } / Double(group.count)
    let whole = group.reduce(0) {
      $0 + Double(setting.screenRounds) * price($1)
        + Double(setting.countRounds) * leastCount($1)
    }
    let confirmed = Double(plan.suspects(of: group.count) * setting.confirmRounds) * typical
    let shown = group.reduce(0) { $0 + 2 * max(price($1), pair($1)) }
    return max(whole + confirmed, shown)
  }

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
