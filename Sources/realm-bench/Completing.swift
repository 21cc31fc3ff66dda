import Benchmarks
import Conformance
import Evidence
import Mutants
import Reporting

/// What may stand in a place of the command line, as far as a shell can offer it.
enum Completing: Equatable {
  case nothing
  case files
  case folders
  case words([String])

  /// What the value of an option may be: its own words where help lists them, else by what it is
  /// called there.
  init(_ option: Option, of verb: Verb) {
    guard let value = option.value else {
      self = .nothing
      return
    }
    switch (option.name, value) {
    case ("filter", _): self = .words(verb.name == "conformance" ? Self.rules : Self.benchmarks)
    case ("profile", _): self = .words(Self.benchmarks)
    case ("engine", _): self = .words(Benchmarks.Catalogue.engines.map(\.name))
    case ("mutant", _): self = .words(Mutant.all.map(\.name))
    case ("export", _): self = .words(Exporter.all.map(\.name))
    case ("set", _):
      let names = Set(Benchmarks.Catalogue.all.flatMap(\.parameters).map(\.name))
      self = .words(names.sorted().map { "\($0)=" })
    case ("handicap", _):
      self = .words(["time=0.05", "time=0.1", "time=0.2", "allocation", "flush"])
    case (_, "FILE"), (_, "EXE"): self = .files
    case (_, "DIR"): self = .folders
    case _ where value.contains("|"): self = .words(value.split(separator: "|").map(String.init))
    default: self = .nothing
    }
  }

  /// What an operand of a verb may be.
  init(operandOf verb: Verb) {
    let spelled = verb.operands.filter { !"[]".contains($0) }
    if spelled.hasPrefix("RULE") {
      self = .words(Self.rules)
    } else if let first = spelled.split(separator: " ").first, first.contains("|") {
      self = .words(first.split(separator: "|").map(String.init))
    } else if spelled.hasPrefix("DIR") || spelled.hasPrefix("RUN") || spelled.hasPrefix("A B") {
      self = .folders
    } else {
      // Commits are git's to complete.
      self = spelled.isEmpty || spelled.hasPrefix("GOOD") ? .nothing : .files
    }
  }

  private static let rules = Conformance.Catalogue.all.map(\.id)
  private static let benchmarks = Benchmarks.Catalogue.all.map(\.name)
}
