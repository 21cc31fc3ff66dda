import EngineUnderTest
import Foundation
import Harness
import Synchronization

extension Rules.Write {
  static let oneWriter: [Rule] = [
    write01, write02, write03, write04, write05, write06, write07, write08, write25, write32,
  ]

  static let write01 = Rule(
    "WRITE-01", .documented,
    "At most one write transaction MUST be open per realm file at any time, over all "
      + "threads.",
    source: "S0/S1/S3 rule 2; RS/Realm.swift:267-275 doc",
    broken: "per-instance mutex; optimistic last-writer-wins",
    probes: [
      Probe("threads never meet inside a write, and no increment is lost") { stage in
        try stage.elsewhere {
          let realm = try stage.open()
          try realm.write { realm.add(Account(id: 1, balance: 0)) }
        }
        let inside = Stamps()
        let met = Latch("two writers having met")
        let left = Stamps()
        let threads = 4
        let rounds = 30
        let order = Mutex<[Int]>([])
        stage.together("writer", threads) { number, realm in
          for _ in 0..<rounds {
            try realm.write {
              // Entered once more than left: exactly one is inside.
              let entered = inside.draw()
              order.withLock { $0.append(number) }
              let counter = realm.account(1)
              counter.balance += 1
              for _ in 0..<20 { sched_yield() }
              if left.draw() != entered { met.open() }
            }
          }
        }
        try stage.joinAll()
        // Writers that come one after the other show nothing: the turn must have changed more often
        // than that.
        let turns = order.withLock { zip($0, $0.dropFirst()).count { $0 != $1 } }
        stage.overlapped(max(0, turns - (threads - 1)))
        stage.expect(!met.isOpen, "one writer at a time", observed: "two were inside")
        let total = try stage.seen { $0.account(1).balance }
        stage.equal(total, threads * rounds, "the number of increments")
      }
    ])

  static let write02 = Rule(
    "WRITE-02", .documented,
    "The same MUST hold across processes.",
    source: "NOTIFY/REFRESH text \"different threads or in different processes\" (S4); "
      + "RS/Realm.swift:270-275; OCT/InterprocessTests.m:297",
    broken: "in-process lock only",
    probes: [
      Probe(
        "processes never meet inside a write, and no increment is lost",
        companions: [
          "writer": { stage in
            let realm = try stage.open()
            stage.tell("ready")
            _ = stage.hear()
            let log = MarkLog(stage.directory.appendingPathComponent("log"))
            for _ in 0..<40 {
              realm.beginWrite()
              log.mark("<")
              realm.account(1).balance += 1
              for _ in 0..<20 { sched_yield() }
              log.mark(">")
              try realm.commitWrite()
            }
            stage.tell("done")
          }
        ]
      ) { stage in
        try stage.elsewhere {
          let realm = try stage.open()
          try realm.write { realm.add(Account(id: 1, balance: 0)) }
        }
        let writers = try (0..<2).map { _ in try stage.companion("writer") }
        for writer in writers { _ = try stage.hear(writer, "ready") }
        for writer in writers { writer.send("go") }
        for writer in writers {
          stage.equal(try stage.hear(writer, "done"), "done", "a writer's word")
        }
        let log = try String(
          contentsOf: stage.directory.appendingPathComponent("log"), encoding: .utf8)
        stage.equal(log, String(repeating: "<>", count: 80), "the marks of begin and end")
        stage.equal(try stage.seen { $0.account(1).balance }, 80, "the number of increments")
      }
    ] + Crossings.processes + WriteLookers.probes)

  static let write03 = Rule(
    "WRITE-03", .documented,
    "A synchronous begin MUST block until the current writer commits or cancels.",
    source: "S0/S1/S3 rule 2",
    broken: "begin fails instead of waiting; begin returns at once and conflicts at commit",
    probes: [
      Probe("a begin waits for the commit of another thread") { stage in
        try Stage.waits(stage) { try $0.commitWrite() }
      },
      Probe("a begin waits for the cancellation of another thread") { stage in
        try Stage.waits(stage) { $0.cancelWrite() }
      },
    ] + [WriteMoments.waits, LongWaits.probe] + SignalledWaits.probes)

  static let write04 = Rule(
    "WRITE-04", .documented,
    "Writes to different files (or different in-memory identifiers) MUST NOT block each "
      + "other.",
    source: "S0 rule 2 (\"write to *a Realm file*\"); RS/Realm.swift:267",
    broken: "one global write lock",
    probes: [
      Probe("a write to one file while another is being written") { stage in
        try stage.elsewhere { _ = try stage.stocked("one") }
        try stage.elsewhere { _ = try stage.stocked("two") }
        let release = Latch("the other write's end")
        let writer = try stage.holdingWrite("one", until: release) { $0.account(1).balance = 1 }
        try stage.foreign("two") { $0.account(1).balance = 2 }
        stage.stamps.mark("other written")
        release.open()
        try stage.join(writer)
        stage.ordered("other written", before: "release")
        stage.equal(try stage.seen("two") { $0.account(1).balance }, 2, "the other file's balance")
      }
    ] + Crossings.files)

  static let write05 = Rule(
    "WRITE-05", .documented,
    "A thread without user interface is irrelevant to the rule: a synchronous write on the "
      + "main thread MUST wait for a background writer, too.",
    source: "S0/S1/S3 rule 2 (UI thread may appear unresponsive)",
    broken: "main-thread priority bypass",
    probes: [
      Probe("the main thread's begin waits for a background writer") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let attempt = Latch("the main thread's attempt")
        let got = Latch("the main thread being inside")
        let realm = try stage.open()
        let held = Latch("the writer being inside its write")
        let writer = stage.thread("writer") {
          let realm = try stage.open()
          realm.beginWrite()
          realm.account(1).balance = 7
          held.open()
          try stage.wait(for: attempt)
          stage.letShow(got)
          stage.stamps.mark("release")
          try realm.commitWrite()
        }
        try stage.wait(for: held)
        attempt.open()
        realm.beginWrite()
        stage.stamps.mark("got")
        got.open()
        stage.equal(realm.account(1).balance, 7, "the balance inside the second write")
        realm.cancelWrite()
        try stage.join(writer)
        stage.ordered("release", before: "got")
      }
    ])

  static let write06 = Rule(
    "WRITE-06", .documented,
    "Writing MUST be possible from any thread that has its own realm instance.",
    source: "S0/S1/S3 rule 2; S3 Communication (\"free to read and write ... on the thread where "
      + "you first opened them\"); S1 same",
    broken: "writes only on run-loop threads",
    probes: [
      Probe("main thread, plain thread, dispatch worker and serial queue each write") { stage in
        let realm = try stage.open()
        try realm.write { realm.add(Account(id: 1)) }
        try stage.elsewhere("plain thread") {
          let realm = try stage.open()
          try realm.write { realm.add(Account(id: 2)) }
        }
        try DispatchQueue.global().sync {
          let realm = try stage.open()
          try realm.write { realm.add(Account(id: 3)) }
        }
        let queue = DispatchQueue(label: "serial")
        try stage.on(queue) {
          let realm = try Realm(configuration: stage.configuration(), queue: queue)
          try realm.write { realm.add(Account(id: 4)) }
        }
        stage.equal(
          try stage.seen { $0.objects(Account.self).map(\.id).sorted() }, [1, 2, 3, 4],
          "what was written")
      },
      Probe.task("an actor writes") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 5)
        let ids = try stage.seen { $0.objects(Account.self).map(\.id) }
        stage.equal(Array(ids), [5], "what was written")
      },
    ])

  static let write07 = Rule(
    "WRITE-07", .documented,
    "Beginning a write MUST first bring the realm to the latest version, so that the block "
      + "works on the newest data, whatever version the realm was on.",
    source: "S0 ThreadSafe/TSR code comment (resolve in the transaction to get the latest); "
      + "S0/S1/S3 Git (\"always writes to the head\", \"cannot write to a previous version\"); "
      + "RS/Realm.swift:277",
    broken: "write based on the pinned snapshot (lost update); merge at commit",
    probes: [
      Probe("a begin moves the realm to the latest version") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        let account = realm.account(1)
        try stage.foreign { $0.account(1).balance = 7 }
        stage.equal(account.balance, 100, "the balance before the write")
        realm.beginWrite()
        stage.equal(account.balance, 7, "the balance in the write")
        account.balance += 1
        try realm.commitWrite()
        stage.equal(try stage.seen { $0.account(1).balance }, 8, "the balance in the end")
      }
    ])

  static let write08 = Rule(
    "WRITE-08", .documented,
    "The history MUST be linear: versions strictly increase and each commit is based on its "
      + "immediate predecessor.",
    source: "S0/S1/S3 Git section (one true latest version)",
    broken: "branch then auto-merge",
    probes: [
      Probe("each commit follows its predecessor, without forks or gaps") { stage in
        try stage.elsewhere {
          let realm = try stage.open()
          try realm.write { realm.add(Account(id: 0, balance: 0)) }
        }
        stage.together("writer", 3) { _, realm in
          for _ in 0..<15 {
            try realm.write {
              let last: Int = realm.objects(Account.self).max(ofProperty: "id")!
              let link = Account(id: last + 1, balance: last)
              realm.add(link)
              link.previous = realm.account(last)
            }
          }
        }
        try stage.joinAll()
        let chain = try stage.seen { realm in
          var ids: [Int] = []
          var next: Account? = realm.account(45)
          while let link = next {
            ids.append(link.id)
            next = link.previous
          }
          return ids
        }
        stage.equal(chain, Array((0...45).reversed()), "the chain from its end")
      }
    ])

  static let write25 = Rule(
    "WRITE-25", .implementation,
    "Waiting writers MUST be served fairly: a thread that loops on writes must not starve "
      + "another waiter.",
    level: .stochastic,
    source: "(impl) db.cpp:2376-2435 (ticket; 500 ms yield limit)",
    broken: "unfair spin mutex with immediate re-lock",
    probes: [
      Probe("a writer that loops does not starve another") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let stop = Latch("the patient writer's turn")
        let running = Latch("the greedy writer running")
        var rounds = 0
        let greedy = stage.thread("greedy writer") {
          let realm = try stage.open()
          while !stop.isOpen && rounds < 20_000 {
            try realm.write { realm.account(1).balance += 1 }
            rounds += 1
            running.open()
          }
        }
        try stage.wait(for: running)
        try stage.foreign { $0.account(2).balance = 7 }
        stop.open()
        try stage.join(greedy)
        stage.expect(
          rounds < 20_000, "a turn before 20,000 writes of the other", observed: "\(rounds)")
      },
      PatientProcess.probe,
    ])

  static let write32 = Rule(
    "WRITE-32", .documented,
    "After `commitWrite`/`write` returned, a realm opened or refreshed anywhere (any "
      + "thread, any process) MUST see that version or a later one.",
    source: "S0/S1/S3 Refreshing (\"reflects the most recent successful write commit\")",
    broken: "commit returns before publication",
    probes: [
      Probe("a commit that returned is seen by whoever opens afterwards") { stage in
        let realm = try stage.stocked()
        for round in 1...20 {
          try realm.write { realm.account(1).balance = round }
          guard stage.equal(try stage.seen { $0.account(1).balance }, round, "the balance") else {
            return
          }
        }
      },
      Probe(
        "a commit that returned is seen by another process",
        companions: [
          "reader": { stage in
            while let line = stage.hear() {
              let realm = try stage.open()
              realm.refresh()
              stage.tell("\(realm.account(1).balance)")
              use(line)
            }
          }
        ]
      ) { stage in
        let realm = try stage.stocked()
        let reader = try stage.companion("reader")
        for round in 1...20 {
          try realm.write { realm.account(1).balance = round }
          reader.send("look")
          guard stage.equal(try stage.hear(reader, "a balance"), "\(round)", "the balance there")
          else {
            return
          }
        }
        _ = reader.remains()
      },
    ] + [Programs.neighbours.probe])
}
