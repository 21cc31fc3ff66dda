import EngineUnderTest
import Foundation
import Harness

extension Rules.Async {
  static let beginning: [Rule] = [
    async01, async02, async03, async04, async05, async31, async32, async33, async35, async53,
    async54, async56,
  ]

  static let async01 = Rule(
    "ASYNC-01", .documented,
    "`writeAsync` and `beginAsyncWrite` MUST return at once; the block MUST NOT run inside "
      + "the call.",
    source: "S0 Perform a Background Write; S2 Perform Background Writes; RS/Realm.swift:411-440",
    broken: "block run inline when the lock is free",
    probes: ["writeAsync", "beginAsyncWrite"].map { verb in
      Probe("\(verb) returns before its block runs") { stage in
        let realm = try stage.stocked()
        var ran = false
        if verb == "writeAsync" {
          realm.writeAsync { ran = true }
        } else {
          realm.beginAsyncWrite {
            ran = true
            realm.cancelWrite()
          }
        }
        stage.equal(ran, false, "whether the block ran inside the call")
        try stage.spin(until: { ran }, "the block")
        stage.equal(ran, true, "whether it ran later")
      }
    })

  static let async02 = Rule(
    "ASYNC-02", .documented,
    "They MUST NOT block the caller while another thread or process holds the write lock.",
    source: "S2 (\"waiting to obtain the write lock ... in the background\"); S0.",
    broken: "takes the lock in the call",
    probes: [
      Probe("beginAsyncWrite returns while another thread writes") { stage in
        let realm = try stage.stocked()
        let release = Latch("the call having returned")
        let writer = try stage.holdingWrite(until: release)
        var got = false
        realm.beginAsyncWrite {
          stage.stamps.mark("got")
          got = true
          realm.cancelWrite()
        }
        stage.stamps.mark("returned")
        var other = false
        stage.later(on: .main) { other = true }
        try stage.spin(until: { other }, "another block of the main queue")
        stage.equal(got, false, "whether the block ran while the other was writing")
        release.open()
        try stage.join(writer)
        try stage.spin(until: { got }, "the block")
        stage.ordered("returned", before: "release")
        stage.ordered("release", before: "got")
      }
    ] + LateTurns.onTheMainThread)

  static let async03 = Rule(
    "ASYNC-03", .documented,
    "The write block MUST run on the realm's source thread, queue or actor.",
    source: "S0 (\"execute on the source thread\"); S2 (\"the write block itself runs on the "
      + "calling thread\").",
    broken: "block on helper thread (captured live objects then die)",
    probes: [
      Probe("the block runs on the main thread") { stage in
        let realm = try stage.stocked()
        let home = pthread_self()
        var same: Bool?
        realm.writeAsync { same = pthread_equal(home, pthread_self()) != 0 }
        try stage.spin(until: { same != nil }, "the block")
        stage.equal(same, true, "whether it is the same thread")
      }
    ])

  static let async04 = Rule(
    "ASYNC-04", .documented,
    "The write block MUST run inside a write transaction that holds the file's write lock, "
      + "on the latest version.",
    source: "S0; S2.",
    broken: "block on the version of the call",
    probes: [
      Probe("the block is inside the write, on the latest version, alone") { stage in
        let realm = try stage.stocked()
        // Else the realm may have come to the latest version by itself before the block runs.
        realm.autorefresh = false
        let release = Latch("the begin")
        let writer = try stage.holdingWrite(until: release) { $0.account(1).balance = 7 }
        var seen: String?
        realm.writeAsync {
          seen = "\(realm.isInWriteTransaction) \(realm.account(1).balance)"
          realm.account(1).balance += 1
        }
        release.open()
        try stage.join(writer)
        try stage.spin(until: { seen != nil }, "the block")
        stage.equal(seen, "true 7", "the flag and the balance in the block")
        try stage.spin(until: { !realm.isPerformingAsynchronousWriteOperations }, "the commit")
        stage.equal(try stage.seen { $0.account(1).balance }, 8, "the balance in the end")
      }
    ] + [LateWrites.waiting.probe])

  static let async05 = Rule(
    "ASYNC-05", .documented,
    "Objects and collections obtained before the call MUST be usable inside the block "
      + "without reference or freezing.",
    source:
      "S0 Perform a Background Write (+code); S2 (\"without using frozen objects or passing a "
      + "thread-safe reference\").",
    broken: "block gets a private realm",
    probes: [
      Probe("what was there before the call is used inside it") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        let dogs = ann.dogs
        let people = realm.objects(Person.self).where { $0.age > 35 }
        var done = false
        realm.writeAsync {
          ann.age = 36
          dogs.append(Dog(name: "new"))
          stage.equal(people.count, 3, "the query in the block")
        } onComplete: { _ in
          done = true
        }
        try stage.spin(until: { done }, "the completion")
        stage.equal(ann.age, 36, "Ann's age")
        stage.equal(try stage.seen { $0.person("Ann").dogs.count }, 3, "Ann's dogs elsewhere")
      }
    ])

  static let async31 = Rule(
    "ASYNC-31", .implementation,
    "`beginAsyncWrite` on a loopless thread's realm MUST die.",
    source: "(impl).",
    broken: "never runs (silent)",
    probes: ["beginAsyncWrite", "writeAsync"].map { verb in
      Probe.dies(
        "\(verb) on a thread without loop",
        saying:
          "Cannot schedule async transaction. Make sure you are running from inside a run loop"
      ) { stage in
        try stage.elsewhere {
          let realm = try stage.stocked()
          stage.act {
            if verb == "writeAsync" { realm.writeAsync {} } else { realm.beginAsyncWrite {} }
          }
        }
      }
    } + AsyncRefusals.loopless)

  static let async32 = Rule(
    "ASYNC-32", .implementation,
    "Starting an async write from inside a commit completion MUST die.",
    source: "(impl) OCT/RealmTests.mm:1836.",
    broken: "allowed",
    probes: [
      Probe.dies(
        "an async write begins in a completion",
        saying: "Can't begin a write transaction from inside a commit completion callback"
      ) { stage in
        let realm = try stage.stocked()
        var done = false
        realm.writeAsync {
        } onComplete: { _ in
          stage.act { realm.beginAsyncWrite {} }
          done = true
        }
        try stage.spin(until: { done }, "the completion")
      }
    ] + Probe.completionsWithin + Probe.beginsWithin + Probe.beginsInUnbegun)

  static let async33 = Rule(
    "ASYNC-33", .implementation,
    "`commitAsyncWrite` or `cancelWrite` from inside a completion MUST die; a *synchronous* "
      + "`write` inside a completion is allowed.",
    source: "(impl).",
    broken: "allowed and corrupts the running completion loop; or sync write refused",
    probes: [
      // First, because those below cannot be asked where it is refused.
      Probe("a plain write in a completion") { stage in
        try stage.inCompletion { realm in try! realm.write { realm.account(1).balance = 7 } }
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance")
      },
      Probe.dies(
        "commitAsyncWrite in a completion",
        saying: "Can't commit a write transaction from inside a commit completion callback"
      ) { stage in
        try stage.inCompletion { realm in
          realm.beginWrite()
          stage.act { realm.commitAsyncWrite() }
        }
      },
      Probe.dies(
        "cancelWrite in a completion",
        saying: "Can't cancel a write transaction from inside a commit completion callback"
      ) { stage in
        try stage.inCompletion { realm in
          realm.beginWrite()
          stage.act { realm.cancelWrite() }
        }
      },
      Probe("a plain write in a completion, while a later commit has yet to be told") { stage in
        let realm = try stage.stocked()
        var told: [String] = []
        realm.beginWrite()
        realm.account(1).balance = 1
        realm.commitAsyncWrite { _ in
          told.append("first")
          try! realm.write { realm.account(1).balance += 10 }
        }
        realm.beginWrite()
        realm.account(1).balance += 100
        realm.commitAsyncWrite { _ in told.append("second") }
        try realm.write { realm.account(1).balance += 1000 }
        try stage.spin(until: { told.count == 2 }, "both completions")
        stage.equal(told, ["first", "second"], "the completions")
        stage.equal(try stage.seen { $0.account(1).balance }, 1111, "the balance")
      },
      Probe("a completion that writes calls no later one before those in between") { stage in
        // Where the flush cannot be held up, what is asked for holds all the same.
        let hooks = Backstage.hooks
        hooks?.record()
        let realm = try stage.stocked()
        for _ in 0..<3 {
          var (order, ran): ([Int], Int) = ([], 0)
          let (held, release) = (Latch("the flush of the group"), Latch("its end"))
          hooks?.beforeFlush {
            held.open()
            _ = release.wait(stage.patience)
          }
          for number in 0..<2 {
            realm.beginAsyncWrite {
              realm.account(1).balance = number
              realm.commitAsyncWrite(allowGrouping: true) { _ in
                order.append(number)
                if number == 0 { try! realm.write { realm.account(2).balance += 1 } }
              }
              ran += 1
            }
          }
          try stage.spin(until: { ran == 2 }, "both blocks")
          if hooks != nil { try stage.wait(for: held) }
          // The group's end cannot come home before this is under way, too.
          hooks?.beforeFlush(nil)
          release.open()
          realm.beginWrite()
          realm.account(1).balance = 2
          realm.commitAsyncWrite { _ in order.append(2) }
          try stage.spin(until: { order.count == 3 }, "three completions")
          stage.equal(order, [0, 1, 2], "the order of the completions")
        }
      },
    ] + Probe.endsWithin)

  static let async35 = Rule(
    "ASYNC-35", .documented,
    "Async begin on read-only or frozen realms MUST die.",
    source: "S0 Frozen (opening a write transaction on a frozen realm); OCT/RealmTests.mm:1949.",
    broken: "error only at commit; write goes to a private copy",
    probes: [
      Probe.dies("on a frozen realm", saying: Words.frozenWrite) { stage in
        let frozen = try stage.stocked().freeze()
        stage.act { frozen.writeAsync {} }
      },
      Probe.dies("on a read-only realm", saying: Words.readOnly) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var configuration = stage.configuration()
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        stage.act { realm.writeAsync {} }
      },
    ] + AsyncRefusals.unwritable)

  static let async53 = Rule(
    "ASYNC-53", .documented,
    "While a write block executes, new transactions of the same thread wait, and other "
      + "writers wait.",
    source: "S2 Perform Background Writes.",
    broken: "block does not hold the lock while it runs",
    probes: [
      Probe("while an async block runs others wait") { stage in
        let realm = try stage.stocked()
        let attempt = Latch("the other writer's attempt")
        let got = Latch("the other writer being inside")
        var ran = false
        let inside = Latch("the block")
        let other = stage.thread("other writer") {
          let realm = try stage.open()
          try stage.wait(for: inside)
          attempt.open()
          realm.beginWrite()
          stage.stamps.mark("got")
          got.open()
          stage.equal(realm.account(1).balance, 7, "the balance seen by the other")
          realm.cancelWrite()
        }
        realm.writeAsync {
          inside.open()
          realm.account(1).balance = 7
          _ = attempt.wait(stage.patience)
          stage.letShow(got)
          stage.stamps.mark("block's end")
          ran = true
        }
        try stage.spin(until: { ran }, "the block")
        try stage.spin(until: { other.isDone }, "the other writer's end")
        try stage.join(other)
        stage.ordered("block's end", before: "got")
      }
    ])

  static let async54 = Rule(
    "ASYNC-54", .implementation,
    "An async write that holds the lock while its (busy) source queue has not yet run the "
      + "block does block writers elsewhere.",
    level: .informative,
    source: "(impl) issue #8250. Record as an observation/benchmark (\"lock held while waiting for "
      + "the queue\"), not as a requirement. A reference engine may do better (take the lock "
      + "only when the queue is ready).",
    broken: "(none: informative)",
    probes: [
      Probe("a write that waits for its busy queue; whether others get in is recorded only") {
        stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let queue = DispatchQueue(label: "serial")
        let release = Latch("the queue's release")
        let done = Latch("the async write")
        var realm: Realm?
        try stage.on(queue) {
          realm = try Realm(configuration: stage.configuration(), queue: queue)
          realm!.writeAsync {
            realm!.account(1).balance += 1
          } onComplete: { _ in
            done.open()
          }
        }
        stage.later(on: queue) { _ = release.wait(.milliseconds(200)) }
        let other = stage.thread("other writer") {
          try stage.foreign { $0.account(2).balance += 1 }
        }
        release.open()
        try stage.wait(for: done)
        try stage.join(other)
        stage.equal(
          try stage.seen { "\($0.account(1).balance) \($0.account(2).balance)" }, "101 201",
          "both in the end")
        stage.on(queue) { realm = nil }
      }
    ])

  static let async56 = Rule(
    "ASYNC-56", .documented,
    "The documented example must compile verbatim: `realm.writeAsync { ... } onComplete: { "
      + "_ in ... }`, and the documentation's own overload `writeAsync(_:errorHandler:block:)` "
      + "MUST coexist.",
    source: "S0 Perform a Background Write; S0/S1 ThreadSafeReference extension.",
    broken: "overload ambiguity",
    probes: [
      Probe("the documented call compiles") { stage in
        try stage.compiles(
          "func f(_ realm: Realm) { realm.writeAsync { realm.deleteAll() } onComplete: { _ in } }")
      },
      Probe("the documented call and the documented extension side by side") { stage in
        let realm = try stage.stocked()
        let people = realm.objects(Person.self)
        var completed = false
        realm.writeAsync {
          for person in people { person.dogs.append(Dog(name: "async")) }
        } onComplete: { _ in
          completed = true
        }
        try stage.spin(until: { completed }, "the completion")
        stage.equal(people.map(\.dogs.count), [3, 3, 3], "the dogs")
        let handled = Latch("the extension's block")
        realm.writeAsync(people, errorHandler: { _ in }) { realm, people in
          if let people { realm.delete(people) }
          handled.open()
        }
        try stage.wait(for: handled)
        try stage.spin(until: { people.count == 0 }, "the deletion")
        stage.equal(try stage.seen { $0.objects(Person.self).count }, 0, "the people left")
      },
    ])
}

extension Stage {
  /// Does something in the completion of an asynchronous write, and waits until it is done.
  fileprivate func inCompletion(_ act: @escaping (Realm) -> Void) throws {
    let realm = try stocked()
    var done = false
    realm.writeAsync {
    } onComplete: { _ in
      act(realm)
      done = true
    }
    try spin(until: { done }, "the completion")
  }
}
