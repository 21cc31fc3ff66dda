import EngineUnderTest
import Foundation
import Harness

/// What is taken of a realm, or handed on, while its commits wait in a group for some behind them.
enum InGroups {
  /// At the end of each block of a group, at each home: what is taken there has all of it.
  static let frozen: [Probe] = RealmHome.Kind.allCases.map { kind in
    Probe("what is frozen in a group has what was committed in it, at \(kind.rawValue)") { stage in
      try run(stage, kind) { realm, count in
        let frozen = realm.freeze()
        let first = realm.account(100).freeze()
        let all = realm.objects(Account.self).freeze()
        let copy = stage.directory.appendingPathComponent("copy \(kind.rawValue) \(count).realm")
        var configuration = stage.configuration()
        configuration.fileURL = copy
        try! realm.writeCopy(configuration: configuration)
        return {
          stage.equal(frozen.objects(Account.self).count, count, "accounts that are frozen")
          stage.equal(all.count, count, "results that are frozen")
          stage.equal(first.balance, count, "the balance of an object that is frozen")
          let seen = try stage.elsewhere {
            let copied = try Realm(configuration: configuration)
            return [copied.objects(Account.self).count, copied.account(100).balance]
          }
          stage.equal(seen, [count, count], "what a copy has")
        }
      }
    }
  }

  /// References that were made in a group, resolved elsewhere while the next block runs.
  static let references: [Probe] = RealmHome.Kind.allCases.map { kind in
    Probe("a reference made in a group resolves while it goes on, at \(kind.rawValue)") { stage in
      var made: (reference: ThreadSafeReference<Account>, count: Int)?
      try run(stage, kind) { _, _ in
        {}
      } within: { realm, count in
        if let (reference, earlier) = made {
          let balance = try? stage.elsewhere { try stage.open().resolve(reference)?.balance }
          stage.equal(balance, earlier, "the balance of what a reference leads to")
        }
        made = (ThreadSafeReference(to: realm.account(99 + count)), count)
      }
      let balance = try stage.elsewhere { try stage.open().resolve(made!.reference)?.balance }
      stage.equal(balance, made!.count, "the balance of what the last reference leads to")
    }
  }

  /// Four asynchronous writes of a group; `within` is called in each after its changes, and `take`
  /// behind its commit; what that returns is called when all are over.
  private static func run(
    _ stage: Stage, _ kind: RealmHome.Kind, _ take: @escaping (Realm, Int) -> () throws -> Void,
    within: @escaping (Realm, Int) -> Void = { _, _ in }
  ) throws {
    let home = RealmHome(kind)
    var realm: Realm! = try home.open(stage)
    let last = 4
    var looks: [() throws -> Void] = []
    var isDone = false
    home.work {
      for count in 1...last {
        realm.beginAsyncWrite { [realm = realm!] in
          realm.add(Account(id: 99 + count))
          for account in Array(realm.objects(Account.self)) { account.balance = count }
          within(realm, count)
          realm.commitAsyncWrite(allowGrouping: count < last) { _ in
            if count == last { isDone = true }
          }
          looks.append(take(realm, count))
        }
      }
    }
    try stage.spin(until: { home.work { isDone } }, "the end of the group")
    for look in home.work({ looks }) { try look() }
    stage.equal(home.work { looks.count }, last, "how many blocks ran")
    home.work { realm = nil }
  }
}
