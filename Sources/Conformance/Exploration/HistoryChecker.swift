/// Judges a history: snapshots for readers, one writer after the other, nothing acknowledged
/// forgotten.
///
/// Because the engine reports versions, checking is linear: the state at each version is rebuilt
/// from the commits, and each read is compared with the state of the version that it claims. What
/// differs is then named by the value that gives it away. Every anomaly is real, given the stamps;
/// a history without one is consistent with snapshot isolation for readers and serial writers.
public struct HistoryChecker {
  private let history: History
  /// Commits by version, ascending.
  private var commits: [(version: UInt64, transaction: History.Transaction)] = []
  /// Who wrote a value, and as the how-manieth of its transaction under that key.
  private var writers: [Int: Writer] = [:]
  private var found: [Anomaly] = []
  /// Readers that saw something else than their version.
  private var suspects: [History.Transaction] = []

  private struct Writer {
    let transaction: History.Transaction
    let isLastOfItsKey: Bool
  }

  private init(_ history: History) { self.history = history }

  /// All anomalies, in the order in which the checks find them.
  public static func anomalies(in history: History) -> [Anomaly] {
    var checker = HistoryChecker(history)
    checker.collect()
    checker.checkVersions()
    checker.checkReads()
    checker.checkForks()
    checker.checkSessions()
    checker.checkAcknowledged()
    checker.checkWriters()
    return checker.found
  }

  /// As few of a history's transactions as show an anomaly of the same kind. What a transaction
  /// wrote goes with it out of all reads, so that nothing is wrong for its absence.
  public static func shortened(_ history: History, showing kind: Anomaly.Kind) -> History {
    func shows(_ transactions: [History.Transaction]) -> Bool {
      anomalies(in: History(transactions: transactions)).contains { $0.kind == kind }
    }
    var best = history.transactions
    guard shows(best) else { return history }
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for kept in best.shorter {
        let stay = Set(kept.flatMap(\.appends).map(\.value))
        let gone = Set(best.flatMap(\.appends).map(\.value)).subtracting(stay)
        let rest = kept.map { one in
          var one = one
          one.reads = one.reads.map { read in
            History.Read(key: read.key, values: read.values.filter { !gone.contains($0) })
          }
          return one
        }
        guard shows(rest) else { continue }
        best = rest
        isSmaller = true
        break
      }
    }
    return History(transactions: best)
  }

  private mutating func note(_ kind: Anomaly.Kind, _ sentence: String) {
    found.append(Anomaly(kind: kind, sentence: sentence))
  }

  private mutating func collect() {
    for transaction in history.transactions {
      if case .committed(let version) = transaction.outcome {
        commits.append((version, transaction))
      }
      for (place, append) in transaction.appends.enumerated() {
        let isLast = !transaction.appends[(place + 1)...].contains { $0.key == append.key }
        writers[append.value] = Writer(transaction: transaction, isLastOfItsKey: isLast)
      }
    }
    commits.sort { $0.version < $1.version }
  }

  // MARK: Versions

  private mutating func checkVersions() {
    for (one, next) in zip(commits, commits.dropFirst()) {
      if one.version == next.version {
        note(
          .duplicateVersion,
          "sessions \(one.transaction.session) and \(next.transaction.session) both committed "
            + "version \(one.version)")
      } else if next.transaction.snapshot < one.version {
        let shared = Set(one.transaction.appends.map(\.key))
          .intersection(next.transaction.appends.map(\.key))
        let overwrote = next.transaction.reads.contains { read in
          shared.contains(read.key)
            && !one.transaction.appends.filter { $0.key == read.key }
              .allSatisfy { read.values.contains($0.value) }
        }
        note(
          overwrote ? .lostUpdate : .branch,
          "session \(next.transaction.session) committed version \(next.version) on top of "
            + "\(next.transaction.snapshot), though session \(one.transaction.session) had "
            + "committed \(one.version)")
      }
    }
  }

  // MARK: Reads

  /// Walks versions and reads together, so that each key's list is built once.
  private mutating func checkReads() {
    let readers = history.transactions.filter { !$0.reads.isEmpty }
      .sorted { $0.snapshot < $1.snapshot }
    var state: [Int: [Int]] = [:]
    var next = 0
    for reader in readers {
      while next < commits.count, commits[next].version <= reader.snapshot {
        for append in commits[next].transaction.appends {
          state[append.key, default: []].append(append.value)
        }
        next += 1
      }
      // What a session with an unknown end wrote may be there or not; leave such values out on both
      // sides.
      for read in reader.reads {
        let expected = state[read.key] ?? []
        let values = read.values.filter { !isUnknown($0) }
        if values != expected {
          name(reader, read, values: values, expected: expected)
          if suspects.last != reader { suspects.append(reader) }
        }
      }
    }
  }

  private func isUnknown(_ value: Int) -> Bool { writers[value]?.transaction.outcome == .unknown }

  /// Finds the value that gives a wrong read away, and the anomaly it stands for.
  private mutating func name(
    _ reader: History.Transaction, _ read: History.Read, values: [Int], expected: [Int]
  ) {
    let place =
      "session \(reader.session) at version \(reader.snapshot) read key \(read.key) as \(values)"
    for value in values where !expected.contains(value) {
      guard let writer = writers[value] else {
        return note(.garbage, "\(place); nobody wrote \(value)")
      }
      switch writer.transaction.outcome {
      case .cancelled:
        return note(
          .abortedRead, "\(place); session \(writer.transaction.session) cancelled \(value)")
      case .committed(let version) where version > reader.snapshot:
        if !writer.isLastOfItsKey && values.last == value {
          return note(
            .intermediateRead,
            "\(place); \(value) was not the last that version \(version) wrote there")
        }
        // Another key of the same reader shows the older state: it saw half of that commit.
        let halves = reader.reads.contains { other in
          other.key != read.key
            && writer.transaction.appends.contains {
              $0.key == other.key && !other.values.contains($0.value)
            }
        }
        return note(
          halves ? .readSkew : .futureRead, "\(place); \(value) belongs to version \(version)")
      default:
        return note(.fractured, "\(place), expected \(expected)")
      }
    }
    if Set(values) == Set(expected) {
      return note(.dirtyWrite, "\(place), the order of writes was \(expected)")
    }
    if let missing = expected.first(where: { !values.contains($0) }),
      let writer = writers[missing], let last = values.last,
      let lastPlace = expected.firstIndex(of: last), let gap = expected.firstIndex(of: missing),
      gap < lastPlace || writers[last]?.transaction == writer.transaction
    {
      // Misses a value in the middle, or stops in the middle of one transaction's appends.
      let kind: Anomaly.Kind = gap < lastPlace ? .fractured : .intermediateRead
      return note(kind, "\(place), expected \(expected)")
    }
    let seesLater = reader.reads.contains { other in
      other.key != read.key
        && other.values.contains { value in
          guard case .committed(let version)? = writers[value]?.transaction.outcome,
            let missing = expected.first(where: { !values.contains($0) }),
            case .committed(let missed)? = writers[missing]?.transaction.outcome
          else { return false }
          return version >= missed
        }
    }
    note(seesLater ? .readSkew : .fractured, "\(place), expected \(expected)")
  }

  /// Two readers of one version that saw independent writes in opposite orders. A right read is
  /// never part of a fork, as all right reads of a version agree; so only the suspects are
  /// compared.
  private mutating func checkForks() {
    for (_, group) in Dictionary(grouping: suspects, by: \.snapshot) {
      for (place, one) in group.enumerated() {
        for other in group[(place + 1)...] {
          guard let ahead = isAhead(one, of: other), let behind = isAhead(other, of: one),
            ahead != behind
          else { continue }
          note(
            .longFork,
            "sessions \(one.session) and \(other.session) at version \(one.snapshot): one is ahead "
              + "on key \(ahead), the other on key \(behind)")
        }
      }
    }
  }

  /// A key on which one reader saw a value that the other did not.
  private func isAhead(_ one: History.Transaction, of other: History.Transaction) -> Int? {
    for read in one.reads {
      guard let twin = other.reads.first(where: { $0.key == read.key }) else { continue }
      if !Set(read.values).subtracting(twin.values).filter({ !isUnknown($0) }).isEmpty {
        return read.key
      }
    }
    return nil
  }

  // MARK: Sessions and time

  private mutating func checkSessions() {
    for (session, transactions) in Dictionary(grouping: history.transactions, by: \.session) {
      var newest: UInt64 = 0
      for transaction in transactions.sorted(by: { $0.began < $1.began }) {
        if transaction.snapshot < newest {
          note(
            .backwards,
            "session \(session) read version \(transaction.snapshot) after version \(newest)")
        }
        newest = max(newest, transaction.snapshot)
        if case .committed(let version) = transaction.outcome { newest = max(newest, version) }
      }
    }
  }

  /// What was acknowledged before a transaction began must be in the version it began at.
  ///
  /// A read that was told to stay on an old version records the stamp of its refresh as its
  /// beginning.
  private mutating func checkAcknowledged() {
    let acknowledged = commits.sorted { $0.transaction.ended < $1.transaction.ended }
    var next = 0
    var newest: (version: UInt64, session: Int) = (0, -1)
    for transaction in history.transactions.sorted(by: { $0.began < $1.began }) {
      while next < acknowledged.count, acknowledged[next].transaction.ended < transaction.began {
        if acknowledged[next].version > newest.version {
          newest = (acknowledged[next].version, acknowledged[next].transaction.session)
        }
        next += 1
      }
      if transaction.snapshot < newest.version {
        note(
          .stale,
          "session \(transaction.session) began at version \(transaction.snapshot) after session "
            + "\(newest.session) had been told that \(newest.version) is committed")
      }
    }
  }

  private mutating func checkWriters() {
    let writers = history.transactions.filter { $0.inside != nil }
      .sorted { $0.inside!.lowerBound < $1.inside!.lowerBound }
    for (one, next) in zip(writers, writers.dropFirst())
    where next.inside!.lowerBound <= one.inside!.upperBound {
      note(
        .overlap,
        "session \(next.session) was inside its write at stamp \(next.inside!.lowerBound), before "
          + "session \(one.session) left at \(one.inside!.upperBound)")
    }
  }
}
