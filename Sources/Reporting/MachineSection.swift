import Evidence

/// Where the numbers were made: facts, and how each engine was set up.
struct MachineSection {
  let environment: Environment

  var section: PageSection {
    let facts = environment.facts.filter { !$0.value.isEmpty }.map {
      "<dt>\(Markup.escape($0.name))</dt><dd>\(Markup.escape($0.value))</dd>"
    }.joined()
    var engines = HTMLTable("Engines", [.init("engine"), .init("version"), .init("set up as")])
    for engine in environment.engines {
      engines.add([.init(engine.name), .init(engine.version), .init(engine.setting)])
    }
    return PageSection(
      id: "machine", title: "Machine and engines",
      html: (environment.engines.isEmpty ? "" : engines.html) + "<dl class=\"facts\">\(facts)</dl>")
  }
}
