import EngineUnderTest
import Foundation
import Harness

extension Probe {
  private static func refuses(_ body: () throws -> Void) -> Bool {
    do { try body() } catch { return true }
    return false
  }

  /// Failures that leave nothing behind, counted in bytes.
  static let failuresKeepNothing = ["flush", "write", "size"].map { kind in
    Probe("commits that fail do not make the file grow: a failing \(kind)") { stage in
      let hooks = try stage.hooks()
      hooks.record()
      let realm = try stage.stocked()
      let bytes = { (round: Int) in Data(repeating: UInt8(round), count: 100_000) }
      try realm.write { realm.add(Blob(id: 1, bytes: bytes(0))) }
      func attempt(_ round: Int) {
        let failed = refuses {
          switch kind {
          case "size":
            try Stage.withFilesLimited(to: stage.size() + 300_000) {
              try realm.write {
                realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = bytes(round)
                realm.add(Blob(id: 2, bytes: Data(count: 1_000_000)))
              }
            }
          default:
            hooks.fail(kind == "flush" ? .flushes : .writes, after: 0, times: 1)
            try realm.write {
              realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = bytes(round)
            }
          }
        }
        stage.equal(failed, true, "whether commit \(round) failed")
      }
      for round in 1...4 { attempt(round) }
      try realm.write { realm.account(1).balance = 4 }
      let size = stage.size()
      for round in 5...24 { attempt(round) }
      try realm.write { realm.account(1).balance = 24 }
      stage.expect(
        stage.size() <= size + 700_000, "a file that stopped growing",
        observed: "\(size) and then \(stage.size())")
      stage.expect(
        realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes == bytes(0), "the bytes before")
    }
  }

  /// Commits of each kind, again and again.
  static let plateaus: [Probe] = overwrites + Leavings.emptied

  private static let overwrites = ["write", "async", "grouped"].map { kind in
    Probe("commits that overwrite several objects reach a plateau: \(kind)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.open()
      try realm.write { for id in 0..<5 { realm.add(Blob(id: id, bytes: Data(count: 50_000))) } }
      var sizes: [Int] = []
      for round in 0..<60 {
        var done = 0
        for id in 0..<5 {
          func change() {
            realm.object(ofType: Blob.self, forPrimaryKey: id)!.bytes = Data(
              repeating: UInt8(round), count: 50_000 + round)
          }
          if kind == "write" {
            try realm.write { change() }
            done += 1
          } else {
            realm.beginAsyncWrite {
              change()
              realm.commitAsyncWrite(allowGrouping: kind == "grouped") { _ in done += 1 }
            }
          }
        }
        try stage.spin(until: { done == 5 }, "five commits")
        if round % 15 == 14 { sizes.append(stage.size()) }
      }
      stage.expect(
        sizes[3] <= sizes[1] + 500_000, "a file that stopped growing", observed: "sizes \(sizes)")
    }
  }

  /// Classes that are emptied and filled again.
  static let refills = ["all of a query", "one by one", "half by half", "deleteAll"].map { way in
    Probe("rows that go give their space back: \(way)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.open()
      func pass(_ round: Int) throws {
        try realm.write {
          for id in 0..<1500 {
            realm.add(Account(id: id, note: String(repeating: "x", count: 150)))
            realm.add(Dog(name: String(repeating: "y", count: 150), age: id))
          }
        }
        switch way {
        case "one by one":
          try realm.write {
            for account in Array(realm.objects(Account.self)) { realm.delete(account) }
            for dog in Array(realm.objects(Dog.self)) { realm.delete(dog) }
          }
        case "half by half":
          for half in 0..<2 {
            try realm.write {
              realm.delete(realm.objects(Account.self).where { $0.id < 700 * (half + 1) + 100 })
              realm.delete(realm.objects(Dog.self).where { $0.age < 700 * (half + 1) + 100 })
            }
          }
        case "deleteAll": try realm.write { realm.deleteAll() }
        default:
          try realm.write {
            realm.delete(realm.objects(Account.self))
            realm.delete(realm.objects(Dog.self))
          }
        }
        try realm.write { realm.add(Blob(id: 1, bytes: Data())) }
        try realm.write { realm.delete(realm.objects(Blob.self)) }
      }
      for round in 0..<3 { try pass(round) }
      let size = stage.size()
      for round in 3..<8 { try pass(round) }
      stage.expect(
        stage.size() <= size + size / 3, "no growth on re-insertion",
        observed: "\(size) and then \(stage.size())")
    }
  }

  /// As many versions as are allowed.
  static let limits = (1...4).map { limit in
    Probe("\(limit) versions live under a limit of \(limit)") { stage in
      var configuration = stage.configuration()
      configuration.maximumNumberOfActiveVersions = UInt(limit)
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Account(id: 1)) }
      var held: [Realm] = []
      for round in 0..<limit {
        held.append(realm.freeze())
        // As many as are held live when it begins, the newest among them.
        try realm.write { realm.account(1).balance = round }
      }
      stage.equal(held.map { $0.account(1).balance }, [0] + Array(0..<(limit - 1)), "what is held")
      held = []
      for round in 0..<5 { try realm.write { realm.account(1).balance = round } }
      stage.equal(realm.account(1).balance, 4, "the balance when they are let go")
    }
  }

  /// Listeners that stay while much is committed, and that go.
  static let listenersKeepLittle = Listening.allCases.map { kind in
    Probe("a listener that is told of each commit keeps no version: \(kind)") { stage in
      var configuration = stage.configuration()
      configuration.maximumNumberOfActiveVersions = 4
      let realm = try Realm(configuration: configuration)
      try realm.write { Stage.stock(realm) }
      var told = 0
      let token = kind.listen(realm) { told += 1 }
      for round in 0..<12 {
        let before = told
        try realm.write { kind.change(realm, round) }
        try stage.spin(until: { told > before }, "the call of round \(round)")
      }
      stage.equal(realm.account(1).balance, 11, "the balance after twelve writes under the limit")
      token.invalidate()
    }
  }

  /// Listeners that end before they are told what their realm has written.
  static let endedListenersKeepNothing = Listening.allCases.map { kind in
    Probe("a listener that ends before it is told keeps no version: \(kind)") { stage in
      var configuration = stage.configuration()
      // The realm's own, and the newest.
      configuration.maximumNumberOfActiveVersions = 2
      let realm = try Realm(configuration: configuration)
      try realm.write { Stage.stock(realm) }
      for round in 0..<4 {
        let token = kind.listen(realm) {}
        try stage.settle(realm)
        try realm.write { kind.change(realm, round) }
        token.invalidate()
        var turned = false
        stage.later(on: .main) { turned = true }
        try stage.spin(until: { turned }, "a turn of the loop")
        realm.autorefresh = false
        try stage.elsewhere {
          let other = try Realm(configuration: stage.limited(to: 2))
          for number in 0..<2 { try other.write { other.account(2).balance = number } }
        }
        realm.autorefresh = true
        realm.refresh()
        stage.equal(realm.account(2).balance, 1, "what the other wrote under the limit")
      }
    }
  }
}

/// What is listened to.
enum Listening: String, CaseIterable {
  case realm, collection, filter, object, list

  func listen(_ realm: Realm, _ call: @escaping () -> Void) -> NotificationToken {
    switch self {
    case .realm: realm.observe { _, _ in call() }
    case .collection: realm.objects(Account.self).observe { _ in call() }
    case .filter: realm.objects(Account.self).where { $0.id == 1 }.observe { _ in call() }
    case .object: realm.account(1).observe { _ in call() }
    case .list: realm.person("Ann").dogs.observe { _ in call() }
    }
  }

  /// Something that each of them is told of.
  func change(_ realm: Realm, _ number: Int) {
    realm.account(1).balance = number
    realm.person("Ann").dogs[0].age = number
  }
}

extension Stage {
  fileprivate func limited(to limit: UInt) -> Realm.Configuration {
    var configuration = configuration()
    configuration.maximumNumberOfActiveVersions = limit
    return configuration
  }
}
