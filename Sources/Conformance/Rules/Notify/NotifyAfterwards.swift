import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// What a home does in one stretch beside some commits, without looking at anything after it.
  private static let stretches:
    [(name: String, commits: Int, run: @Sendable (Stage, Realm, Int) throws -> Void)] = [
      (
        "a write", 1,
        { _, realm, round in try realm.write { realm.account(1).balance = round } }
      ),
      (
        "a write and invalidate()", 1,
        { _, realm, round in
          try realm.write { realm.account(1).balance = round }
          realm.invalidate()
        }
      ),
      (
        "two writes and invalidate()", 2,
        { _, realm, round in
          for turn in 0..<2 { try realm.write { realm.account(1).balance = round + turn } }
          realm.invalidate()
        }
      ),
      (
        "a write, invalidate() and a look", 1,
        { _, realm, round in
          try realm.write { realm.account(1).balance = round }
          realm.invalidate()
          use(realm.account(1).balance)
        }
      ),
      (
        "a write, invalidate(), a look and invalidate()", 1,
        { _, realm, round in
          try realm.write { realm.account(1).balance = round }
          realm.invalidate()
          use(realm.account(1).balance)
          realm.invalidate()
        }
      ),
      (
        "invalidate() and a write", 1,
        { _, realm, round in
          realm.invalidate()
          try realm.write { realm.account(1).balance = round }
        }
      ),
      (
        "a cancelled write and invalidate()", 0,
        { _, realm, round in
          realm.beginWrite()
          realm.account(1).balance = round
          realm.cancelWrite()
          realm.invalidate()
        }
      ),
      (
        "invalidate() in a write", 0,
        { _, realm, round in
          realm.beginWrite()
          realm.account(1).balance = round
          realm.invalidate()
        }
      ),
      (
        "a write, freeze() and invalidate()", 1,
        { _, realm, round in
          try realm.write { realm.account(1).balance = round }
          use(realm.freeze().isEmpty)
          realm.invalidate()
        }
      ),
      (
        "a write, refresh() and invalidate()", 1,
        { _, realm, round in
          try realm.write { realm.account(1).balance = round }
          realm.refresh()
          realm.invalidate()
          realm.refresh()
          realm.invalidate()
        }
      ),
    ]

  /// Whoever listens to a realm is called for each commit once; nothing that its home does besides
  /// brings another call, and what others commit later is told as ever.
  static let tellsOnce: [Probe] = RealmHome.Kind.allCases.flatMap { kind in
    [true, false].map { isAutorefreshing in
      Probe(
        "each commit is told once, whatever \(kind.rawValue) does beside it"
          + (isAutorefreshing ? "" : ", autorefresh off")
      ) { stage in
        Backstage.hooks?.skipFlushes()
        try stage.elsewhere { _ = try stage.stocked() }
        let home = RealmHome(kind)
        var realm: Realm! = try home.open(stage)
        var calls: [[Realm.Notification]] = [[], []]
        let tokens = home.work {
          realm.autorefresh = isAutorefreshing
          return (0..<2).map { number in
            realm.observe { notification, _ in calls[number].append(notification) }
          }
        }
        /// Lets the home come to whatever is due there, without looking at the realm: another one
        /// on the main thread has heard of all that is committed, and then the home has its turns.
        func turns() throws {
          for _ in 0..<3 {
            let come = Latch("a turn of the home")
            if kind == .mainThread {
              stage.later(on: .main) { come.open() }
              try stage.spin(until: { come.isOpen }, "a turn of the main thread")
            } else {
              home.work { come.open() }
            }
          }
        }
        let fence = DispatchQueue(label: "fence")
        var (heard, other): (Int, Realm?) = (0, nil)
        let token = try fence.sync {
          other = try Realm(configuration: stage.configuration(), queue: fence)
          return other!.observe { _, realm in heard = realm.account(1).balance }
        }
        func fenced(_ balance: Int) throws {
          try stage.spin(until: { fence.sync { heard == balance } }, "what another queue hears")
          try turns()
        }
        try stage.foreign { $0.account(1).balance = -1 }
        try fenced(-1)
        home.work { _ = realm.refresh() }
        for (number, stretch) in stretches.enumerated() {
          // Who listens to a collection is gone after `invalidate()`, but was to be told before it.
          for turn in 0..<4 {
            let what = "\(stretch.name), time \(turn)"
            var watch: NotificationToken?
            home.work {
              if turn == 2 { realm.invalidate() } else { use(realm.account(1).balance) }
              if turn % 2 == 1 { watch = realm.objects(Account.self).observe { _ in } }
            }
            if turn < 3 { try turns() }
            home.work { calls = [[], []] }
            let round = 100 * number + 10 * turn
            try home.work { try stretch.run(stage, realm, round) }
            if stretch.commits > 0 { try fenced(round + stretch.commits - 1) } else { try turns() }
            stage.equal(
              home.work { calls.map(\.count) }, [stretch.commits, stretch.commits],
              "the calls for \(what)")
            home.work { calls = [[], []] }
            try stage.foreign { $0.account(1).balance = round + 5 }
            try fenced(round + 5)
            try stage.spin(
              until: { home.work { !calls[0].isEmpty } }, "the call for a commit after \(what)")
            try turns()
            let due: [Realm.Notification] = [isAutorefreshing ? .didChange : .refreshRequired]
            stage.equal(home.work { calls }, [due, due], "the calls for a commit after \(what)")
            home.work {
              watch?.invalidate()
              _ = realm.refresh()
            }
          }
        }
        home.work {
          for token in tokens { token.invalidate() }
          realm = nil
        }
        fence.sync {
          token.invalidate()
          other = nil
        }
      }
    }
  }

  /// Very many listeners at once: each is called, in the order in which they came, and some go in
  /// the middle.
  static let crowdsOfTokens: [Probe] = [1, 5, 65, 130, 300].map { count in
    Probe("\(count) listeners of each kind are called in their order, and those that end are not") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.stocked()
      var told: [String: [Int]] = [:]
      var tokens: [String: [NotificationToken]] = [:]
      let accounts = realm.objects(Account.self)
      for number in 0..<count {
        func heard(_ what: String) {
          told[what, default: []].append(number)
          // One ends the next of its kind, and itself.
          guard number % 10 == 3, number + 1 < count else { return }
          tokens[what]![number + 1].invalidate()
          tokens[what]![number].invalidate()
        }
        tokens["realm", default: []].append(realm.observe { _, _ in heard("realm") })
        tokens["collection", default: []].append(
          accounts.observe { if case .update = $0 { heard("collection") } })
        tokens["object", default: []].append(
          realm.account(1).observe { (_: ObjectChange<Account>) in heard("object") })
      }
      try stage.settle(realm)
      var left = Array(0..<count)
      for round in 0..<3 {
        told = [:]
        if round == 1 {
          try stage.foreign { $0.account(1).balance = round }
          realm.refresh()
        } else {
          try realm.write { realm.account(1).balance = round }
        }
        try stage.settle(realm)
        // In the first round those behind one that ends them are no longer called.
        let ended = Set(left.filter { $0 % 10 == 3 && $0 + 1 < count && round == 0 })
        let due = left.filter { !ended.contains($0 - 1) }
        for what in ["realm", "collection", "object"] {
          stage.equal(told[what] ?? [], due, "which \(what) listeners are called in round \(round)")
        }
        left.removeAll { ended.contains($0) || ended.contains($0 - 1) }
      }
      for token in tokens.values.joined() { token.invalidate() }
    }
  }
}
