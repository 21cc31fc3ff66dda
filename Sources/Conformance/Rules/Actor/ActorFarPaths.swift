import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// What is written, and who of those that listen must hear of it.
private struct FarWrite: Sendable {
  let name: String
  /// The key paths that lead to it.
  let paths: Set<String>
  let write: @Sendable (Realm) -> Void

  static let all = [
    FarWrite(name: "its own word", paths: ["word"]) { $0.specimen(0)!.word += "x" },
    FarWrite(name: "its own amount", paths: []) { $0.specimen(0)!.amount += 1 },
    FarWrite(name: "the word of the next", paths: ["next.word"]) { $0.specimen(1)!.word += "x" },
    FarWrite(name: "the amount of the next", paths: []) { $0.specimen(1)!.amount += 1 },
    FarWrite(name: "the word of the one after it", paths: ["next.next.word"]) {
      $0.specimen(2)!.word += "x"
    },
    FarWrite(name: "the word of another", paths: ["next.other.word"]) {
      $0.specimen(3)!.word += "x"
    },
    FarWrite(name: "the amount of another", paths: []) { $0.specimen(3)!.amount += 1 },
    FarWrite(
      name: "its link", paths: ["next", "next.word", "next.next.word", "next.other.word"]
    ) { realm in
      realm.specimen(0)!.next = realm.specimen(realm.specimen(0)!.next!.id == 1 ? 5 : 1)
    },
    FarWrite(
      name: "its link once more", paths: ["next", "next.word", "next.next.word", "next.other.word"]
    ) { realm in
      realm.specimen(0)!.next = realm.specimen(realm.specimen(0)!.next!.id == 1 ? 5 : 1)
    },
  ]

  // Key paths never change.
  nonisolated(unsafe) static let typed: [String: PartialKeyPath<Specimen>] = [
    "word": \Specimen.word, "next": \Specimen.next, "next.word": \Specimen.next?.word,
    "next.next.word": \Specimen.next?.next?.word, "next.other.word": \Specimen.next?.other?.word,
  ]
}

/// Whose listeners they are.
private enum Listened: String, CaseIterable {
  case object = "an object"
  case results = "results"
  case list = "a list"
  case set = "a set"
  case map = "a map"

  func listen(
    _ realm: Realm, isolation: isolated (any Actor)? = #isolation, words: [String]?,
    typed: [PartialKeyPath<Specimen>], on listener: Keeper, _ heard: @escaping @Sendable () -> Void
  ) async -> NotificationToken {
    let holder = realm.specimen(10)!
    switch self {
    case .object:
      let one = realm.specimen(0)!
      let told: @Sendable (isolated Keeper, ObjectChange<Specimen>) -> Void = { _, change in
        if case .change = change { heard() }
      }
      if let words { return await one.observe(keyPaths: words, on: listener, told) }
      return await one.observe(keyPaths: typed, on: listener, told)
    case .results:
      let some = realm.objects(Specimen.self).where { $0.id == 0 }
      if let words {
        return await some.observe(keyPaths: words, on: listener) { _, change in
          if case .update = change { heard() }
        }
      }
      return await some.observe(keyPaths: typed, on: listener) { _, change in
        if case .update = change { heard() }
      }
    case .list:
      if let words {
        return await holder.members.observe(keyPaths: words, on: listener) { _, change in
          if case .update = change { heard() }
        }
      }
      return await holder.members.observe(keyPaths: typed, on: listener) { _, change in
        if case .update = change { heard() }
      }
    case .set:
      if let words {
        return await holder.group.observe(keyPaths: words, on: listener) { _, change in
          if case .update = change { heard() }
        }
      }
      return await holder.group.observe(keyPaths: typed, on: listener) { _, change in
        if case .update = change { heard() }
      }
    case .map:
      if let words {
        return await holder.named.observe(keyPaths: words, on: listener) { _, change in
          if case .update = change { heard() }
        }
      }
      return await holder.named.observe(keyPaths: typed, on: listener) { _, change in
        if case .update = change { heard() }
      }
    }
  }
}

extension Probe {
  /// Key paths over links, of all kinds of listeners on an actor, by words and typed.
  static let farPathsOnActors: [Probe] = Listened.allCases.flatMap { kind in
    [false, true].map { isTyped in
      Probe.task(
        "key paths over links lead as far on an actor: \(kind.rawValue), "
          + (isTyped ? "typed" : "by words")
      ) { stage in
        Backstage.hooks?.skipFlushes()
        let configuration = stage.specimens()
        let keeper = try await Keeper(configuration)
        let listener = try await Keeper(configuration)
        try await keeper.run { _, realm in
          try await realm.asyncWrite {
            for id in 0..<11 { realm.add(Specimen(id: id)) }
            for (one, next, other) in [(0, 1, 9), (1, 2, 3), (5, 6, 7)] {
              realm.specimen(one)!.next = realm.specimen(next)
              realm.specimen(one)!.other = realm.specimen(other)
            }
            let holder = realm.specimen(10)!
            holder.members.append(realm.specimen(0)!)
            holder.group.insert(realm.specimen(0)!)
            holder.named["a"] = .some(realm.specimen(0)!)
          }
        }
        let told = Stamps()
        let counts = Counts()
        let paths = FarWrite.typed.keys.sorted()
        var tokens: [NotificationToken] = []
        for path in paths {
          tokens.append(
            await keeper.run { _, realm in
              await kind.listen(
                realm, words: isTyped ? nil : [path],
                typed: [FarWrite.typed[path]!], on: listener
              ) { counts.add(path) }
            })
        }
        // One that comes behind them tells when all have been called.
        tokens.append(
          await keeper.run { _, realm in
            await realm.objects(Specimen.self).where { $0.id == 8 }.observe(on: listener) {
              _, change in
              told.mark("fence \(change.members?.first?.amount ?? -1)")
            }
          })
        try await stage.arrival(of: told.latch("fence 0"), "the first call")
        var round = 0
        func write(_ change: @escaping @Sendable (Realm) -> Void) async throws {
          round += 1
          let amount = round
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write {
              change(other)
              other.specimen(8)!.amount = amount
            }
          }
          try await stage.arrival(of: told.latch("fence \(amount)"), "the news of write \(amount)")
          await listener.with { _, _ in }
        }
        try await write { _ in }
        for one in FarWrite.all {
          counts.clear()
          try await write(one.write)
          stage.equal(
            counts.all, one.paths.sorted(), "whose path leads to \(one.name), of \(kind.rawValue)")
        }
        for token in tokens { token.invalidate() }
      }
    }
  }

  /// How an object goes before its listener has come to where it is to listen.
  private enum Going: String, CaseIterable {
    case deleted = "deleted"
    case replaced = "replaced in the same write"
    case comesAgain = "deleted, and its key given again"
    case withAll = "deleted with all others"
  }

  /// Whoever comes to listen to an object of which the listener's realm knows that it has gone.
  static let earlyEnds: [Probe] = Going.allCases.flatMap { going in
    [nil, ["note"], ["previous.note"]].map { (paths: [String]?) in
      Probe.task(
        "an object that has gone where its listener comes to is told to be deleted: "
          + "\(going.rawValue), \(paths.map { "\($0)" } ?? "no") key paths"
      ) { stage in
        Backstage.hooks?.skipFlushes()
        for isOwn in [true, false] {
          let configuration = stage.configuration("\(isOwn)")
          let keeper = try await Keeper(configuration)
          let listener = try await Keeper(configuration)
          try await keeper.add(Account.self, id: 1)
          try await keeper.add(Account.self, id: 2)
          await keeper.with { _, realm in
            realm.autorefresh = false
            realm.refresh()
            use(realm.account(1).balance)
          }
          let go: @Sendable (Realm) throws -> Void = { realm in
            try realm.write {
              if going == .withAll { realm.deleteAll() } else { realm.delete(realm.account(1)) }
              if going == .replaced { realm.add(Account(id: 1, balance: 7)) }
            }
            if going == .comesAgain { try realm.write { realm.add(Account(id: 1, balance: 7)) } }
          }
          if isOwn {
            try await listener.with { _, realm in
              realm.refresh()
              try go(realm)
            }
          } else {
            try stage.elsewhere { try go(try Realm(configuration: configuration)) }
            await listener.with { _, realm in use(realm.refresh()) }
          }
          let told = Stamps()
          let token = await keeper.run { _, realm -> NotificationToken in
            let account = realm.account(1)
            return await account.observe(keyPaths: paths, on: listener) { listener, change in
              listener.assertIsolated()
              switch change {
              case .deleted: told.mark("deleted")
              case .change: told.mark("changed")
              case .error: told.mark("error")
              }
            }
          }
          try await stage.arrival(of: told.latch("deleted"), "the word that it was deleted")
          // It is told once, and whoever has the key later is somebody else.
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write {
              other.create(Account.self, value: ["id": 1, "note": "another"], update: .all)
            }
          }
          await listener.with { _, realm in use(realm.refresh()) }
          await listener.with { _, _ in }
          stage.equal(told.of("changed"), nil, "when a change was told, its own: \(isOwn)")
          token.invalidate()
          await keeper.close()
          await listener.close()
        }
      }
    }
  }

  /// The same of a queue.
  static let earlyEndsOnQueues = Probe(
    "an object that has gone where its listener comes to is told to be deleted, on a queue"
  ) { stage in
    for going in Going.allCases {
      let file = going.rawValue
      let realm = try stage.stocked(file)
      realm.autorefresh = false
      use(realm.account(1).balance)
      let queue = DispatchQueue(label: "listener")
      var other: Realm? = try queue.sync {
        try Realm(configuration: stage.configuration(file), queue: queue)
      }
      try queue.sync {
        try other!.write {
          if going == .withAll { other!.deleteAll() } else { other!.delete(other!.account(1)) }
          if going == .replaced { other!.add(Account(id: 1, balance: 7)) }
        }
        if going == .comesAgain { try other!.write { other!.add(Account(id: 1, balance: 7)) } }
      }
      let deleted = Latch("the word that it was deleted")
      var isChanged = false
      let token = realm.account(1).observe(on: queue) { (change: ObjectChange<Account>) in
        if case .deleted = change { deleted.open() } else { isChanged = true }
      }
      try stage.wait(for: deleted)
      stage.equal(queue.sync { isChanged }, false, "whether a change was told, \(file)")
      token.invalidate()
      queue.sync { other = nil }
    }
  }
}

/// How often each name was called.
private final class Counts: Sendable {
  private let names = Mutex<[String]>([])

  func add(_ name: String) { names.withLock { $0.append(name) } }
  func clear() { names.withLock { $0 = [] } }
  var all: [String] { names.withLock { $0.sorted() } }
}
