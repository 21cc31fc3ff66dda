import EngineUnderTest
import Foundation
import Harness

extension Rules.Async {
  static let ordering: [Rule] = [
    async11, async12, async36, async37, async38, async39, async40, async50, async51, async52,
    async55,
  ]

  static let async11 = Rule(
    "ASYNC-11", .implementation,
    "Blocks queued on one realm MUST run in the order in which they were queued, across "
      + "`writeAsync` and `beginAsyncWrite`.",
    source: "RS/Realm.swift:424-426.",
    broken: "LIFO, concurrent helpers",
    probes: [
      Programs.writingLater.probe,
      Probe("blocks run in the order of their calls") { stage in
        let realm = try stage.stocked()
        var order: [Int] = []
        var completed = 0
        for number in 0..<12 {
          if number % 2 == 0 {
            realm.writeAsync {
              order.append(number)
            } onComplete: { _ in
              completed += 1
            }
          } else {
            realm.beginAsyncWrite {
              order.append(number)
              realm.commitAsyncWrite { _ in completed += 1 }
            }
          }
        }
        try stage.spin(until: { completed == 12 }, "twelve completions")
        stage.equal(order, Array(0..<12), "the order of the blocks")
      },
    ] + [.turnsInOrder, Rules.Actor.takenWhileLent] + Probe.longLines
      + [LateWrites.inOrder.probe])

  static let async12 = Rule(
    "ASYNC-12", .implementation,
    "Completions MUST be delivered in commit order.",
    source: "(impl) m_async_commit_q FIFO.",
    broken: "unordered",
    probes: [Programs.completing.probe]
      + [false, true].map { grouping in
        Probe(
          "completions come in the order of their commits, \(grouping ? "grouped" : "one by one")"
        ) { stage in
          let realm = try stage.stocked()
          var order: [Int] = []
          for number in 0..<12 {
            realm.beginAsyncWrite {
              realm.account(1).balance = number
              realm.commitAsyncWrite(allowGrouping: grouping) { _ in order.append(number) }
            }
          }
          try stage.spin(until: { order.count == 12 }, "twelve completions")
          stage.equal(order, Array(0..<12), "the order of the completions")
        }
      } + [LateWrites.completed.probe] + OnFailingDisks.inOrder)

  static let async36 = Rule(
    "ASYNC-36", .implementation,
    "A synchronous write on the same realm MUST run ahead of async blocks that have been "
      + "queued but not started; those run afterwards and see it.",
    source: "(impl) TOS/realm.cpp:2351-2375; CORE/db.cpp:2109.",
    broken: "sync waits for its own queue (deadlock, as the block needs this thread)",
    probes: [
      Probe("a plain write goes first") { stage in
        let realm = try stage.stocked()
        var order: [String] = []
        var done = false
        realm.writeAsync {
          order.append("async \(realm.account(1).balance)")
        } onComplete: { _ in
          done = true
        }
        try realm.write {
          order.append("plain")
          realm.account(1).balance = 7
        }
        try stage.spin(until: { done }, "the completion")
        stage.equal(order, ["plain", "async 7"], "the order")
      }
    ] + [LateWrites.overtaken.probe])

  static let async37 = Rule(
    "ASYNC-37", .implementation,
    "A synchronous begin inside an async block MUST die like any nested begin.",
    source: "(impl) OS/shared_realm.cpp:1029; RS/Realm.swift:268",
    broken: "nested counted; self-deadlock",
    probes: [
      Probe.dies("a plain begin inside an async block", saying: Words.alreadyInWrite) { stage in
        let realm = try stage.stocked()
        var done = false
        realm.writeAsync {
          stage.act { realm.beginWrite() }
          done = true
        }
        try stage.spin(until: { done }, "the block")
      }
    ] + AsyncRefusals.nested)

  static let async38 = Rule(
    "ASYNC-38", .implementation,
    "`beginAsyncWrite`/`writeAsync` inside an open synchronous write MUST be allowed and "
      + "deferred until that write has ended (by commit or cancel).",
    source: "RS/Realm.swift:424-427; TOS/realm.cpp:2608, 2629, 2442.",
    broken: "nested begin error; lost when the sync write is cancelled",
    probes: PlainEnd.allCases.map { end in
      Probe("inside a plain write that \(end.rawValue)") { stage in
        let realm = try stage.stocked()
        var seen: Int?
        try end.write(realm) {
          realm.account(1).balance = 7
          realm.writeAsync { seen = realm.account(1).balance }
          stage.equal(seen, nil, "what the block saw inside the plain write")
        }
        try stage.spin(until: { seen != nil }, "the block")
        stage.equal(seen, end.keepsIt ? 7 : 100, "the balance in the block")
      }
    } + Probe.begunInAFailure + [LateWrites.inPlain.probe])

  static let async39 = Rule(
    "ASYNC-39", .implementation,
    "They MUST be allowed inside an async block and run after the current and all earlier "
      + "queued blocks.",
    source: "RS/Realm.swift:424-427; RST:1363.",
    broken: "C before B; recursion",
    probes: [
      Probe("inside an async block: after those that were queued") { stage in
        let realm = try stage.stocked()
        var order: [String] = []
        realm.writeAsync {
          order.append("A")
          realm.writeAsync { order.append("C") }
        }
        realm.writeAsync { order.append("B") }
        try stage.spin(until: { order.count == 3 }, "three blocks")
        stage.equal(order, ["A", "B", "C"], "the order")
      }
    ])

  static let async40 = Rule(
    "ASYNC-40", .implementation,
    "A synchronous commit MUST flush all earlier async commits of that realm and deliver "
      + "their completions before it returns.",
    source: "(impl) OS/shared_realm.cpp:1076-1080; TOS/realm.cpp:2376, 2411.",
    broken: "completion later or lost",
    probes: [
      Probe("a plain commit delivers the earlier async completions first") { stage in
        let realm = try stage.stocked()
        var completed = false
        realm.beginWrite()
        realm.account(1).balance = 7
        realm.commitAsyncWrite { _ in completed = true }
        try realm.write { realm.account(2).balance = 8 }
        stage.equal(completed, true, "whether it was completed when write returned")
      }
    ] + Probe.plainAfterOthers + [LateWrites.flushed.probe] + Silenced.probes)

  static let async50 = Rule(
    "ASYNC-50", .implementation,
    "Async writes MUST work with `autorefresh == false`, and the realm advances as part of "
      + "the write.",
    source: "RST:1181.",
    broken: "async write skipped or never started when autorefresh is off",
    probes: [
      Probe("async writes work with autorefresh off") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        use(realm.account(1).balance)
        try stage.foreign { $0.account(1).balance = 7 }
        var seen: Int?
        realm.writeAsync {
          seen = realm.account(1).balance
          realm.account(1).balance += 1
        }
        try stage.spin(
          until: { seen != nil && !realm.isPerformingAsynchronousWriteOperations }, "the write")
        stage.equal(seen, 7, "the balance in the block")
        stage.equal(realm.account(1).balance, 8, "the balance here")
      }
    ])

  static let async51 = Rule(
    "ASYNC-51", .documented,
    "Pending async work MUST keep the realm alive: dropping all references after the call "
      + "must not lose the write.",
    source: "S0 (\"without the need to manually keep state tied to the scope\"); "
      + "TOS/realm.cpp:2490.",
    broken: "weak self",
    probes: [
      Probe("a write whose realm is dropped is not lost") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var done = false
        do {
          let realm = try stage.open()
          let account = realm.account(1)
          realm.writeAsync {
            account.balance = 7
          } onComplete: { _ in
            done = true
          }
        }
        try stage.spin(until: { done }, "the completion")
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance")
      }
    ] + Probe.actorsLetGo)

  static let async52 = Rule(
    "ASYNC-52", .documented,
    "Any mix of async and sync writers on several threads MUST terminate with every commit "
      + "applied exactly once (no deadlock, no starvation).",
    source: "S0/S1/S3 rule 2; TOS/realm.cpp:2765-2940.",
    broken: "helper and caller deadlock",
    probes: [
      Probe("async and plain writers on several threads: all is applied once") { stage in
        try stage.elsewhere {
          let realm = try stage.open()
          try realm.write { realm.add(Account(id: 1, balance: 0)) }
        }
        let rounds = 25
        var realms: [Realm] = []
        var done: [Latch] = []
        for number in 0..<2 {
          let queue = DispatchQueue(label: "queue \(number)")
          let finished = Latch("the writes of queue \(number)")
          done.append(finished)
          try stage.on(queue) {
            let realm = try Realm(configuration: stage.configuration(), queue: queue)
            realms.append(realm)
            var completed = 0
            for _ in 0..<rounds {
              realm.writeAsync {
                realm.account(1).balance += 1
              } onComplete: { _ in
                completed += 1
                if completed == rounds { finished.open() }
              }
            }
          }
        }
        for number in 0..<2 {
          stage.thread("writer \(number)") {
            let realm = try stage.open()
            for _ in 0..<rounds { try realm.write { realm.account(1).balance += 1 } }
          }
        }
        try stage.joinAll()
        for latch in done { try stage.wait(for: latch) }
        stage.equal(
          try stage.seen { $0.account(1).balance }, 4 * rounds, "the number of increments")
      },
      // holder           actor                     as many actors as there are threads
      // holds the lock   asks for a write
      //                                            ask for the lock behind it, and wait on them
      // lets go          has no thread to come on
      Probe.task("plain writes that occupy all threads, behind an asyncWrite in line") { stage in
        let waiting = try await Keeper(stage.configuration())
        try await waiting.add(Account.self, id: 1)
        var others: [Keeper] = []
        for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
          others.append(try await Keeper(stage.configuration()))
        }
        // Who of those in line is next may be luck: an engine is lucky once, not always.
        for _ in 0..<Crowding.rounds { try await Crowding.pass(stage, waiting, others) }
        stage.equal(
          try stage.seen { $0.account(1).balance }, Crowding.rounds * (1 + others.count),
          "the number of increments")
      },
    ] + Crossings.homes + Standstills.urgent)

  static let async55 = Rule(
    "ASYNC-55", .implementation,
    "Async writes MUST be usable from inside notification callbacks and on realms just "
      + "refreshed.",
    source: "(impl) #7165.",
    broken: "deadlock or silent loss of a write started in a callback",
    probes: [
      Probe("an async write is begun in a notification") { stage in
        let realm = try stage.stocked()
        var begun = false
        var done = false
        let token = realm.observe { _, realm in
          guard !begun else { return }
          begun = true
          realm.writeAsync {
            realm.account(2).balance += 1
          } onComplete: { _ in
            done = true
          }
        }
        try stage.foreign { $0.account(1).balance = 7 }
        try stage.spin(until: { done }, "the completion")
        stage.equal(
          try stage.seen { "\($0.account(1).balance) \($0.account(2).balance)" }, "7 201",
          "the balances")
        token.invalidate()
      }
    ] + [LateWrites.listening.probe])
}

/// Plain writes on as many actors as there are threads, behind an asynchronous one.
private enum Crowding {
  static let rounds = 80

  static func pass(_ stage: Stage, _ waiting: Keeper, _ others: [Keeper]) async throws {
    let (inside, release) = (Latch("the holder inside"), Latch("the holder's release"))
    stage.thread("holder") {
      try stage.foreign { _ in
        inside.open()
        _ = release.wait(stage.patience)
      }
    }
    while !inside.isOpen { await Task.yield() }
    let task = Task {
      try await waiting.run { _, realm in
        try await realm.asyncWrite { realm.account(1).balance += 1 }
      }
    }
    // Time to stand in line, first for the one and then for the others; with less the probe
    // proves less.
    let limit = ContinuousClock.now + .milliseconds(40)
    while ContinuousClock.now < limit { await Task.yield() }
    let writers = others.map { other in
      Task {
        try await other.with { _, realm in try realm.write { realm.account(1).balance += 1 } }
      }
    }
    stage.thread("release") {
      // The same for the others: nothing tells that a thread has come to wait for the lock.
      usleep(40_000)
      release.open()
    }
    try await task.value
    for writer in writers { try await writer.value }
    try stage.joinAll()
  }
}

/// How a plain write ends.
private enum PlainEnd: String, CaseIterable, Sendable {
  case commits
  case cancels = "is cancelled"
  case returns = "ends with its block"
  case cancelsInTheBlock = "is cancelled in its block"
  case `throws` = "throws"

  private struct Thrown: Error {}

  var keepsIt: Bool { [.commits, .returns].contains(self) }

  func write(_ realm: Realm, _ body: () -> Void) throws {
    switch self {
    case .commits, .cancels:
      realm.beginWrite()
      body()
      if self == .commits { try realm.commitWrite() } else { realm.cancelWrite() }
    case .returns: try realm.write { body() }
    case .cancelsInTheBlock:
      try realm.write {
        body()
        realm.cancelWrite()
      }
    case .throws:
      do {
        try realm.write {
          body()
          throw Thrown()
        }
      } catch is Thrown {}
    }
  }
}
