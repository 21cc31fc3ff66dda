import EngineUnderTest
import Foundation
import Harness

/// Refreshes by hand of a realm that does not move by itself: whoever listens or did, however much
/// was committed.
enum ByHand {
  /// When the listener ends.
  private enum End: String, CaseIterable {
    case never = "listening"
    case before = "ended before the commit"
    case after = "ended after the commit"
    case between = "ended between two commits"
  }

  static let probes: [Probe] = [
    "nothing", "a collection", "a filter", "an object", "sections", "the realm",
  ]
  .map { kind in
    Probe("a refresh by hand moves a realm at once, beside what listened: \(kind)") { stage in
      Backstage.hooks?.skipFlushes()
      for (number, others) in [0, 300, 3_000].enumerated() {
        for end in End.allCases where kind != "nothing" || end == .never {
          try refresh(stage, "\(number) \(end)", kind, others, end)
        }
      }
    }
  }

  private static func refresh(
    _ stage: Stage, _ file: String, _ kind: String, _ others: Int, _ end: End
  ) throws {
    let realm = try stage.open(file)
    realm.autorefresh = false
    try realm.write { for id in 0..<8 { realm.add(Account(id: id, balance: 1)) } }
    let all = realm.objects(Account.self)
    var calls = 0
    let token: NotificationToken? =
      switch kind {
      case "nothing": nil
      case "a collection": all.observe { _ in calls += 1 }
      case "a filter": all.where { $0.balance >= -1 }.observe { _ in calls += 1 }
      case "an object": realm.account(0).observe { _ in calls += 1 }
      case "sections": all.sectioned(by: \.note).observe { _ in calls += 1 }
      default: realm.observe { _, _ in calls += 1 }
      }
    try stage.settle(realm)
    let what = "beside \(kind), \(end.rawValue), after \(others) others"
    if end == .before { token?.invalidate() }
    for round in 2...4 {
      try stage.foreign(file) { realm in
        realm.account(0).balance = round
        for number in 0..<others { realm.add(Account(id: round * 100_000 + number)) }
      }
      if end == .after { token?.invalidate() }
      stage.equal(realm.account(0).balance, round - 1, "the balance before a refresh \(what)")
      let before = calls
      stage.equal(realm.refresh(), true, "whether a refresh moves \(what)")
      stage.equal(realm.account(0).balance, round, "the balance after a refresh \(what)")
      stage.equal(all.count, 8 + others * (round - 1), "how many there are \(what)")
      if kind != "nothing", end == .never {
        stage.expect(calls > before, "a listener is told by a refresh \(what)")
      }
      stage.equal(realm.refresh(), false, "whether another refresh moves \(what)")
      if end == .between, round == 3 {
        // Others have committed, and this one has not come to it.
        try stage.foreign(file) { $0.account(1).balance = 7 }
        token?.invalidate()
        stage.equal(realm.refresh(), true, "whether a refresh moves without \(kind)")
        stage.equal(realm.account(1).balance, 7, "the balance after that")
      }
    }
    token?.invalidate()
  }
}
