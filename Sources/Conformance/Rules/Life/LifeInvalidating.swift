import EngineUnderTest
import Foundation
import Harness

extension Rules.Life {
  static let invalidating: [Rule] = [
    life04, life05, life06, life07, life12, life18,
  ]

  static let life04 = Rule(
    "LIFE-04", .documented,
    "`invalidate()` MUST invalidate all objects, lists and results of that instance, "
      + "release its version, and leave the realm usable (next read: latest version).",
    source: "S0/S1 code comment (\"invalidated when ... its managing realm has invalidate() called "
      + "on it\"); RS/Realm.swift:991.",
    broken: "old data still readable; version not released",
    probes: [
      Programs.invalidating.probe,
      Probe("invalidate() takes everything and leaves the realm usable") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        let dogs = ann.dogs
        stage.equal(ann.isInvalidated, false, "whether the object was invalidated before")
        realm.invalidate()
        stage.equal(ann.isInvalidated, true, "whether the object is invalidated")
        stage.equal(dogs.isInvalidated, true, "whether the list is invalidated")
        stage.equal(realm.person("Ann").age, 30, "what the realm reads next")
      },
      Probe("after invalidate() the realm reads the latest version") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        stage.equal(realm.person("Ann").age, 30, "Ann's age before")
        try stage.foreign { $0.person("Ann").age = 31 }
        stage.equal(realm.person("Ann").age, 30, "Ann's age after a foreign commit")
        realm.invalidate()
        stage.equal(realm.person("Ann").age, 31, "Ann's age after invalidate()")
        // The latest is that of the read, and not of the end of what was before.
        realm.invalidate()
        try stage.foreign { $0.person("Ann").age = 32 }
        stage.equal(realm.person("Ann").age, 32, "Ann's age, changed after invalidate()")
      },
      Probe("invalidate() lets its version go") { stage in
        let realm = try stage.open()
        try realm.write { realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: Stage.blobSize))) }
        realm.autorefresh = false
        use(realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes.first)
        for round in 100..<120 { try stage.foreign { try stage.overwriteInWrite($0, with: round) } }
        realm.invalidate()
        try stage.growsNoMore("after invalidate()")
        use(realm)
      },
      Probe.dies("an object's property", saying: Words.invalidated) { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        realm.invalidate()
        stage.act { use(ann.age) }
      },
      Probe.dies("a list", saying: "is no longer valid", Words.invalidated) { stage in
        let realm = try stage.stocked()
        let dogs = realm.person("Ann").dogs
        realm.invalidate()
        stage.act { use(dogs.count) }
      },
      Probe.dies("results", saying: "Access to invalidated Results objects", Words.invalidated) {
        stage in
        let realm = try stage.stocked()
        let people = realm.objects(Person.self).where { $0.age > 1 }
        use(people.count)
        realm.invalidate()
        stage.act { use(people.count) }
      },
    ] + Probe.readsOfTheInvalid(frozen: false) + [.invalidatedWhatever]
      + [LifeKinds.invalidated, LifeHeard.probe])

  static let life05 = Rule(
    "LIFE-05", .implementation,
    "`invalidate()` in a write MUST roll the write back.",
    source: "(impl) OCT/RealmTests.mm:1296.",
    broken: "commit on invalidate",
    probes: [
      Probe("invalidate() in a write rolls it back") { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        realm.account(1).balance = 7
        realm.invalidate()
        stage.equal(realm.isInWriteTransaction, false, "whether the realm is still writing")
        // The lock must be free: another thread's write would wait for it without end.
        stage.equal(realm.account(1).balance, 100, "the balance here")
        try stage.foreign { $0.account(2).balance = 8 }
        stage.equal(try stage.seen { $0.account(1).balance }, 100, "the balance elsewhere")
      }
    ] + [.invalidatedWrites])

  static let life06 = Rule(
    "LIFE-06", .implementation,
    "`invalidate()` twice, or before any read, MUST be a no-op.",
    source: "RS/Realm.swift:1007.",
    broken: "dies",
    probes: [
      Probe("invalidate() before any read, and twice") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let realm = try stage.open()
        realm.invalidate()
        realm.invalidate()
        stage.equal(realm.account(1).balance, 100, "the balance")
        realm.invalidate()
        realm.invalidate()
        stage.equal(realm.account(1).balance, 100, "the balance again")
      }
    ] + LifeKinds.twice)

  static let life07 = Rule(
    "LIFE-07", .implementation,
    "`invalidate()` inside a notification callback MUST be ignored.",
    source: "(impl) OS/shared_realm.cpp:1115; TOS/results.cpp:830.",
    broken: "invalidates during delivery (use after free)",
    probes: [
      Probe("invalidate() in a notification is ignored") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        var ages: [Int] = []
        let token = realm.observe { _, realm in
          realm.invalidate()
          ages.append(ann.isInvalidated ? -1 : ann.age)
        }
        try stage.foreign { $0.person("Ann").age = 31 }
        realm.refresh()
        stage.equal(ages, [31], "Ann's age after invalidate() in the notification")
        stage.equal(ann.isInvalidated, false, "whether Ann is invalidated afterwards")
        token.invalidate()
      },
      Probe("invalidate() in the news of a collection and of an object is ignored") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        let people = realm.objects(Person.self)
        var told: [String] = []
        let tokens = [
          people.observe { _ in
            realm.invalidate()
            told.append("people \(people.isInvalidated ? -1 : people.count)")
          },
          ann.observe { (_: ObjectChange<Person>) in
            realm.invalidate()
            told.append("Ann \(ann.isInvalidated ? -1 : ann.age)")
          },
        ]
        try stage.spin(until: { told.contains("people 3") }, "the initial news")
        told = []
        try stage.foreign { $0.person("Ann").age = 31 }
        try stage.spin(until: { told.count == 2 }, "the news of both")
        stage.equal(told.sorted(), ["Ann 31", "people 3"], "what was read in the notifications")
        for token in tokens { token.invalidate() }
      },
    ] + Probe.invalidatedInCalls + Probe.invalidatingListeners)

  static let life12 = Rule(
    "LIFE-12", .documented,
    "`isInvalidated` on objects MUST be true after deletion (seen by that realm), after "
      + "invalidate, and false otherwise, for unmanaged false.",
    source: "S0/S1 code comment; RST/ObjectTests.swift:113.",
    broken: "false after foreign deletion and refresh",
    probes: [
      Programs.ending.probe,
      Probe("isInvalidated tells, in every state") { stage in
        let realm = try stage.stocked()
        let account = realm.account(1)
        let other = realm.account(2)
        stage.equal(account.isInvalidated, false, "the answer of a managed object")
        stage.equal(Account(id: 9).isInvalidated, false, "the answer of an unmanaged object")
        try realm.write { realm.delete(account) }
        stage.equal(account.isInvalidated, true, "the answer of a deleted object")
        try stage.foreign { $0.delete($0.account(2)) }
        realm.refresh()
        stage.equal(other.isInvalidated, true, "the answer of an object deleted elsewhere")
        let third = realm.account(3)
        realm.invalidate()
        stage.equal(third.isInvalidated, true, "the answer after invalidate()")
      },
    ] + Revenants.probes(.accessor) + [LifeKinds.deleted, Orphans.asked])

  static let life18 = Rule(
    "LIFE-18", .documented,
    "Closing or invalidating on one thread MUST NOT affect instances on other threads.",
    source: "S0 Use the Same Realm (separate instances).",
    broken: "file-wide invalidation",
    probes: [
      Probe("invalidating and closing on one thread leaves the others") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        try stage.elsewhere {
          let other = try stage.open()
          use(other.person("Ann").age)
          other.invalidate()
        }
        stage.equal(ann.isInvalidated, false, "whether Ann is invalidated here")
        stage.equal(ann.age, 30, "Ann's age here")
        try stage.elsewhere {
          let frozen = try stage.open().freeze()
          frozen.invalidate()
        }
        stage.equal(ann.age, 30, "Ann's age after a frozen realm went")
      }
    ] + [.neighboursEnd])
}
