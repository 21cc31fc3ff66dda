import Harness

/// What there is to write.
struct Cargo: Sendable {
  /// The note alone; with name and numbers a person is a little more.
  static let bytesEach = 1024
  let peopleEach: Int
  let transactions: Int
  private let note = String(repeating: "0123456789abcdef", count: bytesEach / 16)

  init(_ track: Track) throws {
    let megabytes = try track.integer("megabytes")
    let word = try track.word("transaction")
    guard let bytes = Cargo.bytes(word), megabytes > 0 else {
      throw BenchmarkError("transaction=\(word): expected a size such as 64K or 16M")
    }
    peopleEach = max(1, bytes / Cargo.bytesEach)
    transactions = max(1, megabytes << 20 / (peopleEach * Cargo.bytesEach))
  }

  /// The size of a transaction from its word: 64K, 16M.
  static func bytes(_ word: String) -> Int? {
    let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20]
    guard let factor = word.last.flatMap({ factors[$0] }), let count = Int(word.dropLast()),
      count > 0
    else { return nil }
    let (bytes, isTooMany) = count.multipliedReportingOverflow(by: factor)
    return isTooMany ? nil : bytes
  }

  var people: Int { peopleEach * transactions }

  /// The people of one transaction.
  func rows(of transaction: Int) -> [Population.Row] {
    (transaction * peopleEach..<(transaction + 1) * peopleEach).map { id in
      Population.Row(id: id, name: "somebody", age: id % 100, score: 0, note: note)
    }
  }

  /// Records what the loop felt.
  func report(_ account: Heartbeat.Account, took: UInt64, on track: Track) {
    track.record(frames: account)
    track.record(account.waits)
    track.record("time", Double(took) / Double(transactions), count: transactions)
    track.record("rate", Double(transactions) * 1e9 / Double(took), count: transactions)
  }

  /// Records what the loop felt and checks that all cargo arrived.
  func report<Store: KeyValueStore>(
    _ account: Heartbeat.Account, _ store: Store, took: UInt64, on track: Track
  ) throws {
    report(account, took: took, on: track)
    let (count, sum) = try store.connect().read { (try $0.count(), try $0.iterateAges()) }
    let right = (0..<people).reduce(0) { $0 + $1 % 100 }
    track.check(
      count == people && sum == right, "\(count) people arrived of \(people), ages \(sum)")
  }
}
