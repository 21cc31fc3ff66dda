import Evidence

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

  /// The transactions in their order, a sentence each.
  public var story: [String] {
    transactions.sorted { $0.began < $1.began }.map { one in
      let end =
        switch one.outcome {
        case .readOnly: "read"
        case .committed(let version): "committed version \(version)"
        case .cancelled: "cancelled"
        case .unknown: "ended nobody knows how"
        }
      let reads = one.reads.map { "found \($0.values) under \($0.key)" }
      let appends = one.appends.map { "appended \($0.value) to \($0.key)" }
      let did = (reads + appends).joined(separator: ", ")
      return "session \(one.session) at version \(one.snapshot) (\(one.began)…\(one.ended)) "
        + end + (did.isEmpty ? "" : ": \(did)")
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
  public typealias Kind = AnomalyKind

  public let kind: Kind
  /// What was seen, in one sentence with sessions, keys and versions.
  public let sentence: String

  public var description: String { "\(kind.rawValue): \(sentence)" }
}
