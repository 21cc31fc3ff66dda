import EngineUnderTest
import Foundation
import Harness

extension Rules.Read {
  static let waiting: [Rule] = [
    read01, read02, read03, read13, read14,
  ]

  static let read01 = Rule(
    "READ-01", .documented,
    "A read MUST complete while another thread is inside an uncommitted write transaction.",
    source: "S0 Three Rules (don't lock to read); S1 same; S3 \"Don't lock to read\"; S0/S1/S3 "
      + "Model in Depth (\"lock-free, concurrent\")",
    broken: "a single readers-writer lock around the file; a global mutex held for the length of a "
      + "write",
    probes: [
      Probe("a fresh thread reads while another is inside its write") { stage in
        _ = try stage.stocked()
        let release = Latch("the reader's end")
        let writer = try stage.holdingWrite(until: release) { realm in
          realm.person("Ann").age = 99
          realm.add(Person(name: "Dan", age: 60))
        }
        // The writer waits for the reader: a reader that waits for the writer hangs here.
        try stage.elsewhere("reader") {
          let realm = try stage.open()
          stage.equal(realm.objects(Person.self).count, 3, "the number of people")
          stage.equal(realm.person("Ann").age, 30, "Ann's age")
          stage.equal(realm.person("Ann").dogs.map(\.name), ["Ann's 1", "Ann's 2"], "Ann's dogs")
          stage.equal(
            realm.objects(Dog.self).where { $0.age > 1 }.count, 3, "the number of old dogs")
          stage.stamps.mark("read")
        }
        release.open()
        try stage.join(writer)
        stage.ordered("read", before: "release")
      },
      Probe("a realm that is open goes on reading while another thread is inside its write") {
        stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        let release = Latch("the reader's end")
        let writer = try stage.holdingWrite(until: release) { $0.person("Ann").age = 99 }
        stage.equal(ann.age, 30, "Ann's age")
        stage.equal(realm.refresh(), false, "whether there is something to refresh to")
        stage.equal(realm.objects(Person.self).count, 3, "the number of people")
        release.open()
        try stage.join(writer)
      },
    ] + FirstUses.probes + [ClassLists.openBesideWriters])

  static let read02 = Rule(
    "READ-02", .documented,
    "A read MUST complete while another *process* holds the write lock.",
    source: "S0/S1/S3 rule 1 (any thread, no mutex); NOTIFY text \"threads or processes\"; (impl) "
      + "OCT/InterprocessTests.m:404",
    broken: "`flock` on the whole file as both read and write lock",
    probes: [
      Probe(
        "a process reads while another holds the write lock",
        companions: [
          "writer": { stage in
            let realm = try stage.open()
            realm.beginWrite()
            realm.person("Ann").age = 99
            stage.tell("held")
            _ = stage.hear()
            try realm.commitWrite()
            stage.tell("committed")
          }
        ]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let writer = try stage.companion("writer")
        stage.equal(try stage.hear(writer, "held"), "held", "what the writer says")
        let realm = try stage.open()
        stage.equal(realm.person("Ann").age, 30, "Ann's age")
        stage.equal(realm.objects(Dog.self).count, 6, "the number of dogs")
        writer.send("go on")
        stage.equal(try stage.hear(writer, "committed"), "committed", "what the writer says")
        realm.refresh()
        stage.equal(realm.person("Ann").age, 99, "Ann's age after the refresh")
        stage.equal(writer.remains().ending, .exited(0), "the writer's end")
      }
    ])

  static let read03 = Rule(
    "READ-03", .documented,
    "A writer MUST be able to begin and commit while any number of readers hold older "
      + "snapshots.",
    source: "S0/S1/S3 rule 1 (reads never locked), Model in Depth (many versions)",
    broken: "commit waits for readers to drain (RCU-grace style)",
    probes: [
      Probe("ten commits while readers stay on older versions") { stage in
        let first = try stage.stocked()
        first.autorefresh = false
        let firstAnn = first.person("Ann")
        let done = Latch("the writer's end")
        var readers: [Cast.Member] = []
        for number in 0..<3 {
          let opened = Latch("reader \(number) having opened")
          readers.append(
            stage.thread("reader \(number)") {
              let realm = try stage.open()
              let ann = realm.person("Ann")
              let age = ann.age
              opened.open()
              try stage.wait(for: done)
              stage.equal(ann.age, age, "Ann's age on reader \(number)")
            })
          try stage.wait(for: opened)
        }
        try stage.elsewhere("writer") {
          let realm = try stage.open()
          for age in 1...10 { try realm.write { realm.person("Ann").age = age } }
          stage.equal(realm.person("Ann").age, 10, "Ann's age on the writer")
        }
        done.open()
        for reader in readers { try stage.join(reader) }
        stage.equal(firstAnn.age, 30, "Ann's age on the first realm")
      }
    ])

  static let read13 = Rule(
    "READ-13", .documented,
    "Opening and reading MUST NOT need any lock supplied by the user; concurrent opening, "
      + "reading, querying and closing on many threads is data-race free.",
    source: "S0/S1/S3 rule 1",
    broken: "unsynchronised instance cache; racy version list reclaim",
    probes: [
      Probe("threads open, read, query and close while others write") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let rounds = 40
        let reading = Latch("a reader having started")
        let written = Latch("the writers' end")
        // Readers go on until the writers have ended: so each write has readers beside it.
        let reader: (Int) throws -> Void = { number in
          var round = 0
          while round < rounds || !written.isOpen {
            round += 1
            let realm = try stage.open()
            reading.open()
            let sum: Int = realm.objects(Account.self).where { $0.id <= 2 }.sum(
              ofProperty: "balance")
            guard sum == 300 else {
              return stage.fail(expected: "balances that add up to 300", observed: "\(sum)")
            }
          }
          stage.expect(true, "reader \(number) saw whole states only")
        }
        for number in 0..<3 { stage.thread("reader \(number)") { try reader(number) } }
        try stage.wait(for: reading)
        let writers = (0..<2).map { number in
          stage.thread("writer \(number)") {
            for round in 0..<rounds {
              let realm = try stage.open()
              try realm.write {
                realm.account(1).balance -= round
                realm.account(2).balance += round
              }
            }
          }
        }
        defer { written.open() }
        for writer in writers { try stage.join(writer) }
        written.open()
        try stage.joinAll()
      }
    ] + LongLists.probes)

  static let read14 = Rule(
    "READ-14", .documented,
    "The commit I/O of an asynchronous write MUST NOT block readers on any thread, "
      + "including the committing one.",
    source: "S0 Commit or Cancel (caller proceeds while the SDK does I/O in the background); S2 "
      + "Perform Background Writes; S4 Write to an Actor-Isolated Realm",
    broken: "commitAsync performs fsync inline",
    probes: [
      Probe("readers read between an async commit and its completion") { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        realm.account(1).balance = 7
        realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: 4_000_000)))
        var completed = false
        realm.commitAsyncWrite { _ in
          stage.stamps.mark("completed")
          completed = true
        }
        stage.equal(realm.account(1).balance, 7, "the balance read here at once")
        stage.stamps.mark("read here")
        try stage.elsewhere {
          use(try stage.open().account(2).balance)
          stage.stamps.mark("read there")
        }
        try stage.spin(until: { completed }, "the completion")
        stage.ordered("read here", before: "completed")
        stage.ordered("read there", before: "completed")
      },
      // Completions come with a turn of the loop, so the order above says nothing of an engine that
      // flushes at once and only tells later. Here the flush cannot end before everybody has read.
      Probe("readers read while the flush is held up") { stage in
        let hooks = try stage.hooks()
        hooks.record()
        let realm = try stage.stocked()
        let flushing = Latch("the flush")
        let release = Latch("the flush's release")
        hooks.beforeFlush {
          flushing.open()
          if !release.wait(stage.patience) { stage.stamps.mark("nobody came to read") }
        }
        realm.beginWrite()
        realm.account(1).balance = 7
        var completed = false
        realm.commitAsyncWrite { _ in completed = true }
        try stage.wait(for: flushing)
        stage.equal(realm.account(1).balance, 7, "the balance read here")
        try stage.elsewhere { use(try stage.open().account(2).balance) }
        stage.expect(
          stage.stamps.of("nobody came to read") == nil, "reads while the flush goes on",
          observed: "the committing thread waited for the flush")
        hooks.beforeFlush(nil)
        release.open()
        try stage.spin(until: { completed }, "the completion")
      },
      BesideFlush.probe,
    ])
}
