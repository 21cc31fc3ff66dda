import EngineUnderTest
import Foundation

extension Probe {
  /// A realm without autorefresh is told that a refresh is required when it is, and of what it does
  /// itself as any other realm.
  static let ownMovesAreNoNews = Probe(
    "with autorefresh off: what the realm does itself requires no refresh"
  ) { stage in
    let realm = try stage.stocked()
    realm.autorefresh = false
    use(realm.account(1).balance)
    var told: [Realm.Notification] = []
    let token = realm.observe { notification, _ in told.append(notification) }
    let moves: [(String, () throws -> Void)] = [
      ("a write", { try realm.write { realm.account(1).balance += 1 } }),
      ("a write that changes nothing", { try realm.write {} }),
      (
        "a begin and a commit",
        {
          realm.beginWrite()
          realm.add(Account(id: 10))
          try realm.commitWrite()
        }
      ),
      (
        "an asynchronous write",
        {
          var hasEnded = false
          realm.writeAsync({ realm.account(1).balance += 1 }, onComplete: { _ in hasEnded = true })
          try stage.spin(until: { hasEnded }, "the end of an asynchronous write")
        }
      ),
      ("another write", { try realm.write { realm.delete(realm.account(10)) } }),
    ]
    for round in 0..<2 {
      for (name, move) in moves {
        told = []
        try move()
        stage.equal(told, [.didChange], "what is told of \(name)")
      }
      // Who comes to what others have done has no refresh left to make.
      told = []
      try stage.foreign { $0.account(2).balance = round }
      try stage.spin(until: { !told.isEmpty }, "the news of another's commit")
      stage.equal(told, [.refreshRequired], "what is told of another's commit")
      told = []
      if round == 0 { realm.refresh() } else { try realm.write { realm.account(3).balance = 5 } }
      stage.equal(
        told.filter { $0 != .didChange }, [], "what else is told when the realm comes to it")
      stage.expect(!told.isEmpty, "news of the step", observed: "none")
      stage.equal(realm.account(2).balance, round, "the balance that the other wrote")
    }
    token.invalidate()
  }
}
