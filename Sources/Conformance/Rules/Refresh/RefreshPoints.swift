import EngineUnderTest
import Foundation
import Harness

extension Rules.Refresh {
  static let points: [Rule] = [
    refresh01, refresh02, refresh03, refresh04, refresh05, refresh06, refresh07, refresh15,
    refresh16, refresh17, refresh19, refresh20,
  ]

  static let refresh01 = Rule(
    "REFRESH-01", .documented,
    "A newly opened realm MUST reflect the most recent successful commit.",
    source: "S0/S1/S3 Refreshing.",
    broken: "opens on the version of a sibling instance",
    probes: [
      Probe("each open sees the latest commit, whoever else is open") { stage in
        let sibling = try stage.stocked()
        sibling.autorefresh = false
        use(sibling.account(1).balance)
        for round in 1...5 {
          try stage.foreign { $0.account(1).balance = round }
          let fresh = try stage.seen { $0.account(1).balance }
          stage.equal(fresh, round, "what a new realm shows")
        }
        stage.equal(sibling.account(1).balance, 100, "what the old realm shows")
      }
    ] + OpenedBesideWrites.probes)

  static let refresh02 = Rule(
    "REFRESH-02", .documented,
    "It MUST stay on that version until refreshed.",
    source: "S0/S1/S3.",
    broken: "auto-advance on read",
    probes: [
      Probe("a realm stays where it is, however often it is read") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        try stage.elsewhere("loopless") {
          let realm = try stage.open()
          stage.equal(realm.account(1).balance, 100, "the balance at first")
          for round in 1...5 {
            try stage.foreign { $0.account(1).balance = round }
            stage.equal(realm.account(1).balance, 100, "the balance after commit \(round)")
            stage.equal(
              realm.objects(Account.self).where { $0.balance == 100 }.count, 1, "a new query")
          }
          stage.equal(realm.refresh(), true, "whether the refresh advanced")
          stage.equal(realm.account(1).balance, 5, "the balance after the refresh")
        }
      }
    ] + OpenedAgain.probes)

  static let refresh03 = Rule(
    "REFRESH-03", .documented,
    "`refresh()` MUST advance to the latest version and update all outstanding objects, "
      + "collections and results.",
    source: "S0/S1/S3; S4 (asyncRefresh wording); RS/Realm.swift:898.",
    broken: "stops at an intermediate version (real bug #7625)",
    probes: [
      Programs.comingUp.probe,
      Probe("a refresh goes to the latest version and takes everything along") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        let ann = realm.person("Ann")
        let dogs = ann.dogs
        let people = realm.objects(Person.self)
        let grown = realm.objects(Person.self).where { $0.age > 35 }
        let owners = dogs[0].owners
        for round in 1...10 {
          try stage.foreign { realm in
            realm.person("Ann").age = 100 + round
            realm.person("Ann").dogs.append(Dog(name: "new \(round)"))
            realm.add(Person(name: "person \(round)", age: 60))
            realm.person("person \(round)").dogs.append(realm.person("Ann").dogs[0])
          }
        }
        stage.equal(realm.refresh(), true, "whether the refresh advanced")
        stage.equal(ann.age, 110, "the object's property")
        stage.equal(dogs.count, 12, "the list's count")
        stage.equal(people.count, 13, "the results' count")
        stage.equal(grown.count, 13, "the query's count")
        stage.equal(owners.count, 11, "the owners' count")
      },
    ] + KindsMoved.byOthers + ByHand.probes + FirstOfItsClass.probes
      + Meetings.ofManyLookups
      + [.nestedRefresh, .stepsOverEmptyCommits, .refreshesWhileListenersAreBusy]
      + RealmMake.allCases.filter(\.isWritable).map { .refreshesInStates($0) })

  static let refresh04 = Rule(
    "REFRESH-04", .implementation,
    "`refresh()` MUST return true when it advanced, false when already latest.",
    source: "RS/Realm.swift:906.",
    broken: "constant",
    probes: [
      Probe("refresh() tells whether it advanced") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        use(realm.account(1).balance)
        stage.equal(realm.refresh(), false, "the answer with nothing new")
        try stage.foreign { $0.account(1).balance = 7 }
        stage.equal(realm.refresh(), true, "the answer with something new")
        stage.equal(realm.refresh(), false, "the answer the second time")
        realm.invalidate()
        stage.equal(realm.refresh(), true, "the answer of a realm that read nothing yet")
      }
    ] + [Probe.refreshAnswers, Probe.refreshBesideListeners])

  static let refresh05 = Rule(
    "REFRESH-05", .implementation,
    "`refresh()` inside a write MUST be a no-op returning false.",
    source: "(impl) OCT/RealmTests.mm:1427; shared_realm.cpp:1301.",
    broken: "refresh commits or rolls back the write; returns true",
    probes: [
      Probe("a refresh inside a write does nothing") { stage in
        let realm = try stage.stocked()
        try realm.write {
          realm.account(1).balance = 7
          stage.equal(realm.refresh(), false, "the answer")
          stage.equal(realm.account(1).balance, 7, "the balance in the write")
          stage.equal(realm.isInWriteTransaction, true, "whether the write goes on")
        }
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance elsewhere")
      }
    ] + RefreshHomes.inWrites)

  static let refresh06 = Rule(
    "REFRESH-06", .implementation,
    "`refresh()` from inside a notification callback of that realm MUST be a no-op "
      + "returning false.",
    source: "(impl) shared_realm.cpp:1306; TOS/results.cpp:663.",
    broken: "recursion/advance during delivery",
    probes: [
      Probe("a refresh inside a notification does nothing") { stage in
        let realm = try stage.stocked()
        var calls = 0
        var inside = [Bool]()
        var seen = [Int]()
        let token = realm.observe { _, realm in
          calls += 1
          guard calls == 1 else { return }
          do { try stage.foreign { $0.account(1).balance = 8 } } catch {
            stage.fail(expected: "a commit", observed: "\(error)")
          }
          inside.append(realm.refresh())
          seen.append(realm.account(1).balance)
        }
        try stage.foreign { $0.account(1).balance = 7 }
        realm.refresh()
        stage.equal(inside, [false], "the answer inside the notification")
        stage.equal(seen, [7], "the balance inside the notification")
        realm.refresh()
        stage.equal(realm.account(1).balance, 8, "the balance in the end")
        token.invalidate()
      }
    ] + Probe.refreshesInCalls)

  static let refresh07 = Rule(
    "REFRESH-07", .implementation,
    "`refresh()` on a frozen realm returns false; on a read-only realm it dies.",
    source: "(impl) OCT 2518.",
    broken: "frozen advances; read-only returns quietly",
    probes: [
      Probe("a frozen realm has nothing to refresh") { stage in
        let realm = try stage.stocked()
        let frozen = realm.freeze()
        try stage.foreign { $0.account(1).balance = 7 }
        stage.equal(frozen.refresh(), false, "the answer")
        stage.equal(frozen.account(1).balance, 100, "the balance")
      },
      Probe.dies(
        "a read-only realm", saying: "Read-only Realms do not change and cannot be refreshed"
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var configuration = stage.configuration()
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        stage.act { realm.refresh() }
      },
    ])

  static let refresh15 = Rule(
    "REFRESH-15", .documented,
    "The refresh point MUST also be: begin of a write (sync or async), resolve (REF-12), "
      + "asyncRefresh; and only those plus the ones above.",
    source: "S0 TSR comment; RS/Realm.swift:277.",
    broken: "version moves at other moments (query, property read, observe)",
    probes: [
      Programs.moving.probe,
      Probe("a begin moves the realm, and other calls do not") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        let account = realm.account(1)
        use(account.balance)
        try stage.foreign { $0.account(1).balance = 7 }
        let calls: [(String, () throws -> Void)] = [
          ("objects", { use(realm.objects(Person.self).count) }),
          ("a query", { use(realm.objects(Person.self).where { $0.age > 1 }.count) }),
          ("object(ofType:)", { use(realm.object(ofType: Account.self, forPrimaryKey: 2)) }),
          ("sorted", { use(realm.objects(Person.self).sorted(byKeyPath: "age").first) }),
          ("freeze", { use(realm.freeze().account(1).balance) }),
          ("configuration", { use(realm.configuration) }),
          ("isInWriteTransaction", { use(realm.isInWriteTransaction) }),
          ("a second open", { use(try stage.open().account(2).balance) }),
          ("observe", { realm.observe { _, _ in }.invalidate() }),
          ("isEmpty", { use(realm.isEmpty) }),
          ("autorefresh, read", { use(realm.autorefresh) }),
          ("autorefresh, set as it was", { realm.autorefresh = false }),
          ("autorefresh, turned on", { realm.autorefresh = true }),
          ("autorefresh, turned on again", { realm.autorefresh = true }),
          ("a read with autorefresh on", { use(realm.account(2).balance) }),
          ("autorefresh, turned off", { realm.autorefresh = false }),
          ("a reference", { use(ThreadSafeReference(to: account)) }),
          ("freeze of an object", { use(account.freeze().balance) }),
          (
            "observe of an object",
            { account.observe { (_: ObjectChange<Account>) in }.invalidate() }
          ),
          (
            "observe of a collection",
            { realm.objects(Account.self).observe { _ in }.invalidate() }
          ),
          ("sum", { use(realm.objects(Account.self).sum(ofProperty: "balance") as Int) }),
          ("a realm of another file", { try stage.open("other").write {} }),
        ]
        for (name, call) in calls {
          try call()
          stage.equal(account.balance, 100, "the balance after \(name)")
        }
        realm.beginWrite()
        stage.equal(account.balance, 7, "the balance after beginWrite")
        realm.cancelWrite()
      },
    ] + [Probe.readsStandStill, .silentCommits] + RefreshHomes.standsStill + Probe.ownCommits)

  static let refresh16 = Rule(
    "REFRESH-16", .documented,
    "`refresh()` MUST deliver applicable notifications synchronously before it returns.",
    source: "S4 (asyncRefresh \"deliver any applicable notifications\"); RS/Realm.swift:898; "
      + "TOS/results.cpp:296-309.",
    broken: "deferred",
    probes: [
      Probe("refresh() delivers before it returns") { stage in
        let realm = try stage.stocked()
        var told = false
        let token = realm.observe { _, _ in told = true }
        try stage.foreign { $0.account(1).balance = 7 }
        realm.refresh()
        stage.equal(told, true, "whether the observer was told when refresh() returned")
        token.invalidate()
      }
    ] + [.eachEar(by: "refresh")] + Probe.firstListeners + [.ownNews])

  static let refresh17 = Rule(
    "REFRESH-17", .documented,
    "The documented snippet `if (!realm.autorefresh) { realm.refresh() }` MUST compile "
      + "(discardable result) and have its effect.",
    source: "S0 Swift snippet.",
    broken: "result not discardable (warning or error)",
    probes: [
      Probe("the result may be left unused") { stage in
        try stage.compiles(
          "func f(_ realm: Realm) { if (!realm.autorefresh) { realm.refresh() } }",
          warningsAreErrors: true)
      },
      Probe("the documented snippet") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        use(realm.account(1).balance)
        try stage.foreign { $0.account(1).balance = 7 }
        if !realm.autorefresh {
          // Manually refresh
          realm.refresh()
        }
        stage.equal(realm.account(1).balance, 7, "the balance")
      },
    ])

  static let refresh19 = Rule(
    "REFRESH-19", .documented,
    "A refresh MUST advance monotonically; a realm never goes back to an older version "
      + "(except by starting a new read transaction through REF-13).",
    source: "S0/S1/S3 Git section.",
    broken: "older version after refresh",
    probes: [
      Probe("refreshes never go back") { stage in
        let behind = try stage.stocked()
        use(behind.account(1).balance)
        let stop = Latch("the writer's end")
        let started = Latch("the reader having started")
        var advances = 0
        let reader = stage.thread("reader") {
          let realm = try stage.open()
          var last = 0
          while !stop.isOpen {
            if realm.refresh() { advances += 1 }
            let now = realm.account(1).balance
            guard now >= last else {
              return stage.fail(expected: "at least \(last)", observed: "\(now)")
            }
            last = now
            started.open()
          }
          realm.refresh()
          stage.equal(realm.account(1).balance, 300, "the last balance")
        }
        try stage.wait(for: started)
        try stage.elsewhere("writer") {
          let realm = try stage.open()
          for round in 101...300 { try realm.write { realm.account(1).balance = round } }
        }
        stop.open()
        try stage.join(reader)
        stage.overlapped(advances > 1 ? 1 : 0)
      }
    ])

  static let refresh20 = Rule(
    "REFRESH-20", .documented,
    "After a foreign deletion and a refresh, accessors of the deleted object MUST report "
      + "`isInvalidated == true`, and property access MUST die.",
    source: "S0 Modify a Frozen Object comment (\"invalidated when it is deleted ... or when its "
      + "managing realm has invalidate() called\").",
    broken: "accessor silently re-created or returns stale data",
    probes: [
      Programs.refreshing.probe,
      Probe("an object deleted elsewhere is invalidated after the refresh") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        let account = realm.account(1)
        try stage.foreign { $0.delete($0.account(1)) }
        stage.equal(account.isInvalidated, false, "whether it is invalidated before")
        stage.equal(account.balance, 100, "the balance before")
        realm.refresh()
        stage.equal(account.isInvalidated, true, "whether it is invalidated after")
      },
      Probe.dies("a property of it is read", saying: Words.invalidated) { stage in
        let realm = try stage.stocked()
        let account = realm.account(1)
        use(account.balance)
        try stage.foreign { $0.delete($0.account(1)) }
        realm.refresh()
        stage.act { use(account.balance) }
      },
    ] + [Bygones.foreign, HeldThrough.refreshed] + Bygones.besideListeners + Probe.readsOfTheDeleted
      + [Lives.ofAccessors.probe] + Beyond.manyGone + ManyVersions.farBehind.prefix(1)
      + Meetings.byNameAlone)
}
