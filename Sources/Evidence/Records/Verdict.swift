/// What an examination found out about one rule.
public struct Verdict: Sendable, Codable, Hashable {
  public enum State: String, Sendable, Codable, CaseIterable {
    case holds
    case violated
    /// The engine or the machine lacks what the rule needs; the reason says what.
    case skipped
    /// The probe asserted nothing, or what should have raced never overlapped: no evidence either
    /// way.
    case vacuous
    /// Reruns with the same seed disagree: a fault of the suite.
    case flaky
    /// The rule has no probe; the reason says why.
    case untested
    /// The probe did not come to a verdict; the reason says what happened to it.
    case error

    /// Speaks against the engine or against the suite.
    public var isBad: Bool {
      switch self {
      case .violated, .vacuous, .flaky, .error: true
      case .holds, .skipped, .untested: false
      }
    }
  }

  public var id: String
  /// `documented`, or `implementation` for what only realm-swift's code and tests say.
  public var tier: String
  public var level: String
  public var wording: String
  /// Where the rule is from, and which sentences say it.
  public var source: String?
  public var state: State
  /// Why, for every state but `holds`.
  public var reason: String?
  public var expected: String?
  public var observed: String?
  public var milliseconds: Double
  public var probes: Int
  public var assertions: Int
  public var seed: UInt64
  /// Why a violation, steady or not, is known and stands: it is shown, but does not fail the run.
  public var known: String?
  /// Where what is known is told, and until when it counts as known; absent where nothing is.
  public var issue: Issue?
  /// The command that shows the same again.
  public var repro: String?
  /// Where a known violation is told of, and the last day on which it is forgiven.
  public struct Issue: Sendable, Codable, Hashable {
    public var url: String
    /// As `2027-05-31`.
    public var expires: String

    public init(url: String, expires: String) { (self.url, self.expires) = (url, expires) }
  }

  /// What was lacking, for other programs: the reason says it in words.
  public var skip: Skip?

  /// Why a rule was skipped: what it is that lacks something, and a code that keeps its meaning.
  public enum Skip: String, Sendable, Codable, Hashable, CaseIterable {
    case noHooks = "no-hooks"
    case noType = "no-type"
    case noCompiler = "no-compiler"
    case noModule = "no-module"
    case compilerStopped = "compiler-stopped"
    case noOverlap = "no-overlap"
    case noPermission = "no-permission"
    case notAskable = "not-askable"
    case budget

    /// What would have to be different.
    public enum Kind: String, Sendable, Codable { case engine, machine, build, chance, budget }

    public var kind: Kind {
      switch self {
      case .noHooks, .noType, .notAskable: .engine
      case .noCompiler, .compilerStopped, .noPermission: .machine
      case .noModule: .build
      case .noOverlap: .chance
      case .budget: .budget
      }
    }
  }

  /// Which named instants of the engine's work its probes came by; absent of engines that name
  /// none.
  public var marks: [String]?

  /// Who decided, of an engine that is a library behind a façade; nil of any other.
  public var decidedBy: Decider?

  /// Who decided about a rule: the engine itself, what stands before it here, or both.
  public enum Decider: String, Sendable, Codable, CaseIterable {
    case library = "realm-core"
    case facade = "façade"
    case both
  }

  public init(
    id: String, tier: String, level: String, wording: String, state: State, reason: String? = nil,
    expected: String? = nil, observed: String? = nil, milliseconds: Double = 0, probes: Int = 0,
    assertions: Int = 0, seed: UInt64 = 0, repro: String? = nil
  ) {
    self.id = id
    self.tier = tier
    self.level = level
    self.wording = wording
    self.state = state
    self.reason = reason
    self.expected = expected
    self.observed = observed
    self.milliseconds = milliseconds
    self.probes = probes
    self.assertions = assertions
    self.seed = seed
    self.repro = repro
  }

  /// How binding a rule is, in the words of RFC 2119, and what it rests on.
  public enum Weight: String, Sendable, CaseIterable {
    /// Realm's documentation says it.
    case must = "MUST"
    /// True of most runs: one exception proves nothing.
    case should = "SHOULD"
    /// Recorded, never held against an engine.
    case may = "MAY"
    /// Only realm-swift's code, comments or tests say so: the rule is derived from them.
    case derived = "DERIVED"
  }

  public var weight: Weight {
    switch level {
    case "stochastic": .should
    case "informative": .may
    default: tier == "documented" ? .must : .derived
    }
  }

  /// Fell, and yet does not fail the run: the rule only records, or the violation is known.
  public var isForgiven: Bool {
    state.isBad
      && (level == "informative" || (known != nil && (state == .violated || state == .flaky)))
  }

  /// Whether it was not asked because the disk was full: nothing was seen to be wrong.
  public var isOutOfSpace: Bool {
    state == .error && reason?.contains(Finding.outOfSpace) == true
  }

  /// The family a rule belongs to: what stands before the number of its id.
  public var family: String { String(id.prefix { $0 != "-" }) }
}

/// All that one pass over the rules found out.
public struct Examination: Sendable, Codable, Hashable {
  public var engine: String
  public var engineVersion: String
  public var seed: UInt64
  public var mutant: String?
  public var verdicts: [Verdict]
  public var kills: KillMatrix?
  public var coverage: Coverage?
  /// Interrupted: rules behind the last verdict were not asked.
  public var isPartial: Bool?

  /// How much of Realm's documents the rules account for.
  public struct Coverage: Sendable, Codable, Hashable {
    public var sentences: Int
    /// Sentences that bind an engine to something; the others explain, lead on or tell of something
    /// else.
    public var binding: Int
    /// Binding sentences of whose rules one is probed at least.
    public var probed: Int
    /// How many rules the suite has, asked or not: what is probed is said of all of them.
    public var rules: Int?

    public init(sentences: Int, binding: Int, probed: Int, rules: Int? = nil) {
      self.sentences = sentences
      self.binding = binding
      self.probed = probed
      self.rules = rules
    }
  }

  /// How many rules were asked, and how many the suite has; nil where nobody says that. Rules
  /// without a probe cannot be asked, and a budget may end before others are.
  public var asked: (rules: Int, suite: Int)? {
    guard let all = coverage?.rules else { return nil }
    let unasked = verdicts.count { $0.state == .untested || $0.skip == .budget }
    return (verdicts.count - unasked, max(all, verdicts.count))
  }

  /// The same in words, of a part of the suite; nil of the whole, and where no rule was asked for.
  public var part: String? {
    guard let asked, !verdicts.isEmpty,
      verdicts.count < asked.suite || verdicts.contains(where: { $0.skip == .budget })
    else { return nil }
    return "\(asked.rules) of the suite's \(asked.suite) rules "
      + (asked.rules == 1 ? "was asked" : "were asked")
  }

  /// What was explored beside the rules, if it was asked for.
  public var explorations: [Exploration]?

  /// The named instants of the engine's work; absent of engines that name none.
  public var moments: [String]?

  /// Of these, the ones that no rule which was asked came by.
  public var missedMoments: [String] {
    (moments ?? []).filter { name in !verdicts.contains { $0.marks?.contains(name) ?? false } }
  }

  public init(
    engine: String, engineVersion: String, seed: UInt64, mutant: String? = nil,
    verdicts: [Verdict], kills: KillMatrix? = nil
  ) {
    self.engine = engine
    self.engineVersion = engineVersion
    self.seed = seed
    self.mutant = mutant
    self.verdicts = verdicts
    self.kills = kills
  }

  public func count(_ state: Verdict.State) -> Int {
    verdicts.count { $0.state == state }
  }

  /// What the rules rest on and how binding they are, and how many of each hold: apart, for a
  /// sentence of Realm's documentation weighs more than a comment in its code.
  public var weights: [(name: String, rules: Int, holds: Int)] {
    Verdict.Weight.allCases.map { weight in
      let own = verdicts.filter { $0.weight == weight && $0.skip != .budget }
      return (weight.rawValue, own.count, own.count { $0.state == .holds })
    }.filter { $0.1 > 0 }
  }

  /// `MUST 238 of 240 hold, DERIVED …`: nothing of what was not asked.
  public var weighed: String {
    weights.map { "\($0.name) \($0.holds) of \($0.rules) hold" }.joined(separator: ", ")
  }

  /// How many verdicts each decided; empty of an engine that is one.
  public var deciders: [(decider: Verdict.Decider, count: Int)] {
    Verdict.Decider.allCases.map { decider in
      (decider, verdicts.count { $0.decidedBy == decider })
    }.filter { $0.1 > 0 }
  }

  /// The verdicts by family, in the order in which families appear.
  public var families: [(name: String, verdicts: [Verdict])] {
    var order: [String] = []
    for verdict in verdicts where !order.contains(verdict.family) { order.append(verdict.family) }
    let groups = Dictionary(grouping: verdicts, by: \.family)
    return order.map { ($0, groups[$0] ?? []) }
  }

  /// Whether nothing speaks against the engine or against the suite.
  public var isClean: Bool {
    !verdicts.contains { $0.state.isBad && !$0.isForgiven } && (kills?.survivors.isEmpty ?? true)
      && !(explorations ?? []).contains { $0.failure != nil && $0.failure?.known == nil }
  }
}
