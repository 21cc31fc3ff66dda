import CShims
import Evidence
import Foundation
import Harness

/// Questions that look at everyone.
enum Scans {
  static let all: [Benchmark] = [
    Benchmark(
      "reads.iterate", "one element of a walk over all people that adds up ages", [.oneSize],
      engines: Stores.names, quick: true, Stores.run(Iterate())),
    Benchmark(
      "reads.for-each",
      "one element of forEach over all people that adds up ages; the peers have but one way to "
        + "walk",
      [.oneSize], engines: Stores.names, quick: true, Stores.run(ForEach())),
    Benchmark(
      "reads.sum", "the sum of all ages", [.oneSize], engines: Stores.names + ["c"], quick: true,
      Stores.run(Sum(), c: CSum.run)),
    Benchmark(
      "reads.count-int", "how many people are over 50", [.oneSize], engines: Stores.names + ["c"],
      quick: true, Stores.run(CountInt(), c: CSum.count)),
    Benchmark(
      "reads.count-string", "how many people have a given name", [.oneSize], engines: Stores.names,
      quick: true, Stores.run(CountString())),
    Benchmark(
      "reads.query-and",
      "how many people are under 50, scored over 2,000 and have a name that begins with a given "
        + "letter",
      [.oneSize], engines: Stores.names, quick: true, Stores.run(Conjunction())),
  ]

  /// A question about everyone, asked again and again, whose answer is known.
  static func ask<Store: KeyValueStore, Answer: Equatable>(
    _ track: Track, _ type: Store.Type, right: (Int) -> Answer,
    _ question: (Store.Connection.Reader) throws -> Answer
  ) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: rows, writable: false)
    let connection = try store.connect()
    var answers = 0
    var last: Answer?
    try track.time { count in
      for _ in 0..<count {
        last = try connection.read(question)
        answers += 1
      }
      return UInt64(answers)
    }
    let expected = right(rows)
    track.check(
      last == expected, "the answer was \(String(describing: last)), expected \(expected)")
  }
}

struct Iterate: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: rows, writable: false)
    let connection = try store.connect()
    var last = 0
    try track.time(per: rows, batch: 1) { count in
      for _ in 0..<count { last = try connection.read { try $0.iterateAges() } }
      return UInt64(last)
    }
    let right = Population(rows).sumOfAges
    track.check(last == right, "the ages add up to \(last), expected \(right)")
  }
}

struct ForEach: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: rows, writable: false)
    let connection = try store.connect()
    var last = 0
    try track.time(per: rows, batch: 1) { count in
      for _ in 0..<count { last = try connection.read { try $0.forEachAge() } }
      return UInt64(last)
    }
    let right = Population(rows).sumOfAges
    track.check(last == right, "the ages add up to \(last), expected \(right)")
  }
}

struct Sum: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    func right(_ rows: Int) -> Int { Population(rows).sumOfAges }
    try Scans.ask(track, type, right: right) { try $0.sumOfAges() }
  }
}

struct CountInt: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    func right(_ rows: Int) -> Int { (0..<rows).count { Population.row($0).age > 50 } }
    try Scans.ask(track, type, right: right) { try $0.countAges(above: 50) }
  }
}

struct CountString: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let name = Population.row(7).name
    func right(_ rows: Int) -> Int { (0..<rows).count { Population.row($0).name == name } }
    try Scans.ask(track, type, right: right) { try $0.countNames(equalTo: name) }
  }
}

struct Conjunction: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    func right(_ rows: Int) -> Int {
      (0..<rows).count { id in
        let row = Population.row(id)
        return row.age < 50 && row.score > 2000 && row.name.hasPrefix("m")
      }
    }
    try Scans.ask(track, type, right: right) {
      try $0.countConjunction(below: 50, above: 2000, prefix: "m")
    }
  }
}

/// The same sums by a loop in C over packed words: no transaction, no decoding, no index.
enum CSum {
  static func run(_ track: Track) throws {
    try ages(track) { words, rows in
      rb_limit_sum(words, UInt64(rows))
    } right: {
      UInt64(Population($0).sumOfAges)
    }
  }

  static func count(_ track: Track) throws {
    try ages(track) { words, rows in
      words.withMemoryRebound(to: Int64.self, capacity: rows) {
        rb_limit_count_above($0, UInt64(rows), 50)
      }
    } right: { rows in
      UInt64((0..<rows).count { Population.row($0).age > 50 })
    }
  }

  private static func ages(
    _ track: Track, _ ask: (UnsafeMutablePointer<UInt64>, Int) -> UInt64,
    right: (Int) -> UInt64
  ) throws {
    let rows = try track.integer("rows")
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: rows)
    defer { words.deallocate() }
    for id in 0..<rows { words[id] = UInt64(Population.row(id).age) }
    try track.time { count in
      var sum: UInt64 = 0
      for _ in 0..<count { sum = sink(sum &+ ask(words, rows)) }
      return sum
    }
    track.check(ask(words, rows) == right(rows), "the loop in C was wrong")
  }
}
