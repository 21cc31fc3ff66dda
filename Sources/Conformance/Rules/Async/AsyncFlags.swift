import EngineUnderTest
import Foundation
import Harness

extension Rules.Async {
  static let flags: [Rule] = [
    async13, async14, async15, async16,
  ]

  static let async13 = Rule(
    "ASYNC-13", .documented,
    "`isPerformingAsynchronousWriteOperations` MUST be true right after `writeAsync`, "
      + "`beginAsyncWrite` or `commitAsyncWrite` returns.",
    source: "S0 Wait for Async Writes.",
    broken: "becomes true only when the helper starts",
    probes: [
      Probe("the flag is true right after each call") { stage in
        let realm = try stage.stocked()
        stage.equal(realm.isPerformingAsynchronousWriteOperations, false, "the flag at first")
        var done = 0
        realm.writeAsync {
        } onComplete: { _ in
          done += 1
        }
        stage.equal(realm.isPerformingAsynchronousWriteOperations, true, "after writeAsync")
        try stage.spin(until: { done == 1 }, "the first completion")
        realm.beginAsyncWrite {
          realm.commitAsyncWrite { _ in done += 1 }
          stage.equal(realm.isPerformingAsynchronousWriteOperations, true, "after commitAsyncWrite")
        }
        stage.equal(realm.isPerformingAsynchronousWriteOperations, true, "after beginAsyncWrite")
        try stage.spin(until: { done == 2 }, "the second completion")
        realm.beginWrite()
        realm.commitAsyncWrite { _ in done += 1 }
        stage.equal(
          realm.isPerformingAsynchronousWriteOperations, true,
          "after a commitAsyncWrite of a plain write")
        try stage.spin(until: { done == 3 }, "the third completion")
      }
    ])

  static let async14 = Rule(
    "ASYNC-14", .documented,
    "It MUST stay true until all scheduled async work has completed, and be false "
      + "afterwards.",
    source: "S0 Wait for Async Writes.",
    broken: "reset after the first; never reset",
    probes: [
      Probe("the flag stays true to the last completion") { stage in
        let realm = try stage.stocked()
        var completed = 0
        var flags: [Bool] = []
        for _ in 0..<4 {
          realm.writeAsync {
            flags.append(realm.isPerformingAsynchronousWriteOperations)
          } onComplete: { _ in
            completed += 1
            if completed < 4 { flags.append(realm.isPerformingAsynchronousWriteOperations) }
          }
        }
        try stage.spin(until: { completed == 4 }, "four completions")
        stage.equal(flags.contains(false), false, "whether it was ever false before")
        var later = false
        stage.later(on: .main) { later = true }
        try stage.spin(until: { later }, "another turn")
        stage.equal(realm.isPerformingAsynchronousWriteOperations, false, "the flag in the end")
      },
      Probe("a commit that tells nobody is work until it is on the disk, too") { stage in
        let realm = try stage.stocked()
        var isBusy: Bool { realm.isPerformingAsynchronousWriteOperations }
        for allowGrouping in [false, true] {
          for commits in 1...2 {
            for _ in 0..<commits {
              realm.beginWrite()
              realm.account(1).balance += 1
              realm.commitAsyncWrite(allowGrouping: allowGrouping)
            }
            stage.equal(
              isBusy, true, "the flag behind \(commits) with allowGrouping: \(allowGrouping)")
            try stage.spin(until: { !isBusy }, "the end of what was under way")
          }
        }
        stage.equal(try stage.seen { $0.account(1).balance }, 106, "the balance in the end")
      },
    ] + [LateWrites.busy.probe])

  static let async15 = Rule(
    "ASYNC-15", .implementation,
    "It MUST be false during a purely synchronous write.",
    source: "OCT/RealmTests.mm:2005.",
    broken: "alias of isInWriteTransaction",
    probes: [
      Probe("the flag is false in a plain write") { stage in
        let realm = try stage.stocked()
        try realm.write {
          stage.equal(realm.isPerformingAsynchronousWriteOperations, false, "the flag inside")
        }
        stage.equal(realm.isPerformingAsynchronousWriteOperations, false, "the flag afterwards")
      }
    ] + AsyncFlagKinds.plain)

  static let async16 = Rule(
    "ASYNC-16", .implementation,
    "A `beginAsyncWrite` inside an open synchronous write leaves the flag false until that "
      + "write ends.",
    source: "(impl) OS/shared_realm.cpp:931 does not request the lock while Writing.",
    broken: "flag stays false until completion",
    probes: [
      Probe("a begin inside a plain write counts once that has ended") { stage in
        let realm = try stage.stocked()
        var done = false
        try realm.write {
          realm.beginAsyncWrite { realm.commitAsyncWrite { _ in done = true } }
        }
        stage.equal(realm.isPerformingAsynchronousWriteOperations, true, "the flag after the write")
        try stage.spin(until: { done }, "the completion")
      }
    ] + AsyncFlagKinds.within)
}
