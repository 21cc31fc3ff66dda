import EngineUnderTest
import Foundation
import Harness

/// Everything of each kind that a user can keep, while its realm stays, moves or writes: it shows
/// what whoever asks anew is shown.
enum KindsMoved {
  /// How a realm comes to what others have committed.
  private enum Mover: String, CaseIterable {
    case refresh = "refresh()"
    case begin = "beginWrite() and cancelWrite()"
    case write = "write"
    case asyncBegin = "the block of beginAsyncWrite"
    case resolving = "a reference to something newer"
    case loop = "its loop"
    case invalidating = "invalidate() and a read"
  }

  private typealias Kept = (kind: RefKinds.Kind, id: Int, held: RefKinds.Held)

  private static func keep(_ realm: Realm) -> [Kept] {
    RefKinds.all.flatMap { kind in (1...2).map { (kind, $0, kind.hold(realm, $0)) } }
  }

  /// All of each kind, as a realm shows them to whoever asks now.
  private static func now(_ realm: Realm) -> [String] { keep(realm).map { $0.held.digest() } }

  private static func compare(
    _ stage: Stage, _ kept: [Kept], _ expected: [String], _ moment: String
  ) {
    for (one, digest) in zip(kept, expected) {
      let observed = one.held.digest()
      stage.expect(
        observed == digest, "\(one.kind.name) of \(one.id) \(moment) is \(digest)",
        observed: observed)
    }
  }

  /// Steps to what others have committed, in each way.
  static let byOthers: [Probe] = Mover.allCases.map { mover in
    Probe("what is kept of each kind stays, and moves with its realm: by \(mover.rawValue)") {
      stage in
      Backstage.hooks?.skipFlushes()
      let configuration = RefKinds.configuration(stage)
      try stage.elsewhere { _ = try RefKinds.stocked(stage) }
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      for isAsked in [true, false] {
        var kept = keep(realm)
        for round in 1...3 {
          let number = round + (isAsked ? 0 : 10)
          let before = now(realm)
          // What was asked may be remembered; what was not may be looked up too late.
          if isAsked || round == 2 { compare(stage, kept, before, "before, round \(round)") }
          let newest = try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { RefKinds.change(other, number) }
            return now(other)
          }
          if isAsked { compare(stage, kept, before, "when another has committed") }
          switch mover {
          case .refresh: realm.refresh()
          case .begin:
            realm.beginWrite()
            compare(stage, kept, newest, "in the write that began")
            realm.cancelWrite()
          case .write: try realm.write { compare(stage, kept, newest, "in a write") }
          case .asyncBegin:
            var isDone = false
            realm.beginAsyncWrite {
              compare(stage, kept, newest, "in an asynchronous write")
              realm.cancelWrite()
              isDone = true
            }
            try stage.spin(until: { isDone }, "the block")
          case .resolving:
            let reference = try stage.elsewhere {
              ThreadSafeReference(to: try Realm(configuration: configuration).vessel(1)!)
            }
            use(realm.resolve(reference))
          case .loop:
            realm.autorefresh = true
            let vessel = realm.vessel(1)!
            try stage.spin(until: { vessel.number == number }, "its advance")
            realm.autorefresh = false
          case .invalidating:
            realm.invalidate()
            kept = keep(realm)
          }
          compare(stage, kept, newest, "after \(mover.rawValue), round \(round)")
          stage.expect(now(realm) == newest, "what is asked anew after \(mover.rawValue)")
        }
      }
    }
  }

  /// Its own writes, kept and cancelled.
  static let ownWrites = ["committed", "cancelled", "committed asynchronously"].map(byItself)

  static func byItself(_ end: String) -> Probe {
    Probe("what is kept of each kind shows its realm's own write, \(end)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try RefKinds.stocked(stage)
      realm.autorefresh = false
      let kept = keep(realm)
      for round in 1...3 {
        let before = now(realm)
        compare(stage, kept, before, "before write \(round)")
        realm.beginWrite()
        RefKinds.change(realm, round)
        let inside = now(realm)
        stage.expect(inside != before, "the write changes something")
        compare(stage, kept, inside, "in write \(round)")
        // Once more in the same write, behind what has been asked.
        RefKinds.change(realm, 20 + round)
        let later = now(realm)
        compare(stage, kept, later, "later in write \(round)")
        switch end {
        case "committed": try realm.commitWrite()
        case "cancelled": realm.cancelWrite()
        default:
          var isDone = false
          realm.commitAsyncWrite { _ in isDone = true }
          compare(stage, kept, later, "when commitAsyncWrite has returned")
          try stage.spin(until: { isDone }, "the commit")
        }
        let expected = end == "cancelled" ? before : later
        compare(stage, kept, expected, "after write \(round), \(end)")
        let configuration = realm.configuration
        let seen = try stage.elsewhere { now(try Realm(configuration: configuration)) }
        stage.expect(seen == expected, "what others see after write \(round), \(end)")
      }
    }
  }

  /// Several realms, each on a version of its own, beside a writer's.
  static let eachOnItsOwn = Probe("realms on versions of their own show each kind as it was there")
  {
    stage in
    Backstage.hooks?.skipFlushes()
    let configuration = RefKinds.configuration(stage)
    try stage.elsewhere { _ = try RefKinds.stocked(stage) }
    let queues = (0..<4).map { DispatchQueue(label: "reader \($0)") }
    var realms: [(realm: Realm, kept: [Kept], digests: [String], frozen: Realm)] = []
    for (number, queue) in queues.enumerated() {
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write { RefKinds.change(other, 1 + number) }
      }
      try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        realm.autorefresh = false
        realms.append((realm, keep(realm), now(realm), realm.freeze()))
      }
    }
    for round in 0..<2 {
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        other.beginWrite()
        RefKinds.change(other, 10 + round)
        for (queue, one) in zip(queues, realms) {
          queue.sync { compare(stage, one.kept, one.digests, "while another writes") }
        }
        try other.commitWrite()
      }
      for (number, queue) in queues.enumerated() {
        queue.sync {
          compare(stage, realms[number].kept, realms[number].digests, "on version \(number)")
          stage.expect(
            now(realms[number].frozen) == realms[number].digests, "frozen, on version \(number)")
        }
      }
    }
    // One after the other comes to the newest; the others stay.
    let newest = try stage.elsewhere { now(try Realm(configuration: configuration)) }
    for number in [2, 0, 3, 1] {
      queues[number].sync {
        realms[number].realm.refresh()
        realms[number].digests = newest
      }
      for (other, queue) in queues.enumerated() {
        queue.sync {
          compare(stage, realms[other].kept, realms[other].digests, "when \(number) has moved")
        }
      }
    }
    for (number, queue) in queues.enumerated().reversed() {
      queue.sync { use(realms.remove(at: number)) }
    }
  }

  /// What is frozen of each kind, beside the live one.
  static let frozen = Probe("what is frozen of each kind stays, and thaws to what is there now") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    realm.autorefresh = false
    let configuration = realm.configuration
    var all: [(version: Int, frozen: [RefKinds.Held], digests: [String])] = []
    func look(_ moment: String) {
      for (version, frozen, digests) in all {
        let wrong = frozen.indices.first { frozen[$0].digest() != digests[$0] }
        stage.expect(
          wrong == nil, "all that was frozen at \(version) is as it was, \(moment)",
          observed: wrong.map { "\(RefKinds.all[$0 / 2].name): \(frozen[$0].digest())" } ?? "")
      }
    }
    for round in 1...5 {
      let kept = keep(realm)
      let digests = now(realm)
      all.append((round, kept.map { $0.held.freeze() }, digests))
      // Frozen twice, and frozen of what is frozen.
      all.append((round, kept.map { $0.held.freeze().freeze() }, digests))
      switch round % 3 {
      case 0:
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { RefKinds.change(other, round) }
        }
        realm.refresh()
      case 1: try realm.write { RefKinds.change(realm, round) }
      default:
        realm.beginWrite()
        RefKinds.change(realm, round)
        look("in a write")
        realm.cancelWrite()
        try realm.write { RefKinds.change(realm, round + 10) }
      }
      look("after change \(round)")
      nonisolated(unsafe) let look = look
      try stage.elsewhere { look("on another thread") }
      let current = now(realm)
      for (version, frozen, _) in all {
        let wrong = frozen.indices.first { frozen[$0].thaw()?.digest() != current[$0] }
        stage.expect(
          wrong == nil, "all that was frozen at \(version) thaws to what is there",
          observed: wrong.map { RefKinds.all[$0 / 2].name } ?? "")
      }
    }
  }
}
