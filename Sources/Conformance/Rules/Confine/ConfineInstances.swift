import EngineUnderTest
import Foundation
import Harness

extension Rules.Confine {
  static let instances: [Rule] = [
    confine10, confine11, confine12, confine13, confine14, confine15,
  ]

  static let confine10 = Rule(
    "CONFINE-10", .documented,
    "Two opens with the same configuration on one thread MUST yield the same underlying "
      + "instance (`==`, shared write state, shared version, shared autorefresh flag).",
    source: "(impl) OC/RLMRealmUtil.mm:40-70; S0 thread-confinement ensures one internal version "
      + "per thread",
    broken: "fresh instance each time (two versions in one thread; self-deadlock on write)",
    probes: [
      Probe("two opens on one thread are one realm") { stage in
        let one = try stage.stocked()
        let two = try stage.open()
        stage.expect(one == two, "the realms are equal")
        one.autorefresh = false
        stage.equal(two.autorefresh, false, "the other's autorefresh")
        one.beginWrite()
        stage.equal(two.isInWriteTransaction, true, "whether the other is writing")
        one.account(1).balance = 7
        stage.equal(two.account(1).balance, 7, "what the other reads")
        try two.commitWrite()
        stage.equal(one.isInWriteTransaction, false, "whether the first is still writing")
      }
    ] + Probe.manyInstances + [ConfineKinds.oneInstance] + OpenedAgain.probes
      + ConfineSettings.probes
      + RealmMake.allCases.map { .instancesInStates($0) })

  static let confine11 = Rule(
    "CONFINE-11", .documented,
    "Opens on different threads MUST yield different instances.",
    source: "S0 \"You cannot share realm instances across threads\".",
    broken: "one process-wide instance",
    probes: [
      Probe("opens on two threads are two realms") { stage in
        let one = try stage.stocked()
        let other = try stage.elsewhere { try stage.open() }
        stage.expect(one != other, "the realms differ", observed: "they are equal")
      }
    ] + [ConfineKinds.twoInstances])

  static let confine12 = Rule(
    "CONFINE-12", .documented,
    "The main thread and the main queue and `MainActor` MUST share one instance.",
    source: "S4 Open (realm1 and realm2 identical).",
    broken: "three instances",
    probes: [
      Probe.task("main thread, main queue and MainActor share one realm") { stage in
        try await MainActor.run {
          let one = try stage.stocked()
          let two = try Realm(configuration: stage.configuration(), queue: .main)
          stage.expect(one == two, "the main thread's realm is the main queue's")
          one.beginWrite()
          stage.equal(two.isInWriteTransaction, true, "whether the other is writing")
          one.cancelWrite()
        }
        try await mainRealmIsShared(stage)
      }
    ] + [ActorOpens.ofTheMainActor])

  static let confine13 = Rule(
    "CONFINE-13", .implementation,
    "A cached instance of a dead thread MUST NOT be handed to a new thread which reuses the "
      + "thread id.",
    source: "(impl) OC/RLMRealmUtil.mm:60-68; OCT/RealmTests.mm:2807; CHANGELOG 5.x.",
    broken: "cache keyed by raw pthread id",
    probes: [
      Probe("a new thread never gets a dead thread's realm") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var kept: [Person] = []
        for number in 0..<50 {
          try stage.elsewhere("thread \(number)") {
            let realm = try stage.open()
            kept.append(realm.person("Ann"))
            guard realm.account(1).balance == 100 else {
              return stage.fail(
                expected: "a balance of 100", observed: "\(realm.account(1).balance)")
            }
          }
        }
        stage.equal(kept.count, 50, "the number of threads that read")
      }
    ])

  static let confine14 = Rule(
    "CONFINE-14", .implementation,
    "The cache MUST be weak: once no reference to the instance or its objects remains, the "
      + "next open on that thread starts on the latest version with default flags.",
    source: "RS/Realm.swift:878-883.",
    broken: "strong cache keeps an old version",
    probes: [
      Probe("a realm nobody holds is forgotten") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        do {
          let realm = try stage.open()
          realm.autorefresh = false
          stage.equal(realm.account(1).balance, 100, "the balance at first")
        }
        try stage.foreign { $0.account(1).balance = 7 }
        let realm = try stage.open()
        stage.equal(realm.account(1).balance, 7, "the balance without refresh")
        stage.equal(realm.autorefresh, true, "autorefresh")
      },
      Probe("a realm that was opened several times is forgotten, too") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        for count in 2...4 {
          do {
            let realms = try (0..<count).map { _ in try stage.open() }
            realms[0].autorefresh = false
            stage.equal(
              realms.map(\.autorefresh), Array(repeating: false, count: count), "autorefresh")
            use(realms[count - 1].account(1).balance)
          }
          try stage.foreign { $0.account(1).balance = count }
          let realm = try stage.open()
          stage.equal(realm.account(1).balance, count, "the balance without refresh")
          stage.equal(realm.autorefresh, true, "autorefresh of the next one")
        }
      },
    ])

  static let confine15 = Rule(
    "CONFINE-15", .implementation,
    "An object or collection MUST keep its realm alive.",
    source: "RS/Realm.swift:880.",
    broken: "weak back reference, use-after-free",
    probes: [
      Probe("what is held keeps its realm") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var results: Results<Person>?
        var before: Realm?
        do {
          let realm = try stage.open()
          realm.autorefresh = false
          results = realm.objects(Person.self)
          before = realm
        }
        before = nil
        try stage.foreign { $0.add(Person(name: "Dan")) }
        stage.equal(results!.count, 3, "the number of people in the results")
        let again = try stage.open()
        stage.equal(again.autorefresh, false, "autorefresh of the realm opened again")
        stage.expect(results!.realm == again, "the results' realm is the realm opened again")
      }
    ] + [ConfineKinds.keeping])
}
