import Evidence
import Foundation
import Harness

/// What a commit pays for the file that it is made in: many rows, holes everywhere, old versions
/// that are held.
enum SteadyCommits {
  static let all: [Benchmark] = [
    Benchmark(
      "writes.commit-steady",
      "writes.commit in a file of so many rows with so many separate pieces of free space and so "
        + "many versions held; kept is its rate over that in a fresh file of at most 10,000 rows, "
        + "changed in turn",
      [
        .init("rows", ["10000", "1000000"], quick: ["10000"]),
        .init("pieces", ["0", "50000"], quick: ["0"]),
        .init("held", ["0", "1000"], quick: ["0"]),
        .init("durability", ["two-phase", "none"], quick: ["none"]),
      ],
      engines: Stores.names, metrics: ["kept", "time"], weight: 3, Stores.run(SteadyCommit()))
  ]
}

struct SteadyCommit: StoreWorkload {
  private static let mostFreshRows = 10_000
  /// Commits to one file before it is the other's turn: enough to be as warm as it gets, few enough
  /// to share each mood of the machine.
  private static let turn = 100

  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    guard track.pass == .time else { return track.check(true, "") }
    let rows = try track.integer("rows")
    let freshRows = min(rows, SteadyCommit.mostFreshRows)
    let durability = try Commit.durability(track)
    let fresh = try track.stocked(
      type, rows: freshRows, durability: durability, writable: true, as: "fresh")
    let used = try track.stocked(type, rows: rows, durability: durability, writable: true)
    try fragment(used, above: rows, into: try track.integer("pieces"))
    var one = Stretch(try fresh.connect(), Changes(freshRows, track))
    var other = Stretch(try used.connect(), Changes(rows, track))
    var versions: [Store.Connection.Held] = []
    for _ in 0..<(try track.integer("held")) {
      versions.append(try other.connection.hold())
      try other.commit(1)
    }
    try compare(&one, &other, track)
    try withExtendedLifetime(versions) {
      try one.walk.check(fresh, track)
      try other.walk.check(used, track)
    }
  }

  private func compare(
    _ one: inout Stretch<some KeyValueConnection>, _ other: inout Stretch<some KeyValueConnection>,
    _ track: Track
  ) throws {
    let turn = SteadyCommit.turn
    for _ in 0..<10 {
      try one.commit(turn)
      try other.commit(turn)
    }
    var fresh: [Double] = []
    var used: [Double] = []
    var end = Stopwatch.now + UInt64(2 * track.seconds * 1e9)
    repeat {
      end += track.giveWay()
      fresh.append(try track.timed(turn) { try one.commit($0) } / Double(turn))
      used.append(try track.timed(turn) { try other.commit($0) } / Double(turn))
    } while !track.isDeserted(after: used.count) && (Stopwatch.now < end || used.count < 5)
    let kept = Quantiles.median(fresh) / Quantiles.median(used)
    track.record("kept", kept, turns: zip(fresh, used).map { $0 / $1 }, count: used.count * turn)
    track.record("time", turns: used, count: used.count * turn)
    if used.count < 20 { track.flag("few-batches") }
  }

  /// Adds people whose notes are too long to lie with those of others, and deletes every second
  /// one.
  private func fragment(_ store: some KeyValueStore, above rows: Int, into pieces: Int) throws {
    if pieces == 0 { return }
    let connection = try store.connect()
    let note = String(repeating: "n", count: 400)
    try connection.write { writer in
      for key in rows..<rows + 2 * pieces {
        // Without an age: what is checked in the end is a sum of ages.
        try writer.insert(.init(id: key, name: "guest", age: 0, score: 0, note: note))
      }
    }
    try connection.write { writer in
      for key in stride(from: rows, to: rows + 2 * pieces, by: 2) { try writer.delete(key) }
    }
  }
}

/// One file's part: a commit changes one person of its own.
private struct Stretch<Connection: KeyValueConnection> {
  let connection: Connection
  var walk: Changes

  init(_ connection: Connection, _ walk: Changes) {
    self.connection = connection
    self.walk = walk
  }

  @discardableResult
  mutating func commit(_ count: Int) throws -> UInt64 {
    var sum: UInt64 = 0
    for _ in 0..<count {
      let (key, age) = walk.next()
      try connection.write { try $0.setAge(key, age) }
      sum &+= UInt64(age)
    }
    return sum
  }
}
