import EngineUnderTest
import Foundation
import Harness

/// Every way to open a realm without a configuration: it is the default one of that moment, however
/// often and for whomever it was another one before.
enum Doors {
  private typealias Look = (Realm) throws -> Void
  private typealias Door = (name: String, enter: (@escaping Look) throws -> Void)

  /// The doors, of which some lead to a queue that is entered again and again.
  private static func doors(_ stage: Stage, _ known: DispatchQueue) -> [Door] {
    func given(_ open: (@escaping (Result<Realm, any Error>) -> Void) -> Void) throws -> Realm {
      var result: Result<Realm, any Error>?
      open { result = $0 }
      try stage.spin(until: { result != nil }, "the callback")
      return try result!.get()
    }
    return [
      ("for this thread", { try $0(Realm()) }),
      ("for a known queue", { look in try known.sync { try look(Realm(queue: known)) } }),
      (
        "for a new queue",
        { look in
          let queue = DispatchQueue(label: "new")
          try queue.sync { try look(Realm(queue: queue)) }
        }
      ),
      ("for no queue", { try $0(Realm(queue: nil)) }),
      ("for the main queue", { try $0(Realm(queue: .main)) }),
      ("for another thread", { look in try stage.elsewhere { try look(Realm()) } }),
      (
        "for no queue, on another thread",
        { look in try stage.elsewhere { try look(Realm(queue: nil)) } }
      ),
      (
        "for a queue, on another thread",
        { look in
          let queue = DispatchQueue(label: "new")
          try stage.elsewhere { try queue.sync { try look(Realm(queue: queue)) } }
        }
      ),
      ("by asyncOpen", { try $0(given { take in Realm.asyncOpen { take($0) } }) }),
      (
        "by asyncOpen for the main queue",
        { try $0(given { take in Realm.asyncOpen(callbackQueue: .main) { take($0) } }) }
      ),
      (
        "by asyncOpen for a queue",
        { look in
          let (queue, done) = (DispatchQueue(label: "new"), Latch("the callback"))
          var trouble: (any Error)?
          Realm.asyncOpen(callbackQueue: queue) { result in
            do { try look(result.get()) } catch { trouble = error }
            done.open()
          }
          try stage.wait(for: done)
          // The callback has let go of everything.
          queue.sync {}
          if let trouble { throw trouble }
        }
      ),
    ]
  }

  static let all = Probe("every way to open without a configuration goes by the default of now") {
    stage in
    let known = DispatchQueue(label: "known")
    let doors = doors(stage, known)
    var counts: [String: Int] = [:]
    // Of what is open for a thread or a queue already the default may be another one by now.
    var kept: [Realm] = []
    var ofQueue: [Realm] = []
    for (round, name) in ["one", "two", "three", "one", "two"].enumerated() {
      Realm.Configuration.defaultConfiguration = stage.configuration(name)
      // Each time another one is the first to go by a new default.
      for place in doors.indices {
        let door = doors[(place + 3 * round) % doors.count]
        let what = "opened \(door.name), round \(round)"
        let count = counts[name, default: 0]
        try door.enter { realm in
          stage.equal(
            realm.configuration.fileURL?.lastPathComponent, "\(name).realm", "the file, \(what)")
          realm.refresh()
          stage.equal(realm.objects(Account.self).count, count, "the accounts, \(what)")
          try realm.write { realm.add(Account(id: count)) }
          if door.name == "for this thread" { kept.append(realm) }
          if door.name == "for a known queue" { ofQueue.append(realm) }
        }
        counts[name] = count + 1
      }
    }
    for (name, count) in counts {
      stage.equal(
        try stage.seen(name) { $0.objects(Account.self).count }, count, "the accounts of \(name)")
    }
    known.sync { ofQueue = [] }
    kept = []
  }

  private actor Doorkeeper {
    func names() async throws -> [String?] {
      let realms = [try await Realm(actor: self), try await Realm.open()]
      return realms.map { $0.configuration.fileURL?.lastPathComponent }
    }
  }

  @MainActor private static func names() async throws -> [String?] {
    let realms = [
      try await Realm(), try await Realm(actor: MainActor.shared), try await Realm.open(),
    ]
    return realms.map { $0.configuration.fileURL?.lastPathComponent }
  }

  /// The same on actors.
  static let ofActors = Probe.task("actors open by the default of now, too, in every way") {
    stage in
    let known = Doorkeeper()
    for (round, name) in ["one", "two", "three", "one"].enumerated() {
      Realm.Configuration.defaultConfiguration = stage.configuration(name)
      let file = "\(name).realm" as String?
      if round % 2 == 0 {
        stage.equal(try await names(), [file, file, file], "the main actor's, round \(round)")
      }
      stage.equal(try await known.names(), [file, file], "an actor's, round \(round)")
      stage.equal(try await Doorkeeper().names(), [file, file], "a new one's, round \(round)")
      stage.equal(try await names(), [file, file, file], "the main actor's again, \(round)")
    }
  }
}
