import Evidence
import Foundation
import Harness

/// How far a commit must have come before it returns.
package enum Durability: String, Sendable, CaseIterable {
  /// Every flush the engine's strongest promise needs.
  case twoPhase = "two-phase"
  /// One flush per commit.
  case singleFlush = "single-flush"
  /// The system writes when it likes.
  case none
}

/// What people are found by in a store.
package enum Keys: String, Sendable {
  case integers, strings
}

/// The few verbs that an embedded store of any kind can speak, over people.
///
/// Kept to what every peer does natively, so that no adapter has to emulate. A store is a file;
/// what a thread does happens through a connection of its own. Used with generics, never as `any`.
package protocol KeyValueStore: Sendable {
  associatedtype Connection: KeyValueConnection
  static var name: String { get }
  static var version: String { get }
  /// How it is set up, in a sentence.
  static var setting: String { get }
  /// Which promises of durability it can make.
  static var durabilities: [Durability] { get }
  init(directory: URL, durability: Durability, keys: Keys) throws
  func connect() throws -> Connection
  /// Bytes of its files on disk.
  func bytesOnDisk() -> Int
  /// How far they are in use: a file that grows in steps says nothing about one commit.
  func bytesInUse() -> Int
}

package protocol KeyValueConnection: AnyObject {
  associatedtype Reader: KeyValueReader
  associatedtype Writer: KeyValueWriter
  associatedtype Held
  /// One read transaction, or the engine's nearest thing to it.
  func read<Result>(_ body: (Reader) throws -> Result) throws -> Result
  func write<Result>(_ body: (Writer) throws -> Result) throws -> Result
  /// Keeps the present version readable until the result is dropped.
  func hold() throws -> Held
  /// Reads in a version that is held.
  func read<Result>(in held: Held, _ body: (Reader) throws -> Result) throws -> Result
  /// Sees what others have committed; nothing where each read transaction sees it anyway.
  func refresh() throws
  /// Begins and ends so many reads that look at nothing; returns something that depends on all of
  /// them.
  func beginAndEnd(_ count: Int) throws -> UInt64
}

extension KeyValueConnection {
  package func beginAndEnd(_ count: Int) throws -> UInt64 {
    var sum: UInt64 = 0
    for _ in 0..<count { sum &+= try read { _ in 1 } }
    return sum
  }
}

package protocol KeyValueReader {
  /// Finds by primary key and decodes both: the digest of the population; nil when there is no such
  /// person.
  func ageAndName(_ key: Int) throws -> UInt64?
  /// The same in a store whose keys are strings.
  func ageAndName(_ key: String) throws -> UInt64?
  /// Visits everyone and adds up ages.
  func iterateAges() throws -> Int
  /// The same with a closure that is handed one after another.
  func forEachAge() throws -> Int
  func count() throws -> Int
  func sumOfAges() throws -> Int
  func countAges(above limit: Int) throws -> Int
  /// The age of the first found that is older; nil where there is none.
  func firstAge(above limit: Int) throws -> Int?
  func countNames(equalTo name: String) throws -> Int
  /// Younger than, scored above, name beginning with.
  func countConjunction(below age: Int, above score: Double, prefix: String) throws -> Int
  /// Sorts everyone by age, then id, and reads first, middle and last id.
  func sortedEnds() throws -> [Int]
  /// The first hundred ids in that order.
  func firstHundred() throws -> [Int]
}

package protocol KeyValueWriter {
  func insert(_ row: Population.Row) throws
  func insert(_ row: Population.Row, key: String) throws
  func setAge(_ key: Int, _ age: Int) throws
  func delete(_ key: Int) throws
}

extension KeyValueReader {
  /// A cursor knows one way to walk.
  package func forEachAge() throws -> Int { try iterateAges() }
}

extension KeyValueStore {
  package func bytesInUse() -> Int { bytesOnDisk() }

  package init(directory: URL, durability: Durability) throws {
    try self.init(directory: directory, durability: durability, keys: .integers)
  }

  /// Fills an empty store in one write, in the population's order.
  package func fill(_ population: Population, keys: Keys = .integers) throws {
    let connection = try connect()
    try connection.write { writer in
      for key in population.keys {
        let row = Population.row(key)
        switch keys {
        case .integers: try writer.insert(row)
        case .strings: try writer.insert(row, key: Population.stringKey(key))
        }
      }
    }
  }

  package static func bytes(in directory: URL) -> Int {
    let files =
      (try? FileManager.default.contentsOfDirectory(
        at: directory, includingPropertiesForKeys: [.fileSizeKey])) ?? []
    return files.reduce(0) { sum, file in
      sum + ((try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
    }
  }
}

extension Track {
  /// The directory of a store with people in it, made by whoever needs it first.
  func shelved<Store: KeyValueStore>(
    _ type: Store.Type, rows: Int, keys: Keys = .integers
  ) throws -> URL {
    let shelved = shelf.appendingPathComponent("\(Store.name)-\(keys.rawValue)-\(rows)")
    let manager = FileManager.default
    if !manager.fileExists(atPath: shelved.path) {
      let start = Stopwatch.now
      defer { report.making = (report.making ?? 0) + Double(Stopwatch.now - start) / 1e9 }
      let making = shelf.appendingPathComponent("making-\(UUID().uuidString.prefix(8))")
      try manager.createDirectory(at: making, withIntermediateDirectories: true)
      do {
        let store = try Store(directory: making, durability: .none, keys: keys)
        if rows > 0 { try store.fill(Population(rows), keys: keys) }
      }
      // Renaming is atomic: a killed child leaves no half-filled store on the shelf.
      try? manager.moveItem(at: making, to: shelved)
    }
    return shelved
  }

  /// A store with people in it, from the shelf: made once per run, copied where it will be written
  /// to.
  func stocked<Store: KeyValueStore>(
    _ type: Store.Type, rows: Int, durability: Durability = .none, keys: Keys = .integers,
    writable: Bool, as name: String = "store"
  ) throws -> Store {
    let shelved = try shelved(type, rows: rows, keys: keys)
    guard writable else {
      return try Store(directory: shelved, durability: durability, keys: keys)
    }
    let own = directory.appendingPathComponent(name)
    try Track.copyFiles(from: shelved, to: own)
    return try Store(directory: own, durability: durability, keys: keys)
  }

  /// Copies the files of a directory into a new one. An engine may keep more beside them, as
  /// realm-core keeps a pipe: whoever copies that waits for ever for what comes out of it.
  static func copyFiles(from source: URL, to copy: URL) throws {
    do {
      try copyAll(from: source, to: copy)
    } catch {
      throw BenchmarkError(
        "cannot copy \(source.lastPathComponent) to \(copy.path): \(explanation(error))")
    }
  }

  private static func copyAll(from source: URL, to copy: URL) throws {
    let manager = FileManager.default
    try manager.createDirectory(at: copy, withIntermediateDirectories: false)
    for name in try manager.contentsOfDirectory(atPath: source.path) {
      let (from, to) = (source.appendingPathComponent(name), copy.appendingPathComponent(name))
      switch try manager.attributesOfItem(atPath: from.path)[.type] as? FileAttributeType {
      case .typeRegular: try manager.copyItem(at: from, to: to)
      case .typeDirectory: try copyAll(from: from, to: to)
      default: break
      }
    }
  }
}
