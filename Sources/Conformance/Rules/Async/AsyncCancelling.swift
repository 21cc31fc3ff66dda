import EngineUnderTest
import Foundation
import Harness

extension Rules.Async {
  static let cancelling: [Rule] = [
    async26, async27, async28, async29, async30,
  ]

  static let async26 = Rule(
    "ASYNC-26", .documented,
    "`beginAsyncWrite`, `writeAsync` and `commitAsyncWrite` MUST return an id, unique per "
      + "realm among all pending operations; type UInt32, discardable.",
    source: "S0 (\"returns an ID\"); RLMAsyncTransactionId.",
    broken: "constant 0 (cancels the wrong one)",
    probes: [
      Probe("every call gives another id") { stage in
        let realm = try stage.stocked()
        var ids: [AsyncTransactionId] = []
        var done = 0
        for _ in 0..<5 {
          ids.append(
            realm.writeAsync {
            } onComplete: { _ in
              done += 1
            })
          ids.append(
            realm.beginAsyncWrite { ids.append(realm.commitAsyncWrite { _ in done += 1 }) })
        }
        try stage.spin(until: { done == 10 }, "ten completions")
        stage.equal(Set(ids).count, 15, "the number of different ids")
      }
    ] + [.idsOfAllKinds])

  static let async27 = Rule(
    "ASYNC-27", .documented,
    "`cancelAsyncWrite(beginId)` before the block starts MUST cancel the entire "
      + "transaction: block and completion never run.",
    source: "S0 Commit or Cancel.",
    broken: "only completion suppressed",
    probes: [
      Probe("a cancelled begin never runs") { stage in
        let realm = try stage.stocked()
        var ran = 0
        let one = realm.beginAsyncWrite { ran += 1 }
        let two = realm.writeAsync {
          ran += 1
        } onComplete: { _ in
          ran += 1
        }
        try realm.cancelAsyncWrite(one)
        try realm.cancelAsyncWrite(two)
        var fence = false
        realm.writeAsync {
          realm.account(1).balance = 7
        } onComplete: { _ in
          fence = true
        }
        try stage.spin(until: { fence }, "a later write")
        stage.equal(ran, 0, "how many of them ran")
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "what the later write wrote")
      }
    ] + [LateWrites.cancelled.probe] + Probe.crowdsOfBlocks)

  static let async28 = Rule(
    "ASYNC-28", .documented,
    "`cancelAsyncWrite(commitId)` MUST only suppress that completion; the commit still "
      + "happens.",
    source: "S0.",
    broken: "rolls the data back",
    probes: [
      Probe("a cancelled commit only loses its completion") { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        realm.account(1).balance = 7
        var told = false
        let id = realm.commitAsyncWrite { _ in told = true }
        try realm.cancelAsyncWrite(id)
        var fence = false
        realm.writeAsync {
        } onComplete: { _ in
          fence = true
        }
        try stage.spin(until: { fence }, "a later completion")
        stage.equal(told, false, "whether the completion came")
        stage.equal(realm.account(1).balance, 7, "the balance here")
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance elsewhere")
      }
    ] + Probe.cancelledAmongOthers + [.silencedBeforeItsEnd] + [LateWrites.silenced.probe])

  static let async29 = Rule(
    "ASYNC-29", .implementation,
    "Cancelling an unknown, already finished or already cancelled id MUST be a no-op and "
      + "not throw.",
    source: "OCT/RealmTests.mm:1969; RS/Realm.swift:466-480 (declared throws, never does for "
      + "these).",
    broken: "throws/dies; cancels neighbour",
    probes: [
      Probe("ids that are unknown or used up change nothing") { stage in
        let realm = try stage.stocked()
        var done = 0
        let id = realm.writeAsync {
          realm.account(1).balance = 7
        } onComplete: { _ in
          done += 1
        }
        try realm.cancelAsyncWrite(id &+ 1000)
        try stage.spin(until: { done == 1 }, "the first completion")
        try realm.cancelAsyncWrite(id)
        let dropped = realm.beginAsyncWrite { done += 100 }
        try realm.cancelAsyncWrite(dropped)
        try realm.cancelAsyncWrite(dropped)
        realm.writeAsync {
          realm.account(2).balance = 8
        } onComplete: { _ in
          done += 1
        }
        try stage.spin(until: { done == 2 }, "the second completion")
        stage.equal(
          try stage.seen { "\($0.account(1).balance) \($0.account(2).balance)" }, "7 8",
          "the balances")
      }
    ] + [LateWrites.finished.probe, Probe.strangeIds] + Probe.strayIds)

  static let async30 = Rule(
    "ASYNC-30", .implementation,
    "`cancelAsyncWrite` with the id of the block currently running MUST be a no-op.",
    source: "RS/Realm.swift:471-473; OCT/RealmTests.mm:1907 region.",
    broken: "rollback",
    probes: [
      Probe("a block cannot cancel itself by its id") { stage in
        let realm = try stage.stocked()
        var id: AsyncTransactionId = 0
        var done = false
        id = realm.beginAsyncWrite {
          try! realm.cancelAsyncWrite(id)
          realm.account(1).balance = 7
          realm.commitAsyncWrite { _ in done = true }
        }
        try stage.spin(until: { done }, "the completion")
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance")
      }
    ] + Probe.cancelledInTheirBlocks)
}

extension Probe {
  /// What a block cancels while it runs: itself, which is nothing, again and again; one that has
  /// ended, which is nothing either; one that waits, which never runs.
  static let cancelledInTheirBlocks: [Probe] = RealmHome.Kind.allCases.flatMap { kind in
    ["beginAsyncWrite", "writeAsync"].map { verb in
      Probe("ids that are cancelled in the block of \(verb), on \(kind.rawValue)") { stage in
        Backstage.hooks?.skipFlushes()
        try stage.elsewhere { _ = try stage.stocked() }
        let home = RealmHome(kind)
        var realm: Realm! = try home.open(stage)
        for round in 1...3 {
          var told: [String] = []
          var ids: [AsyncTransactionId] = []
          func begin(_ name: String, _ block: @escaping () -> Void) {
            if verb == "writeAsync" {
              ids.append(
                realm.writeAsync(
                  {
                    told.append("\(name) runs")
                    block()
                  }, onComplete: { told.append("\(name) \($0 == nil ? "ends" : "fails")") }))
            } else {
              ids.append(
                realm.beginAsyncWrite {
                  told.append("\(name) runs")
                  block()
                  realm.commitAsyncWrite {
                    told.append("\(name) \($0 == nil ? "ends" : "fails")")
                  }
                })
            }
          }
          func cancel(_ place: Int) {
            do { try realm.cancelAsyncWrite(ids[place]) } catch {
              stage.fail(expected: "no error of a cancel", observed: "\(error)")
            }
          }
          home.work {
            begin("one") { realm.account(1).balance = 10 * round }
            begin("two") {
              realm.account(2).balance = 10 * round
              for _ in 0..<2 { cancel(1) }
              cancel(2)
              cancel(2)
              realm.account(3).balance = 10 * round
            }
            begin("three") { realm.account(1).balance = -1 }
            begin("four") { for _ in 0..<3 { cancel(3) } }
          }
          try stage.spin(until: { home.work { told.contains("four ends") } }, "the last one")
          let runs = ["one runs", "two runs", "four runs"]
          stage.equal(
            home.work { told.filter { $0.hasSuffix("runs") } }, runs, "who ran, round \(round)")
          stage.expect(
            home.work { told.contains("two ends") }, "one that cancels itself ends",
            observed: "\(home.work { told })")
          stage.equal(
            try stage.seen { realm in (1...3).map { realm.account($0).balance } },
            [10 * round, 10 * round, 10 * round], "the balances, round \(round)")
          stage.equal(
            home.work { realm.isPerformingAsynchronousWriteOperations }, false, "what goes on")
        }
        home.work { realm = nil }
      }
    }
  }
}
