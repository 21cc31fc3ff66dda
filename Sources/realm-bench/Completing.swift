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
  /// Stored runs: folders, and the names of baselines as `@NAME`.
  case runs
  case baselines
  case words([String])
  /// Some of the words, with commas between them.
  case lists([String])
  /// One of the words, or with `!` what leaves it out.
  case globs([String])
  /// `NAME=V1,V2`: a name, and behind it some of its values. All of them, as `NAME=VALUE`.
  case settings([String])
  /// `NAME=PROGRAM`: one of the names, and behind it a file.
  case programs([String])

  /// What the value of an option may be: its own words where help lists them, else by what it is
  /// called there.
  init(_ option: Option, of verb: Verb) {
    guard let value = option.value else {
      self = .nothing
      return
    }
    switch (option.name, value) {
    case ("filter", _): self = .globs(verb.name == "conformance" ? Self.rules : Self.benchmarks)
    case ("profile", _): self = .words(Self.benchmarks)
    case ("engine", _):
      // Only one of a build's engines can be judged.
      let isJudged = verb.name == "conformance"
      self = .lists(isJudged ? [thisEngine.name] : Benchmarks.Catalogue.engines.map(\.name))
    case ("mutant", _): self = .words(Mutant.all.map(\.name))
    case ("scenario", _): self = .words(Inquiry.all.map(\.name))
    case ("export", _): self = .words(Exporter.all.map(\.name))
    case ("set", _):
      self = .settings(Self.settings)
    case ("engine-at", _):
      // What this build is not.
      self = .programs(["realm", "reference"].filter { $0 != thisEngine.name })
    case ("handicap", _):
      self = .words(["time=0.05", "time=0.1", "time=0.2", "allocation", "flush"])
    case (_, "FILE"), (_, "EXE"): self = .files
    case (_, "DIR"): self = .folders
    case _ where value.contains("|"): self = .words(value.split(separator: "|").map(String.init))
    default: self = .nothing
    }
  }

  /// An operand of a verb: its place, from 1, or nil for every place; the first operand, where that
  /// decides; and what it may be.
  typealias Operand = (place: Int?, first: String?, what: Completing)

  static func operands(of verb: Verb) -> [Operand] {
    let spelled = verb.operands.filter { !"[]".contains($0) }.split(separator: " ")
    guard let first = spelled.first, let last = spelled.last else { return [] }
    if last.hasSuffix("…") { return [(nil, nil, Completing(operand: first))] }
    if verb.name == "baseline" {
      return [
        (1, nil, Completing(operand: first)), (2, "show", .baselines), (2, "delete", .baselines),
        (3, "save", .folders),
      ]
    }
    return spelled.enumerated().map { ($0.offset + 1, nil, Completing(operand: $0.element)) }
  }

  private init(operand: Substring) {
    switch operand {
    case "RULE": self = .words(Self.rules)
    case "FILE": self = .files
    case "DIR", "RUN…": self = .folders
    case "A": self = .runs
    case _ where operand.contains("|"):
      self = .words(operand.split(separator: "|").map(String.init))
    // Commits are git's to complete.
    default: self = .nothing
    }
  }

  /// Every value that the catalogue has for a parameter, by names, each once.
  private static let settings: [String] = {
    var values: [String: [String]] = [:]
    for one in Benchmarks.Catalogue.all.flatMap(\.parameters) {
      for value in one.values where !values[one.name, default: []].contains(value) {
        values[one.name, default: []].append(value)
      }
    }
    return values.sorted { $0.key < $1.key }.flatMap { name, values in
      values.map { "\(name)=\($0)" }
    }
  }()

  private static let rules = Conformance.Catalogue.all.map(\.id)
  private static let benchmarks = Benchmarks.Catalogue.all.map(\.name)
}
