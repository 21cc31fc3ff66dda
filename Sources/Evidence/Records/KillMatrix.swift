/// Which broken engine was caught by which rule: the proof that the rules can fail.
public struct KillMatrix: Sendable, Codable, Hashable {
  public struct Row: Sendable, Codable, Hashable {
    public var mutant: String
    /// What is broken in it.
    public var story: String
    public var caughtBy: [String]
    /// Rules that should have caught it and said that they hold, or could not tell.
    public var missedBy: [String]
    /// Rules that fell to it beside those that must; nil where the others were not tried.
    public var alsoCaughtBy: [String]?

    public init(
      mutant: String, story: String, caughtBy: [String], missedBy: [String],
      alsoCaughtBy: [String]? = nil
    ) {
      self.mutant = mutant
      self.story = story
      self.caughtBy = caughtBy
      self.missedBy = missedBy
      self.alsoCaughtBy = alsoCaughtBy
    }

    /// Nothing that must catch it missed it. Of a part of the whole matrix it may be that no such rule was among the chosen.
    public var isKilled: Bool {
      missedBy.isEmpty && (!caughtBy.isEmpty || alsoCaughtBy != nil)
    }
  }

  public var rows: [Row]
  /// Probed rules that no mutant falls to: unproven.
  public var rulesWithoutMutant: [String]
  /// Probed rules that no engine could break, and why.
  public var rulesThatCannotFall: [String: String]?

  public init(
    rows: [Row], rulesWithoutMutant: [String], rulesThatCannotFall: [String: String]? = nil
  ) {
    self.rows = rows
    self.rulesWithoutMutant = rulesWithoutMutant
    self.rulesThatCannotFall = rulesThatCannotFall
  }

  /// The rules that have fallen to a mutant.
  public var provenRules: Set<String> {
    Set(rows.flatMap { $0.caughtBy + ($0.alsoCaughtBy ?? []) })
  }

  /// Whether every mutant was put before every rule.
  public var isWhole: Bool { rows.contains { $0.alsoCaughtBy != nil } }

  public var survivors: [String] { rows.filter { !$0.isKilled }.map(\.mutant) }

  /// Two parts of one matrix: other rules, the same mutants.
  public func merged(with other: KillMatrix) -> KillMatrix {
    var sum = self
    for row in other.rows {
      guard let place = sum.rows.firstIndex(where: { $0.mutant == row.mutant }) else {
        sum.rows.append(row)
        continue
      }
      sum.rows[place].caughtBy += row.caughtBy
      sum.rows[place].missedBy += row.missedBy
      if let more = row.alsoCaughtBy { sum.rows[place].alsoCaughtBy? += more }
    }
    sum.rulesWithoutMutant += other.rulesWithoutMutant
    if let more = other.rulesThatCannotFall {
      sum.rulesThatCannotFall = (rulesThatCannotFall ?? [:]).merging(more) { first, _ in first }
    }
    return sum
  }
}
