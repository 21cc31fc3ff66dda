import Evidence

extension TextTable {
  /// What `doctor` prints: facts, engines, and what stands in the way with a remedy for each.
  package static func doctor(
    _ environment: Environment, _ remedies: [(finding: String, remedy: String)]
  ) -> String {
    var table = TextTable(["", ""])
    for fact in environment.facts where !fact.value.isEmpty { table.add([fact.name, fact.value]) }
    let engines = environment.engines.map { engine in
      let name = [engine.name, engine.version].filter { !$0.isEmpty }.joined(separator: " ")
      return paragraph(engine.setting, start: "engine \(name): ")
    }
    let said = remedies.map {
      paragraph($0.finding, start: "! ") + paragraph($0.remedy, start: "  → ")
    }.joined()
    return table.text.drop { $0 == "\n" } + engines.joined() + "\n"
      + (said.isEmpty ? "Nothing stands in the way of a good measurement.\n" : said)
  }
}
