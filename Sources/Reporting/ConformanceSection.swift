import Evidence

/// The verdicts on the rules, as a part of a page: failures first, then every rule by family, then
/// the mutants.
package struct ConformanceSection {
  private let examination: Examination
  private let links: Links
  /// Where each rule stands in the sources, by its id.
  private let places: [String: String]

  package init(
    _ examination: Examination, links: Links = Links(), places: [Run.Entry] = []
  ) {
    self.examination = examination
    self.links = links
    self.places = Dictionary(
      places.map { ($0.name, $0.source) }, uniquingKeysWith: { first, _ in first })
  }

  /// What a reader takes home.
  package var sentence: String {
    func count(_ state: Verdict.State) -> Int { examination.count(state) }
    let asked = examination.verdicts.count - count(.untested)
    var said =
      "\(count(.holds)) of \(Figures.count(asked, "rule")) that \(asked == 1 ? "was" : "were") "
      + "asked "
      + (count(.holds) == 1 ? "holds" : "hold")
    for state in [Verdict.State.violated, .vacuous, .flaky, .error, .skipped]
    where count(state) > 0 { said += ", \(count(state)) \(state.rawValue)" }
    if count(.untested) > 0 {
      said += "; \(count(.untested)) \(count(.untested) == 1 ? "has" : "have") no probe yet"
    }
    if let part = examination.part { said += "; \(part)" }
    let deciders = examination.deciders.map { "\($0.count) by \($0.decider.rawValue)" }
    if !deciders.isEmpty { said += "; decided \(deciders.joined(separator: ", "))" }
    if let kills = examination.kills {
      said += "; \(kills.killed.count) of \(kills.triedCount) broken engines were caught"
      if !kills.untried.isEmpty { said += ", \(kills.untried.count) could not be tried" }
    }
    if examination.isPartial == true { said += "; interrupted, the rest was not asked" }
    if let mutant = examination.mutant { said += "; examined was the broken engine \(mutant)" }
    return said + "."
  }

  package var sections: [PageSection] {
    let whole =
      "<p>\(Markup.escape(sentence))</p>\(weighed)\(covered)\(moments)\(failures)"
      + families + explored + anomalies + self.rules
    let counts = "\(examination.count(.holds)) of \(examination.verdicts.count) hold"
    let rules = PageSection(id: "rules", title: "Rules", note: counts, html: whole)
    guard let kills = examination.kills else { return [rules] }
    return [
      rules,
      PageSection(
        id: "mutants", title: "Can the suite fail?",
        note: "\(kills.killed.count) of \(Figures.count(kills.triedCount, "broken engine")) caught",
        html: mutants),
    ]
  }

  /// Documented rules and those that only realm-swift's code says, binding ones and others: counted
  /// apart.
  private var weighed: String {
    guard !examination.weights.isEmpty else { return "" }
    var table = HTMLTable(
      "How binding the rules are: MUST as documented, SHOULD of most runs, MAY recorded only, "
        + "DERIVED from realm-swift's code, comments or tests",
      [.init("level"), .init("rules", number: true), .init("hold", number: true)])
    for one in examination.weights {
      table.add([.init(one.name), .init("\(one.rules)"), .init("\(one.holds)")])
    }
    return table.html
  }

  /// How much of Realm's documents the rules account for; of a part of them only how many stand
  /// here.
  private var covered: String {
    guard let coverage = examination.coverage else { return "" }
    let catalogue =
      "<p>\(coverage.sentences) sentences of Realm's documents: \(coverage.binding) bind an "
      + "engine, \(coverage.probed) of these are probed by the whole suite; each of the others is "
      + "accounted for by a reason.</p>"
    guard let part = examination.part else { return catalogue }
    return
      "<p>\(part): what this page says of them it does not say of the others.</p>" + catalogue
  }

  /// Which of the engine's named instants no rule came by: what happens there nobody has seen.
  private var moments: String {
    ConformanceText().moments(examination).map {
      "<p>\(Markup.escape($0.capitalizedFirst.dropLast() + "."))</p>"
    } ?? ""
  }

  private var failures: String {
    // What is news comes first, what is known last.
    let bad = examination.verdicts.filter(\.state.isBad)
    return (bad.filter { !$0.isForgiven } + bad.filter(\.isForgiven)).map { verdict in
      let facts: [(String, String?)] = [
        ("rule", verdict.wording), ("what happened", verdict.reason),
        ("expected", verdict.expected), ("observed", verdict.observed),
        ("decided by", verdict.decidedBy?.rawValue), ("known", verdict.known),
        ("known until", verdict.issue?.expires), ("told at", verdict.issue?.url),
        ("source", verdict.source), ("again", verdict.repro),
      ]
      let lines = facts.compactMap { name, value in
        value.map { "<dt>\(name)</dt><dd>\(Markup.escape($0))</dd>" }
      }
      let known = verdict.isForgiven ? ", known" : ""
      return "<h3>✕ \(Markup.escape(verdict.id)) \(verdict.state.rawValue)\(known)</h3>"
        + "<dl>\(lines.joined())</dl>"
    }.joined(separator: "\n")
  }

  private var families: String {
    let states: [Verdict.State] = [
      .holds, .violated, .skipped, .vacuous, .flaky, .error, .untested,
    ]
    var table = HTMLTable(
      "Verdicts by family",
      [.init("family"), .init("rules", number: true)]
        + states.map { .init($0.rawValue, number: true) }, stacks: true)
    for (family, verdicts) in examination.families {
      table.add(
        [.init(family), .init("\(verdicts.count)")]
          + states.map { state in
            let count = verdicts.count { $0.state == state }
            return .init(
              count == 0 ? "·" : "\(count)", kind: count > 0 && state.isBad ? "bad" : "")
          })
    }
    return table.html
  }

  private var explored: String {
    guard let found = examination.explorations, !found.isEmpty else { return "" }
    var table = HTMLTable(
      "What was explored beyond the rules",
      [
        .init("exploration"), .init("verdict"), .init("looked at", number: true), .init("of what"),
        .init("how far"), .init("seconds", number: true), .init("bears on"),
      ], stacks: true)
    for one in found {
      let told =
        one.failure.map { failure in
          failure.sentence + (failure.known.map { "; known: \($0)" } ?? "")
            + "; again: \(failure.repro)"
        } ?? one.detail
      table.add([
        .init(one.name),
        .init(one.failure == nil ? "✓ holds" : "✕ broken", kind: one.failure == nil ? "" : "bad"),
        .init(Figures.text(Double(one.count), "")), .init(one.kind.unit), .init(told),
        .init(Figures.fixed(one.milliseconds / 1000, 1)), .init(one.rules.joined(separator: " ")),
      ])
    }
    return table.html
  }

  /// The anomalies that databases are told apart by: whether they were seen, and in how much.
  private var anomalies: String {
    let all = examination.anomalies
    guard all.contains(where: { $0.state != .notAsked }) else { return "" }
    return ConformanceMatrix([examination]).anomalies
  }

  private var rules: String {
    let isShared = !examination.deciders.isEmpty
    var table = HTMLTable(
      "Every rule",
      [
        .init("rule"), .init("verdict"), .init("wording"), .init("why"),
        .init("checks", number: true), .init("source"),
      ] + (isShared ? [.init("decided by")] : []), stacks: true)
    for (family, verdicts) in examination.families {
      table.group(family, note: "\(verdicts.count { $0.state == .holds }) hold")
      for verdict in verdicts {
        table.add(
          [
            .init(html: Links.here(verdict.id)),
            .init(
              Self.symbol(verdict.state) + " " + verdict.state.rawValue,
              kind: verdict.state.isBad ? "bad" : ""),
            .init(verdict.wording), .init(why(verdict)),
            .init(
              verdict.assertions == 0 ? "" : "\(verdict.assertions)",
              value: Double(verdict.assertions)),
            .init(html: source(verdict)),
          ] + (isShared ? [.init(verdict.decidedBy?.rawValue ?? "")] : []),
          id: Links.anchor(verdict.id))
      }
    }
    let rules = Figures.count(examination.verdicts.count, "rule")
    return "<details class=\"fold\"><summary>All \(rules)</summary>\(table.html)</details>"
  }

  private func why(_ verdict: Verdict) -> String {
    guard verdict.state != .holds else { return "" }
    let code = verdict.skip.map { " (\($0.kind.rawValue), \($0.rawValue))" } ?? ""
    return (verdict.reason ?? "") + code
  }

  /// Its sentence in docs/RULES.md, its probe, and the documents that it is from.
  private func source(_ verdict: Verdict) -> String {
    let place = links.source(places[verdict.id] ?? "", as: "probe")
    let cited = verdict.source.map {
      "<details><summary>documents</summary>\(Markup.escape($0))</details>"
    }
    return [links.rule(verdict), place, cited ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private var mutants: String {
    guard let kills = examination.kills else { return "" }
    // Added and not joined: sums of lists whose types must be guessed take the compiler seconds.
    var columns: [HTMLTable.Column] = [
      .init("mutant"), .init("verdict"), .init("what is broken"), .init("caught by"),
      .init("missed by"), .init("skipped"),
    ]
    if kills.isWhole { columns.append(.init("also caught by")) }
    var table = HTMLTable("Broken engines and the rules that caught them", columns, stacks: true)
    func names(_ rules: [String]?) -> HTMLTable.Cell { .init(rules?.joined(separator: " ") ?? "") }
    for row in kills.rows {
      var cells: [HTMLTable.Cell] = [
        .init(row.mutant), Self.cell(of: row), .init(row.story), names(row.caughtBy),
        names(row.missedBy), names(row.skippedBy),
      ]
      if kills.isWhole { cells.append(names(row.alsoCaughtBy)) }
      table.add(cells)
    }
    let unproven = kills.rulesWithoutMutant
    let rest =
      unproven.isEmpty
      ? ""
      : "<p>Unproven, because no mutant names "
        + "them: \(Markup.escape(unproven.joined(separator: " ")))</p>"
    let excused = (kills.rulesThatCannotFall ?? [:]).sorted { $0.key < $1.key }
      .map { "<li>\(Markup.escape("\($0.key): \($0.value)"))</li>" }.joined()
    let exceptions = excused.isEmpty ? "" : "<p>No engine could break:</p><ul>\(excused)</ul>"
    return "\(table.html)\(rest)\(exceptions)\(everyPair(kills))"
  }

  /// Every mutant before every rule, a sign for each pair: the families as columns, their rules
  /// within.
  private func everyPair(_ kills: KillMatrix) -> String {
    guard kills.isWhole else { return "" }
    let families = examination.families.map { name, verdicts in
      (name, verdicts.filter { $0.state != .untested }.map(\.id))
    }.filter { !$0.1.isEmpty }
    var table = HTMLTable(
      "Each mutant before each rule: ● fell as it must, ○ fell too, ✕ should have, · holds, – "
        + "skipped",
      [.init("mutant")]
        + families.map { .init("\($0) \($1.first?.suffix(2) ?? "")–\($1.last?.suffix(2) ?? "")") })
    for row in kills.rows {
      table.add(
        [.init(row.mutant)]
          + families.map { _, rules in
            .init(rules.map { row.cell($0)?.sign ?? " " }.joined())
          })
    }
    let tried = kills.rows.count * families.reduce(0) { $0 + $1.1.count }
    let fell = kills.rows.reduce(0) { $0 + $1.caughtBy.count + ($1.alsoCaughtBy?.count ?? 0) }
    return "<details class=\"fold\"><summary>All \(tried) pairs, of which \(fell) fell</summary>"
      + "\(table.html)</details>"
  }

  private static func cell(of row: KillMatrix.Row) -> HTMLTable.Cell {
    switch row.outcome {
    case .caught: .init("✓ caught", kind: "nowrap")
    case .survived: .init("✕ survived", kind: "bad")
    case .untried: .init("– not tried")
    }
  }

  static func symbol(_ state: Verdict.State) -> String {
    switch state {
    case .holds: "✓"
    case .violated, .error: "✕"
    case .skipped: "–"
    case .vacuous, .flaky: "?"
    case .untested: "·"
    }
  }
}
