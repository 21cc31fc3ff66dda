import EngineUnderTest
import Evidence
import Foundation
import Harness

/// What the main loop feels while much is written: the frames that a user sees stutter.
///
/// People with long notes, 1 KiB each, are inserted in durable transactions one after another. `sync` writes on the
/// loop itself, each transaction in a turn of its own; `background` on another thread; `writeAsync` and
/// `asyncWrite` begin each transaction on the loop when the one before is durable. The loop has a realm of its own
/// that follows the writer.
enum Stall {
  static let all: [Benchmark] = [
    Benchmark(
      "writes.stall",
      "longest time the main loop could not run while so many megabytes are written durably; p50 and p99 are "
        + "waits of somebody who comes every millisecond; dropped frames of displays at 60 and 120 Hz",
      [
        .init("mode", ["sync", "background", "writeAsync", "asyncWrite"]),
        .init("transaction", ["64K", "16M"], quick: ["64K"]),
        .init("megabytes", ["100"], quick: ["4"]),
      ],
      engines: [RealmStore.name] + Stores.names.filter { $0 == "sqlite" },
      metrics: ["stall", "p50", "p99", "dropped60", "dropped120", "time"], quick: true, weight: 6,
      run)
  ]

  @Sendable private static func run(_ track: Track) throws {
    switch try track.word("mode") {
    case "sync": try Stores.run(StoreStall(isOnLoop: true))(track)
    case "background": try Stores.run(StoreStall(isOnLoop: false))(track)
    case "writeAsync": try RealmStall(isAwaited: false).run(track)
    case "asyncWrite": try RealmStall(isAwaited: true).run(track)
    case let mode:
      throw BenchmarkError(
        "mode=\(mode): expected sync, background, writeAsync or asyncWrite")
    }
  }

  /// Whether an engine can write in a mode: only Realm has asynchronous writes.
  static func offers(_ engine: String, _ mode: String) -> Bool {
    engine == RealmStore.name || mode == "sync" || mode == "background"
  }
}

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
    let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20]
    guard let factor = word.last.flatMap({ factors[$0] }), let count = Int(word.dropLast()),
      count > 0, megabytes > 0
    else { throw BenchmarkError("transaction=\(word): expected a size such as 64K or 16M") }
    peopleEach = max(1, count * factor / Cargo.bytesEach)
    transactions = max(1, megabytes << 20 / (peopleEach * Cargo.bytesEach))
  }

  var people: Int { peopleEach * transactions }

  /// The people of one transaction.
  func rows(of transaction: Int) -> [Population.Row] {
    (transaction * peopleEach..<(transaction + 1) * peopleEach).map { id in
      Population.Row(id: id, name: "somebody", age: id % 100, score: 0, note: note)
    }
  }

  /// Records what the loop felt and checks that all cargo arrived.
  func report<Store: KeyValueStore>(
    _ account: Heartbeat.Account, _ store: Store, took: UInt64, on track: Track
  ) throws {
    track.record(frames: account)
    track.record(account.waits)
    track.record("time", Double(took) / Double(transactions), count: transactions)
    track.record("rate", Double(transactions) * 1e9 / Double(took), count: transactions)
    let (count, sum) = try store.connect().read { (try $0.count(), try $0.iterateAges()) }
    let right = (0..<people).reduce(0) { $0 + $1 % 100 }
    track.check(
      count == people && sum == right, "\(count) people arrived of \(people), ages \(sum)")
  }
}

/// Synchronous transactions, on the loop or on another thread.
struct StoreStall: StoreWorkload {
  let isOnLoop: Bool

  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    guard track.pass == .time else { return track.check(true, "") }
    let cargo = try Cargo(track)
    let store = try track.stocked(type, rows: 0, durability: .twoPhase, writable: true)
    let loop = LoopThread("main")
    defer { loop.stop() }
    let reader = try loop.sync { Handed(try store.connect()) }
    let heart = try Heartbeat(loop)
    let start = Stopwatch.now
    if isOnLoop {
      try onLoop(cargo, reader.value, loop)
    } else {
      let connection = try store.connect()
      for turn in 0..<cargo.transactions {
        let rows = cargo.rows(of: turn)
        try connection.write { writer in for row in rows { try writer.insert(row) } }
      }
    }
    let took = Stopwatch.now - start
    try cargo.report(try heart.end(), store, took: took, on: track)
    try loop.sync { _ = reader.value }
  }

  /// Each transaction in a turn of the loop that asks for the next one when it ends.
  private func onLoop<Connection: KeyValueConnection>(
    _ cargo: Cargo, _ connection: Connection, _ loop: LoopThread
  ) throws {
    let chain = Chain(loop, cargo.transactions) { turn in
      let rows = cargo.rows(of: turn)
      try connection.write { writer in for row in rows { try writer.insert(row) } }
    }
    try chain.run()
  }
}

/// Work in turns of a loop, the next turn asked for at the end of each.
final class Chain: @unchecked Sendable {
  // Unchecked: touched on the loop until `done`, by whoever waited for it afterwards.
  private let loop: LoopThread
  private let count: Int
  private let work: (Int) throws -> Void
  private let done = DispatchSemaphore(value: 0)
  private var failure: (any Error)?

  init(_ loop: LoopThread, _ count: Int, _ work: @escaping (Int) throws -> Void) {
    self.loop = loop
    self.count = count
    self.work = work
  }

  func run() throws {
    loop.async { self.turn(0) }
    done.wait()
    if let failure { throw failure }
  }

  private func turn(_ number: Int) {
    guard number < count, failure == nil else {
      done.signal()
      return
    }
    do { try work(number) } catch { failure = error }
    loop.async { self.turn(number + 1) }
  }
}

/// Asynchronous transactions, begun on the loop: with a completion, or awaited by an actor that lives there.
struct RealmStall {
  let isAwaited: Bool

  func run(_ track: Track) throws {
    guard track.pass == .time else { return track.check(true, "") }
    let cargo = try Cargo(track)
    let store = try track.stocked(RealmStore.self, rows: 0, durability: .twoPhase, writable: true)
    let loop = LoopThread("main")
    defer { loop.stop() }
    let heart = try Heartbeat(loop)
    let start = Stopwatch.now
    if isAwaited {
      try awaited(cargo, store.configuration, loop)
    } else {
      try completed(cargo, store.configuration, loop)
    }
    let took = Stopwatch.now - start
    try cargo.report(try heart.end(), store, took: took, on: track)
  }

  private func awaited(
    _ cargo: Cargo, _ configuration: Realm.Configuration, _ loop: LoopThread
  ) throws {
    try waitFor {
      try await LoopActor(loop).run { home in
        let realm = try await Realm(configuration: configuration, actor: home)
        for turn in 0..<cargo.transactions {
          let rows = cargo.rows(of: turn)
          try await realm.asyncWrite { for row in rows { realm.add(Person(row)) } }
        }
      }
    }
  }

  private func completed(
    _ cargo: Cargo, _ configuration: Realm.Configuration, _ loop: LoopThread
  ) throws {
    let sender = try loop.sync { Sender(cargo, try Realm(configuration: configuration), loop) }
    loop.async { sender.send(0) }
    sender.done.wait()
    let failure = try loop.sync { sender.failure }
    if let failure { throw failure }
  }

  private final class Sender: @unchecked Sendable {
    // Unchecked: touched on the loop alone.
    let done = DispatchSemaphore(value: 0)
    private(set) var failure: (any Error)?
    private let cargo: Cargo
    private let realm: Realm
    private let loop: LoopThread

    init(_ cargo: Cargo, _ realm: Realm, _ loop: LoopThread) {
      self.cargo = cargo
      self.realm = realm
      self.loop = loop
    }

    func send(_ turn: Int) {
      guard turn < cargo.transactions, failure == nil else {
        done.signal()
        return
      }
      let rows = cargo.rows(of: turn)
      realm.writeAsync { [self] in
        for row in rows { realm.add(Person(row)) }
      } onComplete: { [self] error in
        failure = error
        // Realm forbids beginning a write in a completion: the next one is a turn of its own.
        loop.async { self.send(turn + 1) }
      }
    }
  }
}
