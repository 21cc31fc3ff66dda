import EngineUnderTest
import Foundation
import Harness

/// What becomes of a realm between the moment a reference was made in it and the one that it is
/// resolved: only resolving uses a reference up.
enum RefUnused {
  private enum Fate: String, CaseIterable {
    case invalidated = "was invalidated"
    case ended = "was let go with its thread"
    case queueEnded = "was let go with its queue"
    case committed = "has committed something else"
    case cancelled = "has cancelled a write that changed it"
    case refreshed = "has moved to what others wrote"
    case named = "has given another reference to it"
    case frozen = "was frozen, and its thing too"
  }

  static let probes: [Probe] = Fate.allCases.map { fate in
    Probe("a reference of each kind is as good as new when its realm \(fate.rawValue)") { stage in
      Backstage.hooks?.skipFlushes()
      let configuration = RefKinds.configuration(stage)
      try stage.elsewhere { _ = try RefKinds.stocked(stage) }
      for (number, kind) in RefKinds.all.enumerated() {
        let what = "\(kind.name), whose realm \(fate.rawValue)"
        var tickets: [RefKinds.Ticket] = []
        var digest = ""
        func make(_ realm: Realm) {
          let held = kind.hold(realm, 1)
          digest = held.digest()
          tickets = [held.refer(), held.refer()]
        }
        func unused(_ when: String) {
          stage.equal(
            tickets.map { $0.isInvalidated() }, [false, false], "if any was used \(when), \(what)")
        }
        switch fate {
        case .ended: try stage.elsewhere { make(try Realm(configuration: configuration)) }
        case .queueEnded:
          let queue = DispatchQueue(label: "brief")
          try queue.sync { make(try Realm(configuration: configuration, queue: queue)) }
        case .invalidated, .committed, .cancelled, .refreshed, .named, .frozen:
          let realm = try Realm(configuration: configuration)
          realm.refresh()
          make(realm)
          unused("at once")
          switch fate {
          case .invalidated: realm.invalidate()
          case .committed: try realm.write { realm.vessel(2)!.truth.toggle() }
          case .cancelled:
            realm.beginWrite()
            RefKinds.change(realm, number + 1)
            realm.cancelWrite()
          case .refreshed:
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              try other.write { other.vessel(2)!.ratio = Double(number + 1) }
            }
            realm.refresh()
          case .named: use(kind.hold(realm, 1).refer())
          case .frozen: use((realm.freeze(), kind.hold(realm, 1).freeze()))
          case .ended, .queueEnded: break
          }
        }
        unused("here")
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          unused("there")
          stage.equal(tickets[0].resolve(other)?.digest, digest, what)
          stage.equal(
            tickets.map { $0.isInvalidated() }, [true, false], "which was used, \(what)")
          stage.equal(tickets[1].resolve(other)?.digest, digest, "the other one of \(what)")
        }
        stage.equal(
          tickets.map { $0.isInvalidated() }, [true, true], "which were used in the end, \(what)")
      }
    }
  }
}
