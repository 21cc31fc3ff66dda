import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Listeners that are told by the begin of a write, the first of which changes something there:
  /// the others know nothing of it before it is committed.
  static let changedInABegin: [Probe] = ["commits", "cancels"].map { end in
    Probe("what a listener changes in a begin is told to others when the write \(end)") { stage in
      let realm = try stage.open()
      realm.autorefresh = false
      try realm.write { for id in 0..<400 { realm.add(Account(id: id)) } }
      let accounts = realm.objects(Account.self)
      let mirrors = [CollectionMirror(), CollectionMirror(), CollectionMirror()]
      var changes: (() -> Void)?
      var tokens = [accounts.observe { mirrors[0].take($0) }]
      tokens.append(
        accounts.observe { change in
          mirrors[1].take(change)
          guard realm.isInWriteTransaction, let due = changes else { return }
          changes = nil
          due()
        })
      tokens.append(accounts.observe { mirrors[2].take($0) })
      try stage.settle(realm)
      for round in 0..<4 {
        try stage.foreign { other in
          other.delete(other.account(10 * round))
          other.add(Account(id: 1000 + round))
        }
        changes = {
          realm.delete(realm.account(10 * round + 5))
          realm.add(Account(id: 2000 + round))
        }
        realm.beginWrite()
        stage.expect(changes == nil, "a listener has changed something in the begin")
        if end == "commits" { try realm.commitWrite() } else { realm.cancelWrite() }
        for number in 0..<4 {
          try realm.write { for age in 0..<40 { realm.add(Person(name: "\(number)", age: age)) } }
        }
        realm.refresh()
        try stage.settle(realm)
        for (number, mirror) in mirrors.enumerated() where number != 1 {
          stage.equal(mirror.wrong, nil, "what is wrong with what listener \(number) was told")
          stage.equal(
            mirror.rows, accounts.map(CollectionMirror.row), "the mirror of listener \(number)")
        }
      }
      for token in tokens { token.invalidate() }
    }
  }
}
