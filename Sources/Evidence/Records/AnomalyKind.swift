/// What no order of whole transactions explains, in the words of Adya, Berenson and Hermitage where
/// these have one.
public enum AnomalyKind: String, Sendable, CaseIterable {
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
  case tornNotification = "torn notification"
  case versionLeak = "version leak"

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
    case .tornNotification: "a listener is told of changes that do not lead to what it finds"
    case .versionLeak: "the space of a version is not used again when nobody holds it any more"
    }
  }

  /// The rules that an engine breaks by it: their probes look for it, too.
  public var rules: [String] {
    switch self {
    case .dirtyWrite: ["WRITE-01", "WRITE-02"]
    case .abortedRead: ["READ-07"]
    case .intermediateRead: ["READ-04", "COMMIT-01"]
    case .futureRead: ["READ-05", "REFRESH-02"]
    case .readSkew: ["READ-04", "READ-06"]
    case .lostUpdate: ["WRITE-07", "WRITE-08"]
    case .longFork: ["READ-09", "WRITE-08"]
    case .fractured: ["READ-06", "FREEZE-02"]
    case .backwards: ["REFRESH-19"]
    case .stale: ["WRITE-32", "REFRESH-01", "REFRESH-03"]
    case .overlap: ["WRITE-01", "WRITE-02", "WRITE-03"]
    case .branch: ["WRITE-08", "COMMIT-13"]
    case .duplicateVersion: ["WRITE-08"]
    case .garbage: ["READ-04"]
    case .tornNotification: ["NOTIFY-07", "NOTIFY-18", "NOTIFY-20"]
    case .versionLeak: ["GROW-03", "GROW-11"]
    }
  }

  /// The explorations that would see it.
  public var lookedForBy: [String] {
    switch self {
    case .tornNotification: ["model-of-news"]
    case .versionLeak: ["held-versions"]
    default: ["history-of-threads", "history-of-processes"]
    }
  }
}

/// What an examination says of one kind of anomaly.
package struct AnomalyAnswer: Hashable, Sendable {
  package enum State: String, Sendable, CaseIterable {
    /// An exploration saw it.
    case seen
    /// A rule that forbids it is violated.
    case suspected
    case notSeen = "not-seen"
    case notAsked = "not-asked"

    package var sign: String {
      switch self {
      case .seen: "✕"
      case .suspected: "!"
      case .notSeen: "–"
      case .notAsked: "?"
      }
    }
  }

  package let kind: AnomalyKind
  package let state: State
  /// What it stands on, in words.
  package let told: String
}

extension Examination {
  /// Every kind of anomaly: whether it was seen, by whom it was looked for, and in how much.
  package var anomalies: [AnomalyAnswer] { AnomalyKind.allCases.map(answer) }

  private func answer(_ kind: AnomalyKind) -> AnomalyAnswer {
    let looked = (explorations ?? []).filter { kind.lookedForBy.contains($0.name) }
    // Who broke off for another reason has said nothing of this one.
    let whole = looked.filter { $0.count > 0 && $0.failure == nil }
    let seen = (explorations ?? []).first { $0.failure?.anomaly == kind.rawValue }
    let asked = verdicts.filter { kind.rules.contains($0.id) }
    // One that wavers was violated once.
    let broken = asked.filter { $0.state == .violated || $0.state == .flaky }
    let held = asked.filter { $0.state == .holds }
    if let failure = seen?.failure {
      return AnomalyAnswer(kind: kind, state: .seen, told: failure.sentence)
    }
    if !broken.isEmpty {
      return AnomalyAnswer(
        kind: kind, state: .suspected,
        told: broken.map { "\($0.id) \($0.state.rawValue)" }.joined(separator: ", "))
    }
    let searched = whole.map { "\($0.count) \($0.kind.unit) of \($0.name)" }
    let ruled = held.isEmpty ? [] : ["\(held.map(\.id).joined(separator: ", ")) held"]
    return AnomalyAnswer(
      kind: kind, state: searched.isEmpty && held.isEmpty ? .notAsked : .notSeen,
      told: (searched + ruled).joined(separator: "; "))
  }
}
