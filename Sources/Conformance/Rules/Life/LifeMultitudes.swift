import EngineUnderTest
import Foundation
import Harness

/// Openings and versions one after the other, thousands of them, while a file is open: what one has
/// taken the next may have.
enum Multitudes {
  private enum Way: String, CaseIterable {
    case frozen = "frozen realms"
    case threads = "realms of threads"
    case queues = "realms of queues"
    case references = "references to results"
    case refreshed = "refreshes"

    /// Each is cheap, but for a thread.
    var count: Int { self == .threads ? 1_500 : 2_500 }
  }

  static let passed: [Probe] = Way.allCases.map { way in
    Probe("thousands come and go while a file is open: \(way.rawValue)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.stocked()
      let configuration = realm.configuration
      let queue = DispatchQueue(label: "home")
      for round in 1...way.count {
        // On a version of its own each.
        try realm.write { realm.account(1).balance = round }
        var seen = 0
        switch way {
        case .frozen: seen = realm.freeze().account(1).balance
        case .threads:
          seen = try stage.elsewhere { try Realm(configuration: configuration).account(1).balance }
        case .queues:
          seen = try queue.sync {
            try Realm(configuration: configuration, queue: queue).account(1).balance
          }
        case .references:
          let reference = ThreadSafeReference(to: realm.objects(Account.self).where { $0.id == 1 })
          seen =
            round % 2 == 0
            ? round
            : try queue.sync {
              try Realm(configuration: configuration, queue: queue).resolve(reference)?.first?
                .balance ?? -1
            }
        case .refreshed:
          realm.refresh()
          seen = realm.account(1).balance
        }
        if seen != round {
          return stage.fail(expected: "balance \(round)", observed: "balance \(seen)")
        }
      }
      stage.equal(realm.account(1).balance, way.count, "the balance in the end")
    }
  }
}
