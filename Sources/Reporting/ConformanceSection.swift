import Evidence

/// The verdicts on the rules, as a part of a page: failures first, then every rule by family, then the mutants.
package struct ConformanceSection {
  private let examination: Examination

  package init(_ examination: Examination) { self.examination = examination }

  /// What a reader takes home.
  package var sentence: String {
    func count(_ state: Verdict.State) -> Int { examination.count(state) }
    let asked = examination.verdicts.count - count(.untested)
    var said = "\(count(.holds)) of \(asked) rules that were asked hold"
    for state in [Verdict.State.violated, .vacuous, .flaky, .error, .skipped]
    where count(state) > 0 { said += ", \(count(state)) \(state.rawValue)" }
    if count(.untested) > 0 { said += "; \(count(.untested)) have no probe yet" }
    if let kills = examination.kills {
      said += "; \(kills.killed.count) of \(kills.triedCount) broken engines were caught"
      if !kills.untried.isEmpty { said += ", \(kills.untried.count) could not be tried" }
    }
    if examination.isPartial == true { said += "; interrupted, the rest was not asked" }
    if let mutant = examination.mutant { said += "; examined was the broken engine \(mutant)" }
    return said + "."
  }

  package var section: PageSection {
    PageSection(
      id: "rules", title: "Rules",
      html:
        "<p>\(Markup.escape(sentence))</p>\(covered)\(failures)\(families)\(explored)\(rules)\(mutants)"
    )
  }

  private var covered: String {
    guard let coverage = examination.coverage else { return "" }
    return
      "<p>\(coverage.sentences) sentences of Realm's documents: \(coverage.binding) bind an engine, "
      + "\(coverage.probed) of these are probed; each of the others is accounted for by a reason.</p>"
  }

  private var failures: String {
    // What is news comes first, what is known last.
    let bad = examination.verdicts.filter(\.state.isBad)
    return (bad.filter { !$0.isForgiven } + bad.filter(\.isForgiven)).map { verdict in
      let facts: [(String, String?)] = [
        ("rule", verdict.wording), ("what happened", verdict.reason),
        ("expected", verdict.expected), ("observed", verdict.observed),
        ("known", verdict.known), ("source", verdict.source), ("again", verdict.repro),
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
        + states.map { .init($0.rawValue, number: true) })
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
      ])
    for one in found {
      let told = one.failure.map { "\($0.sentence); again: \($0.repro)" } ?? one.detail
      table.add([
        .init(one.name),
        .init(one.failure == nil ? "✓ holds" : "✕ broken", kind: one.failure == nil ? "" : "bad"),
        .init(Figures.text(Double(one.count), "")), .init(one.kind.unit), .init(told),
        .init(Figures.fixed(one.milliseconds / 1000, 1)), .init(one.rules.joined(separator: " ")),
      ])
    }
    return table.html
  }

  private var rules: String {
    var table = HTMLTable(
      "Every rule",
      [
        .init("rule"), .init("verdict"), .init("wording"), .init("why"),
        .init("checks", number: true), .init("source"),
      ])
    for (family, verdicts) in examination.families {
      table.group(family, note: "\(verdicts.count { $0.state == .holds }) hold")
      for verdict in verdicts {
        table.add([
          .init(verdict.id), .init(Self.symbol(verdict.state) + " " + verdict.state.rawValue),
          .init(verdict.wording), .init(verdict.state == .holds ? "" : verdict.reason ?? ""),
          .init(verdict.assertions == 0 ? "" : "\(verdict.assertions)"),
          .init(verdict.source ?? ""),
        ])
      }
    }
    return
      "<details><summary>All \(examination.verdicts.count) rules</summary>\(table.html)</details>"
  }

  private var mutants: String {
    guard let kills = examination.kills else { return "" }
    var table = HTMLTable(
      "Broken engines and the rules that caught them",
      [
        .init("mutant"), .init("verdict"), .init("what is broken"), .init("caught by"),
        .init("missed by"), .init("skipped"),
      ] + (kills.isWhole ? [.init("also caught by")] : []))
    for row in kills.rows {
      table.add(
        [
          .init(row.mutant),
          Self.cell(of: row), .init(row.story), .init(row.caughtBy.joined(separator: " ")),
          .init(row.missedBy.joined(separator: " ")),
          .init(row.skippedBy?.joined(separator: " ") ?? ""),
        ] + (kills.isWhole ? [.init(row.alsoCaughtBy?.joined(separator: " ") ?? "")] : []))
    }
    let unproven = kills.rulesWithoutMutant
    let rest =
      unproven.isEmpty
      ? ""
      : "<p>Unproven, because no mutant names them: \(Markup.escape(unproven.joined(separator: " ")))</p>"
    let excused = (kills.rulesThatCannotFall ?? [:]).sorted { $0.key < $1.key }
      .map { "<li>\(Markup.escape("\($0.key): \($0.value)"))</li>" }.joined()
    let exceptions = excused.isEmpty ? "" : "<p>No engine could break:</p><ul>\(excused)</ul>"
    return "<h3>Can the suite fail?</h3>\(table.html)\(rest)\(exceptions)\(everyPair(kills))"
  }

  /// Every mutant before every rule, a sign for each pair: the families as columns, their rules within.
  private func everyPair(_ kills: KillMatrix) -> String {
    guard kills.isWhole else { return "" }
    let families = examination.families.map { name, verdicts in
      (name, verdicts.filter { $0.state != .untested }.map(\.id))
    }.filter { !$0.1.isEmpty }
    var table = HTMLTable(
      "Each mutant before each rule: ● fell as it must, ○ fell too, ✕ should have, · holds, – skipped",
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
    return "<details><summary>All \(tried) pairs, of which \(fell) fell</summary>"
      + "\(table.html)</details>"
  }

  private static func cell(of row: KillMatrix.Row) -> HTMLTable.Cell {
    switch row.outcome {
    case .caught: .init("✓ caught")
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
