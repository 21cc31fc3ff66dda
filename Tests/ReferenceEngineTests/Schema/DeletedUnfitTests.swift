import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

/// Several who find that a file has to go, which none of them has open as it goes.
///
/// What broke: who had found it deleted whatever lay there when its turn came. What another one had
/// made anew meanwhile, written to and closed was lost, although the write had returned.
struct DeletedUnfitTests {
  private static func make(_ path: String) throws {
    let realm = try Realm(
      configuration: .init(fileURL: URL(fileURLWithPath: path), objectTypes: [Named.self]))
    try realm.write { realm.create(Named.self, value: ["id": "old"]) }
  }

  private static func configuration(_ path: String, migrates: Bool) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), schemaVersion: 1,
      objectTypes: [Keyed.self, Other.Named.self])
    configuration.deleteRealmIfMigrationNeeded = !migrates
    if migrates { configuration.migrationBlock = { _, _ in } }
    return configuration
  }

  /// Opens the file as it shall be and adds an object.
  private static func add(_ id: Int, _ path: String, migrates: Bool = false) throws -> Realm {
    let realm = try Realm(configuration: configuration(path, migrates: migrates))
    try realm.write { realm.create(Keyed.self, value: ["id": id]) }
    return realm
  }

  private static func expectBoth(_ realm: Realm) {
    let found = realm.objects(Keyed.self).map(\.id).sorted()
    if found != [0, 1] { stop("there are \(found)") }
  }

  private enum Neighbour: String, CaseIterable {
    case closes, keepsOpen, migrates
  }

  // finds that the file has to go, and lets go of it
  //                               makes it anew, or migrates it; writes
  //                               closes it, or has it open still
  // does not delete it
  @Test(arguments: Neighbour.allCases.map(\.rawValue))
  func `LIFE-11: what another thread has made of an unfit file stays`(name: String) async throws {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    try await apart { try Self.make(path) }
    await #expect(processExitsWith: .success) { [path = path as String, name = name as String] in
      let neighbour = Neighbour(rawValue: name)
      let end = DispatchSemaphore(value: 0)
      Seams.given.moments = SecondLook {
        let hasWritten = DispatchSemaphore(value: 0)
        let thread = JoinedThread {
          do {
            let realm = try DeletedUnfitTests.add(1, path, migrates: neighbour == .migrates)
            hasWritten.signal()
            if neighbour == .keepsOpen { end.wait() }
            withExtendedLifetime(realm) {}
          } catch { stop("\(error)") }
        }
        hasWritten.wait()
        if neighbour != .keepsOpen { thread.join() }
      }
      try onThreads(1) { _ in DeletedUnfitTests.expectBoth(try DeletedUnfitTests.add(0, path)) }
      end.signal()
    }
  }

  @Test func `LIFE-11: what another process has made of an unfit file stays`() async throws {
    let folder = Folder()
    let path = folder.path
    let ended = Bell()
    try await apart { try Self.make(path + "/a.realm") }
    async let other: Void = apart {
      let meeting = Meeting(path + "/meeting", parties: 2)
      try meeting.meet(unless: ended.hasRung)
      try onThreads(1) { _ in _ = try Self.add(1, path + "/a.realm") }
      try meeting.meet(unless: ended.hasRung)
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let meeting = Meeting(path + "/meeting", parties: 2)
      Seams.given.moments = SecondLook {
        do {
          try meeting.meet()
          try meeting.meet()
        } catch { stop("\(error)") }
      }
      try onThreads(1) { _ in
        DeletedUnfitTests.expectBoth(try DeletedUnfitTests.add(0, path + "/a.realm"))
      }
    }
    ended.ring()
    try await other
  }

  /// Runs something when a file's lock is opened for the second time: who opens it to look has
  /// found it unfit by then, and is about to delete it.
  private final class SecondLook: Moments {
    private let body: @Sendable () -> Void
    private let looks = Mutex(0)

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func reach(_ moment: Moment) {
      guard moment == .lockOpened else { return }
      let isSecond = looks.withLock { looks in
        looks += 1
        return looks == 2
      }
      if isSecond { body() }
    }
  }
}
