import Evidence

/// One sentence of what an engine owes its users, with the means to find out.
///
/// A rule without a probe stands in the catalogue all the same and says why: what is not examined
/// must be visible.
public struct Rule: Sendable {
  /// What a rule rests on.
  public enum Tier: String, Sendable {
    /// A sentence of Realm's documentation.
    case documented
    /// Only realm-swift's code, comments or tests.
    case implementation
  }

  public enum Level: String, Sendable {
    case required
    /// True of most runs; a single exception proves nothing.
    case stochastic
    /// Recorded, never held against an engine.
    case informative
  }

  public let id: String
  public let tier: Tier
  public let level: Level
  /// The rule in our words.
  public let wording: String
  /// Where it is from: the page and its section, or the place in realm-swift's sources.
  public let source: String
  /// How an engine breaks it: what the probe must be able to see.
  public let broken: String
  public let probes: [Probe]
  /// Why there is no probe.
  public let untested: String?
  /// Where it is declared: `Sources/A.swift:12`.
  public let place: String

  public init(
    _ id: String, _ tier: Tier, _ wording: String, level: Level = .required, source: String,
    broken: String, probes: [Probe], file: String = #filePath, line: Int = #line
  ) {
    self.id = id
    self.tier = tier
    self.level = level
    self.wording = wording
    self.source = source
    self.broken = broken
    self.probes = probes
    untested = nil
    place = Run.Entry.place(file, line)
  }

  public init(
    _ id: String, _ tier: Tier, _ wording: String, level: Level = .required, source: String,
    broken: String, untested: String, file: String = #filePath, line: Int = #line
  ) {
    self.id = id
    self.tier = tier
    self.level = level
    self.wording = wording
    self.source = source
    self.broken = broken
    self.untested = untested
    probes = []
    place = Run.Entry.place(file, line)
  }

  /// Its source in words, and the sentences of Realm's documents that say it.
  public var fullSource: String {
    let said = DocumentCoverage.citation(of: id)
    return said.isEmpty ? source : "\(source) Sentences: \(said)"
  }

  public var family: String { String(id.prefix { $0 != "-" }) }
  /// The number behind the family's name.
  var number: Int { Int(id.drop { $0 != "-" }.dropFirst()) ?? 0 }
}
