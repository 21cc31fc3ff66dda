import EngineUnderTest
import Evidence
import Foundation
import Harness

extension Inquiry {
  static let histories = [threads, processes]

  /// Threads that read and write as they like.
  static let threads = Inquiry(
    .histories, "history-of-threads", "free-running readers, writers and freezers in one process",
    rules: ["READ-05", "WRITE-01", "WRITE-08", "FREEZE-37"]
  ) { inquiry, task in try inquiry.stress(task, companions: 0) }

  /// The same, with two more processes.
  static let processes = Inquiry(
    .histories, "history-of-processes", "free-running readers and writers in three processes",
    rules: ["WRITE-02", "READ-02", "WRITE-32"],
    companions: [
      "session": { task in
        let number = Int(task.words[0]) ?? 1
        let ledger = try task.sharedLedger(number)
        try Inquiry.wander(
          ledger, session: number * 10, turns: Int(task.words[1]) ?? 0, seed: task.effort.seed)
      }
    ]
  ) { inquiry, task in try inquiry.stress(task, companions: 2) }

  /// So many transactions of each session before the file is exchanged for a fresh one: reads grow
  /// with what was written.
  private static let round = 60

  private func stress(_ task: Task, companions: Int) throws -> Exploration {
    var result = blank(task.effort)
    var overlaps = 0
    var rounds = 0
    repeat {
      let place = try Scratch("history", in: task.directory)
      let seed = task.effort.seed &+ UInt64(rounds)
      let (transactions, complaint) = try Inquiry.play(task, place.url, seed, companions)
      rounds += 1
      result.count += transactions.count
      overlaps += Inquiry.overlaps(transactions)
      let history = History(transactions: transactions)
      let anomaly = HistoryChecker.anomalies(in: history).first
      if let sentence = complaint ?? anomaly?.description {
        var effort = task.effort
        effort.seed = seed
        let kind = complaint == nil ? anomaly?.kind : nil
        result.failure = .init(
          sentence: sentence,
          story: kind.map { HistoryChecker.shortened(history, showing: $0).story } ?? [],
          repro: repro(effort, replay: nil),
          anomaly: kind)
      }
    } while result.failure == nil && result.count < task.effort.amount && .now < task.deadline
    result.detail =
      "in \(rounds) \(rounds == 1 ? "file" : "files"), \(overlaps) while another session wrote"
    if result.failure == nil, overlaps == 0 {
      result.failure = .init(
        sentence: "no two sessions ever met: nothing was shown",
        repro: repro(task.effort, replay: nil))
    }
    return result
  }

  private static func play(_ task: Task, _ place: URL, _ seed: UInt64, _ companions: Int) throws
    -> ([History.Transaction], String?)
  {
    let stamps = try SharedStamps(place.path + "/stamps")
    let ledger = Ledger(
      place.appendingPathComponent("shared.realm"), pages: 4, stamps: { stamps.draw() })
    try ledger.prepare()
    let others = try (0..<companions).map { number in
      try task.companion(
        "session", in: place, seed: seed &+ UInt64(number) &* 7919,
        words: ["\(number + 1)", "\(round)"])
    }
    let cast = Cast()
    for session in 1...4 {
      cast.thread("session \(session)") {
        try wander(ledger, session: session, turns: round, seed: seed &* 101 &+ UInt64(session))
      }
    }
    let late = try cast.joinAll(task.patience)
    if !late.isEmpty { return (ledger.transactions, "deadlock: \(late) did not come to an end") }
    var complaint = ledger.complaint
    for (number, child) in others.enumerated() {
      let remains = child.remains()
      if remains.ending != .exited(0) {
        complaint =
          complaint ?? "a process ended with \(remains.ending): \(remains.stderr.suffix(200))"
      }
      let journal = Journal.read(place.path + "/journal-\(number + 1)")
      complaint = complaint ?? journal.complaint
      ledger.merge(journal.transactions)
    }
    try Pen(ledger, session: -1).look()
    return (ledger.transactions, complaint)
  }

  /// One session: reads, writes, freezes, moves on, lets go, as the dice fall.
  private static func wander(_ ledger: Ledger, session: Int, turns: Int, seed: UInt64) throws {
    var dice = SplitMix(seed: seed)
    var pen = try Pen(ledger, session: session)
    var frozen: Realm?
    for _ in 0..<turns {
      let keys = (1...ledger.pages).filter { _ in Bool.random(using: &dice) }
      switch Int.random(in: 0..<12, using: &dice) {
      case 0...3: try pen.write(keys)
      case 4: try pen.write(keys, .cancel)
      case 5, 6: pen.look()
      case 7, 8: pen.refreshAndLook()
      case 9:
        // Each look at something frozen is a session of its own: it may be older than the one
        // before.
        if let frozen { pen.look(atFrozen: frozen, session: ledger.value() << 8) }
        frozen = pen.realm.freeze()
      case 10 where Engine.offersReins:
        pen.realm.invalidate()
        pen.look()
      default:
        frozen = nil
        pen = try Pen(ledger, session: session)
        // The old one may have been there still, and then it is this one.
        pen.refreshAndLook()
      }
    }
  }

  /// How many transactions went on while another session was inside a write.
  private static func overlaps(_ transactions: [History.Transaction]) -> Int {
    let writes = transactions.filter { $0.inside != nil }
      .sorted { $0.inside!.lowerBound < $1.inside!.lowerBound }
    return transactions.count { one in
      writes.contains { write in
        write.session != one.session && write.inside!.lowerBound < one.ended
          && one.began < write.inside!.upperBound && one.began > 0
      }
    }
  }
}

extension Inquiry.Task {
  /// The ledger of one of several processes with one file and one counter, which writes down what
  /// it does as it happens.
  func sharedLedger(_ number: Int) throws -> Ledger {
    let stamps = try SharedStamps(directory.path + "/stamps")
    return Ledger(
      directory.appendingPathComponent("shared.realm"), pages: 4, firstValue: number << 32,
      journal: try Journal(directory.path + "/journal-\(number)"), stamps: { stamps.draw() })
  }
}
