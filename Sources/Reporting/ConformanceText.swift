import Evidence

/// Verdicts for a terminal: failures first and in full, then a line per family.
public struct ConformanceText {
  /// Colours and marks are for terminals only.
  public var usesColour: Bool
  /// Also list what holds, what is skipped and what is untested, rule by rule.
  public var isVerbose: Bool

  public init(usesColour: Bool = false, isVerbose: Bool = false) {
    self.usesColour = usesColour
    self.isVerbose = isVerbose
  }

  /// One rule, as it is found: `CONFINE-02  holds  12 ms  A read …`.
  public func line(_ verdict: Verdict) -> String {
    let state = padded(verdict.state.rawValue, to: 9)
    let id = padded(verdict.id, to: 11)
    let time = padded(verdict.state == .untested ? "" : "\(Int(verdict.milliseconds)) ms", to: 8)
    return "\(id)\(painted(state, verdict.state))\(time)\(shortened(verdict.wording, to: 90))"
  }

  /// A rule that fell, with what is needed to look into it.
  public func failure(_ verdict: Verdict) -> String {
    var lines = [
      "\(painted(verdict.state.rawValue, verdict.state)) \(verdict.id): \(verdict.wording)"
    ]
    if let reason = verdict.reason { lines.append("  in        \(reason)") }
    if let expected = verdict.expected { lines.append("  expected  \(expected)") }
    if let observed = verdict.observed { lines.append("  observed  \(observed)") }
    if let known = verdict.known { lines.append("  known     \(known)") }
    if let repro = verdict.repro { lines.append("  again     \(repro)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The whole examination.
  public func report(_ examination: Examination) -> String {
    var text = ""
    for verdict in examination.verdicts where verdict.state.isBad {
      text += failure(verdict) + "\n"
    }
    if isVerbose {
      for verdict in examination.verdicts where !verdict.state.isBad {
        text += line(verdict) + "\n"
      }
      text += "\n"
    }
    text += families(examination)
    if let found = examination.explorations { text += "\n" + explorations(found) }
    if let kills = examination.kills { text += "\n" + matrix(kills) }
    text += "\n" + summary(examination) + "\n"
    return text
  }

  /// A line for each family: how many rules, how many in each state.
  func families(_ examination: Examination) -> String {
    var text = "family     rules  holds  violated  skipped  untested  other\n"
    for (name, own) in examination.families {
      func count(_ states: Verdict.State...) -> String {
        let number = own.count { states.contains($0.state) }
        return number == 0 ? "·" : "\(number)"
      }
      text += padded(name, to: 11)
      text += aligned("\(own.count)", to: 5) + aligned(count(.holds), to: 7)
      text += aligned(count(.violated), to: 10) + aligned(count(.skipped), to: 9)
      text += aligned(count(.untested), to: 10) + aligned(count(.error, .vacuous, .flaky), to: 7)
      text += "\n"
    }
    return text
  }

  /// What was explored and how far, and in full what was wrong.
  public func explorations(_ found: [Exploration]) -> String {
    let width = (found.map(\.name.count).max() ?? 0) + 2
    var text = ""
    for one in found {
      let state = one.failure == nil ? "holds " : "BROKEN"
      text += "\(padded(one.name, to: width))\(state)  \(one.count) \(one.kind.unit): \(one.detail)"
      text += ", \(Int(one.milliseconds)) ms\n"
      guard let failure = one.failure else { continue }
      text += "  observed  \(failure.sentence)\n"
      if !failure.story.isEmpty { text += "  story     \(failure.story.joined(separator: " "))\n" }
      text += "  again     \(failure.repro)\n"
    }
    let totals = Exploration.Kind.allCases.compactMap { kind -> String? in
      let own = found.filter { $0.kind == kind }
      return own.isEmpty ? nil : "\(own.reduce(0) { $0 + $1.count }) \(kind.unit)"
    }
    let broken = found.count { $0.failure != nil }
    return text + "explored: \(totals.joined(separator: ", ")); "
      + "\(broken == 0 ? "nothing" : "\(broken)") broken\n"
  }

  /// Which mutant was caught by which rule.
  public func matrix(_ kills: KillMatrix) -> String {
    let width = (kills.rows.map(\.mutant.count).max() ?? 0) + 2
    var text = ""
    for row in kills.rows {
      text += "\(padded(row.mutant, to: width))\(padded(word(row.outcome), to: 9))"
      if !row.caughtBy.isEmpty { text += "  by \(row.caughtBy.joined(separator: " "))" }
      if !row.missedBy.isEmpty { text += "  missed by \(row.missedBy.joined(separator: " "))" }
      if let lacking = row.skippedBy { text += "  skipped: \(lacking.joined(separator: " "))" }
      if let more = row.alsoCaughtBy, !more.isEmpty { text += "  and \(more.count) more" }
      text += "\n"
    }
    if !kills.rulesWithoutMutant.isEmpty {
      text +=
        "unproven, no mutant names them: \(kills.rulesWithoutMutant.joined(separator: " "))\n"
    }
    let excused = (kills.rulesThatCannotFall ?? [:]).sorted { $0.key < $1.key }
    for (rule, reason) in excused { text += "no mutant: \(rule): \(reason)\n" }
    text +=
      "\(kills.provenRules.count) rules fell to a mutant, \(kills.toothlessRules.count) missed theirs, "
      + "\(kills.rulesWithoutMutant.count) are unproven, \(excused.count) cannot fall\n"
    return text
  }

  private func word(_ outcome: KillMatrix.Row.Outcome) -> String {
    switch outcome {
    case .caught: "caught"
    case .survived: "SURVIVED"
    case .untried: "not tried"
    }
  }

  public func summary(_ examination: Examination) -> String {
    let parts = Verdict.State.allCases.compactMap { state -> String? in
      let number = examination.count(state)
      return number == 0 ? nil : "\(number) \(state.rawValue)"
    }
    var text = "\(examination.verdicts.count) rules: \(parts.joined(separator: ", "))"
    let known = examination.verdicts.count(where: \.isForgiven)
    if known > 0 { text += " (\(known) known)" }
    if let kills = examination.kills {
      text += "; \(kills.tally)"
    }
    text += "; engine \(examination.engine) \(examination.engineVersion)"
    text += ", seed 0x\(String(examination.seed, radix: 16))"
    if let mutant = examination.mutant { text += ", mutant \(mutant)" }
    if examination.isPartial == true { text += "; interrupted, the rest was not asked" }
    return text
  }

  private func painted(_ text: String, _ state: Verdict.State) -> String {
    guard usesColour else { return text }
    let colour =
      switch state {
      case .holds: 32
      case .violated, .error: 31
      case .vacuous, .flaky: 35
      case .skipped, .untested: 33
      }
    return "\u{1b}[\(colour)m\(text)\u{1b}[0m"
  }
}

func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

private func aligned(_ text: String, to width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

private func shortened(_ text: String, to width: Int) -> String {
  text.count <= width ? text : text.prefix(width - 1) + "…"
}
