import EngineUnderTest
import Evidence
import Foundation
import Harness

/// The classic list: what Realm's own performance tests ask, by their names, so that a known number
/// can be set beside these.
///
/// One operation is the whole test body, over 10,000 rows of three properties without a primary
/// key; transactions are durable. The workloads are written anew from the names; sizes differ from
/// the originals.
enum Classic {
  private static let rows = Benchmark.Parameter("rows", ["10000"])

  /// Opens the generic workload for the table of the engine that the track asks for.
  private static func table(
    _ name: String, _ sentence: String,
    _ body: @escaping @Sendable (Track, any ClassicTable) throws -> Void
  ) -> Benchmark {
    Benchmark("macro.classic-\(name)", sentence, [rows], engines: Stores.libraries) { track in
      #if SQLite
      if track.engine == SQLiteStore.name { return try body(track, SQLiteClassicTable(track)) }
      #endif
      // Only Realm's engine is left: another's numbers must not go under its name.
      guard track.engine == RealmStore.name else {
        throw BenchmarkError("this build has no classic table for '\(track.engine)'")
      }
      try body(track, RealmClassicTable(track))
    }
  }

  static let all: [Benchmark] =
    [
      table("insert-multiple", "insert all rows in one transaction") { track, table in
        let rows = try track.integer("rows")
        try track.timeEach {
          try table.clear()
        } _: {
          try table.insert(0..<rows)
          return UInt64(rows)
        }
        try check(track, try table.count(), rows)
      },
      asking("count-where", "how many rows have a given name, without an index") { table, _ in
        try table.count(named: ClassicRow.name(of: 7))
      } right: { rows in
        (0..<rows).count { $0 % 1000 == 7 }
      },
      asking("enumerate-and-access-all", "visit every row and read its name") { table, _ in
        try table.readNames()
      } right: { rows in
        (0..<rows).reduce(0) { $0 + ClassicRow.name(of: $1).utf8.count }
      },
      table("enumerate-and-mutate", "visit every row and set its name, in one transaction") {
        track, table in
        let rows = try track.integer("rows")
        try table.insert(0..<rows)
        var turn = 0
        try track.time { count in
          for _ in 0..<count {
            turn += 1
            try table.writeNames("turn \(turn)")
          }
          return UInt64(turn)
        }
        try check(track, try table.count(named: "turn \(turn)"), rows)
      },
      deleting("query-deletion", "delete nine tenths of the rows by one question") {
        try $0.deleteQuery(below: $1)
      },
      deleting("manual-deletion", "delete nine tenths of the rows one by one") {
        try $0.deleteEach(below: $1)
      },
      asking("unindexed-lookup", "the first row with the last of 1,000 names, without an index") {
        try $0.firstNumber(named: lastName($1)) ?? -1
      } right: {
        min($0, 1000) - 1
      },
      asking("indexed-lookup", "the first row with the last of 1,000 names, by an index") {
        try $0.firstNumber(tagged: lastName($1)) ?? -1
      } right: {
        min($0, 1000) - 1
      },
      asking("large-in-query", "how many rows have one of 500 names") { table, _ in
        try table.count(namedIn: (0..<500).map(ClassicRow.name(of:)))
      } right: { rows in
        (0..<rows).count { $0 % 1000 < 500 }
      },
      asking("sorting-all", "all rows by name, then number; the last one read") { table, _ in
        try table.lastSorted() ?? -1
      } right: { rows in
        (0..<rows).max { (ClassicRow.name(of: $0), $0) < (ClassicRow.name(of: $1), $1) } ?? -1
      },
      table("commit", "one transaction that changes the first row's number") { track, table in
        try table.insert(0..<(try track.integer("rows")))
        let number = try table.timeCommits(track)
        try check(track, try table.firstNumber(tagged: ClassicRow.name(of: 0)) ?? -1, number)
      },
    ] + ClassicThreads.all

  private static func lastName(_ rows: Int) -> String { ClassicRow.name(of: min(rows, 1000) - 1) }

  private static func check(_ track: Track, _ found: Int, _ right: Int) throws {
    track.check(found == right, "the answer was \(found), expected \(right)")
  }

  /// A question whose answer is known.
  private static func asking(
    _ name: String, _ sentence: String,
    _ question: @escaping @Sendable (any ClassicTable, Int) throws -> Int,
    right: @escaping @Sendable (Int) -> Int
  ) -> Benchmark {
    table(name, sentence) { track, table in
      let rows = try track.integer("rows")
      try table.insert(0..<rows)
      var last = 0
      try track.time { count in
        for _ in 0..<count { last = try question(table, rows) }
        return UInt64(bitPattern: Int64(last))
      }
      try check(track, last, right(rows))
    }
  }

  private static func deleting(
    _ name: String, _ sentence: String,
    _ delete: @escaping @Sendable (any ClassicTable, Int) throws -> Void
  ) -> Benchmark {
    table(name, sentence) { track, table in
      let rows = try track.integer("rows")
      let most = rows * 9 / 10
      try track.timeEach {
        try table.clear()
        try table.insert(0..<rows)
      } _: {
        try delete(table, most)
        return UInt64(most)
      }
      try check(track, try table.count(), rows - most)
    }
  }
}
