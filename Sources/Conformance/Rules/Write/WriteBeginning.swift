import EngineUnderTest
import Foundation
import Harness

extension Rules.Write {
  static let beginning: [Rule] = [
    write09, write10, write11, write12, write13, write14, write22, write23, write28, write29,
  ]

  static let write09 = Rule(
    "WRITE-09", .documented,
    "Beginning a synchronous write while the same realm is already in one MUST die.",
    source: "RS/Realm.swift:268 (impl); S0 rule 2",
    broken: "nesting counted; self-deadlock (child hangs: fail)",
    probes: [
      Probe.dies("a begin inside a write", saying: Words.alreadyInWrite) { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        stage.act { realm.beginWrite() }
      },
      Probe.dies("a write inside a write", saying: Words.alreadyInWrite) { stage in
        let realm = try stage.stocked()
        try realm.write { stage.act { try realm.write {} } }
      },
      Probe.dies("a write inside a write through a second Realm()", saying: Words.alreadyInWrite) {
        stage in
        let realm = try stage.stocked()
        let again = try stage.open()
        try realm.write { stage.act { try again.write {} } }
      },
    ] + WriteMoments.nestedBegins)

  static let write10 = Rule(
    "WRITE-10", .documented,
    "`write(_:)` MUST commit when the block returns normally and return the block's value.",
    source: "S0 examples; RST testWriteReturning:283",
    broken: "commit deferred",
    probes: [
      Probe("write commits and hands over its block's value") { stage in
        let realm = try stage.open()
        let id = try realm.write {
          realm.add(Account(id: 3, balance: 4))
          return 3
        }
        stage.equal(id, 3, "the block's value")
        stage.equal(realm.isInWriteTransaction, false, "whether the realm is still writing")
        stage.equal(try stage.seen { $0.account(3).balance }, 4, "what another thread sees")
      }
    ] + Probe.valuesOfBlocks)

  static let write11 = Rule(
    "WRITE-11", .implementation,
    "If the block of `write(_:)` throws, the transaction MUST be cancelled and that same "
      + "error rethrown.",
    source: "(impl) RS/Realm.swift:264-268; RST testThrowsWrite:316",
    broken: "commits before rethrow; leaves the transaction open",
    probes: [
      Probe("a block that throws leaves nothing and frees the lock") { stage in
        struct Trouble: Error { let number: Int }
        let realm = try stage.stocked()
        do {
          try realm.write {
            realm.account(1).balance = 7
            throw Trouble(number: 42)
          }
          stage.fail(expected: "the block's error", observed: "no error")
        } catch let error as Trouble {
          stage.equal(error.number, 42, "the error's number")
        }
        stage.equal(realm.isInWriteTransaction, false, "whether the realm is still writing")
        stage.equal(realm.account(1).balance, 100, "the balance here")
        try stage.foreign { $0.account(2).balance = 8 }
        stage.equal(try stage.seen { $0.account(1).balance }, 100, "the balance elsewhere")
      }
    ] + [.blocksEnd] + EndedBlocks.probes)

  static let write12 = Rule(
    "WRITE-12", .implementation,
    "Inside `write(_:)` the block MAY call `cancelWrite()` or `commitWrite()`; afterwards "
      + "`write` MUST neither commit again nor fail.",
    source: "RS/Realm.swift:365-367 doc; OCT/RealmTests.mm:1205-1222",
    broken: "unconditional commit (error)",
    probes: [
      Probe("a block cancels by itself") { stage in
        let realm = try stage.stocked()
        try realm.write {
          realm.account(1).balance = 7
          realm.cancelWrite()
        }
        stage.equal(realm.account(1).balance, 100, "the balance")
      },
      Probe("a block commits by itself and reads on") { stage in
        let realm = try stage.stocked()
        try realm.write {
          realm.account(1).balance = 7
          try realm.commitWrite()
          stage.equal(realm.account(1).balance, 7, "the balance read in the block")
        }
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance elsewhere")
      },
    ])

  static let write13 = Rule(
    "WRITE-13", .implementation,
    "`cancelWrite()` outside a write MUST die.",
    source: "(impl) OCT/RealmTests.mm:1435.",
    broken: "silent no-op",
    probes: [
      Probe.dies("a cancellation outside a write", saying: Words.nothingToCancel) { stage in
        let realm = try stage.stocked()
        stage.act { realm.cancelWrite() }
      }
    ] + WriteMoments.strayCancels)

  static let write14 = Rule(
    "WRITE-14", .implementation,
    "`commitWrite()` outside a write MUST throw (not die).",
    source: "(impl).",
    broken: "no-op; crash",
    probes: [
      Probe("a commit outside a write throws") { stage in
        let realm = try stage.stocked()
        do {
          try realm.commitWrite()
          stage.fail(expected: "an error", observed: "none")
        } catch {
          stage.expect(
            error.localizedDescription.contains(Words.nothingToCommit), "Realm's words",
            observed: error.localizedDescription)
        }
        stage.equal(realm.account(1).balance, 100, "the balance read afterwards")
      }
    ] + [WriteMoments.strayCommits] + [.strayCommits])

  static let write22 = Rule(
    "WRITE-22", .implementation,
    "`isInWriteTransaction` MUST be true exactly between begin and commit/cancel of that "
      + "instance; other instances on other threads see false.",
    source: "RST/RealmTests.swift:330; OS/shared_realm.cpp:699",
    broken: "file-wide flag",
    probes: [
      Probe("the flag is true from begin to end, in this realm only") { stage in
        let realm = try stage.stocked()
        stage.equal(realm.isInWriteTransaction, false, "the flag before")
        realm.beginWrite()
        stage.equal(realm.isInWriteTransaction, true, "the flag inside")
        try stage.elsewhere {
          stage.equal(
            try stage.open().isInWriteTransaction, false, "the flag of another thread's realm")
        }
        try realm.commitWrite()
        stage.equal(realm.isInWriteTransaction, false, "the flag after the commit")
        realm.beginWrite()
        realm.cancelWrite()
        stage.equal(realm.isInWriteTransaction, false, "the flag after the cancellation")
        struct Trouble: Error {}
        do {
          try realm.write {
            stage.equal(realm.isInWriteTransaction, true, "the flag in write's block")
            throw Trouble()
          }
        } catch {}
        stage.equal(realm.isInWriteTransaction, false, "the flag after a block that threw")
      }
    ] + [.flags])

  static let write23 = Rule(
    "WRITE-23", .implementation,
    "If the last reference to a realm goes away inside an open write, the write MUST be "
      + "rolled back and the lock freed.",
    source: "(impl) OC/RLMRealm.mm:849-858",
    broken: "lock leak; implicit commit",
    probes: [
      Probe("a realm dropped inside its write leaves nothing and frees the lock") { stage in
        let bystander = try stage.stocked()
        try stage.elsewhere("forgetful writer") {
          let realm = try stage.open()
          realm.beginWrite()
          realm.account(1).balance = 7
        }
        try stage.foreign { $0.account(2).balance = 8 }
        stage.equal(
          try stage.seen { "\($0.account(1).balance) \($0.account(2).balance)" }, "100 8",
          "the balances")
        use(bystander)
      }
    ] + Probe.endedThreads)

  static let write28 = Rule(
    "WRITE-28", .implementation,
    "While begin delivers notifications (because it advanced the realm) the realm MUST "
      + "already be in the write transaction.",
    source: "RS/Realm.swift:277-279; OCT/RealmTests.mm:1333; TOS/results.cpp:808",
    broken: "notify before taking the lock",
    probes: [
      Probe("news delivered by beginWrite come inside the write") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        use(realm.account(1).balance)
        var flags: [Bool] = []
        let token = realm.observe { notification, realm in
          if notification == .didChange { flags.append(realm.isInWriteTransaction) }
        }
        try stage.foreign { $0.account(1).balance = 7 }
        realm.beginWrite()
        stage.equal(flags, [true], "the flag in the notification")
        realm.cancelWrite()
        token.invalidate()
      }
    ] + [.eachEar(by: "begin"), .eachEar(by: "write")])

  static let write29 = Rule(
    "WRITE-29", .documented,
    "An object added or created in a write MUST stay usable on that thread after the "
      + "commit, with `realm` set.",
    source: "S4 examples (object returned out of asyncWrite).",
    broken: "accessor detached at commit",
    probes: [
      Probe("an object made in a write stays usable after it") { stage in
        let realm = try stage.open()
        let person = try realm.write {
          realm.create(Person.self, value: ["name": "Dan", "age": 5])
        }
        stage.equal(person.age, 5, "the age")
        stage.expect(person.realm == realm, "the object's realm is the realm")
        let added = Person(name: "Eve", age: 6)
        try realm.write { realm.add(added) }
        stage.equal(added.age, 6, "the age of the one that was added")
        stage.expect(added.realm == realm, "its realm is the realm")
        try realm.write { added.age = 7 }
        stage.equal(try stage.seen { $0.person("Eve").age }, 7, "the age elsewhere")
      }
    ] + Beyond.chains + Probe.chainsInEachWay + [Probe.ownObjects]
      + Probe.ownCollections)
}
