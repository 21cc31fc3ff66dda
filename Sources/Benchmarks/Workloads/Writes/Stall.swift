import EngineUnderTest
import Evidence
import Foundation
import Harness

/// What the main loop feels while much is written: the frames that a user sees stutter.
///
/// People with long notes, 1 KiB each, are inserted in durable transactions one after another.
/// `sync` writes on the loop itself, each transaction in a turn of its own; `background` on another
/// thread; `writeAsync` and `asyncWrite` begin each transaction on the loop when the one before is
/// durable. The loop has a realm of its own that follows the writer.
///
/// Beside them stands what no engine can do anything about: `idle`, a loop next to which nothing
/// happens, and `disk`, one next to which another thread writes as many bytes with as many flushes,
/// and nothing else.
enum Stall {
  static let all: [Benchmark] = [
    Benchmark(
      "writes.stall",
      "longest time the main loop could not run while so many megabytes are written durably; p50 "
        + "and p99 are waits of somebody who comes every millisecond; dropped frames of displays "
        + "at 60 and 120 Hz",
      [
        .init("mode", ["idle", "disk", "sync", "background", "writeAsync", "asyncWrite"]),
        .init("transaction", ["64K", "16M"], quick: ["64K", "4M"]),
        .init("megabytes", ["100"], quick: ["4"]),
      ],
      engines: [RealmStore.name] + Stores.names.filter { $0 == "sqlite" } + ["c", "null"],
      metrics: ["stall", "p50", "p99", "dropped60", "dropped120", "time"], quick: true, weight: 6,
      run)
  ]

  @Sendable private static func run(_ track: Track) throws {
    switch try track.word("mode") {
    case "idle": try StallFloor(writes: false).run(track)
    case "disk": try StallFloor(writes: true).run(track)
    case "sync": try Stores.run(StoreStall(isOnLoop: true))(track)
    case "background": try Stores.run(StoreStall(isOnLoop: false))(track)
    case "writeAsync": try RealmStall(isAwaited: false).run(track)
    case "asyncWrite": try RealmStall(isAwaited: true).run(track)
    case let mode:
      throw BenchmarkError(
        "mode=\(mode): expected idle, disk, sync, background, writeAsync or asyncWrite")
    }
  }

  /// Whether an engine can write in a mode: only Realm has asynchronous writes.
  static func offers(_ engine: String, _ mode: String) -> Bool {
    switch mode {
    case "idle": engine == "null"
    case "disk": engine == "c"
    case "sync", "background": engine != "null" && engine != "c"
    default: engine == RealmStore.name
    }
  }

  /// What no engine can do anything about.
  static func isYardstick(_ one: Case) -> Bool {
    one.name.family == "writes.stall" && ["idle", "disk"].contains(one.name.parameters["mode"])
  }

  static func isOfEngine(_ one: Case) -> Bool {
    one.name.family == "writes.stall" && !isYardstick(one)
  }

  /// Of these, who goes first where there is no time for all: what the answer about the main loop
  /// needs least. It is about a write on the loop itself, the largest, and what stands beside it.
  static func leastNeeded(of groups: [[Case]]) -> [Case]? {
    let sizes = groups.map { Cargo.bytes($0[0].name.parameters["transaction"] ?? "") ?? 0 }
    let largest = sizes.max()
    func need(_ place: Int) -> Int {
      let mode = groups[place][0].name.parameters["mode"]
      let ofAll = ["sync", "idle", "disk"].firstIndex(of: mode) ?? 3
      return ofAll + (sizes[place] == largest ? 0 : 4)
    }
    return groups.indices.max { need($0) < need($1) }.map { groups[$0] }
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
    let (account, took, _) = try Heartbeat.during(loop) {
      if isOnLoop { return try onLoop(cargo, reader.value, loop) }
      let connection = try store.connect()
      for turn in 0..<cargo.transactions {
        let rows = cargo.rows(of: turn)
        try connection.write { writer in for row in rows { try writer.insert(row) } }
      }
    }
    try cargo.report(account, store, took: took, on: track)
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

/// Asynchronous transactions, begun on the loop: with a completion, or awaited by an actor that
/// lives there.
struct RealmStall {
  let isAwaited: Bool

  func run(_ track: Track) throws {
    guard track.pass == .time else { return track.check(true, "") }
    let cargo = try Cargo(track)
    let store = try track.stocked(RealmStore.self, rows: 0, durability: .twoPhase, writable: true)
    let loop = LoopThread("main")
    defer { loop.stop() }
    let (account, took) =
      try isAwaited
      ? awaited(cargo, store.configuration, loop) : completed(cargo, store.configuration, loop)
    try cargo.report(account, store, took: took, on: track)
  }

  private func awaited(
    _ cargo: Cargo, _ configuration: Realm.Configuration, _ loop: LoopThread
  ) throws -> (Heartbeat.Account, UInt64) {
    let home = LoopActor(loop)
    let realm = try waitFor { try await home.open(configuration) }
    let (account, took, _) = try Heartbeat.during(loop) {
      try waitFor { try await home.write(cargo, realm) }
    }
    return (account, took)
  }

  private func completed(
    _ cargo: Cargo, _ configuration: Realm.Configuration, _ loop: LoopThread
  ) throws -> (Heartbeat.Account, UInt64) {
    let sender = try loop.sync { Sender(cargo, try Realm(configuration: configuration), loop) }
    let (account, took, _) = try Heartbeat.during(loop) {
      loop.async { sender.send(0) }
      sender.done.wait()
    }
    let failure = try loop.sync { sender.failure }
    if let failure { throw failure }
    return (account, took)
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

extension LoopActor {
  fileprivate func open(_ configuration: Realm.Configuration) async throws -> Handed<Realm> {
    Handed(try await Realm(configuration: configuration, actor: self))
  }

  fileprivate func write(_ cargo: Cargo, _ realm: Handed<Realm>) async throws {
    let realm = realm.value
    for turn in 0..<cargo.transactions {
      let rows = cargo.rows(of: turn)
      try await realm.asyncWrite { for row in rows { realm.add(Person(row)) } }
    }
  }
}
