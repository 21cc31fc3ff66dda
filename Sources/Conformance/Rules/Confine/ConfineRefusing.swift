import EngineUnderTest
import Foundation
import Harness

extension Rules.Confine {
  static let refusing: [Rule] = [
    confine01, confine02, confine03, confine04, confine05, confine17, confine19, confine20,
  ]

  static let confine01 = Rule(
    "CONFINE-01", .documented,
    "Using a live `Realm` on a thread other than its own MUST die on every call that "
      + "touches data or state.",
    source: "S0/S1/S3 rule 3; S0 Use the Same Realm Across Threads; S2 Errors.",
    broken: "only writes checked; check compiled out in release",
    probes: Probe.eachElsewhere(acts: Probe.Act.ofRealm) + Probe.deletesElsewhere
      + Keyed.elsewhere + ConfineEntries.realms + ConfineEnded.realms
      + Probe.trespassesInStates + ConfineUnread.onThreads)

  static let confine02 = Rule(
    "CONFINE-02", .documented,
    "Reading a property of a live managed object on another thread MUST die with the same "
      + "text.",
    source: "S0/S1/S3 rule 3; RST/ModernObjectAccessorTests.swift:674 testThreadChecking.",
    broken: "getters unchecked",
    probes: ["Int", "String", "link", "list", "inherited query"].map { kind in
      Probe.dies(kind, saying: Words.wrongThread) { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        try stage.elsewhere {
          stage.act {
            switch kind {
            case "Int": use(ann.age)
            case "String": use(ann.name)
            case "link": use(ann.best)
            case "list": use(ann.dogs.count)
            default: use(ann.dogs.where { $0.age > 1 }.count)
            }
          }
        }
      }
    } + Probe.readsElsewhere + ConfineEntries.objects + ConfineEnded.objects)

  static let confine03 = Rule(
    "CONFINE-03", .documented,
    "Writing a property on another thread MUST die with the thread text even when that "
      + "other thread is itself inside a write on its own realm.",
    source: "S0 rule 3.",
    broken: "accepts because \"a\" write is open on this thread",
    probes: [
      Probe.dies("a setter on a thread without a write", saying: Words.wrongThread) { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        try stage.elsewhere { stage.act { ann.age = 7 } }
      },
      Probe.dies("a setter on a thread that is inside its own write", saying: Words.wrongThread) {
        stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        try stage.elsewhere {
          let own = try stage.open()
          own.beginWrite()
          stage.act { ann.age = 7 }
        }
      },
    ] + Trespass.changes + Probe.changesElsewhere)

  static let confine04 = Rule(
    "CONFINE-04", .documented,
    "Live Results, List, MutableSet, Map, LinkingObjects, AnyRealmCollection, sectioned "
      + "results and projections MUST be confined likewise.",
    source: "S0 Pass Instances Across Threads (\"Realm, Results, List, and managed Objects\"); S1; "
      + "docs table (SEND)",
    broken: "`count` cached without check",
    probes: [
      Probe.dies("Results' count", saying: Words.wrongThread) { stage in
        let results = try stage.stocked().objects(Person.self)
        try stage.elsewhere { stage.act { use(results.count) } }
      },
      Probe.dies("Results' count, known before", saying: Words.wrongThread) { stage in
        let results = try stage.stocked().objects(Person.self).where { $0.age > 30 }
        use(results.count)
        try stage.elsewhere { stage.act { use(results.count) } }
      },
      Probe.dies("Results' subscript", saying: Words.wrongThread) { stage in
        let results = try stage.stocked().objects(Person.self)
        try stage.elsewhere { stage.act { use(results[0]) } }
      },
      Probe.dies("Results' iteration", saying: Words.wrongThread) { stage in
        let results = try stage.stocked().objects(Person.self)
        try stage.elsewhere { stage.act { for person in results { use(person) } } }
      },
      Probe.dies("Results' first", saying: Words.wrongThread) { stage in
        let results = try stage.stocked().objects(Person.self)
        try stage.elsewhere { stage.act { use(results.first) } }
      },
      Probe.dies("Results' filter, evaluated", saying: Words.wrongThread) { stage in
        let results = try stage.stocked().objects(Person.self)
        try stage.elsewhere { stage.act { use(results.where { $0.age > 30 }.count) } }
      },
      Probe.dies("a projection's property", saying: Words.wrongThread) { stage in
        let view = PersonView(projecting: try stage.stocked().person("Ann"))
        try stage.elsewhere { stage.act { use(view.fullName) } }
      },
      Probe.dies("sections' count", saying: Words.wrongThread) { stage in
        let sections = try stage.stocked().objects(Person.self).sectioned(by: \.age)
        use(sections.count)
        try stage.elsewhere { stage.act { use(sections.count) } }
      },
      Probe.dies("Results' aggregate", saying: Words.wrongThread) { stage in
        let results = try stage.stocked().objects(Person.self)
        try stage.elsewhere {
          stage.act {
            let sum: Int = results.sum(ofProperty: "age")
            use(sum)
          }
        }
      },
      Probe.dies("a List", saying: Words.wrongThread) { stage in
        let list = try stage.stocked().person("Ann").dogs
        try stage.elsewhere { stage.act { use(list.count) } }
      },
      Probe.dies("a List's element", saying: Words.wrongThread) { stage in
        let list = try stage.stocked().person("Ann").dogs
        try stage.elsewhere { stage.act { use(list[0]) } }
      },
      Probe.dies("LinkingObjects", saying: Words.wrongThread) { stage in
        let owners = try stage.stocked().person("Ann").dogs[0].owners
        try stage.elsewhere { stage.act { use(owners.count) } }
      },
      Probe.dies("a MutableSet", saying: Words.wrongThread) { stage in
        let realm = try stage.open()
        let set = try realm.write { realm.create(Everything.self) }.words
        try stage.elsewhere { stage.act { use(set.count) } }
      },
      Probe.dies("a Map", saying: Words.wrongThread) { stage in
        let realm = try stage.open()
        let map = try realm.write { realm.create(Everything.self) }.scores
        try stage.elsewhere { stage.act { use(map.count) } }
      },
    ] + Trespass.readings + Mixture.readings + Probe.readsOfMembersElsewhere
      + ConfineEntries.collections + FarQuestions.collections)

  static let confine05 = Rule(
    "CONFINE-05", .documented,
    "Confinement MUST be checked on each access, deterministically, not only when data "
      + "happens to be loaded.",
    source: "S2 Suspending (without protection \"inconsistent behaviour\") describes app-level "
      + "luck: whether the thread changed; given a changed thread the engine must always "
      + "report.",
    broken: "check only on first evaluation; sampling",
    probes: (0..<6).map { number in
      Probe.dies("access \(number)", saying: Words.wrongThread) { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        let evaluated = realm.objects(Person.self).where { $0.age > 30 }
        let fresh = realm.objects(Person.self).where { $0.age > 40 }
        use(evaluated.count)
        use(ann.age)
        // Half of them only after the same thread has read a lot of the same at home.
        if number % 2 == 0 { for _ in 0..<1000 { use(ann.age) } }
        try stage.elsewhere {
          stage.act {
            switch number / 2 {
            case 0: use(ann.age)
            case 1: use(evaluated.count)
            default: use(fresh.count)
            }
          }
        }
      }
    }
      + Meetings.strangersAsArguments + Probe.confinedAtEachMoment + ConfineUnread.offQueues)

  static let confine17 = Rule(
    "CONFINE-17", .documented,
    "Assigning or appending a live object of another thread's instance MUST die (thread "
      + "text, or the managed-by-another-realm text).",
    source: "S0 rule 3 and Append section.",
    broken: "key copied across instances",
    probes: [
      foreignDog("linked") { $0.best = $1 },
      foreignDog("appended") { $0.dogs.append($1) },
    ] + Probe.neighbouringGifts)

  /// A dog of one thread's realm is given to a person of another's.
  private static func foreignDog(
    _ how: String, _ give: @escaping @Sendable (Person, Dog) -> Void
  ) -> Probe {
    .dies(
      "an object of another thread's realm is \(how)", saying: Words.wrongThread,
      Words.managedElsewhere
    ) { stage in
      let realm = try stage.stocked()
      let dog = realm.person("Ann").dogs[0]
      try stage.elsewhere {
        let own = try stage.open()
        own.beginWrite()
        stage.act { give(own.person("Bob"), dog) }
      }
    }
  }

  static let confine19 = Rule(
    "CONFINE-19", .documented,
    "A thread-confined realm that is opened in a block on a dispatch queue (no `queue:` "
      + "argument) MUST be bound to the worker thread, not to the queue.",
    source: "S0 Create a Serial Queue (pass `queue:`); RS/Realm.swift:40-46.",
    broken: "silently queue-bound",
    probes: [
      Probe.dies("a realm opened in a block without queue:", saying: Words.wrongThread) { stage in
        let queue = DispatchQueue(label: "serial")
        var realm: Realm?
        let opened = Latch("the first block's end")
        stage.later(on: queue) {
          realm = try? stage.stocked()
          opened.open()
        }
        try stage.wait(for: opened)
        // A block that another thread runs with sync runs on that other thread.
        queue.sync { stage.act { use(realm!.objects(Person.self).count) } }
      }
    ])

  static let confine20 = Rule(
    "CONFINE-20", .documented,
    "After an `await` that resumes on another thread, use of a thread-bound realm MUST die; "
      + "the error is about confinement.",
    source: "S2 Suspending Execution; Tasks and TaskGroups; Errors.",
    broken: "binding to task rather than thread",
    probes: [
      Probe.diesInTask(
        "a thread's realm after an await that changed threads", saying: Words.wrongThread
      ) { stage in
        try await wanderer(stage)
      }
    ])
}
