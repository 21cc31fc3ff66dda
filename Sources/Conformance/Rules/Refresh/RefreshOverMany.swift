import EngineUnderTest
import Foundation

extension Probe {
  /// A step over several commits of which some changed nothing: what the others changed is there.
  static let stepsOverEmptyCommits = Probe("a refresh over empty commits shows what others changed")
  {
    stage in
    let realm = try stage.stocked()
    realm.autorefresh = false
    let account = realm.account(1)
    let rich = realm.objects(Account.self).where { $0.balance > 500 }
    let sorted = realm.objects(Account.self).sorted(byKeyPath: "balance", ascending: false)
    var (balance, greatest) = (500, 300)
    for empty in 0..<4 {
      for place in 0...empty {
        // Found before the step.
        stage.equal(sorted.first?.balance, greatest, "the greatest before")
        use(rich.count)
        balance += 1
        let new = balance
        greatest = new
        for number in 0...empty {
          try stage.foreign { if number == place { $0.account(1).balance = new } }
        }
        realm.refresh()
        let what = "\(empty) empty commits, the other at \(place)"
        stage.equal(account.balance, new, "the object's balance behind \(what)")
        stage.equal(rich.count, 1, "the count of what is found behind \(what)")
        stage.equal(sorted.first?.balance, new, "the greatest behind \(what)")
      }
    }
  }

  /// A listener has much to find out when somebody refreshes: that goes to the newest version
  /// all the same, and not to the one that is being looked into.
  static let refreshesWhileListenersAreBusy = Probe(
    "a refresh goes to the newest version while a large change is looked into"
  ) { stage in
    let realm = try stage.stocked()
    try realm.write { for id in 10..<3_000 { realm.add(Account(id: id, note: "note \(id % 7)")) } }
    let tokens = ["balance", "note"].map { path in
      realm.objects(Account.self).sorted(byKeyPath: path).observe { _ in }
    }
    try stage.settle(realm)
    var chance = stage.chance
    for round in 1...12 {
      try stage.foreign { realm in
        for account in realm.objects(Account.self) where account.id >= 10 {
          account.balance = (account.id * 7919 + round) % 3_001
        }
      }
      // Home hears of it, and somebody begins to look.
      for _ in 0..<Int.random(in: 0...3, using: &chance) {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.0005))
      }
      try stage.foreign { $0.account(1).balance = 10_000 + round }
      realm.refresh()
      stage.equal(realm.account(1).balance, 10_000 + round, "the balance in round \(round)")
      try stage.settle(realm)
    }
    for token in tokens { token.invalidate() }
  }
}
