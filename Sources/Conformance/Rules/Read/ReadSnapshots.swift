import EngineUnderTest
import Foundation
import Harness

extension Rules.Read {
  static let snapshots: [Rule] = [
    read04, read05, read06, read07, read08, read09, read10, read15,
  ]

  static let read04 = Rule(
    "READ-04", .documented,
    "Values read MUST never be corrupt or half-modified: every read sees the complete "
      + "effect of a whole number of committed transactions.",
    source: "S0/S1/S3 rule 1",
    broken: "in-place update; publishing the new root before all nodes are written; per-table "
      + "commit; long values copied without version check",
    probes: [
      Probe("readers see whole transactions only, in order") { stage in
        try stage.elsewhere {
          let realm = try stage.open()
          try realm.write {
            realm.add(Account(id: 1, balance: 0, note: ""))
            realm.add(Account(id: 2, balance: 0))
            realm.add(Person(name: "list"))
          }
        }
        let started = Latch("the readers having started")
        let stop = Latch("the writer's end")
        var versionsSeen = [0, 0]
        for number in 0..<2 {
          let member = stage.thread("reader \(number)") {
            let realm = try stage.open()
            var last = -1
            var seen = 0
            while true {
              let ends = stop.isOpen
              let one = realm.account(1)
              let counter = one.balance
              if counter != last { seen += 1 }
              guard counter >= last else {
                return stage.fail(
                  expected: "versions in order", observed: "\(counter) after \(last)")
              }
              last = counter
              let other = realm.account(2).balance
              guard counter + other == 0 else {
                return stage.fail(expected: "\(-counter) in the other table", observed: "\(other)")
              }
              let letter = Character(UnicodeScalar(UInt8(97 + counter % 26)))
              let note = one.note
              let expected = counter == 0 ? 0 : 2000
              guard note.count == expected, note.allSatisfy({ $0 == letter }) else {
                return stage.fail(
                  expected: "\(expected) times \(letter)",
                  observed: "\(note.count): \(note.prefix(20))")
              }
              let dogs = realm.person("list").dogs
              guard dogs.count == counter % 10 else {
                return stage.fail(expected: "\(counter % 10) dogs", observed: "\(dogs.count)")
              }
              guard !dogs.contains(where: { $0.age != counter / 10 }) else {
                return stage.fail(expected: "dogs of one round", observed: "\(dogs.map(\.age))")
              }
              if ends { break }
              if seen == 1 { started.open() }
              realm.refresh()
            }
            versionsSeen[number] = seen
            stage.expect(true, "every version was whole")
          }
          _ = member
        }
        try stage.wait(for: started)
        try stage.elsewhere("writer") {
          let realm = try stage.open()
          for counter in 1...120 {
            try realm.write {
              realm.account(1).balance = counter
              realm.account(1).note = String(
                repeating: Character(UnicodeScalar(UInt8(97 + counter % 26))), count: 2000)
              realm.account(2).balance = -counter
              let list = realm.person("list")
              if counter % 10 == 0 {
                realm.delete(list.dogs)
              } else {
                list.dogs.append(Dog(name: "d", age: counter / 10))
              }
            }
          }
        }
        stop.open()
        try stage.joinAll()
        stage.overlapped(versionsSeen.max()! > 2 ? 1 : 0)
      },
      Widths.probe,
    ])

  static let read05 = Rule(
    "READ-05", .documented,
    "Between two refresh points a live realm MUST keep returning the same data: property "
      + "values, counts, query results, aggregates, links and list contents.",
    source: "S0/S1/S3 Refreshing Realms (\"remains on that version until refreshed\")",
    broken: "query results evaluated against head; object reads through to head; only scalars "
      + "pinned",
    probes: [
      Programs.reading.probe,
      Probe("nothing moves until the refresh, then everything") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        try stage.elsewhere("loopless reader") {
          let realm = try stage.open()
          let ann = realm.person("Ann")
          let people = realm.objects(Person.self).sorted(byKeyPath: "name")
          let old = realm.objects(Person.self).where { $0.age > 35 }
          func look() -> String {
            let sum: Int = realm.objects(Person.self).sum(ofProperty: "age")
            return
              "\(ann.age) \(ann.dogs.map(\.name)) \(ann.best?.name ?? "nil") \(people.map(\.name)) "
              + "\(old.count) \(realm.objects(Dog.self).where { $0.age == 1 }.count) \(sum) "
              + "\(realm.object(ofType: Account.self, forPrimaryKey: 1)?.balance ?? -1) "
              + "\(ann.dogs[0].owners.map(\.name))"
          }
          let before = look()
          try stage.foreign { realm in
            realm.person("Ann").age = 99
            realm.person("Ann").best = nil
            realm.person("Ann").dogs.append(Dog(name: "new", age: 1))
            realm.delete(realm.person("Bob"))
            realm.delete(realm.account(1))
            realm.add(Person(name: "Dan", age: 70))
          }
          stage.equal(look(), before, "what the realm shows before its refresh")
          stage.equal(look(), before, "what it shows the second time")
          stage.equal(realm.refresh(), true, "whether the refresh advanced")
          let after = look()
          stage.equal(
            after,
            "99 [\"Ann\\'s 1\", \"Ann\\'s 2\", \"new\"] nil [\"Ann\", \"Cid\", \"Dan\"] 3 4 219 -1 "
              + "[\"Ann\"]",
            "what it shows afterwards")
        }
      },
    ] + Probe.questionsBeforeAnswers + [SectionPaths.probe]
      + RealmMake.allCases.map { .answersInStates($0) })

  static let read06 = Rule(
    "READ-06", .documented,
    "All objects and collections of one realm instance MUST be at one and the same version.",
    source: "S0 Communication Across Threads; S1 and S3 same; S1 \"One Version at a Time\"; S3 "
      + "paragraph \"Realm instance is designed to work with one version\"",
    broken: "per-object version pin; lazily refreshed accessors",
    probes: [
      Probe("an object taken later is of the same version") { stage in
        let realm = try stage.stocked()
        let one = realm.account(1)
        stage.equal(one.balance, 100, "the first balance")
        try stage.foreign { realm in
          realm.account(1).balance = 1000
          realm.account(2).balance = 2000
        }
        let two = realm.account(2)
        stage.equal(two.balance, 200, "the second balance, taken after the commit")
        stage.equal(one.balance, 100, "the first balance")
        realm.refresh()
        stage.equal(one.balance, 1000, "the first balance after the refresh")
        stage.equal(two.balance, 2000, "the second balance after the refresh")
      }
    ])

  static let read07 = Rule(
    "READ-07", .documented,
    "Uncommitted changes MUST be invisible to every other realm instance, thread and "
      + "process.",
    source: "S0/S1/S3 Git comparison (\"commits, which are atomic writes\"); Refreshing (\"most "
      + "recent successful write commit\")",
    broken: "writing through to shared pages; publishing per statement",
    probes: [
      Probe("what is not committed is nowhere else") { stage in
        let realm = try stage.stocked()
        let release = Latch("the reader's end")
        let writer = try stage.holdingWrite(until: release) { realm in
          realm.person("Ann").age = 99
          realm.add(Person(name: "Dan"))
          realm.delete(realm.person("Bob"))
        }
        stage.equal(realm.refresh(), false, "whether a refresh finds something")
        stage.equal(realm.person("Ann").age, 30, "Ann's age here")
        let seen = try stage.seen { realm in
          "\(realm.objects(Person.self).map(\.name).sorted()) \(realm.person("Ann").age)"
        }
        stage.equal(seen, "[\"Ann\", \"Bob\", \"Cid\"] 30", "what a fresh realm shows")
        release.open()
        try stage.join(writer)
        stage.equal(realm.refresh(), true, "whether a refresh finds the commit")
        stage.equal(realm.person("Ann").age, 99, "Ann's age after the commit")
      }
    ])

  static let read08 = Rule(
    "READ-08", .documented,
    "Inside its write transaction a realm MUST read its own changes, including through "
      + "Results obtained earlier.",
    source: "(impl) RST/RealmTests.swift testWrite..; S0 async example (completion reads appended "
      + "dogs)",
    broken: "Results cached per version number only",
    probes: Dependents.probes + [
      Programs.ownWrites.probe,
      Probe("a write reads what it wrote, through what was there before") { stage in
        let realm = try stage.stocked()
        let grown = realm.objects(Person.self).where { $0.age > 35 }
        let ann = realm.person("Ann")
        let dogs = ann.dogs
        let owners = dogs[0].owners
        stage.equal(grown.count, 2, "grown people before")
        try realm.write {
          realm.add(Person(name: "Dan", age: 70))
          stage.equal(realm.objects(Person.self).count, 4, "people in the write")
          stage.equal(grown.count, 3, "grown people in the write")
          ann.age = 36
          stage.equal(grown.count, 4, "grown people after another change")
          dogs.append(Dog(name: "new"))
          stage.equal(ann.dogs.count, 3, "Ann's dogs in the write")
          realm.person("Bob").dogs.append(dogs[0])
          stage.equal(owners.map(\.name).sorted(), ["Ann", "Bob"], "the owners in the write")
          realm.delete(realm.person("Bob"))
          stage.equal(grown.count, 3, "grown people after a deletion")
          stage.equal(owners.map(\.name), ["Ann"], "the owners after a deletion")
        }
      },
    ] + [.lookouts, ShownAnew.inWrites] + Probe.heldQuestions + TwoHands.probes + Arrivals.probes
      + TakenKeys.probes
      + TakenKeys.alone + Beyond.ownWrites + Probe.keptQuestions + [Probe.lookupsInWrites]
      + AskedAgain.probes + [EmptiedClasses.probe])

  static let read09 = Rule(
    "READ-09", .documented,
    "Different threads MUST be able to be on different versions at the same time, each "
      + "consistent.",
    source: "S0 Communication (\"many active versions of an object at any time\"); S1; S3",
    broken: "keep only last two versions",
    probes: [
      Probe("four threads on four versions at one time") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let everybody = Latch("everybody having opened")
        var members: [Cast.Member] = []
        for version in 0..<4 {
          try stage.foreign { $0.account(1).balance = version }
          let opened = Latch("reader \(version) having opened")
          members.append(
            stage.thread("reader \(version)") {
              let realm = try stage.open()
              use(realm.account(1).balance)
              opened.open()
              try stage.wait(for: everybody)
              stage.equal(realm.account(1).balance, version, "the balance on reader \(version)")
            })
          try stage.wait(for: opened)
        }
        everybody.open()
        for member in members { try stage.join(member) }
      }
    ] + [KindsMoved.eachOnItsOwn])

  static let read10 = Rule(
    "READ-10", .implementation,
    "Reading MUST begin a read transaction lazily and hold it; a realm that holds no read "
      + "transaction (just invalidated, never read) MUST see the latest version on its next "
      + "read.",
    source: "(impl) RS/Realm.swift:991-1010; OCT/RealmTests.mm:1225, 1307",
    broken: "invalidate keeps the old version",
    probes: [
      Probe("an invalidated realm reads the latest version") { stage in
        let realm = try stage.stocked()
        stage.equal(realm.account(1).balance, 100, "the balance at first")
        try stage.foreign { $0.account(1).balance = 7 }
        stage.equal(realm.account(1).balance, 100, "the balance before invalidate()")
        realm.invalidate()
        stage.equal(realm.account(1).balance, 7, "the balance after invalidate()")
      }
    ] + [.firstQuestions] + Keyed.firstProbes)

  static let read15 = Rule(
    "READ-15", .documented,
    "A reader whose snapshot contains a since-deleted or since-modified object MUST keep "
      + "reading the old content without error.",
    source: "S0/S1/S3 rule 1; Internal Structure (original version untouched)",
    broken: "free list ignores bound versions (reuses space too early)",
    probes: [
      Probe("a snapshot keeps its content while its space is wanted") { stage in
        let realm = try stage.open()
        try realm.write {
          for id in 0..<50 {
            realm.add(Blob(id: id, bytes: Data(repeating: UInt8(id), count: 500)))
            realm.add(Account(id: id, balance: id, note: String(repeating: "n\(id)", count: 20)))
          }
        }
        realm.autorefresh = false
        let blobs = realm.objects(Blob.self)
        let accounts = realm.objects(Account.self)
        stage.equal(blobs.count, 50, "the number of blobs")
        try stage.elsewhere("writer") {
          let writer = try stage.open()
          try writer.write { writer.delete(writer.objects(Blob.self).where { $0.id >= 25 }) }
          for round in 1...150 {
            try writer.write {
              for id in 0..<25 {
                writer.object(ofType: Blob.self, forPrimaryKey: id)!.bytes =
                  Data(repeating: 0xEE, count: 500 + round)
              }
              writer.account(round % 50).note = String(repeating: "z", count: 100 + round)
              writer.account(round % 50).balance = -round
            }
          }
        }
        for id in 0..<50 {
          let blob = realm.object(ofType: Blob.self, forPrimaryKey: id)
          guard
            stage.expect(
              blob?.bytes == Data(repeating: UInt8(id), count: 500), "blob \(id) as it was",
              observed:
                "\(blob.map { "\($0.bytes.count) bytes of \($0.bytes.first ?? 0)" } ?? "no blob")")
          else { return }
          let account = realm.account(id)
          guard
            stage.expect(
              account.balance == id && account.note == String(repeating: "n\(id)", count: 20),
              "account \(id) as it was", observed: "\(account.balance) \(account.note.prefix(20))")
          else { return }
        }
        stage.equal(accounts.map(\.id).sorted(), Array(0..<50), "the accounts")
        realm.refresh()
        stage.equal(blobs.count, 25, "the number of blobs after the refresh")
      }
    ] + [Probe.changesBesideOlderVersions] + ManyVersions.heldAtOnce
      + [Programs.keepingElsewhere.probe])
}
