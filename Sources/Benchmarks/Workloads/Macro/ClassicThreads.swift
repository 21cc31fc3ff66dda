import EngineUnderTest
import Evidence
import Foundation
import Harness

/// Those of the classic list that open files and cross threads.
enum ClassicThreads {
  private static let rows = Benchmark.Parameter("rows", ["10000"])

  static let all: [Benchmark] = [
    Benchmark(
      "macro.classic-realm-creation-cached",
      "open again what is open on this thread, and read one person",
      [rows], engines: Stores.libraries, Stores.run(OpenCached())),
    Benchmark(
      "macro.classic-realm-creation-uncached",
      "open what nobody has open, read one person, and close",
      [rows], engines: Stores.libraries, Stores.run(OpenUncached())),
    Benchmark(
      "macro.classic-commit-with-local-notification",
      "one transaction that changes a number while this realm has a notification block", [rows],
      engines: [RealmStore.name]
    ) { track in
      // Notification blocks are for threads that run a loop.
      let loop = LoopThread("main")
      defer { loop.stop() }
      try loop.sync { try localNotification(track) }
    },
    realm(
      "commit-with-cross-thread-notification",
      "one transaction that changes a number, until a notification block on another thread has run"
    ) { track, table in
      let partner = try Partner(track, answers: false)
      defer { partner.end() }
      var number = 0
      try track.time { count in
        for _ in 0..<count {
          number += 1
          try table.commit(number)
          partner.told.wait()
        }
        return UInt64(number)
      }
      let seen = try partner.lastNumber()
      track.check(seen == number, "the other thread saw \(seen) instead of \(number)")
    },
    realm(
      "cross-thread-latency",
      "a transaction here, seen by a block on another thread, answered by a transaction there, "
        + "seen here"
    ) { track, table in
      let partner = try Partner(track, answers: true)
      defer { partner.end() }
      let row = table.realm.objects(ClassicRow.self).first
      var number = 0
      var wrong = 0
      try track.time { count in
        for _ in 0..<count {
          // The partner answers an odd number with the even one after it.
          number += 2
          try table.commit(number - 1)
          partner.told.wait()
          table.realm.refresh()
          if row?.number != number { wrong += 1 }
        }
        return UInt64(number)
      }
      track.check(wrong == 0, "\(wrong) answers were not seen")
    },
  ]

  private static func localNotification(_ track: Track) throws {
    let table = try RealmClassicTable(track)
    try table.insert(0..<(try track.integer("rows")))
    var told = 0
    let token = table.realm.observe { _, _ in told += 1 }
    let number = try table.timeCommits(track)
    token.invalidate()
    track.check(told == number, "\(told) notifications for \(number) commits")
  }

  private static func realm(
    _ name: String, _ sentence: String,
    _ body: @escaping @Sendable (Track, RealmClassicTable) throws -> Void
  ) -> Benchmark {
    Benchmark("macro.classic-\(name)", sentence, [rows], engines: [RealmStore.name]) { track in
      let table = try RealmClassicTable(track)
      try table.insert(0..<(try track.integer("rows")))
      try body(track, table)
    }
  }

  /// A thread with a run loop that is told of each commit, and may answer it.
  private final class Partner: @unchecked Sendable {
    // Unchecked: all but the semaphore is touched on the loop alone.
    let told = DispatchSemaphore(value: 0)
    private let loop = LoopThread("partner")
    private let answers: Bool
    private var realm: Realm?
    private var row: ClassicRow?
    private var token: NotificationToken?
    private var failures = 0

    init(_ track: Track, answers: Bool) throws {
      self.answers = answers
      let configuration = RealmClassicTable.configuration(track)
      try loop.sync { [self] in
        let realm = try Realm(configuration: configuration)
        self.realm = realm
        row = realm.objects(ClassicRow.self).first
        token = realm.observe { [unowned self] _, realm in news(realm) }
      }
    }

    private func news(_ realm: Realm) {
      guard let row else { return }
      if !answers {
        told.signal()
      } else if row.number % 2 == 1 {
        do { try realm.write { row.number += 1 } } catch { failures += 1 }
        told.signal()
      }
    }

    func lastNumber() throws -> Int {
      try loop.sync { [self] in failures == 0 ? row?.number ?? -1 : -1 }
    }

    func end() {
      try? loop.sync { [self] in
        token?.invalidate()
        (token, row, realm) = (nil, nil, nil)
      }
      loop.stop()
    }
  }
}

struct OpenUncached: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let shelved = try track.shelved(type, rows: rows)
    var digest: UInt64?
    try track.time { count in
      for _ in 0..<count {
        digest = try Store(directory: shelved, durability: .none).connect().read {
          try $0.ageAndName(7)
        }
      }
      return digest ?? 0
    }
    track.check(
      digest == Population.digest(Population.row(7)), "person 7 has another age or name")
  }
}
