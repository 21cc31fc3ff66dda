import CShims
import Evidence
import Foundation
import Harness

/// Workloads that any embedded store can do, written once and specialised per store.
enum KeyValueWorkloads {
  /// The stores this build holds, ours first.
  static var engines: [String] {
    var names = [RealmStore.name]
    #if SQLite
    names.append(SQLiteStore.name)
    #endif
    #if LMDB
    names.append(LMDBStore.name)
    #endif
    return names
  }

  /// A workload over any store: a protocol because Swift's closures cannot be generic.
  protocol Workload: Sendable {
    func run<Store: KeyValueStore>(_ track: Track, _ store: Store.Type) throws
  }

  /// Opens the generic workload for the store of that name.
  static func dispatch(_ workload: some Workload) -> @Sendable (Track) throws -> Void {
    { track in
      switch track.engine {
      case RealmStore.name: try workload.run(track, RealmStore.self)
      #if SQLite
      case SQLiteStore.name: try workload.run(track, SQLiteStore.self)
      #endif
      #if LMDB
      case LMDBStore.name: try workload.run(track, LMDBStore.self)
      #endif
      default: throw BenchmarkError("this build holds no store '\(track.engine)'")
      }
    }
  }

  private static let sizes = Benchmark.Parameter("rows", ["100000", "1000000"], quick: ["100000"])
  private static let oneSize = Benchmark.Parameter("rows", ["100000"])
  private static let threads = Benchmark.Parameter("threads", threadCounts.map(String.init))

  /// 1, 2, … up to twice the cores.
  static let threadCounts: [Int] = {
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    var counts = [1]
    while let last = counts.last, last * 2 <= cores * 2 { counts.append(last * 2) }
    return counts
  }()

  static let reads: [Benchmark] = [
    Benchmark(
      "reads.by-primary-key",
      "find a person by primary key at random, read age and name; many within one read transaction",
      [sizes], engines: engines, quick: true, dispatch(ByPrimaryKey())),
    Benchmark(
      "reads.iterate", "one element of a walk over all people that adds up ages", [oneSize],
      engines: engines, quick: true, dispatch(Iterate())),
    Benchmark(
      "reads.sum", "the sum of all ages", [oneSize], engines: engines + ["c"], quick: true,
      withC(dispatch(Sum()), CSum.run)),
    Benchmark(
      "reads.count-int", "how many people are over 50", [oneSize], engines: engines + ["c"],
      quick: true, withC(dispatch(CountInt()), CSum.count)),
    Benchmark(
      "reads.count-string", "how many people have a given name", [oneSize], engines: engines,
      quick: true, dispatch(CountString())),
    Benchmark(
      "reads.query-and",
      "how many people are under 50, scored over 2,000 and have a name that begins with a given letter",
      [oneSize], engines: engines, quick: true, dispatch(Conjunction())),
    Benchmark(
      "reads.sort", "everyone sorted by age, then id; first, middle and last read", [oneSize],
      engines: engines, weight: 2, dispatch(Sort())),
    Benchmark(
      "reads.first-100", "the first hundred of everyone sorted by age, then id", [oneSize],
      engines: engines, weight: 2, dispatch(FirstHundred())),
    Benchmark(
      "reads.begin-end", "begin and end a read transaction, touching nothing", [oneSize],
      engines: engines, quick: true, dispatch(BeginEnd())),
    Benchmark(
      "reads.open-cold", "open the file in a fresh process and read one person", [oneSize],
      engines: engines, quick: true, dispatch(OpenCold())),
    Benchmark(
      "reads.open-cached", "open again on the same thread and read one person", [oneSize],
      engines: engines, quick: true, dispatch(OpenCached())),
    Benchmark(
      "reads.scaling", "reads.by-primary-key on several threads at once", [oneSize, threads],
      engines: engines, metrics: ["time", "rate", "fairness"], quick: true, dispatch(Scaling())),
    Benchmark(
      "reads.beside-writer",
      "a read of reads.by-primary-key while one writer commits without pause; kept is the rate with the "
        + "writer over the rate alone",
      [oneSize, .init("durability", ["two-phase", "none"], quick: ["two-phase"])], engines: engines,
      metrics: ["kept", "rate", "time"], quick: true, weight: 2, dispatch(BesideWriter())),
  ]

  static let writes: [Benchmark] = [
    Benchmark(
      "writes.commit", "one transaction changing one Int of one random person",
      [
        oneSize,
        .init("durability", ["two-phase", "single-flush", "none"], quick: ["two-phase", "none"]),
      ],
      engines: engines, metrics: ["time", "p50", "p99", "flushes", "bytes"], quick: true, weight: 2,
      dispatch(Commit())),
    Benchmark(
      "writes.insert", "one person, inserted in batches of that size per durable transaction",
      [.init("batch", ["1", "1000", "100000"], quick: ["1", "1000"])], engines: engines,
      metrics: ["time", "bytes"], quick: true, weight: 2, dispatch(Insert())),
    Benchmark(
      "writes.update-many", "one person of a tenth, changed in one durable transaction", [oneSize],
      engines: engines, quick: false, weight: 2, dispatch(UpdateMany())),
    Benchmark(
      "writes.delete-many", "one person of a tenth, deleted in one durable transaction", [oneSize],
      engines: engines, quick: false, weight: 2, dispatch(DeleteMany())),
    Benchmark(
      "writes.contention", "writes.commit by several writers at once",
      [oneSize, .init("writers", ["1", "2", "4"], quick: ["2"]), .init("mode", ["threads"])],
      engines: engines, metrics: ["time", "rate", "p99", "fairness"], quick: true, weight: 2,
      dispatch(Contention())),
  ]

  static let grouping: [Benchmark] = [
    Benchmark(
      "async.commit",
      "one of several changes made durable together: what a group saves",
      [oneSize, .init("group", ["1", "20", "100"], quick: ["1", "100"])], engines: engines,
      metrics: ["time", "flushes", "bytes"], quick: true, weight: 1.5
    ) { track in
      if track.engine == RealmStore.name { return try AsyncWorkloads.grouped(track) }
      try dispatch(Grouped())(track)
    }
  ]

  static let versions: [Benchmark] = [
    Benchmark(
      "frozen.read-old",
      "a read of reads.by-primary-key in a version that many commits have passed",
      [oneSize, .init("held", ["1000"])], engines: engines.filter { $0 != "sqlite" }, quick: true,
      dispatch(ReadOld())),
    Benchmark(
      "frozen.growth", "file bytes per commit while so many versions stay held",
      [
        oneSize, .init("held", ["0", "10", "100", "1000"], quick: ["0", "100"]),
        .init("change", ["1", "1%"], quick: ["1"]),
      ], engines: engines, metrics: ["growth", "size"], quick: true, weight: 3, dispatch(Growth())),
    Benchmark(
      "frozen.one-old-pin",
      "file size after 10,000 commits with one version held from before, as a multiple of the same without",
      [oneSize], engines: engines, metrics: ["ratio", "size"], quick: false, weight: 8,
      dispatch(OneOldPin())),
    Benchmark(
      "frozen.after-release",
      "file growth over 10,000 further commits after all held versions were released", [oneSize],
      engines: engines, metrics: ["growth"], quick: false, weight: 8, dispatch(AfterRelease())),
  ]

  // MARK: Reads

  /// Reads many people within one transaction; a key that is not found shows in the checksum.
  @inline(__always)
  static func readMany<Reader: KeyValueReader>(
    _ reader: Reader, _ walk: inout KeyWalk, _ count: Int
  ) throws -> UInt64 {
    var sum: UInt64 = 0
    for _ in 0..<count { sum &+= try reader.ageAndName(walk.next()) ?? 0xDEAD_0000_0000 }
    return sum
  }

  /// What `readMany` must have answered for the first keys of a walk.
  static func expected(_ walk: KeyWalk, _ count: Int) -> UInt64 {
    walk.keys.prefix(count).reduce(0) { $0 &+ Population.digest(Population.row($1)) }
  }

  struct ByPrimaryKey: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      let store = try track.stocked(type, rows: rows, writable: false)
      let connection = try store.connect()
      var generator = track.generator("keys")
      let fresh = KeyWalk(rows, &generator)
      var walk = fresh
      try track.time { count in
        try connection.read { try readMany($0, &walk, count) }
      }
      var again = fresh
      let answer = try connection.read { try readMany($0, &again, 1000) }
      track.check(answer == expected(fresh, 1000), "a thousand people read had other ages or names")
    }
  }

  struct Iterate: Workload {
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

  /// Lets plain C take part beside the stores.
  static func withC(
    _ stores: @escaping @Sendable (Track) throws -> Void,
    _ c: @escaping @Sendable (Track) throws -> Void
  ) -> @Sendable (Track) throws -> Void {
    { try $0.engine == "c" ? c($0) : stores($0) }
  }

  /// A question about everyone, asked again and again, whose answer is known.
  private static func ask<Store: KeyValueStore, Answer: Equatable>(
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

  struct Sum: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      func right(_ rows: Int) -> Int { Population(rows).sumOfAges }
      try ask(track, type, right: right) { try $0.sumOfAges() }
    }
  }

  struct CountInt: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      func right(_ rows: Int) -> Int { (0..<rows).count { Population.row($0).age > 50 } }
      try ask(track, type, right: right) { try $0.countAges(above: 50) }
    }
  }

  struct CountString: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let name = Population.row(7).name
      func right(_ rows: Int) -> Int { (0..<rows).count { Population.row($0).name == name } }
      try ask(track, type, right: right) { try $0.countNames(equalTo: name) }
    }
  }

  struct Conjunction: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      func right(_ rows: Int) -> Int {
        (0..<rows).count { id in
          let row = Population.row(id)
          return row.age < 50 && row.score > 2000 && row.name.hasPrefix("m")
        }
      }
      try ask(track, type, right: right) {
        try $0.countConjunction(below: 50, above: 2000, prefix: "m")
      }
    }
  }

  private static func sortedIds(_ rows: Int) -> [Int] {
    (0..<rows).map { (Population.row($0).age, $0) }.sorted { $0 < $1 }.map(\.1)
  }

  struct Sort: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      func right(_ rows: Int) -> [Int] {
        let ids = sortedIds(rows)
        return [ids[0], ids[rows / 2], ids[rows - 1]]
      }
      try ask(track, type, right: right) { try $0.sortedEnds() }
    }
  }

  struct FirstHundred: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      func right(_ rows: Int) -> [Int] { Array(sortedIds(rows).prefix(100)) }
      try ask(track, type, right: right) { try $0.firstHundred() }
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

  struct BeginEnd: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      let store = try track.stocked(type, rows: rows, writable: false)
      let connection = try store.connect()
      // SQLite begins in earnest with the first look, so a look is part of it for SQLite alone.
      let looks = Store.name == "sqlite"
      try track.time { count in
        var sum: UInt64 = 0
        for _ in 0..<count {
          sum &+= try connection.read { looks ? try $0.ageAndName(0) ?? 0 : 1 }
        }
        return sum
      }
      let found = try connection.read { try $0.count() }
      track.check(found == rows, "\(found) people, expected \(rows)")
    }
  }

  struct OpenCold: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      // On the shelf since an earlier child, or made now and closed again: its pages are warm, the process not.
      let shelved = try track.shelved(type, rows: rows)
      guard track.pass == .time else { return track.check(true, "") }
      let start = Stopwatch.now
      let digest = try Store(directory: shelved, durability: .none).connect().read {
        try $0.ageAndName(7)
      }
      track.record("time", Double(Stopwatch.now - start), count: 1)
      track.check(
        digest == Population.digest(Population.row(7)), "person 7 has another age or name")
    }
  }

  struct OpenCached: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let store = try track.stocked(type, rows: try track.integer("rows"), writable: false)
      let kept = try store.connect()
      var digest: UInt64?
      try track.time { count in
        for _ in 0..<count { digest = try store.connect().read { try $0.ageAndName(7) } }
        return digest ?? 0
      }
      try withExtendedLifetime(kept) {
        digest = try kept.read { try $0.ageAndName(7) }
      }
      track.check(
        digest == Population.digest(Population.row(7)), "person 7 has another age or name")
    }
  }

  struct Scaling: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      let threads = try track.integer("threads")
      let store = try track.stocked(type, rows: rows, writable: false)
      guard track.pass == .time else { return track.check(true, "") }
      let seed = track.seed
      let crew = try track.concurrently(threads, chunk: 256) { index in
        let connection = try store.connect()
        var generator = SeededGenerator(seed: derivedSeed(seed, "worker \(index)"))
        var walk = KeyWalk(rows, &generator)
        let fresh = walk
        var check = walk
        let answer = try connection.read { try readMany($0, &check, 200) }
        guard answer == expected(fresh, 200) else {
          throw BenchmarkError("worker \(index) read other ages or names")
        }
        return { count in try connection.read { try readMany($0, &walk, count) } }
      }
      report(crew, threads, on: track)
      track.check(true, "")
    }
  }

  static func report(_ crew: Track.Crew, _ workers: Int, on track: Track) {
    track.record("rate", crew.rate, count: crew.total)
    if crew.rate > 0 { track.record("time", 1e9 / crew.rate, count: crew.total) }
    if workers > 1 { track.record("fairness", crew.fairness, count: crew.total) }
    if workers > ProcessInfo.processInfo.activeProcessorCount { track.flag("oversubscribed") }
  }

  struct BesideWriter: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      guard track.pass == .time else { return track.check(true, "") }
      let durability = try Commit.durability(track)
      let store = try track.stocked(type, rows: rows, durability: durability, writable: true)
      let seed = track.seed
      @Sendable func reader(_ index: Int) throws -> (Int) throws -> UInt64 {
        let connection = try store.connect()
        var generator = SeededGenerator(seed: derivedSeed(seed, "reader"))
        var walk = KeyWalk(rows, &generator)
        return { count in
          try connection.refresh()
          return try connection.read { try readMany($0, &walk, count) }
        }
      }
      let alone = try track.concurrently(1, chunk: 64) { try reader($0) }
      let both = try track.concurrently(2, chunk: 64) { index in
        if index == 0 { return try reader(0) }
        let connection = try store.connect()
        var generator = SeededGenerator(seed: derivedSeed(seed, "writer"))
        return { _ in
          let key = generator.below(rows)
          try connection.write { try $0.setAge(key, Population.row(key).age) }
          // One commit counts for a whole chunk: only the reader's operations are reported.
          return 1
        }
      }
      let with = Double(both.operations.first ?? 0) / both.seconds
      guard with > 0, alone.total > 0 else {
        throw BenchmarkError("the window of \(both.seconds) s is too short for a single read")
      }
      track.record("kept", with / alone.rate, count: both.operations.first ?? 0)
      track.record("rate", with, count: both.operations.first ?? 0)
      track.record("time", 1e9 / with, count: both.operations.first ?? 0)
      let sum = try store.connect().read { try $0.iterateAges() }
      let right = Population(rows).sumOfAges
      track.check(sum == right, "afterwards the ages add up to \(sum), expected \(right)")
    }
  }

  // MARK: Writes

  struct Commit: Workload {
    static func durability(_ track: Track) throws -> Durability {
      let word = try track.word("durability")
      guard let durability = Durability(rawValue: word) else {
        throw BenchmarkError("durability=\(word): expected two-phase, single-flush or none")
      }
      return durability
    }

    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      let durability = try Commit.durability(track)
      guard Store.durabilities.contains(durability) else {
        throw BenchmarkError("\(Store.name) offers no durability=\(durability.rawValue)")
      }
      let store = try track.stocked(type, rows: rows, durability: durability, writable: true)
      let connection = try store.connect()
      var walk = Changes(rows, track)
      func commit() throws -> UInt64 {
        let (key, age) = walk.next()
        try connection.write { try $0.setAge(key, age) }
        return UInt64(age)
      }
      try track.time { count in
        var sum: UInt64 = 0
        for _ in 0..<count { sum &+= try commit() }
        return sum
      }
      try track.latencies { try commit() }
      try walk.check(store, track)
    }
  }

  /// Random changes that are remembered, so that the end can be checked.
  struct Changes {
    private let rows: Int
    private var generator: SeededGenerator
    private var written: [Int: Int] = [:]
    private(set) var count = 0

    init(_ rows: Int, _ track: Track) {
      self.rows = rows
      generator = track.generator("changes")
      written.reserveCapacity(min(rows, 1 << 16))
    }

    mutating func next() -> (key: Int, age: Int) {
      count += 1
      let key = generator.below(rows)
      let age = 100 + count % 900
      written[key] = age
      return (key, age)
    }

    /// A fresh connection must find every change and nothing else.
    func check<Store: KeyValueStore>(_ store: Store, _ track: Track) throws {
      var right = Population(rows).sumOfAges
      for (key, age) in written { right += age - Population.row(key).age }
      let sum = try store.connect().read { try $0.iterateAges() }
      track.check(
        sum == right, "after \(count) changes the ages add up to \(sum), expected \(right)")
    }
  }

  struct Insert: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let batch = try track.integer("batch")
      let store = try track.stocked(type, rows: 0, durability: .twoPhase, writable: true)
      let connection = try store.connect()
      let population = Population(max(batch, 1 << 14))
      let prepared = population.keys.map(Population.row)
      var inserted = 0
      var agesSum = 0
      func transaction() throws -> UInt64 {
        try connection.write { writer in
          for _ in 0..<batch {
            var row = prepared[inserted % prepared.count]
            row.id += inserted / prepared.count * prepared.count
            try writer.insert(row)
            agesSum += row.age
            inserted += 1
          }
        }
        return UInt64(agesSum)
      }
      try track.time(per: batch, batch: batch > 1 ? 1 : nil) { count in
        var last: UInt64 = 0
        for _ in 0..<count { last = try transaction() }
        return last
      }
      let (found, sum) = try store.connect().read { (try $0.count(), try $0.iterateAges()) }
      track.check(found == inserted && sum == agesSum, "\(found) people, expected \(inserted)")
    }
  }

  struct UpdateMany: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      let store = try track.stocked(type, rows: rows, durability: .twoPhase, writable: true)
      let connection = try store.connect()
      let chosen = Population(rows).keys.filter { $0 % 10 == 3 }
      var turn = 0
      try track.time(per: chosen.count, batch: 1) { count in
        for _ in 0..<count {
          turn += 1
          try connection.write { writer in
            for key in chosen { try writer.setAge(key, 100 + turn) }
          }
        }
        return UInt64(turn)
      }
      let right =
        Population(rows).sumOfAges + chosen.reduce(0) { $0 + 100 + turn - Population.row($1).age }
      let sum = try store.connect().read { try $0.iterateAges() }
      track.check(sum == right, "the ages add up to \(sum), expected \(right)")
    }
  }

  struct DeleteMany: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      let store = try track.stocked(type, rows: rows, durability: .twoPhase, writable: true)
      let connection = try store.connect()
      guard track.pass == .time else { return track.check(true, "") }
      // Each turn deletes another tenth of what there was: the first is the warm-up, nothing is put back.
      var times: [Double] = []
      for turn in 0..<5 {
        let chosen = Population(rows).keys.filter { $0 % 10 == turn }
        let start = Stopwatch.now
        try connection.write { writer in for key in chosen { try writer.delete(key) } }
        if turn > 0 { times.append(Double(Stopwatch.now - start) / Double(chosen.count)) }
      }
      track.record("time", Quantiles.median(times), count: times.count * rows / 10)
      let left = try store.connect().read { try $0.count() }
      track.check(left == rows / 2, "\(left) people left, expected \(rows / 2)")
    }
  }

  struct Contention: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      let writers = try track.integer("writers")
      guard track.pass == .time else { return track.check(true, "") }
      let store = try track.stocked(type, rows: rows, durability: .twoPhase, writable: true)
      let seed = track.seed
      let crew = try track.concurrently(writers, chunk: 1, each: true, seconds: track.seconds * 2) {
        index in
        let connection = try store.connect()
        var generator = SeededGenerator(seed: derivedSeed(seed, "writer \(index)"))
        return { count in
          for _ in 0..<count {
            // Own people each, so that the end can be checked.
            let key = generator.below(rows / writers) * writers + index
            try connection.write { try $0.setAge(key, 200 + index) }
          }
          return UInt64(index)
        }
      }
      report(crew, writers, on: track)
      track.record(crew.histogram)
      let sum = try store.connect().read { try $0.iterateAges() }
      let base = Population(rows).sumOfAges
      track.check(sum > base, "no change was found afterwards")
    }
  }

  struct Grouped: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      let group = try track.integer("group")
      let store = try track.stocked(type, rows: rows, durability: .twoPhase, writable: true)
      let connection = try store.connect()
      var walk = Changes(rows, track)
      // One transaction holds the changes: a peer cannot make single ones visible before they are durable.
      track.flag("batched-in-one-transaction")
      try track.time(per: group) { count in
        for _ in 0..<count {
          try connection.write { writer in
            for _ in 0..<group {
              let (key, age) = walk.next()
              try writer.setAge(key, age)
            }
          }
        }
        return UInt64(walk.count)
      }
      try walk.check(store, track)
    }
  }

  // MARK: Versions

  struct ReadOld: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      let held = try track.integer("held")
      let store = try track.stocked(type, rows: rows, writable: true)
      let connection = try store.connect()
      let old = try connection.hold()
      var walk = Changes(rows, track)
      for _ in 0..<held {
        let (key, age) = walk.next()
        try connection.write { try $0.setAge(key, age) }
      }
      var generator = track.generator("keys")
      let fresh = KeyWalk(rows, &generator)
      var keys = fresh
      try track.time { count in
        try connection.read(in: old) { try readMany($0, &keys, count) }
      }
      var again = fresh
      let answer = try connection.read(in: old) { try readMany($0, &again, 1000) }
      track.check(answer == expected(fresh, 1000), "the old version shows other ages or names")
      try walk.check(store, track)
    }
  }

  struct Growth: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      let held = try track.integer("held")
      let changed = try track.word("change") == "1%" ? rows / 100 : 1
      guard track.pass == .time else { return track.check(true, "") }
      let store = try track.stocked(type, rows: rows, writable: true)
      let connection = try store.connect()
      var walk = Changes(rows, track)
      func commit() throws {
        try connection.write { writer in
          for _ in 0..<changed {
            let (key, age) = walk.next()
            try writer.setAge(key, age)
          }
        }
      }
      // Room that the first commits need anyway is not growth.
      for _ in 0..<20 { try commit() }
      let before = store.bytesOnDisk()
      var versions: [Store.Connection.Held] = []
      let commits = max(held, 100)
      for turn in 0..<commits {
        if turn < held { versions.append(try connection.hold()) }
        try commit()
      }
      let after = store.bytesOnDisk()
      track.record("growth", Double(after - before) / Double(commits), count: commits)
      track.record("size", Double(after), count: commits)
      try withExtendedLifetime(versions) { try walk.check(store, track) }
    }
  }

  struct OneOldPin: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      guard track.pass == .time else { return track.check(true, "") }
      var sizes: [Int] = []
      for pinned in [false, true] {
        let store = try track.stocked(type, rows: rows, writable: true)
        let connection = try store.connect()
        let old = pinned ? try connection.hold() : nil
        var walk = Changes(rows, track)
        for _ in 0..<10_000 {
          let (key, age) = walk.next()
          try connection.write { try $0.setAge(key, age) }
        }
        sizes.append(store.bytesOnDisk())
        try withExtendedLifetime(old) { try walk.check(store, track) }
        if !pinned {
          try FileManager.default.removeItem(at: track.directory.appendingPathComponent("store"))
        }
      }
      track.record("ratio", Double(sizes[1]) / Double(sizes[0]), count: 10_000)
      track.record("size", Double(sizes[1]), count: 10_000)
    }
  }

  struct AfterRelease: Workload {
    func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
      let rows = try track.integer("rows")
      guard track.pass == .time else { return track.check(true, "") }
      let store = try track.stocked(type, rows: rows, writable: true)
      let connection = try store.connect()
      var walk = Changes(rows, track)
      func commit() throws {
        let (key, age) = walk.next()
        try connection.write { try $0.setAge(key, age) }
      }
      do {
        var versions: [Store.Connection.Held] = []
        for turn in 0..<1000 {
          if turn % 10 == 0 { versions.append(try connection.hold()) }
          try commit()
        }
        withExtendedLifetime(versions) {}
      }
      for _ in 0..<20 { try commit() }
      let before = store.bytesOnDisk()
      for _ in 0..<10_000 { try commit() }
      track.record("growth", Double(store.bytesOnDisk() - before), count: 10_000)
      try walk.check(store, track)
    }
  }
}
