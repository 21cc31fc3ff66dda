import EngineUnderTest
import Synchronization

extension Probe {
  /// Threads that commit one right behind the other: each reads on from its own commit, whatever
  /// the others have committed by the time that it returns, until it refreshes.
  static let ownCommits: [Probe] = [true, false].map { follows in
    Probe("a commit brings its realm to itself and no further, autorefresh \(follows)") { stage in
      let realm = try stage.open()
      try realm.write { realm.add(Account(id: 1, balance: 0)) }
      stage.together("writer", 4) { number, own in
        own.autorefresh = follows
        for round in 0..<120 {
          var mine = 0
          let change = {
            own.account(1).balance += 1
            mine = own.account(1).balance
          }
          if round % 4 == 3 {
            own.beginWrite()
            change()
            try own.commitWrite()
          } else {
            try own.write(change)
          }
          let shown = own.account(1).balance
          guard stage.equal(shown, mine, "the balance behind writer \(number)'s commit of \(mine)")
          else { return }
        }
      }
      try stage.joinAll()
      realm.refresh()
      stage.equal(realm.account(1).balance, 480, "the balance in the end")
    }
  }

  /// What a write has made can be used behind it, though another has deleted it since: that comes
  /// with a refresh.
  static let ownObjects = Probe("what a write has made is there behind it, though others delete it")
  {
    stage in
    let ids = Atomic(0)
    stage.together("writer", 4) { number, own in
      for _ in 0..<80 {
        if number == 0 {
          try own.write { own.delete(own.objects(Account.self)) }
          continue
        }
        let id = ids.add(1, ordering: .relaxed).newValue
        let made = try own.write {
          let made = Account(id: id, balance: id)
          own.add(made)
          return made
        }
        guard stage.equal(made.isInvalidated, false, "whether \(id) is gone behind its write"),
          stage.equal(made.balance, id, "the balance of \(id)")
        else { return }
        own.refresh()
      }
    }
    try stage.joinAll()
  }
}
