import EngineUnderTest
import Foundation
import Harness

/// Begins and ends of writes where there must be none: at each moment of a realm's life.
enum WriteMoments {
  /// What a realm has been through before a write is ended that nobody has begun.
  private static let befores: [(name: String, run: @Sendable (Stage, Realm) throws -> Void)] = [
    ("nothing", { _, _ in }),
    ("a commit", { _, realm in try realm.write { realm.account(1).balance += 1 } }),
    ("an empty commit", { _, realm in try realm.write {} }),
    (
      "a cancel",
      { _, realm in
        realm.beginWrite()
        realm.account(1).balance += 1
        realm.cancelWrite()
      }
    ),
    (
      "a block that threw",
      { _, realm in
        struct Trouble: Error {}
        do { try realm.write { throw Trouble() } } catch {}
      }
    ),
    (
      "invalidate() in a write",
      { _, realm in
        realm.beginWrite()
        realm.account(1).balance += 1
        realm.invalidate()
      }
    ),
    ("a failed commit", { stage, realm in try stage.failsToCommit(realm) }),
    (
      "a commit that goes on in the background",
      { stage, realm in
        realm.beginWrite()
        realm.account(1).balance += 1
        realm.commitAsyncWrite()
      }
    ),
    (
      "an asynchronous write",
      { stage, realm in
        var isDone = false
        realm.writeAsync({ realm.account(1).balance += 1 }, onComplete: { _ in isDone = true })
        try stage.spin(until: { isDone }, "the write")
      }
    ),
    ("a write that was asked for and waits", { _, realm in realm.beginAsyncWrite {} }),
    (
      "another's commit and a refresh",
      { stage, realm in
        try stage.foreign { $0.account(2).balance += 1 }
        realm.refresh()
      }
    ),
  ]

  static let strayCancels: [Probe] = befores.map { before in
    .dies("a cancellation outside a write, after \(before.name)", saying: Words.nothingToCancel) {
      stage in
      let realm = try stage.stocked()
      try before.run(stage, realm)
      stage.act { realm.cancelWrite() }
    }
  }

  static let strayCommits = Probe("a commit outside a write throws, whatever has been") { stage in
    for before in befores {
      let realm = try stage.stocked(before.name)
      if before.name == "a failed commit" || before.name.hasPrefix("another's") { continue }
      try before.run(stage, realm)
      let balance = realm.account(1).balance
      for _ in 0..<2 {
        do {
          try realm.commitWrite()
          stage.fail(expected: "an error after \(before.name)", observed: "none")
        } catch {
          stage.expect(
            error.localizedDescription.contains(Words.nothingToCommit),
            "Realm's words after \(before.name)", observed: error.localizedDescription)
        }
        do {
          try realm.commitWrite(withoutNotifying: [])
          stage.fail(expected: "an error after \(before.name)", observed: "none")
        } catch {}
        stage.equal(realm.isInWriteTransaction, false, "the flag after \(before.name)")
        stage.equal(realm.account(1).balance, balance, "the balance after \(before.name)")
      }
      // And nothing is in the way of the next.
      try realm.write { realm.account(1).balance = 4_711 }
      try stage.foreign(before.name) { $0.account(1).balance += 1 }
      realm.refresh()
      stage.equal(realm.account(1).balance, 4_712, "the balance in the end, after \(before.name)")
    }
  }

  private typealias Inside = (
    name: String, enter: @Sendable (Stage, Realm, @escaping () -> Void) throws -> Void
  )

  /// Where a write is open in which another one is begun.
  private static let insides: [Inside] = [
    (
      "behind one that was cancelled",
      { _, realm, act in
        realm.beginWrite()
        realm.cancelWrite()
        realm.beginWrite()
        act()
      }
    ),
    (
      "in a block that has committed and begun anew",
      { _, realm, act in
        try realm.write {
          try realm.commitWrite()
          realm.beginWrite()
          act()
        }
      }
    ),
    (
      "in the block of writeAsync",
      { stage, realm, act in
        realm.writeAsync { act() }
        try stage.spin(until: { false }, "the end of the process")
      }
    ),
    (
      "in the block of beginAsyncWrite",
      { stage, realm, act in
        realm.beginAsyncWrite { act() }
        try stage.spin(until: { false }, "the end of the process")
      }
    ),
    (
      "in what a listener is told by the begin",
      { stage, realm, act in
        realm.autorefresh = false
        let token = realm.observe { notification, _ in if notification == .didChange { act() } }
        try stage.foreign { $0.account(1).balance += 1 }
        realm.beginWrite()
        token.invalidate()
      }
    ),
    (
      "beside a commit that goes on in the background",
      { _, realm, act in
        realm.beginWrite()
        realm.account(1).balance += 1
        realm.commitAsyncWrite()
        realm.beginWrite()
        act()
      }
    ),
  ]

  static let nestedBegins: [Probe] = insides.enumerated().map { number, inside in
    .dies("a begin \(inside.name)", saying: Words.alreadyInWrite) { stage in
      let realm = try stage.stocked()
      try inside.enter(stage, realm) {
        stage.act {
          if stage.isTurn(number, of: 2) { realm.beginWrite() } else { try realm.write {} }
        }
      }
    }
  }

  /// What a begin waits for, and who waits.
  static let waits = Probe("a begin waits at each home, for writes of each home") { stage in
    try stage.elsewhere { _ = try stage.stocked() }
    let (one, other) = (DispatchQueue(label: "one"), DispatchQueue(label: "other"))
    var round = 0
    for holder in ["a thread", "a queue"] {
      for waiter in ["the main thread", "a thread", "a queue"] {
        for end in ["commit", "cancel"] {
          round += 1
          let (balance, what) = (round, "\(waiter) behind \(holder), \(end)")
          let (held, release) = (Latch("the write of \(what)"), Latch("the attempt of \(what)"))
          let inside = Latch("the other's being inside, \(what)")
          let body: (Realm) throws -> Void = { realm in
            realm.beginWrite()
            realm.account(1).balance = balance
            held.open()
            try stage.wait(for: release)
            stage.letShow(inside)
            stage.expect(!inside.isOpen, "nobody else is inside, \(what)")
            if end == "commit" { try realm.commitWrite() } else { realm.cancelWrite() }
          }
          let writer = stage.thread("holder") {
            guard holder == "a queue" else { return try body(try stage.open()) }
            try one.sync {
              try body(try Realm(configuration: stage.configuration(), queue: one))
            }
          }
          try stage.wait(for: held)
          func write(_ realm: Realm) throws {
            let before = realm.account(2).balance
            release.open()
            realm.beginWrite()
            inside.open()
            if end != "cancel" { stage.equal(realm.account(1).balance, balance, what) }
            realm.account(2).balance = before + 1
            try realm.commitWrite()
          }
          switch waiter {
          case "the main thread": try write(try stage.open())
          case "a thread": try stage.elsewhere { try write(try stage.open()) }
          default:
            try other.sync {
              try write(try Realm(configuration: stage.configuration(), queue: other))
            }
          }
          try stage.join(writer)
        }
      }
    }
    stage.equal(try stage.seen { $0.account(2).balance }, 200 + round, "the writes of those behind")
  }
}
