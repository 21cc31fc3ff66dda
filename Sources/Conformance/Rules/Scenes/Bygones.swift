import EngineUnderTest
import Foundation
import Harness

/// Accounts that go, and others that may come under their keys: however they go, and however a
/// realm comes to know of it, the ones are not the others.
enum Bygones {
  /// How accounts 0 to 7 go.
  struct Shape: Sendable {
    let name: String
    let gone: Set<Int>
    let delete: @Sendable (Realm) -> Void
  }

  static let shapes = [
    Shape(name: "one", gone: [3]) { $0.delete($0.account(3)) },
    Shape(name: "neighbours one by one", gone: [2, 3, 4]) { realm in
      for id in 2...4 { realm.delete(realm.account(id)) }
    },
    Shape(name: "neighbours at once", gone: [2, 3, 4, 5]) { realm in
      realm.delete(realm.objects(Account.self).where { $0.id >= 2 && $0.id <= 5 })
    },
    Shape(name: "here and there", gone: [1, 4, 7]) { realm in
      for id in [7, 1, 4] { realm.delete(realm.account(id)) }
    },
    Shape(name: "all of the class", gone: Set(0..<8)) { $0.delete($0.objects(Account.self)) },
    Shape(name: "all there is", gone: Set(0..<8)) { $0.deleteAll() },
  ]

  /// When others come under their keys.
  enum Return: CaseIterable { case never, inTheSameWrite, later }

  /// How a realm comes to the newest version; then it is looked, whatever state it is in.
  struct Way: Sendable {
    let name: String
    let come: @Sendable (Stage, Realm, _ file: String, _ look: () -> Void) throws -> Void
  }

  static let ways = [
    Way(name: "a refresh") { _, realm, _, look in
      realm.refresh()
      look()
    },
    Way(name: "the begin of a write") { _, realm, _, look in
      realm.beginWrite()
      look()
      realm.cancelWrite()
      look()
    },
    Way(name: "a write of its own") { _, realm, _, look in
      try realm.write { realm.add(Account(id: 100)) }
      look()
    },
    Way(name: "an asynchronous write") { stage, realm, _, look in
      var isDone = false
      realm.writeAsync {
        realm.add(Account(id: 100))
      } onComplete: { _ in
        isDone = true
      }
      try stage.spin(until: { isDone }, "the asynchronous write")
      look()
    },
    Way(name: "a reference") { stage, realm, file, look in
      let reference = try stage.elsewhere {
        ThreadSafeReference(to: try stage.open(file).objects(Blob.self))
      }
      use(realm.resolve(reference))
      look()
    },
    Way(name: "its own loop") { stage, realm, _, look in
      realm.autorefresh = true
      var turned = false
      let token = realm.objects(Blob.self).observe { _ in turned = true }
      try stage.spin(until: { turned }, "the first call of a listener")
      token.invalidate()
      look()
    },
  ]

  static func fill(_ realm: Realm) throws {
    try realm.write { for id in 0..<8 { realm.add(Account(id: id, balance: id, note: "old")) } }
  }

  static func giveKeysAgain(_ shape: Shape, _ realm: Realm) {
    for id in shape.gone.sorted() { realm.add(Account(id: id, balance: -1, note: "new")) }
  }

  static let foreign = Probe(
    "what went elsewhere is gone, however it went, came back, and became known"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    for (number, way) in ways.enumerated() {
      for (turn, shape) in shapes.enumerated() {
        for (index, back) in Return.allCases.enumerated()
        where back == .later
          || [1, 2].contains(where: { stage.isDue(number + turn + index + $0, of: 3) })
        {
          let (file, what) = (
            "\(number) \(turn) \(index)", "\(shape.name), back \(back), by \(way.name)"
          )
          let realm = try stage.open(file)
          realm.autorefresh = false
          try fill(realm)
          let accounts = (0..<8).map { realm.account($0) }
          try stage.foreign(file) { realm in
            shape.delete(realm)
            if back == .inTheSameWrite { giveKeysAgain(shape, realm) }
          }
          if back == .later { try stage.foreign(file) { giveKeysAgain(shape, $0) } }
          stage.equal(accounts.map(\.isInvalidated).contains(true), false, "gone before, \(what)")
          try way.come(stage, realm, file) {
            stage.equal(
              Set((0..<8).filter { accounts[$0].isInvalidated }), shape.gone, "gone after, \(what)")
          }
        }
      }
    }
  }

  static let cancelled = Probe("whatever a cancelled write deleted is back, as it was") { stage in
    let realm = try stage.open()
    try fill(realm)
    let accounts = (0..<8).map { realm.account($0) }
    for shape in shapes {
      for refills in [false, true] {
        realm.beginWrite()
        shape.delete(realm)
        if refills { giveKeysAgain(shape, realm) }
        stage.equal(
          Set((0..<8).filter { accounts[$0].isInvalidated }), shape.gone, "gone, \(shape.name)")
        realm.cancelWrite()
        stage.equal(accounts.map(\.isInvalidated).contains(true), false, "gone, \(shape.name)")
        stage.equal(accounts.map(\.note), Array(repeating: "old", count: 8), "the notes")
        stage.equal(accounts.map(\.balance), Array(0..<8), "the balances")
      }
    }
    try realm.write { for account in accounts { account.balance += 1 } }
    stage.equal(try stage.seen { $0.account(7).balance }, 8, "what they were written to later")
  }

  static let failed = Probe("whatever a commit that failed deleted is back, as it was") { stage in
    let realm = try stage.open()
    try fill(realm)
    let accounts = (0..<8).map { realm.account($0) }
    for end in Lost.ends where end.name.hasPrefix("that failed") {
      for shape in shapes {
        try end.run(stage, realm) { shape.delete(realm) }
        let what = "\(shape.name), in a write \(end.name)"
        stage.equal(accounts.map(\.isInvalidated).contains(true), false, "gone, \(what)")
        stage.equal(accounts.map(\.note), Array(repeating: "old", count: 8), "the notes, \(what)")
        stage.equal(realm.objects(Account.self).count, 8, "how many there are, \(what)")
      }
    }
    try realm.write { for account in accounts { account.balance += 1 } }
    stage.equal(try stage.seen { $0.account(7).balance }, 8, "what they were written to later")
  }

  static let thawed = Probe(
    "what is gone thaws to nil, in the write and after it, whoever has its key"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    for (turn, shape) in shapes.enumerated() {
      for (index, back) in Return.allCases.enumerated() {
        let file = "\(turn) \(index)"
        let realm = try stage.open(file)
        try fill(realm)
        let frozen = (0..<8).map { realm.account($0).freeze() }
        func look(_ when: String) {
          stage.equal(
            Set((0..<8).filter { frozen[$0].thaw() == nil }), shape.gone,
            "gone \(when), \(shape.name), back \(back)")
        }
        realm.beginWrite()
        shape.delete(realm)
        look("in the write")
        if back == .inTheSameWrite {
          giveKeysAgain(shape, realm)
          look("when others have their keys")
        }
        try realm.commitWrite()
        look("after the commit")
        if back == .later { try stage.foreign(file) { giveKeysAgain(shape, $0) } }
        realm.refresh()
        look("at last")
      }
    }
  }

  /// Steps of few rows and of many, to which a realm comes in each way while somebody listens: much
  /// may have been found out beforehand, and elsewhere.
  static let besideListeners = ["a collection", "a filter", "an object", "sections"].map { kind in
    Probe("what went elsewhere is gone beside a listener, whatever else was committed: \(kind)") {
      stage in
      Backstage.hooks?.skipFlushes()
      for (number, others) in [0, 600, 6_000].enumerated() {
        for (turn, way) in ["its own loop", "a refresh", "a begin"].enumerated() {
          for (index, shape) in shapes.enumerated()
          where others < 6_000 || stage.isDue(turn + index, of: 3) {
            let file = "\(number) \(turn) \(index)"
            let what = "\(shape.name), with \(others) others, by \(way)"
            let realm = try stage.open(file)
            try fill(realm)
            let all = realm.objects(Account.self)
            var calls = 0
            let token =
              switch kind {
              case "a collection": all.observe { _ in calls += 1 }
              case "a filter": all.where { $0.balance >= -1 }.observe { _ in calls += 1 }
              case "an object":
                // Of a write that it sees it hears at once, and of nothing at first.
                realm.account(0).observe { _ in calls += 1 }
              default: all.sectioned(by: \.note).observe { _ in calls += 1 }
              }
            try stage.settle(realm)
            let accounts = (0..<8).map { realm.account($0) }
            stage.equal(accounts.map(\.isInvalidated).contains(true), false, "gone before, \(what)")
            realm.autorefresh = way == "its own loop"
            try stage.foreign(file) { realm in
              shape.delete(realm)
              giveKeysAgain(shape, realm)
              for id in 0..<others { realm.add(Account(id: 1_000 + 2 * id)) }
              realm.add(Account(id: 999))
            }
            switch way {
            case "its own loop":
              try stage.spin(
                until: { realm.object(ofType: Account.self, forPrimaryKey: 999) != nil },
                "the realm's advance")
            case "a refresh": realm.refresh()
            default:
              realm.beginWrite()
              realm.cancelWrite()
            }
            stage.equal(
              Set((0..<8).filter { accounts[$0].isInvalidated }), shape.gone, "gone, \(what)")
            stage.equal(
              (0..<8).map { realm.account($0).note },
              (0..<8).map { shape.gone.contains($0) ? "new" : "old" }, "the notes, \(what)")
            token.invalidate()
            use(calls)
          }
        }
      }
    }
  }
}
