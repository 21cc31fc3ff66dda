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

  /// The same of commits that name a listener: it is not told of those, and that is all; what the
  /// others have committed is told of and comes later.
  static let silentCommits = Probe("a commit that names a token brings its realm no further") {
    stage in
    let realm = try stage.stocked()
    var isQuiet = true
    let token = realm.objects(Account.self).observe {
      if case .update = $0 { isQuiet = false }
    }
    try stage.settle(realm)
    let isOver = Atomic(false)
    stage.together("writer", 3) { number, own in
      while !isOver.load(ordering: .relaxed) { try own.write { own.account(1).balance += 1 } }
    }
    defer { isOver.store(true, ordering: .relaxed) }
    for round in 0..<200 {
      var mine = 0
      let change = {
        realm.account(1).balance += 1
        mine = realm.account(1).balance
      }
      if round % 2 == 0 {
        try realm.write(withoutNotifying: [token], change)
      } else {
        realm.beginWrite()
        change()
        try realm.commitWrite(withoutNotifying: [token])
      }
      guard stage.equal(realm.account(1).balance, mine, "the balance behind the commit of \(mine)")
      else { break }
    }
    isOver.store(true, ordering: .relaxed)
    try stage.joinAll()
    try stage.settle(realm)
    stage.equal(isQuiet, false, "whether the listener heard nothing of the others' commits")
    token.invalidate()
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
