import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// Where two things meet of which probes ask one at a time: a flush and those who share it, a large
/// step and who listens, an executor and its actors, a call and what it was told to keep.
enum Meetings {
  // MARK: COMMIT-08

  static let atADisk: [Probe] = [1, 2, 4, 6].map { writers in
    Probe("of \(writers) writers at a disk that fails each is told what became of its own") {
      stage in
      let hooks = try stage.hooks()
      hooks.record()
      try stage.elsewhere { _ = try stage.stocked() }
      // One flush fails, each round a later one. (Two in a row would meet the begin of a write,
      // which cannot throw.)
      for round in 1...6 {
        let kept = Mutex<Set<Int>>([])
        let lost = Mutex<Set<Int>>([])
        hooks.fail(.flushes, after: round, times: 1)
        stage.together("writer of round \(round)", writers) { number, realm in
          for turn in 0..<6 {
            let id = round * 1_000 + number * 100 + turn
            do {
              try realm.write { realm.add(Account(id: id, balance: id)) }
              kept.withLock { _ = $0.insert(id) }
            } catch {
              lost.withLock { _ = $0.insert(id) }
            }
          }
        }
        try stage.joinAll()
        hooks.fail(.flushes, after: 0, times: 0)
        let there = try stage.seen { realm in
          Set(realm.objects(Account.self).where { $0.id >= round * 1_000 }.map(\.id))
        }
        let (acknowledged, refused) = (kept.withLock(\.self), lost.withLock(\.self))
        stage.equal(
          acknowledged.subtracting(there).sorted(), [],
          "what round \(round) was told is there, and is not")
        stage.equal(
          refused.intersection(there).sorted(), [],
          "what round \(round) was told is lost, and is there")
      }
    }
  }

  // MARK: REFRESH-03

  static let ofManyLookups: [Probe] = [600, 5_000, 20_000].map { count in
    Probe("each of \(count) that were looked up again and again is found as it is now") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.open()
      realm.autorefresh = false
      var model: [Int: Int] = [:]
      try realm.write {
        for id in 0..<count {
          realm.add(Account(id: id * 3, balance: id))
          model[id * 3] = id
        }
      }
      var chance = stage.chance
      func look(_ when: String) {
        let keys = (0..<(count * 3)).shuffled(using: &chance).prefix(3_000)
        let wrong = keys.filter {
          realm.object(ofType: Account.self, forPrimaryKey: $0)?.balance != model[$0]
        }
        stage.equal(wrong.count, 0, "how many of \(keys.count) are found otherwise \(when)")
      }
      for round in 1...3 { look("at first, round \(round)") }
      func change(_ realm: Realm, _ number: Int) {
        for id in stride(from: number, to: count * 3, by: 97) {
          if let one = realm.object(ofType: Account.self, forPrimaryKey: id) {
            if id % 2 == 0 { realm.delete(one) } else { one.balance = -id }
          } else {
            realm.add(Account(id: id, balance: id + number))
          }
        }
      }
      func changeModel(_ number: Int) {
        for id in stride(from: number, to: count * 3, by: 97) {
          let isThere = model[id] != nil
          model[id] = isThere ? (id % 2 == 0 ? nil : -id) : id + number
        }
      }
      for number in 0..<6 {
        try stage.foreign { change($0, number) }
        look("before the refresh to change \(number)")
        realm.refresh()
        changeModel(number)
        for round in 1...2 { look("after the refresh to change \(number), round \(round)") }
        realm.beginWrite()
        change(realm, number + 50)
        let before = model
        changeModel(number + 50)
        look("in a write, \(number)")
        realm.cancelWrite()
        model = before
        look("after the cancel, \(number)")
      }
    }
  }

  // MARK: REFRESH-20

  static let byNameAlone: [Probe] = [true, false].map { knowsClass in
    Probe(
      "an object known by its class's name is told from a later one under its key, "
        + (knowsClass ? "of a class that the realm knows" : "of one that it does not")
    ) { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      for way in ["one after the other", "at once"] {
        try stage.elsewhere {
          var configuration = stage.configuration()
          if !knowsClass { configuration.objectTypes = [Blob.self] }
          let realm = try Realm(configuration: configuration)
          realm.autorefresh = false
          guard let held = realm.dynamicObject(ofType: "Account", forPrimaryKey: 1) else {
            return stage.fail(expected: "an object by its class's name", observed: "none")
          }
          if way == "at once" {
            try stage.foreign {
              $0.delete($0.account(1))
              $0.add(Account(id: 1, balance: 9))
            }
          } else {
            try stage.foreign { $0.delete($0.account(1)) }
            try stage.foreign { $0.add(Account(id: 1, balance: 9)) }
          }
          realm.refresh()
          stage.equal(held.isInvalidated, true, "whether it is invalidated, \(way)")
          stage.equal(
            realm.dynamicObject(ofType: "Account", forPrimaryKey: 1)?["balance"] as? Int, 9,
            "what is there now, \(way)")
        }
      }
    }
  }

  // MARK: ACTOR-10

  static let onOneExecutor: [Probe] = [
    Probe.task("two actors of one executor have a realm each") { stage in
      let executor = OneQueue()
      let one = try await Tenant(stage.configuration(), executor)
      let other = try await Tenant(stage.configuration(), executor)
      let handed = await one.handed()
      stage.equal(await other.has(handed), false, "whether the two have one realm")
      try await one.add(1)
      stage.equal(try await other.count(), 1, "what the other one finds")
      try await other.add(2)
      stage.equal(try await one.count(), 2, "what the first one finds")
      await one.close()
      try await other.add(3)
      stage.equal(try await other.count(), 3, "what the other one finds when the first is closed")
      await other.close()
    }
  ]

  // MARK: CONFINE-05

  private typealias Asked = @Sendable (List<Dog>, Dog, Results<Dog>) -> Void

  private static let askedAboutStrangers: [(String, Asked)] = [
    ("the place in a list", { list, own, _ in use(list.index(of: own)) }),
    ("whether a list has it", { list, own, _ in use(list.contains(own)) }),
    ("the place in results", { _, own, results in use(results.index(of: own)) }),
    ("whether results have it", { _, own, results in use(results.contains(own)) }),
  ]

  static let strangersAsArguments: [Probe] = askedAboutStrangers.map { name, ask in
    Probe.dies(
      "asked elsewhere, about an object of that thread: \(name)", saying: Words.wrongThread
    ) { stage in
      let realm = try stage.stocked()
      let (list, results) = (realm.person("Ann").dogs, realm.objects(Dog.self))
      use(list.count + results.count)
      try stage.elsewhere {
        let own = try stage.open().person("Ann").dogs[0]
        stage.act { ask(list, own, results) }
      }
    }
  }

  // MARK: LIFE-08

  static let calledAndGone: [Probe] = [
    "writeAsync", "commitAsyncWrite", "a listener that ended", "asyncOpen",
  ].map { way in
    Probe("what has been called keeps no file open: \(way)") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let queue = DispatchQueue(label: "home")
      let called = Latch("the call of \(way)")
      if way == "asyncOpen" {
        Realm.asyncOpen(configuration: stage.configuration(), callbackQueue: queue) { result in
          use((try? result.get())?.isEmpty)
          called.open()
        }
      } else {
        try queue.sync {
          let realm = try Realm(configuration: stage.configuration(), queue: queue)
          let account = realm.account(1)
          let done = { (_: (any Error)?) in
            use(account.balance + realm.objects(Account.self).count)
            called.open()
          }
          switch way {
          case "writeAsync": realm.writeAsync({ account.balance += 1 }, onComplete: done)
          case "commitAsyncWrite":
            realm.beginAsyncWrite {
              account.balance += 1
              realm.commitAsyncWrite(done)
            }
          default:
            var token: NotificationToken?
            token = realm.objects(Account.self).observe { _ in
              token?.invalidate()
              token = nil
              done(nil)
            }
          }
        }
      }
      try stage.spin(until: { called.isOpen }, "the call of \(way)")
      queue.sync {}
      // Whoever called may still be on its way back.
      try stage.spin(
        until: { (try? Realm.deleteFiles(for: stage.configuration())) == true },
        "the files to be deletable after \(way)")
      stage.expect(true, "nothing keeps the file")
    }
  }

  // MARK: GROW-08

  static let ofLargeSteps: [Probe] = [
    Probe("after a step, however large, a listener's realm keeps its own version alone") { stage in
      Backstage.hooks?.skipFlushes()
      // The listener's, and the one that is written. Who opens a file first says how many.
      var configuration = stage.configuration()
      configuration.maximumNumberOfActiveVersions = 2
      let limited = configuration
      let realm = try Realm(configuration: limited)
      try realm.write { for id in 0..<5_000 { realm.add(Account(id: id)) } }
      let accounts = realm.objects(Account.self).where { $0.balance >= 0 }.sorted(by: \.note)
      var calls = 0
      let token = accounts.observe { _ in calls += 1 }
      try stage.settle(realm)
      let writer = DispatchQueue(label: "writer")
      /// Whether a realm elsewhere may write so many times in a row.
      func writes(_ times: Int, _ change: @escaping (Realm) -> Void) throws -> Bool {
        let done = Latch("the completions of \(times) writes")
        var refusals = 0
        try writer.sync {
          let other = try Realm(configuration: limited, queue: writer)
          for turn in 1...times {
            other.writeAsync {
              change(other)
            } onComplete: { error in
              if error != nil { refusals += 1 }
              if turn == times { done.open() }
            }
          }
        }
        try stage.wait(for: done)
        return writer.sync { refusals == 0 }
      }
      for (number, rows) in [1, 500, 2_000, 5_000, 3].enumerated() {
        let before = calls
        // Who looked into a step on another thread may still be on its way back.
        try stage.spin(
          until: {
            (try? writes(1) { other in
              for id in 0..<rows { other.account(id).note = "\(number) \(id % 7)" }
            }) == true
          }, "a write of \(rows) rows")
        try stage.spin(until: { calls > before }, "the call for \(rows) rows")
        // No new listener is asked here: its first call is prepared like a step.
        try stage.spin(
          until: { (try? writes(3) { $0.account(1).balance += 1 }) == true },
          "three writes behind a step of \(rows) rows")
      }
      stage.expect(true, "nothing but the listener's version is kept")
      token.invalidate()
    }
  ]
}

/// Runs the jobs of several actors on one queue.
private final class OneQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "one queue")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// An actor on somebody else's executor, and its realm.
private actor Tenant {
  private let executor: OneQueue
  private var realm: Realm!

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ configuration: Realm.Configuration, _ executor: OneQueue) async throws {
    self.executor = executor
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func handed() -> Smuggling<Realm> { Smuggling(realm) }
  func has(_ other: Smuggling<Realm>) -> Bool { realm == other.value }
  func add(_ id: Int) async throws { try await realm.asyncWrite { realm.add(Account(id: id)) } }

  func count() async throws -> Int {
    await realm.asyncRefresh()
    return realm.objects(Account.self).count
  }

  func close() { realm = nil }
}
