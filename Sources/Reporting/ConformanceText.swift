import Evidence

/// Verdicts for a terminal: failures first and in full, then a line per family.
public struct ConformanceText {
  /// Colours and marks are for terminals only.
  public var usesColour: Bool
  /// Also list what holds, what is skipped and what is untested, rule by rule.
  public var isVerbose: Bool

  /// What a rule's name leads to, where the terminal can and a page was written; the name itself
  /// elsewhere.
  public var link: @Sendable (String) -> String = { $0 }

  public init(usesColour: Bool = false, isVerbose: Bool = false) {
    self.usesColour = usesColour
    self.isVerbose = isVerbose
  }

  /// One rule, as it is found: `CONFINE-02  holds  12 ms  A read …`.
  public func line(_ verdict: Verdict) -> String {
    let state = padded(verdict.state.rawValue, to: 9)
    let id = padded(Printable.line(verdict.id), to: 11)
    let time = padded(
      verdict.state == .untested ? "" : "\(Int(nearest: verdict.milliseconds)) ms", to: 8)
    let decider = verdict.decidedBy.map { padded("by \($0.rawValue)", to: 15) } ?? ""
    let words = shortened(Printable.line(verdict.wording), to: TextTable.limit - 28 - decider.count)
    return "\(id)\(painted(state, verdict.state))\(time)\(decider)\(words)"
  }

  /// A rule that fell, with what is needed to look into it.
  public func failure(_ verdict: Verdict) -> String {
    let state = verdict.state.rawValue
    let id = Printable.line(verdict.id)
    let start = "\(state) \(id): "
    var text = TextTable.paragraph(verdict.wording, start: start)
    text = "\(painted(state, verdict.state)) \(link(id)): " + text.dropFirst(start.count)
    for (name, value) in [
      ("in", verdict.reason), ("expected", verdict.expected), ("observed", verdict.observed),
      ("decided", verdict.decidedBy.map { "by \($0.rawValue)" }), ("known", verdict.known),
      ("until", verdict.issue?.expires), ("told at", verdict.issue?.url), ("again", verdict.repro),
    ] {
      // A command is copied as a whole.
      if let value {
        let head = "  " + padded(name, to: 10)
        text +=
          name == "again" || name == "told at"
          ? head + Printable.line(value) + "\n" : TextTable.paragraph(value, start: head)
      }
    }
    return text
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
    if !examination.verdicts.isEmpty { text += families(examination) }
    text += leftOut(examination) + skipped(examination)
    let deciders = examination.deciders.map { "\($0.decider.rawValue) \($0.count)" }
    if !deciders.isEmpty { text += "decided by \(deciders.joined(separator: ", "))\n" }
    if let moments = moments(examination) { text += moments }
    if let found = examination.explorations { text += "\n" + explorations(found) }
    text += anomalies(examination)
    if let kills = examination.kills { text += "\n" + matrix(kills) }
    text += "\n" + summary(examination) + "\n"
    if !examination.weights.isEmpty { text += "of these \(examination.weighed)\n" }
    return text
  }

  /// Why rules were skipped, one by one: what a budget had no room for is told apart.
  func skipped(_ examination: Examination) -> String {
    let all = examination.verdicts.filter { $0.state == .skipped && $0.skip != .budget }
    let shown = isVerbose ? all[...] : all.prefix(ConformanceText.mostSkipped)
    let text = shown.map {
      TextTable.paragraph($0.reason ?? "no reason was given", start: "skipped \($0.id): ")
    }
    let more = all.count - shown.count
    return text.joined()
      + (more > 0 ? "skipped: \(Figures.count(more, "rule")) more, which --verbose names\n" : "")
  }

  /// How many skipped rules a short report names.
  private static let mostSkipped = 10

  /// What a budget had no room for, with the rules by their ranges; empty where that is none.
  func leftOut(_ examination: Examination) -> String {
    let count = examination.verdicts.count { $0.skip == .budget }
    guard count > 0 else { return "" }
    let names = examination.families.compactMap { family, own -> String? in
      let gone = own.filter { $0.skip == .budget }.map { String($0.id.dropFirst(family.count + 1)) }
      guard let first = gone.first, let last = gone.last else { return nil }
      if gone.count == own.count, gone.count > 1 { return "\(family)-\(first)…\(last)" }
      return gone.map { "\(family)-\($0)" }.joined(separator: " ")
    }
    return TextTable.paragraph(
      "\(Figures.count(count, "rule")), as the budget did not hold them: "
        + names.joined(separator: " "), start: "left out: ")
  }

  /// How many of the engine's named instants rules came by, and which none did; nil where only some
  /// rules were asked, or the engine names none.
  func moments(_ examination: Examination) -> String? {
    guard let all = examination.moments, ConformanceFiles.isWhole(examination) else { return nil }
    let missed = examination.missedMoments
    return "moments of the engine that a rule comes by: \(all.count - missed.count) of \(all.count)"
      + (missed.isEmpty ? "" : "; none comes by \(missed.joined(separator: ", "))") + "\n"
  }

  /// Which anomalies were seen, and what was not looked for; one line where there is neither.
  func anomalies(_ examination: Examination) -> String {
    let all = examination.anomalies
    guard all.contains(where: { $0.state != .notAsked }) else { return "" }
    func count(_ state: AnomalyAnswer.State) -> Int { all.count { $0.state == state } }
    var text = ""
    for one in all where one.state == .seen || one.state == .suspected {
      text += TextTable.paragraph(
        one.told, start: "anomaly \(one.state.rawValue): \(one.kind.rawValue): ")
    }
    let unasked = count(.notAsked)
    return text + "anomalies: \(count(.seen)) seen, \(count(.suspected)) suspected, "
      + "\(count(.notSeen)) looked for and not seen"
      + (unasked > 0 ? ", \(unasked) not looked for" : "") + "\n"
  }

  /// A line for each family: how many rules, how many in each state.
  func families(_ examination: Examination) -> String {
    var text = "family     rules  holds  violated  skipped  untested  other\n"
    for (name, own) in examination.families {
      func count(_ states: Verdict.State...) -> String {
        let number = own.count { states.contains($0.state) }
        return number == 0 ? "·" : "\(number)"
      }
      text += padded(Printable.line(name), to: 11)
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
      text += TextTable.paragraph(
        "\(one.count) \(one.kind.unit): \(one.detail), \(Int(nearest: one.milliseconds)) ms",
        start: "\(padded(one.name, to: width))\(state)  ")
      guard let failure = one.failure else { continue }
      text += TextTable.paragraph(failure.sentence, start: "  observed  ")
      if !failure.story.isEmpty {
        text += TextTable.paragraph(failure.story.joined(separator: " "), start: "  story     ")
      }
      if let known = failure.known { text += TextTable.paragraph(known, start: "  known     ") }
      text += "  again     \(Printable.line(failure.repro))\n"
    }
    let totals = Exploration.Kind.allCases.compactMap { kind -> String? in
      let own = found.filter { $0.kind == kind }
      return own.isEmpty ? nil : "\(own.reduce(0) { $0 + $1.count }) \(kind.unit)"
    }
    if totals.isEmpty { return text + "explored: nothing, for no scenario was asked\n" }
    let broken = found.count { $0.failure != nil }
    return text + "explored: \(totals.joined(separator: ", ")); "
      + "\(broken == 0 ? "nothing" : "\(broken)") broken\n"
  }

  /// Which mutant was caught by which rule.
  public func matrix(_ kills: KillMatrix) -> String {
    let width = (kills.rows.map(\.mutant.count).max() ?? 0) + 2
    var text = ""
    for row in kills.rows {
      var told: [String] = []
      if !row.caughtBy.isEmpty { told.append("by \(row.caughtBy.joined(separator: " "))") }
      if !row.missedBy.isEmpty { told.append("missed by \(row.missedBy.joined(separator: " "))") }
      if let lacking = row.skippedBy { told.append("skipped: \(lacking.joined(separator: " "))") }
      if let more = row.alsoCaughtBy, !more.isEmpty { told.append("and \(more.count) more") }
      text += TextTable.paragraph(
        told.joined(separator: " "),
        start: "\(padded(row.mutant, to: width))\(padded(word(row.outcome), to: 9))  ")
    }
    if !kills.rulesWithoutMutant.isEmpty {
      text += TextTable.paragraph(
        kills.rulesWithoutMutant.joined(separator: " "), start: "unproven, no mutant names them: ")
    }
    let excused = (kills.rulesThatCannotFall ?? [:]).sorted { $0.key < $1.key }
    for (rule, reason) in excused {
      text += TextTable.paragraph(reason, start: "no mutant: \(rule): ")
    }
    text +=
      "\(Figures.count(kills.provenRules.count, "rule")) fell to a mutant, "
      + "\(kills.toothlessRules.count) missed theirs, "
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
    var text =
      examination.verdicts.isEmpty
      ? "no rule before the honest engine"
      : "\(Figures.count(examination.verdicts.count, "rule")): \(parts.joined(separator: ", "))"
    let known = examination.verdicts.count(where: \.isForgiven)
    if known > 0 { text += " (\(known) known)" }
    if let part = examination.part { text += "; \(part)" }
    if let kills = examination.kills {
      text += "; \(kills.tally)"
    }
    text += "; engine \(examination.engine) \(examination.engineVersion)"
    text += ", seed 0x\(String(examination.seed, radix: 16))"
    if let mutant = examination.mutant { text += ", mutant \(mutant)" }
    if examination.isPartial == true { text += "; interrupted, the rest was not asked" }
    return Printable.line(text)
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
