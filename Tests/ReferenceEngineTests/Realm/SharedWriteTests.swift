import Dispatch
import Foundation
import StandIns
import Synchronization
import Testing

@testable import ReferenceEngine

/// Realms of several threads whose writes share a flush: what one of them sees of another's before
/// it is durable stays in its write.
@Suite struct SharedWriteTests {
  // first               second
  // is in a write       begins one, waits
  // commits, waits      is in its write, on what the first has sealed
  //                     does what is asked for here
  /// Each has its realm on a thread of its own, of a file in which there is a `Keyed` 1.
  private static func meet(
    _ configuration: Realm.Configuration,
    first: @escaping @Sendable (Realm) throws -> Void,
    second: @escaping @Sendable (Realm) throws -> Void
  ) throws {
    let realm = try Realm(configuration: configuration)
    if realm.isEmpty { try realm.write { realm.add(Keyed(value: ["id": 1])) } }
    let isInside = DispatchSemaphore(value: 0)
    let one = JoinedThread {
      do {
        let realm = try Realm(configuration: configuration)
        realm.refresh()
        realm.beginWrite()
        isInside.signal()
        while !realm.session.coordinator.gate.hasOneBehind { sched_yield() }
        try first(realm)
      } catch {
        Issue.record(error)
      }
    }
    let other = JoinedThread {
      do {
        let realm = try Realm(configuration: configuration)
        realm.refresh()
        isInside.wait()
        realm.beginWrite()
        try second(realm)
        if realm.isInWriteTransaction { realm.cancelWrite() }
      } catch {
        Issue.record(error)
      }
    }
    one.join()
    other.join()
  }

  private static func name(_ realm: Realm, _ id: Int = 1) -> String? {
    realm.object(ofType: Keyed.self, forPrimaryKey: id)?.name
  }

  @Test func `WRITE-07: a write begins on what has just been sealed, and both are kept`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Keyed.self])
    try Self.meet(configuration) { realm in
      realm.object(ofType: Keyed.self, forPrimaryKey: 1)?.name = "one"
      try realm.commitWrite()
      #expect(["one", "two"].contains(Self.name(realm)))
    } second: { realm in
      #expect(Self.name(realm) == "one")
      realm.object(ofType: Keyed.self, forPrimaryKey: 1)?.name = "two"
      try realm.commitWrite()
      #expect(Self.name(realm) == "two")
    }
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    #expect(Self.name(realm) == "two")
  }

  enum Handed: CaseIterable, Sendable {
    case frozenRealm, frozenObject, reference, variable
  }

  @Test(arguments: Handed.allCases)
  func `COMMIT-08: what a write hands on of what it was begun on is durable before`(
    handed: Handed
  ) throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Keyed.self])
    try Self.meet(configuration) { realm in
      realm.add(Keyed(value: ["id": 2, "name": "new"]))
      try realm.commitWrite()
    } second: { realm in
      let session = realm.session
      guard let base = session.write?.base else { return #expect(Bool(false), "no write") }
      guard let new = realm.object(ofType: Keyed.self, forPrimaryKey: 2) else {
        return #expect(Bool(false), "what was sealed is not there")
      }
      let isThere: @Sendable () -> Bool
      switch handed {
      case .frozenRealm:
        let frozen = Smuggled(realm.freeze())
        isThere = { frozen.value.object(ofType: Keyed.self, forPrimaryKey: 2)?.name == "new" }
      case .frozenObject:
        let frozen = Smuggled(new.freeze())
        isThere = { frozen.value.name == "new" }
      case .reference:
        let reference = ThreadSafeReference(to: new)
        isThere = {
          (try? Realm(configuration: configuration))?.resolve(reference)?.name == "new"
        }
      case .variable:
        let variable = ThreadSafe(wrappedValue: new)
        isThere = { variable.wrappedValue?.name == "new" }
      }
      #expect(session.coordinator.newestVersion >= base.version)
      let found = Mutex(false)
      JoinedThread {
        let here = isThere()
        found.withLock { $0 = here }
      }.join()
      #expect(found.withLock { $0 })
      try realm.commitWrite()
    }
  }

  @Test func `NOTIFY-01: a realm that tells somebody begins on what is durable`() throws {
    let scratch = Scratch()
    let queue = DispatchQueue(label: "home")
    let configuration = scratch.configuration([Keyed.self])
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      func share() throws -> Bool? { try realm.write { realm.session.write?.mayShare } }
      #expect(try share() == true)
      let token = realm.observe { _, _ in }
      #expect(try share() == false)
      token.invalidate()
      #expect(try share() == true)
      let other = realm.objects(Keyed.self).observe { _ in }
      #expect(try share() == false)
      other.invalidate()
    }
  }

  @Test func `LIFE-05: an invalidated realm cancels its write, and what it was begun on stays`()
    throws
  {
    let scratch = Scratch()
    let configuration = scratch.configuration([Keyed.self])
    try Self.meet(configuration) { realm in
      realm.object(ofType: Keyed.self, forPrimaryKey: 1)?.name = "one"
      try realm.commitWrite()
    } second: { realm in
      realm.object(ofType: Keyed.self, forPrimaryKey: 1)?.name = "two"
      realm.invalidate()
      #expect(Self.name(realm) == "one")
    }
  }

  @Test func `ASYNC-20: a write on what was sealed may be committed asynchronously`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Keyed.self])
    let queue = DispatchQueue(label: "home")
    let done = DispatchSemaphore(value: 0)
    let isInside = DispatchSemaphore(value: 0)
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Keyed(value: ["id": 1])) }
    let one = JoinedThread {
      guard let realm = try? Realm(configuration: configuration) else { return }
      realm.refresh()
      realm.beginWrite()
      isInside.signal()
      while !realm.session.coordinator.gate.hasOneBehind { sched_yield() }
      realm.object(ofType: Keyed.self, forPrimaryKey: 1)?.name = "one"
      try? realm.commitWrite()
    }
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      realm.refresh()
      isInside.wait()
      realm.beginWrite()
      #expect(Self.name(realm) == "one")
      realm.object(ofType: Keyed.self, forPrimaryKey: 1)?.name = "two"
      realm.commitAsyncWrite { error in
        #expect(error == nil)
        done.signal()
      }
      #expect(Self.name(realm) == "two")
    }
    one.join()
    done.wait()
    realm.refresh()
    #expect(Self.name(realm) == "two")
  }

  // MARK: losing

  @Test(arguments: [false, true])
  func `WRITE-27: what was found in what is lost with a write is gone for good`(
    cancels: Bool
  ) async {
    await #expect(processExitsWith: .success) { [cancels = cancels as Bool] in
      let disks = FailingDisks()
      disks.install()
      let scratch = Scratch()
      let configuration = scratch.configuration([Keyed.self])
      Seams.given.moments = PatientMoments()
      Seams.given.sharing = .patient
      try SharedWriteTests.meet(configuration) { realm in
        realm.add(Keyed(value: ["id": 7, "name": "lost"]))
        // The slot: the second one's nodes come before, or nothing does.
        disks.all.last?.fail(at: cancels ? 1 : 2, .refused, sticky: false)
        #expect(throws: (any Error).self) { try realm.commitWrite() }
        #expect(SharedWriteTests.name(realm, 7) == nil)
      } second: { realm in
        let lost = realm.object(ofType: Keyed.self, forPrimaryKey: 7)
        #expect(lost?.name == "lost")
        realm.object(ofType: Keyed.self, forPrimaryKey: 1)?.name = "two"
        if cancels {
          realm.cancelWrite()
        } else {
          #expect(throws: (any Error).self) { try realm.commitWrite() }
        }
        disks.all.last?.heal()
        #expect(lost?.isInvalidated == true)
        #expect(SharedWriteTests.name(realm, 7) == nil)
        #expect(SharedWriteTests.name(realm) == "nobody")
        // The key is another one's by now.
        try realm.write { realm.add(Keyed(value: ["id": 7, "name": "other"])) }
        #expect(lost?.isInvalidated == true)
        #expect(SharedWriteTests.name(realm, 7) == "other")
      }
    }
  }
}
