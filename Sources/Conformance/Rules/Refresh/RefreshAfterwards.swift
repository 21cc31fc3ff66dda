import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Listeners of a realm that had none, and was refreshed without.
  static let firstListeners = ["realm", "collection", "filter", "object", "list"].map { kind in
    Probe("the first listener of a realm that was refreshed before is told in time: \(kind)") {
      stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let realm = try stage.open()
      realm.autorefresh = false
      for round in 0..<3 {
        try stage.foreign { $0.account(1).balance = round }
        stage.equal(realm.refresh(), true, "whether refresh \(round) advanced")
      }
      var told = 0
      let token =
        switch kind {
        case "realm": realm.observe { _, _ in told += 1 }
        case "collection":
          realm.objects(Account.self).observe { if case .update = $0 { told += 1 } }
        case "filter":
          realm.objects(Account.self).where { $0.id == 1 }.observe {
            if case .update = $0 { told += 1 }
          }
        case "object": realm.account(1).observe { _ in told += 1 }
        default: realm.person("Ann").dogs.observe { if case .update = $0 { told += 1 } }
        }
      if kind != "realm" { try stage.settle(realm) }
      told = 0
      for round in 1...3 {
        try stage.foreign { realm in
          realm.account(1).balance = 10 + round
          realm.person("Ann").dogs[0].age = round
        }
        stage.equal(realm.refresh(), true, "whether the refresh advanced")
        stage.equal(told, round, "the calls when refresh() returned")
      }
      token.invalidate()
      try stage.foreign { $0.account(1).balance = 99 }
      stage.equal(realm.refresh(), true, "whether it advanced without the listener")
      stage.equal(told, 3, "the calls after the end")
    }
  }

  /// What the realm itself has written is told by its next `refresh`, if not before.
  static let ownNews = Probe("refresh() tells of own writes before it returns") { stage in
    let realm = try stage.stocked()
    realm.autorefresh = false
    var told: [String] = []
    let tokens = [
      realm.objects(Account.self).observe { if case .update = $0 { told.append("all") } },
      realm.objects(Account.self).where { $0.balance > 0 }.observe {
        if case .update = $0 { told.append("filter") }
      },
      realm.account(1).observe { _ in told.append("object") },
      realm.person("Ann").dogs.observe { if case .update = $0 { told.append("list") } },
    ]
    try stage.settle(realm)
    for round in 1...3 {
      told = []
      try realm.write {
        realm.account(1).balance = 200 + round
        realm.person("Ann").dogs[0].age = 20 + round
      }
      realm.refresh()
      stage.equal(
        told.sorted(), ["all", "filter", "list", "object"], "who was told when refresh() returned")
    }
    for token in tokens { token.invalidate() }
  }

  /// What a realm does not forget of its settings.
  static let autorefreshStaysOff = Probe(
    "autorefresh stays off, whatever happens to the realm"
  ) { stage in
    let realm = try stage.stocked()
    realm.autorefresh = false
    let events: [(String, () throws -> Void)] = [
      ("a write", { try realm.write { realm.account(2).balance += 1 } }),
      (
        "a cancelled write",
        {
          realm.beginWrite()
          realm.cancelWrite()
        }
      ),
      ("a refresh", { realm.refresh() }), ("invalidate()", { realm.invalidate() }),
      (
        "invalidate() in a write",
        {
          realm.beginWrite()
          realm.invalidate()
        }
      ),
      ("a freeze", { use(realm.freeze().account(1).balance) }),
      ("a failed commit", { try stage.failsToCommit(realm) }),
    ]
    for (round, (name, event)) in events.enumerated() {
      try event()
      stage.equal(realm.autorefresh, false, "autorefresh after \(name)")
      let balance = realm.account(1).balance
      try stage.foreign { $0.account(1).balance = 1000 + round }
      try stage.settle(realm)
      stage.equal(realm.account(1).balance, balance, "the balance after \(name)")
    }
  }

  /// Commits that come while listeners are being called.
  static let commitsDuringCalls = ["realm", "collection", "object"].map { kind in
    Probe("what is committed elsewhere during a listener's call is come to: \(kind)") { stage in
      let realm = try stage.stocked()
      let account = realm.account(1)
      use(account.balance)
      var calls = 0
      var isTold = false  // of what there was at first, where listeners are
      func call() {
        calls += 1
        if calls == 1 { try! stage.foreign { $0.account(1).balance = 8 } }
      }
      let token =
        switch kind {
        case "realm": realm.observe { _, _ in call() }
        case "collection":
          realm.objects(Account.self).observe {
            isTold = true
            if case .update = $0 { call() }
          }
        default: account.observe { _ in call() }
        }
      // The first calls of listeners are behind them.
      var turned = false
      stage.later(on: .main) { turned = true }
      try stage.spin(until: { turned && (isTold || kind != "collection") }, "the first calls")
      try stage.foreign { $0.account(1).balance = 7 }
      try stage.spin(until: { account.balance == 8 }, "the commit that came during the call")
      stage.equal(account.balance, 8, "the balance")
      token.invalidate()
    }
  }
}
