import Foundation
import Testing

@testable import ReferenceEngine

/// What a thread that asks for a realm again is given: the instance it has, and never another
/// place's.
struct ReopeningTests {
  private func number(_ realm: Realm) -> ObjectIdentifier { ObjectIdentifier(realm.session) }

  @Test func `LIFE-01: the same configuration in the same place gives the same instance`() throws {
    let (one, other) = (Scratch(), Scratch())
    let first = try one.realm()
    let second = try other.realm()
    for _ in 0..<3 {
      #expect(try one.realm() == first)
      #expect(try other.realm() == second)
    }
    var readOnly = one.configuration()
    readOnly.schemaVersion = 0
    #expect(try Realm(configuration: readOnly) == first)
  }

  @Test func `an instance that nobody keeps is not given again`() throws {
    let scratch = Scratch()
    weak var last: SessionTie?
    do {
      let realm = try scratch.realm()
      last = realm.session.tie
      try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
      #expect(last?.session === realm.session)
    }
    #expect(last?.session == nil)
    #expect(try scratch.realm().objects(Dog.self).count == 1)
  }

  @Test func `another thread has an instance of its own`() async throws {
    let scratch = Scratch()
    let mine = try scratch.realm()
    let directory = scratch.directory
    let isMine = await withCheckedContinuation { done in
      let known = mine.session
      Thread {
        let configuration = Realm.Configuration(
          fileURL: directory.appendingPathComponent("test.realm"))
        let realms = (0..<3).compactMap { _ in try? Realm(configuration: configuration) }
        done.resume(
          returning: realms.contains { $0.session === known } || realms.count != 3
            || realms[0] != realms[2])
      }.start()
    }
    #expect(!isMine)
    withExtendedLifetime(mine) {}
  }

  @Test func `classes that come later are known to the instance that is there`() throws {
    let scratch = Scratch()
    let first = try Realm(configuration: scratch.configuration([Dog.self, Person.self]))
    let second = try Realm(configuration: scratch.configuration([Keyed.self]))
    #expect(first == second)
    try second.write { second.add(Keyed(value: ["id": 3])) }
    #expect(first.objects(Keyed.self).count == 1)
  }

  // thread                    the main queue, on the thread if the main thread does not serve it
  // opens by default, keeps
  //                           opens by default
  // opens by default
  @Test func `CONFINE-12: in the main queue Realm() is the main realm, whichever thread runs it`()
    async
  {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let scratch = Scratch()
      Realm.Configuration.defaultConfiguration = scratch.configuration([Keyed.self])
      let thread = JoinedThread {
        do {
          // The main queue's block runs on this thread, and nowhere else at the same time.
          nonisolated(unsafe) let mine = try Realm()
          try DispatchQueue.main.sync {
            let main = try Realm(queue: .main)
            if try Realm() != main { stop("by default it is another one") }
            if try Realm() != main { stop("the second time it is another one") }
            if try Realm(configuration: .defaultConfiguration) != main { stop("it is another one") }
            if main == mine { stop("the thread's is the main one") }
          }
          if try Realm() != mine { stop("the thread's own is another one") }
        } catch { stop("\(error)") }
      }
      thread.join()
      withExtendedLifetime(scratch) {}
    }
  }

  @Test func `a tie is followed while its session ends elsewhere`() async throws {
    let scratch = Scratch()
    let directory = scratch.directory
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let configuration = Realm.Configuration(
            fileURL: directory.appendingPathComponent("test.realm"))
          for _ in 0..<50 {
            let queue = DispatchQueue(label: "home")
            let tie = queue.sync {
              (try? Realm(configuration: configuration, queue: queue))?.session.tie
            }
            // Whoever looks now finds the session alive or gone, never in between.
            if let session = tie?.session { #expect(session.configuration.path.isEmpty == false) }
          }
        }
      }
    }
  }
}
