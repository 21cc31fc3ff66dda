/// What a stress run saw: every transaction of every session, stamped by one shared counter.
///
/// Values are appended to lists, each value once in the whole run, so that one read of a list tells
/// exactly which writes it saw and in which order. Versions are reported by the engine, so their
/// order is given and need not be guessed.
public struct History: Sendable {
  public var transactions: [Transaction] = []

  public init(transactions: [Transaction] = []) { self.transactions = transactions }

  /// One transaction as its session saw it.
  public struct Transaction: Sendable, Hashable, Codable {
    /// Who: a thread, a queue, an actor or a process with a realm of its own.
    public var session: Int
    /// Stamp taken before the call that began it, and after the call that ended it returned.
    public var began: UInt64
    public var ended: UInt64
    /// Stamps taken inside a write, first and last thing: while the writer believes it is alone.
    public var inside: ClosedRange<UInt64>?
    /// The version that it read, or that its write was based on.
    public var snapshot: UInt64
    public var outcome: Outcome
    public var reads: [Read]
    public var appends: [Append]

    public init(
      session: Int, began: UInt64, ended: UInt64, inside: ClosedRange<UInt64>? = nil,
      snapshot: UInt64, outcome: Outcome, reads: [Read] = [], appends: [Append] = []
    ) {
      (self.session, self.began, self.ended, self.inside) = (session, began, ended, inside)
      (self.snapshot, self.outcome, self.reads, self.appends) = (snapshot, outcome, reads, appends)
    }
  }

  public enum Outcome: Sendable, Hashable, Codable {
    case readOnly
    case committed(version: UInt64)
    case cancelled
    /// The session died or was killed between begin and return: either outcome is right.
    case unknown
  }

  /// The whole list found under a key, in order, before the transaction's own appends.
  public struct Read: Sendable, Hashable, Codable {
    public var key: Int
    public var values: [Int]
    public init(key: Int, values: [Int]) { (self.key, self.values) = (key, values) }
  }

  public struct Append: Sendable, Hashable, Codable {
    public var key: Int
    public var value: Int
    public init(key: Int, value: Int) { (self.key, self.value) = (key, value) }
  }
}

/// Something a history shows that no order of whole transactions explains.
public struct Anomaly: Sendable, Hashable, CustomStringConvertible {
  public enum Kind: String, Sendable, CaseIterable {
    case dirtyWrite = "G0 dirty write"
    case abortedRead = "G1a aborted read"
    case intermediateRead = "G1b intermediate read"
    case futureRead = "G1c read of a later version"
    case readSkew = "G-single read skew"
    case lostUpdate = "P4 lost update"
    case longFork = "long fork"
    case fractured = "read differs from its version"
    case backwards = "session went backwards"
    case stale = "acknowledged commit not seen"
    case overlap = "two writers at once"
    case branch = "commit not based on its predecessor"
    case duplicateVersion = "version given twice"
    case garbage = "value that nobody wrote"

    /// What it is that no reader and no writer may ever see.
    public var sentence: String {
      switch self {
      case .dirtyWrite: "two transactions write over each other, and the end is of both"
      case .abortedRead: "a read sees what a cancelled transaction wrote"
      case .intermediateRead: "a read sees what a transaction wrote and then wrote over"
      case .futureRead: "a read of one version sees a commit that came after it"
      case .readSkew: "a read sees one half of a commit and misses the other"
      case .lostUpdate: "a commit is based on what another commit has replaced"
      case .longFork: "two readers see two commits in opposite orders"
      case .fractured: "a read is not what its version says it holds"
      case .backwards: "a session sees an older version than it saw before"
      case .stale: "a session that refreshed does not see a commit that was acknowledged before"
      case .overlap: "two write transactions are under way at once"
      case .branch: "a commit does not follow from the version before it"
      case .duplicateVersion: "two commits have one version"
      case .garbage: "a read sees a value that no transaction wrote"
      }
    }
  }

  public let kind: Kind
  /// What was seen, in one sentence with sessions, keys and versions.
  public let sentence: String

  public var description: String { "\(kind.rawValue): \(sentence)" }
}
