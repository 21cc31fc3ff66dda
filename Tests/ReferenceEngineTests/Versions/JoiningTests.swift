import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// Several who open, make, compact, seed and remove one file at once, over threads and processes.
///
/// `OPENING_ROUNDS` says how often; each round begins when all processes have come to it.
@Suite(.serialized) struct JoiningTests {
  static let rounds = Wish.number("OPENING_ROUNDS", orElse: 25)
  static let processes = 3

  /// Waits for so many processes at once; `body` runs one of them.
  private func inProcesses(_ body: @escaping @Sendable (Int) async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<JoiningTests.processes { group.addTask { await body(number) } }
    }
  }

  /// What broke: who waited while another one compacted took the place of a second opener, of a
  /// file whose version nobody had published, and had mapped the file that was about to be
  /// replaced.
  @Test func `LIFE-16: who opens a file while others compact it finds every commit`() async throws {
    let folder = Folder()
    let (path, rounds) = (folder.path, JoiningTests.rounds)
    await inProcesses { number in
      await #expect(processExitsWith: .success) {
        [path = path as String, number = number as Int, rounds = rounds as Int] in
        let meeting = Meeting(path + "/meeting", parties: 3)
        var configuration = Realm.Configuration(
          fileURL: URL(fileURLWithPath: path + "/a.realm"), objectTypes: [Keyed.self])
        configuration.shouldCompactOnLaunch = { _, _ in true }
        let opened = configuration
        for round in 0..<rounds {
          try meeting.meet()
          try onThreads(2) { thread in
            let realm = try Realm(configuration: opened)
            let found = realm.objects(Keyed.self).count
            if found < round * 6 { stop("round \(round): \(found) of \(round * 6) are there") }
            try realm.write {
              realm.create(Keyed.self, value: ["id": (round * 3 + number) * 2 + thread])
            }
          }
        }
        try meeting.meet()
        let found = try Realm(configuration: opened).objects(Keyed.self).count
        if found != rounds * 6 { stop("\(found) of \(rounds * 6) are there at the end") }
      }
    }
    #expect(try Inspection(verifying: path + "/a.realm").version > UInt64(rounds * 6))
  }

  /// What broke: who found a lock file empty, and then looked how long it was, took what another
  /// one had written into it in between for a stranger's.
  @Test func `LIFE-17: a lock file that is just being made is no stranger's`() throws {
    let folder = Folder()
    for round in 0..<300 {
      let path = "\(folder.path)/\(round).lock"
      let meeting = Meeting(folder.path + "/meeting", parties: 3)
      let threads = (0..<3).map { _ in
        JoinedThread {
          do {
            try meeting.meet()
            _ = try LockFile(path: path) { lock in
              guard lock.isFirst else { return }
              VersionBoard(base: lock.base).publish(Opening.firstRoot(now: 1))
            }
          } catch { Issue.record("round \(round): \(error)") }
        }
      }
      for thread in threads { thread.join() }
    }
  }

  @Test func `LIFE-17: who makes a file at the same time makes one file`() async throws {
    let folder = Folder()
    let (path, rounds) = (folder.path, JoiningTests.rounds)
    await inProcesses { number in
      await #expect(processExitsWith: .success) {
        [path = path as String, number = number as Int, rounds = rounds as Int] in
        let meeting = Meeting(path + "/meeting", parties: 3)
        for round in 0..<rounds {
          let opened = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path + "/\(round).realm"), objectTypes: [Keyed.self])
          try meeting.meet()
          try onThreads(2) { thread in
            let realm = try Realm(configuration: opened)
            try realm.write { realm.create(Keyed.self, value: ["id": number * 2 + thread]) }
          }
          try meeting.meet()
          let found = try Realm(configuration: opened).objects(Keyed.self).count
          if found != 6 { stop("round \(round): \(found) of 6 are there") }
        }
      }
    }
  }

  /// What broke: each copied the seed for itself when it saw no file, over what another one had
  /// opened already.
  @Test func `LIFE-21: a file that several make from a seed is seeded once`() async throws {
    let folder = Folder()
    let (path, rounds) = (folder.path, JoiningTests.rounds)
    try onThreads(1) { _ in
      let seed = try Realm(
        configuration: .init(
          fileURL: URL(fileURLWithPath: path + "/seed.realm"), objectTypes: [Keyed.self]))
      try seed.write { for id in 100..<600 { seed.create(Keyed.self, value: ["id": id]) } }
    }
    await inProcesses { number in
      await #expect(processExitsWith: .success) {
        [path = path as String, number = number as Int, rounds = rounds as Int] in
        let meeting = Meeting(path + "/meeting", parties: 3)
        for round in 0..<rounds {
          let opened = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path + "/\(round).realm"), objectTypes: [Keyed.self],
            seedFilePath: URL(fileURLWithPath: path + "/seed.realm"))
          try meeting.meet()
          try onThreads(2) { thread in
            let realm = try Realm(configuration: opened)
            let found = realm.objects(Keyed.self).count
            if found < 500 { stop("round \(round): \(found) of 500 are there") }
            try realm.write { realm.create(Keyed.self, value: ["id": number * 2 + thread]) }
          }
          try meeting.meet()
          let found = try Realm(configuration: opened).objects(Keyed.self).count
          if found != 506 { stop("round \(round): \(found) of 506 are there at the end") }
        }
      }
    }
  }

  /// What broke: a process removed the file that another one had just written to.
  @Test func `LIFE-11: what a process has written stays while it has the file open`() async throws {
    let folder = Folder()
    let (path, rounds) = (folder.path, JoiningTests.rounds)
    await inProcesses { number in
      await #expect(processExitsWith: .success) {
        [path = path as String, number = number as Int, rounds = rounds as Int] in
        let meeting = Meeting(path + "/meeting", parties: 3)
        let opened = Realm.Configuration(
          fileURL: URL(fileURLWithPath: path + "/a.realm"), objectTypes: [Keyed.self])
        for round in 0..<rounds {
          try meeting.meet()
          for step in 0..<3 {
            try onThreads(1) { _ in
              let realm = try Realm(configuration: opened)
              let id = (round * 3 + step) * 3 + number
              try realm.write { realm.create(Keyed.self, value: ["id": id]) }
              // As any other opener finds it.
              let other = try Coordinator(
                StorageConfiguration(location: .file(path: path + "/a.realm")))
              if other.newestVersion < VersionID(2) { stop("round \(round): an empty file") }
              if realm.object(ofType: Keyed.self, forPrimaryKey: id) == nil {
                stop("round \(round): \(id) is gone")
              }
              if other.lock.place == 0, realm.session.coordinator.lock.place == 0 {
                stop("round \(round): two first openers")
              }
            }
            do { _ = try Realm.deleteFiles(for: opened) } catch Realm.Error.alreadyOpen {}
          }
        }
      }
    }
  }

  /// What broke: two that both found an old schema removed the file under each other.
  @Test func `LIFE-11: several that delete a file to migrate it lose nothing of each other`()
    async throws
  {
    let folder = Folder()
    let (path, rounds) = (folder.path, JoiningTests.rounds)
    await inProcesses { number in
      await #expect(processExitsWith: .success) {
        [path = path as String, number = number as Int, rounds = rounds as Int] in
        let meeting = Meeting(path + "/meeting", parties: 3)
        for round in 0..<rounds {
          let url = URL(fileURLWithPath: path + "/\(round).realm")
          if number == 0 {
            try onThreads(1) { _ in
              let old = try Realm(configuration: .init(fileURL: url, objectTypes: [Named.self]))
              try old.write { old.create(Named.self, value: ["id": "old"]) }
            }
          }
          try meeting.meet()
          try onThreads(1) { _ in
            var configuration = Realm.Configuration(
              fileURL: url, schemaVersion: 0, deleteRealmIfMigrationNeeded: true,
              objectTypes: [Keyed.self, Other.Named.self])
            configuration.cache = false
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.create(Keyed.self, value: ["id": number]) }
            try meeting.meet()
            realm.refresh()
            let found = realm.objects(Keyed.self).count
            if found != 3 { stop("round \(round): \(found) of 3 are there") }
          }
          try meeting.meet()
        }
      }
    }
  }
}

/// `Named` with a property of another type.
enum Other {
  class Named: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var value: String
  }
}

/// Runs code on threads of its own, at the same time, and returns when all have ended.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
  let errors = Errors()
  let threads = (0..<count).map { number in
    let ended = DispatchSemaphore(value: 0)
    let thread = Thread {
      do { try body(number) } catch { errors.add(error) }
      ended.signal()
    }
    thread.stackSize = 1 << 20
    thread.start()
    return ended
  }
  for thread in threads { thread.wait() }
  if let first = errors.first { throw first }
}

final class Errors: @unchecked Sendable {
  // Sendable because the lock guards the list.
  private let lock = NSLock()
  private var all: [any Error] = []

  func add(_ error: any Error) { lock.withLock { all.append(error) } }
  var first: (any Error)? { lock.withLock { all.first } }
}

/// Ends a child whose finding is wrong.
func stop(_ finding: String) -> Never {
  FileHandle.standardError.write(Data((finding + "\n").utf8))
  exit(3)
}
