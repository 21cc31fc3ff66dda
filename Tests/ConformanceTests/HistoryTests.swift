import Evidence
import Foundation
import Testing

@testable import Conformance

/// An engine in a few lines: lists by key at every version, one writer at a time.
private struct PerfectEngine {
  var dice: SeededGenerator
  var versions: [[Int: [Int]]] = [[:]]
  var positions: [Int: UInt64] = [:]
  var stamp: UInt64 = 0
  var value = 0
  var history = History()

  mutating func tick() -> UInt64 {
    stamp += 1
    return stamp
  }

  mutating func step() {
    let session = Int.random(in: 0..<4, using: &dice)
    let began = tick()
    let head = UInt64(versions.count - 1)
    let keys = [0, 1, 2]
    if Bool.random(using: &dice) {
      let state = versions[Int(head)]
      let reads = keys.map { History.Read(key: $0, values: state[$0] ?? []) }
      history.transactions.append(
        .init(
          session: session, began: began, ended: tick(), snapshot: head, outcome: .readOnly,
          reads: reads))
      return
    }
    let entered = tick()
    var state = versions[Int(head)]
    let reads = keys.map { History.Read(key: $0, values: state[$0] ?? []) }
    var appends: [History.Append] = []
    for key in [0, 1] {
      for _ in 0..<2 {
        value += 1
        appends.append(.init(key: key, value: value))
        state[key, default: []].append(value)
      }
    }
    let left = tick()
    let cancelled = Int.random(in: 0..<4, using: &dice) == 0
    if !cancelled { versions.append(state) }
    history.transactions.append(
      .init(
        session: session, began: began, ended: tick(), inside: entered...left, snapshot: head,
        outcome: cancelled ? .cancelled : .committed(version: head + 1), reads: reads,
        appends: appends))
  }

  static func history(seed: UInt64, steps: Int = 40) -> History {
    var engine = PerfectEngine(dice: SeededGenerator(seed: seed))
    for _ in 0..<steps { engine.step() }
    return engine.history
  }
}

@Suite struct `The history checker` {
  @Test func `finds nothing in histories of a perfect engine`() {
    for seed in UInt64(0)..<2000 {
      let anomalies = HistoryChecker.anomalies(in: PerfectEngine.history(seed: seed))
      #expect(anomalies.isEmpty, "seed \(seed): \(anomalies)")
      if !anomalies.isEmpty { return }
    }
  }

  /// Each plants one anomaly; nil when this history offers no place for it.
  private static let plants: [(Anomaly.Kind, @Sendable (inout History) -> Bool)] = [
    (
      .garbage,
      { history in
        plant(&history) { $0.reads[0].values.append(-1) }
      }
    ),
    (
      .abortedRead,
      { history in
        guard let cancelled = history.transactions.first(where: { $0.outcome == .cancelled }) else {
          return false
        }
        return plant(&history) { $0.reads[0].values.append(cancelled.appends[1].value) }
      }
    ),
    (
      .intermediateRead,
      { history in
        plant(&history) { $0.reads[0].values.removeLast() }
      }
    ),
    (
      .futureRead,
      { history in
        guard let last = commits(history).last, let version = version(last) else { return false }
        let values = last.appends.filter { $0.key == 0 }.map(\.value)
        let all = last.reads
        return plant(&history, at: version - 1) { reader in
          reader.reads = [.init(key: 0, values: all[0].values + values)]
        }
      }
    ),
    (
      .readSkew,
      { history in
        guard let last = commits(history).last, let version = version(last) else { return false }
        let values = last.appends.filter { $0.key == 0 }.map(\.value)
        return plant(&history, at: version - 1) {
          $0.reads[0].values += values
        }
      }
    ),
    (
      .dirtyWrite,
      { history in
        plant(&history) { $0.reads[0].values.swapAt(0, 1) }
      }
    ),
    (
      .fractured,
      { history in
        plant(&history) { $0.reads[0].values.remove(at: 1) }
      }
    ),
    (
      .lostUpdate,
      { history in
        let commits = commits(history)
        guard commits.count > 1, let at = history.transactions.firstIndex(of: commits[1]) else {
          return false
        }
        history.transactions[at].snapshot = commits[0].snapshot
        history.transactions[at].reads = commits[0].reads
        return true
      }
    ),
    (
      .branch,
      { history in
        let commits = commits(history)
        guard commits.count > 1, let at = history.transactions.firstIndex(of: commits[1]) else {
          return false
        }
        history.transactions[at].snapshot = commits[0].snapshot
        history.transactions[at].reads = []
        return true
      }
    ),
    (
      .duplicateVersion,
      { history in
        let commits = commits(history)
        guard commits.count > 1, let at = history.transactions.firstIndex(of: commits[1]) else {
          return false
        }
        history.transactions[at].outcome = commits[0].outcome
        return true
      }
    ),
    (
      .backwards,
      { history in
        guard let newest = commits(history).last, newest.snapshot > 0 else { return false }
        history.transactions.append(
          .init(
            session: newest.session, began: newest.ended + 1000, ended: newest.ended + 1001,
            snapshot: newest.snapshot - 1, outcome: .readOnly))
        return true
      }
    ),
    (
      .stale,
      { history in
        guard let newest = commits(history).last else { return false }
        history.transactions.append(
          .init(
            session: 99, began: newest.ended + 1, ended: newest.ended + 2,
            snapshot: newest.snapshot, outcome: .readOnly))
        return true
      }
    ),
    (
      .overlap,
      { history in
        let writers = history.transactions.indices.filter { history.transactions[$0].inside != nil }
        guard writers.count > 1 else { return false }
        let next = history.transactions[writers[1]].inside!
        let first = history.transactions[writers[0]].inside!
        history.transactions[writers[0]].inside = first.lowerBound...next.lowerBound
        return true
      }
    ),
    (
      .longFork,
      { history in
        guard
          let at = history.transactions.firstIndex(where: {
            $0.outcome == .readOnly && $0.reads[0].values.count > 1 && $0.reads[1].values.count > 1
          })
        else { return false }
        var twin = history.transactions[at]
        twin.session = 98
        history.transactions[at].reads[0].values.removeLast(2)
        twin.reads[1].values.removeLast(2)
        history.transactions.append(twin)
        return true
      }
    ),
  ]

  private static func commits(_ history: History) -> [History.Transaction] {
    history.transactions.filter { version($0) != nil }
  }

  private static func version(_ transaction: History.Transaction) -> UInt64? {
    if case .committed(let version) = transaction.outcome { version } else { nil }
  }

  /// Changes what a reader that has seen something has read under the first key.
  private static func plant(
    _ history: inout History, at version: UInt64? = nil,
    _ change: (inout History.Transaction) -> Void
  ) -> Bool {
    guard
      let at = history.transactions.lastIndex(where: {
        $0.outcome == .readOnly && $0.reads[0].values.count > 2
          && (version == nil || $0.snapshot == version)
      })
    else { return false }
    change(&history.transactions[at])
    return true
  }

  @Test func `finds every planted anomaly by its name`() {
    for (kind, plant) in Self.plants {
      var planted = 0
      for seed in UInt64(0)..<1500 where planted < 300 {
        var history = PerfectEngine.history(seed: seed)
        guard plant(&history) else { continue }
        planted += 1
        let kinds = Set(HistoryChecker.anomalies(in: history).map(\.kind))
        #expect(kinds.contains(kind), "\(kind.rawValue), seed \(seed): found \(kinds)")
        if !kinds.contains(kind) { break }
      }
      #expect(planted >= 200, "\(kind.rawValue) was planted \(planted) times only")
    }
  }

  @Test func `plants every kind there is`() {
    // The others are no matter of reads and writes: explorations of their own look for them.
    let ofHistories = Anomaly.Kind.allCases.filter { kind in
      kind.lookedForBy.allSatisfy { Inquiry.named($0)?.kind == .histories }
    }
    #expect(Set(Self.plants.map(\.0)) == Set(ofHistories))
    let others = Set(Anomaly.Kind.allCases).subtracting(ofHistories)
    #expect(others == [.tornNotification, .versionLeak])
  }

  /// A history of hundreds of transactions was named by a sentence, and not shown.
  @Test func `a history is shortened to what shows the anomaly, and a clean one stays clean`() {
    for (kind, plant) in Self.plants {
      var shown = 0
      for seed in UInt64(0)..<200 where shown < 5 {
        var history = PerfectEngine.history(seed: seed)
        guard plant(&history) else { continue }
        shown += 1
        let short = HistoryChecker.shortened(history, showing: kind)
        #expect(short.transactions.count < history.transactions.count, "\(kind.rawValue)")
        #expect(short.transactions.count <= 6, "\(kind.rawValue): \(short.story)")
        #expect(HistoryChecker.anomalies(in: short).contains { $0.kind == kind })
        #expect(short.story.count == short.transactions.count)
      }
      #expect(shown == 5, "\(kind.rawValue)")
    }
    let clean = PerfectEngine.history(seed: 3)
    #expect(
      HistoryChecker.shortened(clean, showing: .readSkew).transactions == clean.transactions)
  }

  @Test func `each kind is looked for by explorations and probed rules that there are`() {
    for kind in Anomaly.Kind.allCases {
      for name in kind.lookedForBy { #expect(Inquiry.named(name) != nil, "\(kind): \(name)") }
      for id in kind.rules {
        #expect(Catalogue.rule(id)?.untested == nil && Catalogue.rule(id) != nil, "\(kind): \(id)")
      }
    }
  }

  @Test func `allows both outcomes of a writer that was killed`() {
    var history = PerfectEngine.history(seed: 7)
    let at = history.transactions.lastIndex { Self.version($0) != nil }!
    history.transactions[at].outcome = .unknown
    let read = history.transactions[at]
    for sees in [true, false] {
      var seen = history
      let values =
        read.reads[0].values + (sees ? read.appends.filter { $0.key == 0 }.map(\.value) : [])
      seen.transactions.append(
        .init(
          session: 50, began: read.ended + 1, ended: read.ended + 2, snapshot: read.snapshot,
          outcome: .readOnly, reads: [.init(key: 0, values: values)]))
      #expect(
        !HistoryChecker.anomalies(in: seen).contains { $0.sentence.hasPrefix("session 50") })
    }
  }
}
