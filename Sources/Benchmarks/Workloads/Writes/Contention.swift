import EngineUnderTest
import Evidence
import Foundation
import Harness

/// Several writers at once: on threads, in processes, some of them asynchronous.
///
/// Each writer changes people of its own, one more year each time, so that in the end the years
/// tell how many transactions there were: a lost one shows.
enum Contention {
  static let all: [Benchmark] = [
    Benchmark(
      "writes.contention",
      "one durable transaction of one of several writers, the wait for the others included; batch "
        + "is how many people it changes; in mixed modes every other writer calls writeAsync and "
        + "waits for its completion, and the latencies are those of the synchronous or of the "
        + "asynchronous ones",
      [
        .oneSize, .init("writers", ["1", "2", "4"], quick: ["2"]),
        .init(
          "mode", ["threads", "processes", "mixed-sync", "mixed-async"],
          quick: ["threads", "processes"]),
        .init("batch", ["1", "100"], quick: ["1"]),
      ],
      engines: Stores.names, metrics: ["time", "rate", "p50", "p99", "max", "fairness"],
      quick: true, weight: 2.5, run)
  ]

  @Sendable private static func run(_ track: Track) throws {
    let mode = try track.word("mode")
    if mode.hasPrefix("mixed") {
      guard track.engine == RealmStore.name else {
        throw BenchmarkError("\(track.engine) has no asynchronous writers")
      }
      return try MixedWriters(isAsyncReported: mode == "mixed-async").run(track)
    }
    try Stores.run(Writers(isInProcesses: mode == "processes"))(track)
  }
}

/// What a crew of writers shares: who may change whom, and how many years they added.
struct YearBook {
  let rows: Int
  let writers: Int
  let batch: Int

  init(_ track: Track) throws {
    rows = try track.integer("rows")
    writers = try track.integer("writers")
    batch = try track.integer("batch")
    guard writers > 0, rows / writers >= batch, batch > 0 else {
      throw BenchmarkError("\(track.name) wants at least \(batch) people for each writer")
    }
  }

  /// The people of one writer, and how old they are by now.
  struct Page {
    let index: Int
    let writers: Int
    private var generator: SeededGenerator
    private var ages: [Int]

    init(_ book: YearBook, _ index: Int, seed: UInt64) {
      self.index = index
      writers = book.writers
      generator = SeededGenerator(seed: derivedSeed(seed, "writer \(index)"))
      ages = (0..<book.rows / book.writers).map { Population.row($0 * book.writers + index).age }
    }

    /// The next of its people, a year older.
    mutating func next() -> (key: Int, age: Int) {
      let place = generator.below(ages.count)
      ages[place] += 1
      return (place * writers + index, ages[place])
    }

    /// How many years were added so far.
    var years: Int {
      ages.enumerated().reduce(0) { sum, one in
        sum + one.element - Population.row(one.offset * writers + index).age
      }
    }
  }

  /// Every year that a writer added must be there, and no other.
  func check<Store: KeyValueStore>(_ store: Store, years: Int, _ track: Track) throws {
    let right = Population(rows).sumOfAges + years
    let sum = try store.connect().read { try $0.iterateAges() }
    track.check(
      sum == right, "the ages add up to \(sum), expected \(right): \(right - sum) changes are lost")
  }
}

/// Synchronous writers, each on a thread or in a process of its own.
struct Writers: StoreWorkload {
  let isInProcesses: Bool

  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let book = try YearBook(track)
    if let part = track.part { return try play(part, book, track, type) }
    guard track.pass == .time else { return track.check(true, "") }
    let store = try track.stocked(type, rows: book.rows, durability: .twoPhase, writable: true)
    let (handicap, directory) = (track.handicap, track.directory)
    let crew: Track.Crew
    let years: Int
    if isInProcesses {
      (crew, years) = try processes(book, store, track)
    } else {
      (crew, years) = try Writers.threads(book, track) { index in
        let connection = try store.connect()
        let delay = try TurnDelay(handicap, in: directory)
        return { page in
          delay?.ask()
          defer { delay?.end() }
          try connection.write { writer in
            delay?.begin()
            for _ in 0..<book.batch {
              let (key, age) = page.next()
              try writer.setAge(key, age)
            }
          }
        }
      }
    }
    track.report(crew, of: book.writers)
    track.record(crew.histogram)
    try book.check(store, years: years, track)
  }

  /// Lets each worker prepare a transaction over its page, and runs them against each other.
  static func threads(
    _ book: YearBook, _ track: Track,
    _ prepare: @escaping @Sendable (Int) throws -> (inout YearBook.Page) throws -> Void
  ) throws -> (Track.Crew, years: Int) {
    let seed = track.seed
    let pages = (0..<book.writers).map { Handed(Box(YearBook.Page(book, $0, seed: seed))) }
    let crew = try track.concurrently(
      book.writers, chunk: 1, each: true, carries: true, seconds: track.seconds * 2
    ) { index in
      let commit = try prepare(index)
      let page = pages[index].value
      return { count in
        for _ in 0..<count { try commit(&page.value) }
        return UInt64(index)
      }
    }
    return (crew, pages.reduce(0) { $0 + $1.value.value.years })
  }

  // MARK: Processes

  /// What a writing process says in the end.
  private struct Result: Codable {
    var operations: Int
    var years: Int
    var late: UInt64
    var histogram: String
  }

  private func processes<Store: KeyValueStore>(
    _ book: YearBook, _ store: Store, _ track: Track
  ) throws -> (Track.Crew, years: Int) {
    let directory = track.directory.appendingPathComponent("store")
    let companions = try (0..<book.writers).map {
      try Companion("writer \($0)", of: track, in: directory)
    }
    let windows = track.isInTurns ? Track.windows : 1
    let seconds = track.seconds * 2 / Double(windows)
    var finished = 0
    for _ in 0..<windows { finished += try Writers.window(seconds, companions, track) }
    var whole = track.seconds * 2
    // As of threads: until one of them has finished something, and no longer than they listen.
    var span = 2.0
    while finished == 0, span <= Track.longestSpan, whole + seconds * span < Writers.patience {
      whole += seconds * span
      finished += try Writers.window(seconds * span, companions, track)
      span *= 2
    }
    for one in companions { try one.say("end") }
    let results = try companions.map { one in
      try JSONDecoder().decode(Result.self, from: Data(try one.line().utf8))
    }
    for one in companions { try one.end() }
    let histograms = results.map { Histogram(encoded: $0.histogram) ?? Histogram() }
    let merged = Histogram()
    for one in histograms { merged.merge(one) }
    let late = results.map(\.late)
    let crew = Track.Crew(
      operations: results.map(\.operations), seconds: whole, histogram: merged,
      histograms: histograms, skew: Double((late.max() ?? 0) - (late.min() ?? 0)))
    return (crew, results.reduce(0) { $0 + $1.years })
  }

  /// How long writers that finish nothing are waited for, in seconds.
  private static let patience = 30.0

  /// Lets all write for so long; returns how many transactions came of it.
  private static func window(
    _ seconds: Double, _ companions: [Companion], _ track: Track
  ) throws -> Int {
    _ = track.giveWay()
    // All begin at one instant that is far enough away for the last line to arrive.
    let start = Stopwatch.now + 20_000_000
    for one in companions { try one.say("\(start) \(UInt64(seconds * 1e9))") }
    return try companions.reduce(0) { sum, one in
      let said = try one.line()
      guard let count = Int(said) else { throw BenchmarkError("a writer said '\(said)'") }
      return sum + count
    }
  }

  private func play<Store: KeyValueStore>(
    _ part: String, _ book: YearBook, _ track: Track, _ type: Store.Type
  ) throws {
    guard let index = part.split(separator: " ").last.flatMap({ Int($0) }) else {
      throw BenchmarkError("unknown part '\(part)'")
    }
    let store = try Store(directory: track.directory, durability: .twoPhase)
    let connection = try store.connect()
    var page = YearBook.Page(book, index, seed: track.seed)
    let delay = try TurnDelay(track.handicap, in: track.directory)
    func commit() throws {
      delay?.ask()
      defer { delay?.end() }
      try connection.write { writer in
        delay?.begin()
        for _ in 0..<book.batch {
          let (key, age) = page.next()
          try writer.setAge(key, age)
        }
      }
    }
    try commit()
    CompanionTalk.say("ready")
    let histogram = Histogram()
    var operations = 0
    var late: UInt64 = 0
    // A line for each part of the time: when it begins and how long it lasts; then the end. What
    // is said to each is how many transactions there have been.
    while let words = CompanionTalk.hear()?.split(separator: " ").compactMap({ UInt64($0) }),
      words.count == 2
    {
      while Stopwatch.now < words[0] {}
      var now = Stopwatch.now
      late = max(late, now - words[0])
      while true {
        try commit()
        let then = Stopwatch.now
        guard then < words[0] + words[1] else { break }
        histogram.record(then - now)
        operations += 1
        now = then
      }
      CompanionTalk.say(String(operations))
    }
    let result = Result(
      operations: operations, years: page.years, late: late, histogram: histogram.encoded)
    CompanionTalk.say(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
    track.check(true, "")
  }
}

/// Every other writer writes asynchronously, from a serial queue; the others wait for their turn as
/// ever.
struct MixedWriters {
  let isAsyncReported: Bool

  func run(_ track: Track) throws {
    let book = try YearBook(track)
    guard track.pass == .time else { return track.check(true, "") }
    let store = try track.stocked(
      RealmStore.self, rows: book.rows, durability: .twoPhase, writable: true)
    let configuration = store.configuration
    let batch = book.batch
    let (handicap, directory) = (track.handicap, track.directory)
    let (crew, years) = try Writers.threads(book, track) { index in
      guard index % 2 == 0 else {
        let desk = try AsyncDesk(configuration, TurnDelay(handicap, in: directory))
        return { page in try desk.commit((0..<batch).map { _ in page.next() }) }
      }
      let realm = try Realm(configuration: configuration)
      let delay = try TurnDelay(handicap, in: directory)
      return { page in
        delay?.ask()
        defer { delay?.end() }
        try realm.write {
          delay?.begin()
          for _ in 0..<batch {
            let (key, age) = page.next()
            realm.object(ofType: Person.self, forPrimaryKey: key)?.age = age
          }
        }
      }
    }
    track.report(crew, of: book.writers)
    let reported = Histogram()
    for (index, one) in crew.histograms.enumerated() where (index % 2 == 1) == isAsyncReported {
      reported.merge(one)
    }
    track.record(reported)
    try book.check(store, years: years, track)
  }

  /// A serial queue with a realm, whose asynchronous writes somebody waits for.
  private final class AsyncDesk: @unchecked Sendable {
    // Unchecked: the realm and the delay are touched on the queue alone.
    private let queue = DispatchQueue(label: "desk")
    private let realm: Realm
    private let delay: TurnDelay?

    init(_ configuration: Realm.Configuration, _ delay: TurnDelay?) throws {
      self.delay = delay
      let queue = queue
      realm = try queue.sync { try Realm(configuration: configuration, queue: queue) }
    }

    func commit(_ changes: [(key: Int, age: Int)]) throws {
      let done = DispatchSemaphore(value: 0)
      nonisolated(unsafe) var failure: (any Error)?  // written before the signal, read after it
      queue.async { [self] in
        delay?.ask()
        realm.writeAsync { [self] in
          delay?.begin()
          for (key, age) in changes {
            realm.object(ofType: Person.self, forPrimaryKey: key)?.age = age
          }
        } onComplete: { [self] error in
          delay?.end()
          failure = error
          done.signal()
        }
      }
      done.wait()
      if let failure { throw failure }
    }
  }
}

/// A value that several closures share.
final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
