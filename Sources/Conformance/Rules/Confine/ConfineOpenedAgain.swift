import EngineUnderTest
import Foundation

/// A realm that is open here and is opened again: what it was before, it is afterwards.
enum OpenedAgain {
  private enum Home: String, CaseIterable {
    case main = "on the main thread"
    case thread = "on a thread without a loop"
    case queue = "on a queue"
  }

  private typealias Way = (name: String, open: () throws -> Realm)

  private static func ways(_ stage: Stage, _ queue: DispatchQueue?) -> [Way] {
    let configuration = stage.configuration()
    return [
      ("by its configuration", { try Realm(configuration: configuration, queue: queue) }),
      ("by one made anew", { try Realm(configuration: stage.configuration(), queue: queue) }),
      (
        "by what another says of itself",
        {
          try Realm(
            configuration: Realm(configuration: configuration, queue: queue).configuration,
            queue: queue)
        }
      ),
    ]
  }

  static let probes: [Probe] = Home.allCases.map { home in
    Probe("opening a realm again leaves it as it was, \(home.rawValue)") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      switch home {
      case .main: try look(stage, nil)
      case .thread: try stage.elsewhere("at home") { try look(stage, nil) }
      case .queue:
        let queue = DispatchQueue(label: "home")
        try stage.on(queue) { try look(stage, queue) }
      }
    }
  }

  private static func look(_ stage: Stage, _ queue: DispatchQueue?) throws {
    let realm = try Realm(configuration: stage.configuration(), queue: queue)
    for isFollowing in [false, true, false] {
      realm.autorefresh = isFollowing
      for (way, open) in ways(stage, queue) {
        let what = "\(way), following others: \(isFollowing)"
        let before = realm.account(1).balance
        // Somebody is ahead of it.
        try stage.foreign { $0.account(1).balance += 1 }
        let other = try open()
        stage.equal(realm.autorefresh, isFollowing, "its autorefresh when it was opened \(what)")
        stage.equal(other.autorefresh, isFollowing, "the other's, opened \(what)")
        stage.equal(realm.account(1).balance, before, "what it shows when it was opened \(what)")
        stage.equal(other.account(1).balance, before, "what the other shows, opened \(what)")
        realm.refresh()
        stage.equal(other.account(1).balance, before + 1, "what both come to, \(what)")
        realm.beginWrite()
        realm.account(2).balance = 1_000
        let third = try open()
        stage.equal(realm.isInWriteTransaction, true, "whether it writes when opened \(what)")
        stage.equal(third.account(2).balance, 1_000, "what was written, opened \(what)")
        realm.cancelWrite()
        stage.equal(realm.autorefresh, isFollowing, "its autorefresh behind a write, \(what)")
      }
    }
  }
}
