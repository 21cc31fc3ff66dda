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
    let one = firstWriter(configuration, isInside, first)
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

  /// A thread that is in a write, says so, and goes on when somebody waits behind it.
  static func firstWriter(
    _ configuration: Realm.Configuration, _ isInside: DispatchSemaphore,
    _ body: @escaping @Sendable (Realm) throws -> Void
  ) -> JoinedThread {
    JoinedThread {
      do {
        let realm = try Realm(configuration: configuration)
        realm.refresh()
        realm.beginWrite()
        isInside.signal()
        while !realm.session.coordinator.gate.hasOneBehind { sched_yield() }
        try body(realm)
      } catch {
        Issue.record(error)
      }
    }
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
    let one = Self.firstWriter(configuration, isInside) { realm in
      realm.object(ofType: Keyed.self, forPrimaryKey: 1)?.name = "one"
      try realm.commitWrite()
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
      Seams.bePatient()
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

  // first                second
  // is in a write        begins one, waits
  // adds, commits        is in its write, on that or on what was before, and adds something else
  // fails, takes back its own
  //                      cancels
  /// What broke: what a write has noted belongs to the next one as soon as that is let in, and a
  /// commit that failed took back what was noted by then.
  @Test(arguments: [false, true])
  func `WRITE-27: who loses a commit takes back its own rows, whoever writes by then`(
    isShared: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isShared = isShared as Bool] in
      let disks = FailingDisks()
      disks.install()
      let scratch = Scratch()
      let configuration = scratch.configuration([Keyed.self])
      let isInside = DispatchSemaphore(value: 0)
      let (hasFailed, hasCancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let hasAdded = Raised()
      Seams.given.sharing = .patient
      if isShared {
        Seams.given.moments = PatientMoments { hasAdded.isSo }
      } else {
        Seams.given.gate = { AttendedGate(FileGate(lock: $0), until: { hasAdded.isSo }) }
      }
      let realm = try Realm(configuration: configuration)
      let one = JoinedThread {
        guard let realm = try? Realm(configuration: configuration) else { return }
        realm.beginWrite()
        isInside.signal()
        let gate = realm.session.coordinator.gate
        if isShared { while !gate.hasOneBehind { sched_yield() } }
        let lost = realm.create(Keyed.self, value: ["id": 7, "name": "lost"])
        // Its nodes come before, and then the slot.
        disks.all.last?.fail(at: 1, .refused, sticky: false)
        (gate as? AttendedGate)?.attend()
        #expect(throws: (any Error).self) { try realm.commitWrite() }
        disks.all.last?.heal()
        hasFailed.signal()
        hasCancelled.wait()
        #expect(lost.isInvalidated)
        // The key is another one's by now.
        do {
          try realm.write { realm.add(Keyed(value: ["id": 7, "name": "other"])) }
        } catch {
          Issue.record(error)
        }
        #expect(lost.isInvalidated)
        #expect(SharedWriteTests.name(realm, 7) == "other")
      }
      let other = JoinedThread {
        guard let realm = try? Realm(configuration: configuration) else { return }
        isInside.wait()
        realm.beginWrite()
        #expect((realm.session.write?.flush != nil) == isShared)
        realm.add(Keyed(value: ["id": 9]))
        hasAdded.raise()
        hasFailed.wait()
        realm.cancelWrite()
        hasCancelled.signal()
      }
      one.join()
      other.join()
      _ = realm
    }
  }

  @Test func `WRITE-27: what was lost stays gone where the lost write put another in its place`()
    async
  {
    await #expect(processExitsWith: .success) {
      let disks = FailingDisks()
      disks.install()
      let scratch = Scratch()
      let configuration = scratch.configuration([Keyed.self])
      Seams.bePatient()
      try SharedWriteTests.meet(configuration) { realm in
        realm.add(Keyed(value: ["id": 7, "name": "lost"]))
        disks.all.last?.fail(at: 2, .refused, sticky: false)
        #expect(throws: (any Error).self) { try realm.commitWrite() }
      } second: { realm in
        let known = realm.object(ofType: Keyed.self, forPrimaryKey: 1)
        guard let lost = realm.object(ofType: Keyed.self, forPrimaryKey: 7) else {
          return #expect(Bool(false), "what was sealed is not there")
        }
        realm.delete(lost)
        let again = realm.create(Keyed.self, value: ["id": 7, "name": "lost, too"])
        #expect(throws: (any Error).self) { try realm.commitWrite() }
        disks.all.last?.heal()
        #expect(lost.isInvalidated && again.isInvalidated)
        try realm.write { realm.add(Keyed(value: ["id": 7, "name": "other"])) }
        #expect(again.isInvalidated)
        #expect(lost.isInvalidated)
        #expect(known?.isInvalidated == false && known?.name == "nobody")
        #expect(SharedWriteTests.name(realm, 7) == "other")
      }
    }
  }

  /// Four threads count in a row each, and in one for all of them, some of their commits fail, and
  /// some are cancelled; a fifth looks on.
  @Test func `WRITE-27: what was acknowledged is there and nothing else, whatever fails`() async {
    await #expect(processExitsWith: .success) {
      let disks = FailingDisks()
      disks.install()
      let scratch = Scratch()
      let configuration = scratch.configuration([Keyed.self])
      let realm = try Realm(configuration: configuration)
      try realm.write {
        for id in 0..<5 { realm.add(Keyed(value: ["id": id, "name": "0"])) }
      }
      @Sendable func number(_ realm: Realm, _ id: Int) -> Int {
        SharedWriteTests.name(realm, id).flatMap { Int($0) } ?? -1
      }
      struct Cancelled: Error {}
      let acknowledged = Mutex([Int](repeating: 0, count: 4))
      let isOver = Raised()
      let lost = Mutex(0)
      let threads = (0..<4).map { index in
        JoinedThread {
          guard let realm = try? Realm(configuration: configuration) else { return }
          var mine: Keyed?
          for round in 0..<150 {
            do {
              try realm.write {
                for id in [index, 4] {
                  realm.object(ofType: Keyed.self, forPrimaryKey: id)?.name =
                    "\(number(realm, id) + 1)"
                }
                if index == 0, round % 3 == 0, realm.session.write?.flush == nil {
                  disks.all.last?.fail(at: round / 3 % 4, .refused, sticky: false)
                }
                if let known = mine {
                  #expect(!known.isInvalidated && known.name == "\(index)")
                  realm.delete(known)
                  mine = nil
                } else if round % 4 == 1 {
                  let id = 100 + index
                  #expect(realm.object(ofType: Keyed.self, forPrimaryKey: id) == nil)
                  mine = realm.create(Keyed.self, value: ["id": id, "name": "\(index)"])
                }
                if round % 13 == 5 { throw Cancelled() }
              }
              acknowledged.withLock { $0[index] += 1 }
              #expect(mine?.isInvalidated != true)
            } catch {
              if !(error is Cancelled) { lost.withLock { $0 += 1 } }
              // Whether it was added or deleted in vain.
              #expect(mine?.isInvalidated != false)
              mine = realm.object(ofType: Keyed.self, forPrimaryKey: 100 + index)
            }
            #expect(number(realm, index) == acknowledged.withLock { $0[index] })
          }
        }
      }
      let reader = JoinedThread {
        guard let realm = try? Realm(configuration: configuration) else { return }
        while !isOver.isSo {
          let known = acknowledged.withLock { $0 }
          realm.refresh()
          let seen = (0..<4).map { number(realm, $0) }
          #expect(zip(seen, known).allSatisfy { $0 >= $1 })
          #expect(seen.reduce(0, +) == number(realm, 4))
        }
      }
      for thread in threads { thread.join() }
      isOver.raise()
      reader.join()
      disks.all.last?.heal()
      realm.refresh()
      let known = acknowledged.withLock { $0 }
      #expect((0..<4).map { number(realm, $0) } == known)
      #expect(number(realm, 4) == known.reduce(0, +))
      #expect(lost.withLock { $0 } > 0)
      try realm.session.coordinator.checkEverything()
    }
  }
}

/// Passes nothing on; who has left it once stays until that is said to be over.
private final class AttendedGate: Gate {
  private let gate: FileGate
  private let isOver: @Sendable () -> Bool
  private let isAttended = Atomic(false)

  init(_ gate: FileGate, until isOver: @escaping @Sendable () -> Bool) {
    (self.gate, self.isOver) = (gate, isOver)
  }

  /// Keeps who leaves next.
  func attend() { isAttended.store(true, ordering: .releasing) }

  func enter() -> Bool { gate.enter() }
  func tryEnter() -> Bool? { gate.tryEnter() }
  func leave() {
    gate.leave()
    guard isAttended.exchange(false, ordering: .acquiringAndReleasing) else { return }
    while !isOver() { sched_yield() }
  }
}
