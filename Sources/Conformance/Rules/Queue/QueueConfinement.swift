import EngineUnderTest
import Foundation
import Harness

extension Rules.Queue {
  static let confinement: [Rule] = [
    queue01, queue02, queue03, queue04, queue05, queue06, queue07, queue10, queue11, queue13,
  ]

  static let queue01 = Rule(
    "QUEUE-01", .documented,
    "`Realm(configuration:queue:)` with a serial queue MUST be confined to that queue, "
      + "whichever worker thread runs its blocks.",
    source: "S0 Create a Serial Queue.",
    broken: "binds to thread",
    probes: [
      Programs.onQueue.probe,
      Probe("one realm of a queue, whichever thread runs the block") { stage in
        let queue = DispatchQueue(label: "serial")
        var realm: Realm?
        try stage.on(queue) {
          realm = try Realm(configuration: stage.configuration(), queue: queue)
          try realm!.write { Stage.stock(realm!) }
        }
        var threads = Set<UInt>()
        for round in 0..<20 {
          let ran = Latch("block \(round)")
          let block = {
            threads.insert(UInt(pthread_self()))
            stage.equal(realm!.account(1).balance, 100 + round, "the balance in block \(round)")
            try? realm!.write { realm!.account(1).balance += 1 }
            ran.open()
          }
          if round % 2 == 0 {
            stage.later(on: queue, block)
            try stage.wait(for: ran)
          } else {
            try stage.elsewhere { stage.on(queue) { block() } }
          }
        }
        stage.overlapped(threads.count > 1 ? 1 : 0)
        stage.on(queue) { realm = nil }
      },
    ] + QueueMakes.homes
      + [RealmMake.file, .memory, .readOnly].map { .answersInStates($0, [.queue]) })

  static let queue02 = Rule(
    "QUEUE-02", .documented,
    "A concurrent queue (custom or global) MUST be refused at open.",
    source: "S0 Create a Serial Queue (\"does not support ... concurrent queues, such as "
      + "global()\").",
    broken: "accepted",
    probes: [
      Probe("concurrent queues are refused") { stage in
        for queue in [
          DispatchQueue.global(), DispatchQueue(label: "concurrent", attributes: .concurrent),
        ] {
          do {
            _ = try stage.on(queue) {
              try Realm(configuration: stage.configuration(), queue: queue)
            }
            stage.fail(expected: "an error", observed: "a realm")
          } catch {
            stage.expect(
              error.localizedDescription.contains(
                "Realms can only be confined to serial queues or the main queue"),
              "Realm's words", observed: error.localizedDescription)
          }
        }
      }
    ] + Probe.concurrentListeners + QueueMakes.none)

  static let queue03 = Rule(
    "QUEUE-03", .implementation,
    "Opening for a queue from outside that queue MUST fail with its own diagnostic.",
    source: "(impl) OCT/RealmTests.mm:2177.",
    broken: "opens and binds lazily",
    probes: [
      Probe("an open off the queue", refusing: ["Realm opened from incorrect dispatch queue"]) {
        stage in
        let queue = DispatchQueue(label: "serial")
        stage.act { use(try Realm(configuration: stage.configuration(), queue: queue)) }
      },
      Probe(
        "an open off the queue, which has a realm open",
        refusing: ["Realm opened from incorrect dispatch queue"]
      ) { stage in
        let queue = DispatchQueue(label: "serial")
        let realm = try queue.sync {
          try Realm(configuration: stage.configuration(), queue: queue)
        }
        stage.act { use(try Realm(configuration: stage.configuration(), queue: queue)) }
        use(realm)
      },
    ] + Probe.opensElsewhere)

  static let queue04 = Rule(
    "QUEUE-04", .documented,
    "Using a queue realm off its queue MUST die.",
    source: "S0 rule 3.",
    broken: "no check for queue realms",
    probes: ["the main thread", "another queue", "a plain thread"].map { place in
      Probe.dies("used on \(place)", saying: Words.wrongThread) { stage in
        let queue = DispatchQueue(label: "serial")
        let realm = try stage.on(queue) {
          try Realm(configuration: stage.configuration(), queue: queue)
        }
        let trespass = { stage.act { use(realm.objects(Person.self).count) } }
        switch place {
        case "another queue":
          let ran = Latch("the other queue's block")
          stage.later(on: DispatchQueue(label: "other")) {
            trespass()
            ran.open()
          }
          try stage.wait(for: ran)
        case "a plain thread": try stage.elsewhere { trespass() }
        default: trespass()
        }
      }
    } + Probe.changesOffTheQueue + Probe.readsOffTheQueue + Probe.realmActsOffTheQueue
      + QueueMain.strays)

  static let queue05 = Rule(
    "QUEUE-05", .implementation,
    "`queue.sync` from another thread MUST count as being on the queue; the *thread*-bound "
      + "main realm stays usable inside `q.sync` called from main.",
    source: "(impl) OCT/RealmTests.mm:2190-2222.",
    broken: "thread id test only; or walks the whole sync stack",
    probes: [
      Probe("sync from another thread is on the queue, and the main realm stays usable in it") {
        stage in
        let main = try stage.stocked()
        let queue = DispatchQueue(label: "serial")
        let realm = try stage.on(queue) {
          try Realm(configuration: stage.configuration(), queue: queue)
        }
        stage.on(queue) {
          stage.equal(
            realm.account(1).balance, 100, "the queue's realm in sync from the main thread")
          stage.equal(main.account(1).balance, 100, "the main thread's realm inside that block")
        }
        try stage.elsewhere {
          stage.on(queue) {
            stage.equal(realm.account(1).balance, 100, "the queue's realm in sync from a thread")
          }
        }
      },
      Probe.dies(
        "inside a second queue's sync the first queue's realm is refused", saying: Words.wrongThread
      ) { stage in
        let one = DispatchQueue(label: "one")
        let two = DispatchQueue(label: "two")
        let realm = try stage.on(one) {
          try Realm(configuration: stage.configuration(), queue: one)
        }
        one.sync { two.sync { stage.act { use(realm.objects(Person.self).count) } } }
      },
    ] + Probe.threadsOnQueues)

  static let queue06 = Rule(
    "QUEUE-06", .implementation,
    "Opens for one queue MUST be cached per queue, distinct from the worker thread's own "
      + "instance and from other queues'.",
    source: "(impl) OCT/RealmTests.mm:2115.",
    broken: "cache by thread only",
    probes: [
      Probe("realms are cached by queue") { stage in
        let main = try stage.stocked()
        let one = DispatchQueue(label: "one")
        let two = DispatchQueue(label: "two")
        let first = try stage.on(one) {
          try Realm(configuration: stage.configuration(), queue: one)
        }
        let again = try stage.on(one) {
          try Realm(configuration: stage.configuration(), queue: one)
        }
        let other = try stage.on(two) {
          try Realm(configuration: stage.configuration(), queue: two)
        }
        stage.expect(first == again, "two opens for one queue are equal")
        stage.expect(first != other, "another queue's realm is not equal")
        stage.expect(first != main, "the main thread's realm is not equal")
      }
    ] + Probe.queueBesideThread + QueueListeners.probes)

  static let queue07 = Rule(
    "QUEUE-07", .documented,
    "`Realm(queue: .main)` MUST equal the main thread's realm.",
    source: "S4 Open (one main realm); (impl) OC/RLMScheduler.mm:63-75",
    broken: "separate main-queue instance",
    probes: [
      Probe("the main queue's realm is the main thread's") { stage in
        let one = try stage.open()
        let two = try Realm(configuration: stage.configuration(), queue: .main)
        stage.expect(one == two, "the realms are equal")
      }
    ] + [ConfineKinds.oneInstance])

  static let queue10 = Rule(
    "QUEUE-10", .implementation,
    "One configuration value MUST be reusable for several queues.",
    source: "(impl) OCT/RealmTests.mm:2224.",
    broken: "configuration stores the scheduler",
    probes: [
      Probe("one configuration serves several queues") { stage in
        let configuration = stage.configuration()
        var kept: [Realm] = []
        for number in 0..<3 {
          let queue = DispatchQueue(label: "queue \(number)")
          try stage.on(queue) {
            let realm = try Realm(configuration: configuration, queue: queue)
            kept.append(realm)
            try realm.write { realm.add(Account(id: number)) }
          }
        }
        stage.equal(try stage.seen { $0.objects(Account.self).count }, 3, "the accounts")
      }
    ])

  static let queue11 = Rule(
    "QUEUE-11", .documented,
    "The documented example (serial queue, `Realm(configuration: .defaultConfiguration, "
      + "queue: serialQueue)` inside `async`) MUST compile and run.",
    source: "S0 Create a Serial Queue code.",
    broken: "queue parameter ignored",
    probes: [
      Probe("the documented example, and its realm in a second block") { stage in
        Realm.Configuration.defaultConfiguration = stage.configuration()
        let serialQueue = DispatchQueue(label: "serial-queue")
        var kept: Realm?
        let done = Latch("the first block")
        stage.later(on: serialQueue) {
          let realm = try! Realm(configuration: .defaultConfiguration, queue: serialQueue)
          try! realm.write { realm.add(Person(name: "Ann", age: 1)) }
          kept = realm
          done.open()
        }
        try stage.wait(for: done)
        stage.on(serialQueue) {
          stage.equal(kept!.objects(Person.self).count, 1, "people seen in the second block")
          kept = nil
        }
      }
    ])

  static let queue13 = Rule(
    "QUEUE-13", .implementation,
    "Queues MUST be told apart by identity, and code on a queue that targets a realm's serial "
      + "queue counts as on it.",
    source:
      "OC/RLMScheduler.mm (a queue's scheduler); libdispatch: a block on a queue runs on its "
      + "targets.",
    broken: "told apart by label; a queue's blocks known by the innermost queue only",
    probes: [
      Probe("queues with one label have realms of their own") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let queues = (0..<3).map { _ in DispatchQueue(label: "one label") }
        let realms = try queues.map { queue in
          try stage.on(queue) { try Realm(configuration: stage.configuration(), queue: queue) }
        }
        for (number, queue) in queues.enumerated() {
          try stage.on(queue) {
            try realms[number].write { realms[number].account(1).balance = number }
            stage.equal(realms[number].account(1).balance, number, "the balance on \(number)")
            let again = try Realm(configuration: stage.configuration(), queue: queue)
            stage.expect(again == realms[number], "the realm of queue \(number) again")
          }
        }
        stage.expect(
          realms[0] != realms[1] && realms[1] != realms[2], "the realms are three")
      },
      Probe.dies("used on another queue of the same label", saying: Words.wrongThread) { stage in
        let (one, other) = (DispatchQueue(label: "label"), DispatchQueue(label: "label"))
        let realm = try stage.on(one) {
          try Realm(configuration: stage.configuration(), queue: one)
        }
        let ran = Latch("the other queue's block")
        stage.later(on: other) {
          stage.act { use(realm.objects(Person.self).count) }
          ran.open()
        }
        try stage.wait(for: ran)
      },
      Probe("blocks of queues that target the realm's are at home") { stage in
        let queue = DispatchQueue(label: "target")
        let near = DispatchQueue(label: "near", target: queue)
        let far = DispatchQueue(label: "far", target: near)
        let realm = try stage.on(queue) {
          let realm = try Realm(configuration: stage.configuration(), queue: queue)
          try realm.write { Stage.stock(realm) }
          return realm
        }
        for (number, place) in [near, far, queue, near].enumerated() {
          for waits in [true, false] {
            let ran = Latch("block \(number)")
            let block = {
              let account = realm.account(1)
              try? realm.write { account.balance = number }
              stage.equal(account.balance, number, "the balance in block \(number)")
              ran.open()
            }
            if waits { place.sync(execute: block) } else { stage.later(on: place, block) }
            try stage.wait(for: ran)
          }
        }
      },
    ] + Probe.chainsOfQueues
      + ["its target", "another queue that targets the same"].map { place in
        Probe.dies("used on \(place)", saying: Words.wrongThread) { stage in
          let target = DispatchQueue(label: "target")
          let queue = DispatchQueue(label: "realm's", target: target)
          let other = DispatchQueue(label: "other", target: target)
          let realm = try stage.on(queue) {
            try Realm(configuration: stage.configuration(), queue: queue)
          }
          let ran = Latch("the other block")
          stage.later(on: place == "its target" ? target : other) {
            stage.act { use(realm.objects(Person.self).count) }
            ran.open()
          }
          try stage.wait(for: ran)
        }
      } + Callback.probes([.neighbour]))
}

extension Probe {
  /// Opens for a queue, from each place that is not on it.
  fileprivate static let opensElsewhere: [Probe] = [
    "another queue", "another queue of the same label", "a concurrent queue", "a thread",
    "a thread, for the main queue", "another queue, for the main queue", "here, by default",
    "a thread, in memory", "a thread, read-only", "a thread, when its realm has gone",
  ].map { place in
    Probe(
      "an open off the queue: \(place)", refusing: ["Realm opened from incorrect dispatch queue"]
    ) { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      var configuration = stage.configuration()
      if place.hasSuffix("read-only") { configuration.readOnly = true }
      if place.hasSuffix("in memory") {
        configuration = Realm.Configuration(
          inMemoryIdentifier: "opens", objectTypes: Models.all)
      }
      let asked = configuration
      let home =
        place.hasSuffix("the main queue") ? DispatchQueue.main : DispatchQueue(label: "home")
      if place.hasSuffix("has gone") {
        try home.sync { use(try Realm(configuration: asked, queue: home).account(1).balance) }
      }
      func open() {
        stage.act {
          if place.hasSuffix("default") {
            Realm.Configuration.defaultConfiguration = asked
            use(try Realm(queue: home))
          } else {
            use(try Realm(configuration: asked, queue: home))
          }
        }
      }
      switch place {
      case "another queue": DispatchQueue(label: "another").sync { open() }
      case "another queue of the same label": DispatchQueue(label: "home").sync { open() }
      case "a concurrent queue":
        DispatchQueue(label: "concurrent", attributes: .concurrent).sync { open() }
      case "another queue, for the main queue":
        let done = Latch("the block's end")
        stage.later(on: DispatchQueue(label: "another")) {
          open()
          done.open()
        }
        try stage.wait(for: done)
      case "here, by default": open()
      default: try stage.elsewhere { open() }
      }
    }
  }
}
