import Evidence

/// Rules by engines and versions: where several examinations differ, and where they agree.
///
/// No column is summed up in one number: which rule fell is the news.
package struct ConformanceMatrix {
  private let columns: [Examination]

  package init(_ examinations: [Examination]) { columns = examinations }

  /// What each column is called: engine, version, the mutant if it was one, and a number where that
  /// is not enough.
  package var names: [String] {
    let names = columns.map { column in
      "\(column.engine) \(column.engineVersion)" + (column.mutant.map { " (\($0))" } ?? "")
    }
    return names.enumerated().map { place, name in
      let same = names.prefix(place).count { $0 == name }
      return same == 0 ? name : "\(name) #\(same + 1)"
    }
  }

  private struct Row {
    let id: String
    let wording: String
    let cells: [Verdict?]

    var differs: Bool { Set(cells.map { $0?.state }).count > 1 }

    /// What is known of an engine that does otherwise, or why it could not be asked.
    var why: String {
      cells.compactMap { verdict in
        guard let verdict, verdict.state != .holds else { return nil }
        return verdict.known ?? verdict.reason
      }.joined(separator: "; ")
    }
  }

  private var rows: [Row] {
    let tables = columns.map { Dictionary($0.verdicts.map { ($0.id, $0) }) { first, _ in first } }
    var all = Examination(engine: "", engineVersion: "", seed: 0, verdicts: [])
    var seen: Set<String> = []
    for verdict in columns.flatMap(\.verdicts) where seen.insert(verdict.id).inserted {
      all.verdicts.append(verdict)
    }
    return all.families.flatMap(\.verdicts).map { verdict in
      Row(id: verdict.id, wording: verdict.wording, cells: tables.map { $0[verdict.id] })
    }
  }

  package var sentence: String {
    let differing = rows.count(where: \.differs)
    return
      "\(columns.count) examinations side by side: \(differing) of \(rows.count) rules got "
      + "different verdicts."
  }

  package var section: PageSection {
    var table = HTMLTable(
      "Rules by engine and version",
      [.init("rule")] + names.map { .init($0) } + [.init("wording"), .init("why")], stacks: true)
    // Differences first: they are what such a table is read for.
    let sorted = rows.filter(\.differs) + rows.filter { !$0.differs }
    for row in sorted {
      table.add(
        [.init(row.id)]
          + row.cells.map { verdict in
            guard let verdict else { return .init("not asked") }
            return .init(
              ConformanceSection.symbol(verdict.state) + " " + verdict.state.rawValue
                + (verdict.isForgiven ? ", known" : "")
                + (verdict.decidedBy.map { "; decided by \($0.rawValue)" } ?? ""),
              kind: verdict.state.isBad ? "bad" : "")
          } + [.init(row.wording), .init(row.why)])
    }
    let counts = zip(names, columns).map { name, column in
      "<li>\(Markup.escape("\(name): \(ConformanceSection(column).sentence)"))</li>"
    }
    return PageSection(
      id: "matrix", title: "Engines and versions",
      html: "<p>\(Markup.escape(sentence))</p><ul>\(counts.joined())</ul>\(table.html)"
        + anomalies)
  }

  /// Anomalies by engine: seen, suspected, looked for and not seen, or not looked for.
  package var anomalies: String {
    let answers = columns.map(\.anomalies)
    var table = HTMLTable(
      "Anomalies by engine: ✕ seen, ! a rule that forbids it is violated, – looked for and not "
        + "seen, ? not looked for",
      [.init("anomaly")] + names.map { .init($0) } + [.init("what it is")], stacks: true)
    for (place, kind) in AnomalyKind.allCases.enumerated() {
      table.add(
        [.init(kind.rawValue)]
          + answers.map { column in
            let answer = column[place]
            return .init(
              "\(answer.state.sign) "
                + answer.state.rawValue.replacing("-", with: " ")
                + (answer.told.isEmpty ? "" : ": \(answer.told)"),
              kind: [.seen, .suspected].contains(answer.state) ? "bad" : "")
          } + [.init(kind.sentence)])
    }
    return table.html
  }

  /// matrix.csv: a row for each rule and a column for each examination. An engine that is a library
  /// behind a façade has a second column: which of the two decided.
  package var csv: String {
    let shared = columns.indices.filter { !columns[$0].deciders.isEmpty }
    return CSV.row(["id"] + names + shared.map { "\(names[$0]) decided by" })
      + rows.map { row in
        CSV.row(
          [row.id] + row.cells.map { $0?.state.rawValue ?? "" }
            + shared.map { row.cells[$0]?.decidedBy?.rawValue ?? "" })
      }.joined()
  }

  /// For a terminal: the rules that differ, then a line for each column.
  package var text: String {
    var text = ""
    for row in rows where row.differs {
      let cells = zip(names, row.cells).map { "\($0) \($1?.state.rawValue ?? "not asked")" }
      text += "\(padded(row.id, to: 11))\(cells.joined(separator: ", "))\n"
    }
    for (name, column) in zip(names, columns) {
      text += "\(name): \(ConformanceSection(column).sentence)\n"
    }
    return text + sentence + "\n"
  }
}

extension Examination {
  /// Puts the verdicts of shards together, and examinations of other engines, versions or times
  /// side by side.
  package static func merged(_ examinations: [Examination]) -> [Examination] {
    var columns: [Examination] = []
    for more in examinations {
      let ids = Set(more.verdicts.map(\.id))
      let place = columns.firstIndex { column in
        column.engine == more.engine && column.engineVersion == more.engineVersion
          && column.mutant == more.mutant && column.verdicts.allSatisfy { !ids.contains($0.id) }
      }
      guard let place else {
        columns.append(more)
        continue
      }
      columns[place].verdicts += more.verdicts
      // Shards take every n-th rule: only sorting brings their families together again.
      columns[place].verdicts = columns[place].families.flatMap { family in
        family.verdicts.sorted { $0.id < $1.id }
      }
      if more.isPartial == true { columns[place].isPartial = true }
      columns[place].kills =
        more.kills.map { columns[place].kills?.merged(with: $0) ?? $0 }
        ?? columns[place].kills
      if let more = more.explorations {
        columns[place].explorations = (columns[place].explorations ?? []) + more
      }
    }
    return columns
  }
}
