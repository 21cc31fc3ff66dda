/// What one exploration found out: how much was looked at, and the first thing that was wrong.
public struct Exploration: Sendable, Codable, Hashable {
  /// What kind of thing was explored.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    case schedules, crashes, histories, programs, models, ordeals

    /// What is counted.
    public var unit: String {
      switch self {
      case .schedules: "schedules"
      case .crashes: "crash states"
      case .histories: "transactions"
      case .programs: "programs"
      case .models: "operations"
      case .ordeals: "commits"
      }
    }
  }

  public struct Failure: Sendable, Codable, Hashable {
    /// What was wrong.
    public var sentence: String
    /// How it came to it, step by step.
    public var story: [String]
    /// The command that shows the same again.
    public var repro: String
    /// Why it is known and stands: it is shown, but does not fail the run.
    public var known: String?
    /// The kind of anomaly that it is, where it is one.
    public var anomaly: String?

    public init(
      sentence: String, story: [String] = [], repro: String, anomaly: AnomalyKind? = nil
    ) {
      (self.sentence, self.story, self.repro) = (sentence, story, repro)
      self.anomaly = anomaly?.rawValue
    }
  }

  public var kind: Kind
  public var name: String
  /// The rules that it bears on.
  public var rules: [String]
  public var seed: UInt64
  /// How many schedules, states, transactions, programs, operations or commits were looked at.
  public var count: Int
  /// What the count means: `all 1204 at bound 2, 500 at random`.
  public var detail: String
  public var milliseconds = 0.0
  public var failure: Failure?

  public init(
    kind: Kind, name: String, rules: [String], seed: UInt64, count: Int = 0, detail: String = "",
    failure: Failure? = nil
  ) {
    (self.kind, self.name, self.rules, self.seed) = (kind, name, rules, seed)
    (self.count, self.detail, self.failure) = (count, detail, failure)
  }
}
