import Evidence
import Foundation
import Harness

/// What old versions cost: reading them, keeping them, letting them go.
enum Versions {
  static let all: [Benchmark] = [
    Benchmark(
      "frozen.read-old",
      "a read of reads.by-primary-key in a version that many commits have passed",
      [.oneSize, .init("held", ["1000"])], engines: Stores.names.filter { $0 != "sqlite" },
      quick: true,
      Stores.run(ReadOld())),
    Benchmark(
      "frozen.growth",
      "bytes of the file in use per commit while so many versions stay held; size is the file's "
        + "own",
      [
        .oneSize, .init("held", ["0", "10", "100", "1000"], quick: ["100"]),
        .init("change", ["1", "1%"], quick: ["1"]),
      ], engines: Stores.names, metrics: ["growth", "size"], quick: true, weight: 3,
      Stores.run(Growth())),
    Benchmark(
      "frozen.one-old-pin",
      "file size after 10,000 commits with one version held from before, as a multiple of the same "
        + "without",
      [.oneSize], engines: Stores.names, metrics: ["ratio", "size"], quick: false, weight: 8,
      Stores.run(OneOldPin())),
    Benchmark(
      "frozen.after-release",
      "file growth over 10,000 further commits after all held versions were released", [.oneSize],
      engines: Stores.names, metrics: ["growth"], quick: false, weight: 8,
      Stores.run(AfterRelease())),
  ]
}

struct ReadOld: StoreWorkload {
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
      try connection.read(in: old) { try KeyReads.readMany($0, &keys, count) }
    }
    var again = fresh
    let answer = try connection.read(in: old) { try KeyReads.readMany($0, &again, 1000) }
    track.check(
      answer == KeyReads.expected(fresh, 1000), "the old version shows other ages or names")
    try walk.check(store, track)
  }
}

struct Growth: StoreWorkload {
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
    let before = store.bytesInUse()
    var versions: [Store.Connection.Held] = []
    let commits = max(held, 100)
    for turn in 0..<commits {
      if turn < held { versions.append(try connection.hold()) }
      try commit()
    }
    let after = store.bytesInUse()
    track.record("growth", Double(after - before) / Double(commits), count: commits)
    track.record("size", Double(store.bytesOnDisk()), count: commits)
    try withExtendedLifetime(versions) { try walk.check(store, track) }
  }
}

struct OneOldPin: StoreWorkload {
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

struct AfterRelease: StoreWorkload {
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
    let before = store.bytesInUse()
    for _ in 0..<10_000 { try commit() }
    track.record("growth", Double(store.bytesInUse() - before), count: 10_000)
    try walk.check(store, track)
  }
}
