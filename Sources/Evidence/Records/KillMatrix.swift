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
    /// Rules that were skipped before it, because the machine or the engine lacks what they need.
    public var skippedBy: [String]?

    public init(
      mutant: String, story: String, caughtBy: [String], missedBy: [String],
      alsoCaughtBy: [String]? = nil, skippedBy: [String]? = nil
    ) {
      self.mutant = mutant
      self.story = story
      self.caughtBy = caughtBy
      self.missedBy = missedBy
      self.alsoCaughtBy = alsoCaughtBy
      self.skippedBy = skippedBy
    }

    /// What came of it.
    public enum Outcome: String, Sendable {
      /// Nothing that must catch it missed it. Of a part of the whole matrix it may be that no such
      /// rule was among the chosen.
      case caught
      case survived
      /// Nothing is known of it: what should have caught it was skipped.
      case untried
    }

    public var outcome: Outcome {
      if !missedBy.isEmpty { return .survived }
      if !caughtBy.isEmpty { return .caught }
      if skippedBy?.isEmpty == false { return .untried }
      return alsoCaughtBy == nil ? .survived : .caught
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

  /// Rules that must catch a mutant and caught none.
  public var toothlessRules: Set<String> {
    Set(rows.flatMap(\.missedBy)).subtracting(provenRules)
  }

  /// Whether every mutant was put before every rule.
  public var isWhole: Bool { rows.contains { $0.alsoCaughtBy != nil } }

  public var killed: [String] { mutants(.caught) }
  public var survivors: [String] { mutants(.survived) }
  public var untried: [String] { mutants(.untried) }

  /// How many mutants were put before a rule that must catch them, and not all skipped.
  public var triedCount: Int { rows.count - untried.count }

  private func mutants(_ outcome: Row.Outcome) -> [String] {
    rows.filter { $0.outcome == outcome }.map(\.mutant)
  }

  /// How many mutants were caught, and of how many.
  public var tally: String {
    let rest = untried.isEmpty ? "" : ", \(untried.count) not tried"
    return "\(killed.count) of \(triedCount) mutants caught\(rest)"
  }

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
      if let more = row.skippedBy {
        sum.rows[place].skippedBy = (sum.rows[place].skippedBy ?? []) + more
      }
    }
    sum.rulesWithoutMutant += other.rulesWithoutMutant
    if let more = other.rulesThatCannotFall {
      sum.rulesThatCannotFall = (rulesThatCannotFall ?? [:]).merging(more) { first, _ in first }
    }
    return sum
  }
}
