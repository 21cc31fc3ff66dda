import Dispatch
import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// Listeners that end, wherever and however that is: with the last one goes what held the file.
enum EndedListeners {
  private enum End: String, CaseIterable, Sendable {
    case atHome = "at home"
    case elsewhere
    case goneElsewhere = "by letting go of its token elsewhere"
    case inItsCall = "in its own call"
    case beforeItsCall = "before it was called"
  }

  /// A token that goes from hand to hand.
  private final class Kept: @unchecked Sendable {
    // Sendable because of the lock.
    private let lock = Mutex(())
    private var token: NotificationToken?
    let calls = Atomic(0)

    func keep(_ new: NotificationToken) { lock.withLock { _ in token = new } }

    /// Ends it, or only lets go of it.
    func end(by invalidating: Bool) {
      let last = lock.withLock { _ in
        defer { token = nil }
        return token
      }
      if invalidating { last?.invalidate() }
    }
  }

  static let probes: [Probe] = VesselEar.all.map { ear in
    Probe("a listener of \(ear.name) that has ended holds no file, however it ended") { stage in
      for end in End.allCases {
        let configuration = Vessel.configuration(stage, "vessels \(end)")
        try stage.elsewhere { _ = try Vessel.stocked(stage, "vessels \(end)") }
        let queue = DispatchQueue(label: "home of a listener")
        let kept = Kept()
        try queue.sync {
          let realm = try Realm(configuration: configuration, queue: queue)
          kept.keep(
            ear.listen(realm) {
              kept.calls.add(1, ordering: .sequentiallyConsistent)
              if end == .inItsCall { kept.end(by: true) }
            })
          if end == .beforeItsCall { kept.end(by: true) }
        }
        if end != .beforeItsCall {
          // Each of them is told of this.
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write {
              let one = other.vessel(1)!
              one.number += 7
              one.numbers.append(7)
              one.titles["seven"] = "7"
              other.vessel(2)!.number += 7
            }
          }
          try stage.spin(
            until: { kept.calls.load(ordering: .sequentiallyConsistent) > 0 },
            "a call of the listener of \(ear.name)")
        }
        switch end {
        case .atHome: queue.sync { kept.end(by: true) }
        case .elsewhere: try stage.elsewhere { kept.end(by: true) }
        case .goneElsewhere: try stage.elsewhere { kept.end(by: false) }
        case .inItsCall, .beforeItsCall: break
        }
        try stage.spin(
          until: { (try? Realm.deleteFiles(for: configuration)) == true },
          "the end of what held the file: a listener of \(ear.name) that ended \(end.rawValue)")
        stage.equal(Realm.fileExists(for: configuration), false, "whether the file is there")
      }
    }
  }
}
