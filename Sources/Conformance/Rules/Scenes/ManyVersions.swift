import EngineUnderTest
import Foundation
import Harness

/// Many versions that are held at once, and versions that are left far behind: fewer than an engine
/// may keep account of in one place, as many, and more.
enum ManyVersions {
  /// How many versions are held, or commits missed.
  static let counts = [1, 3, 65, 130]

  /// Who holds a version.
  private enum Holder: String, CaseIterable {
    case frozen = "frozen realms"
    case views = "frozen objects and collections"
    case queues = "realms of queues that stay"
    case all = "holders of every kind"
  }

  /// One that holds a version, and how it is asked what it shows.
  private final class Held {
    private let look: () -> [String]
    init(_ look: @escaping () -> [String]) { self.look = look }
    var shows: [String] { look() }
  }

  /// A realm of a queue of its own, let go there.
  private final class Stay {
    private let queue: DispatchQueue
    private var realm: Realm?

    init(_ number: Int, _ configuration: Realm.Configuration) throws {
      queue = DispatchQueue(label: "who stays \(number)")
      realm = try queue.sync {
        let realm = try Realm(configuration: configuration, queue: queue)
        realm.autorefresh = false
        use(realm.isEmpty)
        return realm
      }
    }

    deinit { queue.sync { realm = nil } }

    func look(_ body: (Realm) -> [String]) -> [String] {
      queue.sync { realm.map(body) ?? [] }
    }
  }

  private static let rows = 6

  private static func bytes(_ round: Int, _ id: Int) -> Data {
    Data(repeating: UInt8(truncatingIfNeeded: round &* 7 &+ id), count: 300 + round % 5)
  }

  private static func fill(_ realm: Realm, _ round: Int) {
    for id in 0..<rows {
      realm.create(Blob.self, value: ["id": id, "bytes": bytes(round, id)], update: .all)
      realm.create(
        Account.self,
        value: ["id": id, "balance": round * 100 + id, "note": "round \(round) of \(id)"],
        update: .all)
    }
  }

  private static func words(_ blobs: Results<Blob>, _ accounts: Results<Account>) -> [String] {
    blobs.map { "\($0.id) \($0.bytes.count) \(Set($0.bytes).sorted())" }.sorted()
      + accounts.map { "\($0.id) \($0.balance) \($0.note)" }.sorted()
  }

  private static func words(of realm: Realm) -> [String] {
    words(realm.objects(Blob.self), realm.objects(Account.self))
  }

  private static func wanted(_ round: Int) -> [String] {
    (0..<rows).map { "\($0) \(bytes(round, $0).count) \(Set(bytes(round, $0)).sorted())" }.sorted()
      + (0..<rows).map { "\($0) \(round * 100 + $0) round \(round) of \($0)" }.sorted()
  }

  private static func hold(
    _ holder: Holder, _ number: Int, _ realm: Realm, _ configuration: Realm.Configuration
  ) throws -> Held {
    switch holder {
    case .frozen:
      let frozen = realm.freeze()
      return Held { words(of: frozen) }
    case .views:
      let (blobs, accounts) = (realm.objects(Blob.self).freeze(), realm.objects(Account.self))
      let members = (0..<rows).map { realm.account($0).freeze() }
      let last = accounts.freeze()
      return Held {
        let each = members.map { "\($0.id) \($0.balance) \($0.note)" }.sorted()
        let all = words(blobs, last)
        return all.suffix(rows) == each[...] ? all : each
      }
    case .queues:
      let stay = try Stay(number, configuration)
      return Held { stay.look { words(of: $0) } }
    case .all:
      return try hold([Holder.frozen, .views, .queues][number % 3], number, realm, configuration)
    }
  }

  // MARK: READ-15

  static let heldAtOnce: [Probe] = Holder.allCases.map { holder in
    Probe("each of many versions that are held at once stays whole: \(holder.rawValue)") { stage in
      Backstage.hooks?.skipFlushes()
      for count in counts + (stage.isDeep ? [300, 600] : []) {
        var configuration = stage.configuration("\(count)")
        configuration.objectTypes = [Blob.self, Account.self]
        let realm = try Realm(configuration: configuration)
        var held: [(round: Int, held: Held)] = []
        for round in 0..<count {
          try realm.write { fill(realm, round) }
          held.append((round, try hold(holder, round, realm, configuration)))
        }
        var round = count
        func commit(_ more: Int) throws {
          for _ in 0..<more {
            round += 1
            try realm.write { fill(realm, round) }
          }
        }
        func look(_ when: String) {
          for one in held {
            let shown = one.held.shows
            if shown != wanted(one.round) {
              stage.equal(
                shown, wanted(one.round), "version \(one.round) of \(count) \(when)")
              return
            }
          }
          stage.expect(true, "all of \(count) are whole \(when)")
        }
        try commit(60)
        look("after further commits")
        // Some go: the space of theirs is free, that of their neighbours is not.
        held = held.enumerated().filter { $0.offset % 3 != 1 }.map(\.element)
        try commit(30)
        look("after every third has gone")
        held = Array(held.suffix((held.count + 1) / 2))
        try commit(30)
        look("after the older half has gone")
        held = []
        try commit(3)
        stage.equal(words(of: realm), wanted(round), "the newest of \(count)")
      }
    }
  }

  // MARK: NOTIFY-20, REFRESH-20

  /// What is held of accounts, and what it says of each of them in the end.
  private static let far = [1, 3, 63, 65, 130, 500, 1_100]

  static let farBehind: [Probe] = [false, true].map { isObserved in
    Probe(
      "who is many commits behind comes to the newest"
        + (isObserved ? ", and is told the whole of it" : "")
    ) { stage in
      Backstage.hooks?.skipFlushes()
      for count in far {
        var configuration = stage.configuration("\(count)")
        configuration.objectTypes = [Account.self, Blob.self]
        let realm = try Realm(configuration: configuration)
        realm.autorefresh = false
        try realm.write { for id in 0..<12 { realm.add(Account(id: id, balance: id)) } }
        let collections = [
          realm.objects(Account.self), realm.objects(Account.self).where { $0.balance < 1_000 },
          realm.objects(Account.self).sorted(by: ["balance", "id"]),
        ]
        let mirrors = collections.map { _ in CollectionMirror() }
        let tokens =
          isObserved
          ? zip(collections, mirrors).map { some, mirror in some.observe(mirror.take) } : []
        if isObserved {
          try stage.spin(until: { mirrors.allSatisfy { $0.calls == 1 } }, "the first calls")
        }
        let accounts = (0..<12).map { realm.account($0) }
        let frozen = accounts.map { $0.freeze() }
        let variables = accounts.map { ThreadSafe(wrappedValue: $0) }
        let references = accounts.map { ThreadSafeReference(to: $0) }
        // The first commit takes away three, the last one gives the key of one of them again.
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          for round in 1...count {
            try other.write {
              if round == 1 { for id in [2, 5, 8] { other.delete(other.account(id)) } }
              other.account(round % 2).balance = 1_000 + round
              if round == (count + 1) / 2 { other.add(Account(id: 5, balance: -5)) }
              if round == count { other.add(Account(id: 8, balance: -8)) }
            }
          }
        }
        stage.equal(
          accounts.map(\.balance), Array(0..<12), "the balances before, \(count) commits behind")
        stage.equal(realm.refresh(), true, "whether it moved, \(count) commits behind")
        let gone = (0..<12).map { [2, 5, 8].contains($0) }
        stage.equal(accounts.map(\.isInvalidated), gone, "who is gone, \(count) commits behind")
        stage.equal(
          frozen.map { $0.thaw() == nil }, gone, "who thaws to nil, \(count) commits behind")
        stage.equal(
          variables.map { $0.wrappedValue == nil }, gone,
          "whose variable is nil, \(count) commits behind")
        stage.equal(
          references.map { realm.resolve($0) == nil }, gone,
          "whose reference leads nowhere, \(count) commits behind")
        stage.equal(frozen.map(\.balance), Array(0..<12), "what is frozen, \(count) commits behind")
        stage.equal(
          (0..<12).map { realm.object(ofType: Account.self, forPrimaryKey: $0)?.balance },
          (0..<12).map { (id: Int) -> Int? in
            switch id {
            case 0: count >= 2 ? 1_000 + count - count % 2 : 0
            case 1: 1_000 + count - (count + 1) % 2
            case 2: nil
            case 5, 8: -id
            default: id
            }
          }, "who is there, \(count) commits behind")
        if isObserved {
          try stage.spin(until: { mirrors.allSatisfy { $0.calls > 1 } }, "the calls")
          for (mirror, some) in zip(mirrors, collections) {
            stage.equal(mirror.wrong, nil, "what is wrong with the index sets of \(count) commits")
            stage.equal(
              mirror.rows, Array(some.map(CollectionMirror.row)), "the mirror after \(count)")
          }
        }
        for token in tokens { token.invalidate() }
      }
    }
  }
}
