import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

/// Several who open a file at once, each with a migration to run.
///
/// What broke: each decided before it waited for the lock that there was something to migrate, and
/// migrated from what it had seen then. The block ran once for each opener, and what others had
/// committed meanwhile was written over.
struct MigrationRaceTests {
  private static let rounds = 12
  private static let openers = 6

  private static func configuration(_ path: String, version: UInt64) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), schemaVersion: version, objectTypes: [Keyed.self])
  }

  private static func make(_ path: String) throws {
    try onThreads(1) { _ in
      let realm = try Realm(configuration: configuration(path, version: 0))
      try realm.write { realm.create(Keyed.self, value: ["id": 0]) }
    }
  }

  /// Opens with a migration that adds a person under a number of its own, and then adds another.
  private static func open(_ path: String, as number: Int, ran: @escaping @Sendable () -> Void)
    throws
  {
    var migrating = configuration(path, version: 1)
    migrating.migrationBlock = { migration, _ in
      ran()
      migration.create(Keyed.className(), value: ["id": 1000 + number])
    }
    migrating.cache = false
    let realm = try Realm(configuration: migrating)
    try realm.write { realm.create(Keyed.self, value: ["id": 1 + number]) }
  }

  @Test func `LIFE-17: of several threads that open a file one migrates it`() async throws {
    let folder = Folder()
    try await apart {
      for round in 0..<Self.rounds {
        let path = folder.path + "/\(round).realm"
        try Self.make(path)
        let blocks = Counter()
        try onThreads(Self.openers) { number in
          try Self.open(path, as: number) { blocks.add() }
        }
        let found = try Self.contents(path)
        if blocks.value != 1 { throw Wrong("round \(round): the block ran \(blocks.value) times") }
        if found.count != Self.openers + 2 { throw Wrong("round \(round): there are \(found)") }
      }
    }
  }

  @Test func `LIFE-17: of several processes that open a file one migrates it`() async throws {
    let folder = Folder()
    let path = folder.path
    for round in 0..<Self.rounds { try Self.make(path + "/\(round).realm") }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<3 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, number = number as Int] in
            let meeting = Meeting(path + "/meeting", parties: 3)
            for round in 0..<MigrationRaceTests.rounds {
              try meeting.meet()
              try onThreads(1) { _ in
                try MigrationRaceTests.open(path + "/\(round).realm", as: number) {}
              }
            }
          }
        }
      }
    }
    for round in 0..<Self.rounds {
      let found = try Self.contents(path + "/\(round).realm")
      #expect(found.filter { $0 >= 1000 }.count == 1, "round \(round): there are \(found)")
      #expect(found.filter { $0 < 1000 } == [0, 1, 2, 3], "round \(round): there are \(found)")
    }
  }

  private static func contents(_ path: String) throws -> [Int] {
    let found = Mutex<[Int]>([])
    try onThreads(1) { _ in
      let realm = try Realm(configuration: configuration(path, version: 1))
      found.withLock { $0 = realm.objects(Keyed.self).map(\.id).sorted() }
    }
    return found.withLock { $0 }
  }

  private struct Wrong: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }
}
