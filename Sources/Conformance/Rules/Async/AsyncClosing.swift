import EngineUnderTest
import Foundation
import Harness

extension Rules.Async {
  static let closing: [Rule] = [
    async17, async18, async19,
  ]

  static let async17 = Rule(
    "ASYNC-17", .documented,
    "`invalidate()` (and closing) MUST block until commits already made asynchronously are "
      + "on disk, and MUST deliver their completions.",
    source: "S0 Perform (\"block closing or invalidating\"), Wait.",
    broken: "invalidate drops the commit; completion lost; completion after return",
    probes: [
      Probe("invalidate() waits for commits that were made, and delivers them") { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        realm.account(1).balance = 7
        var completed = false
        realm.commitAsyncWrite { _ in
          completed = true
          stage.stamps.mark("completed")
        }
        realm.invalidate()
        stage.stamps.mark("returned")
        stage.equal(completed, true, "whether it was completed when invalidate() returned")
        stage.ordered("completed", before: "returned")
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance elsewhere")
      }
    ] + Probe.invalidatingBlocks + Probe.invalidatingCompletions + [LateWrites.ended.probe])

  static let async18 = Rule(
    "ASYNC-18", .implementation,
    "Write blocks which had not yet started MUST be dropped by invalidate/close, never run, "
      + "and their `onComplete` never called.",
    source: "(impl) TOS/realm.cpp:1909-2000; OCT/RealmTests.mm:1523.",
    broken: "runs them on an invalid realm",
    probes: [
      Probe("blocks that have not begun are dropped by invalidate()") { stage in
        let realm = try stage.stocked()
        var ran = 0
        realm.beginAsyncWrite { ran += 1 }
        realm.writeAsync {
          ran += 1
        } onComplete: { _ in
          ran += 1
        }
        realm.invalidate()
        var fence = false
        realm.writeAsync {
        } onComplete: { _ in
          fence = true
        }
        try stage.spin(until: { fence }, "a later write")
        stage.equal(ran, 0, "how many of them ran")
      }
    ] + [.waitingTasksEnd])

  static let async19 = Rule(
    "ASYNC-19", .documented,
    "If the helper is still waiting for a write lock held elsewhere, invalidate MUST wait "
      + "for it (no cancellation of the wait) and then release it. The lock is asked for by "
      + "the call, not by a later turn of the loop; requests of several realms are granted in "
      + "the order of the calls.",
    source: "S0 Wait (\"blocks closing or invalidating\").",
    broken: "returns early and leaks the lock; deadlock; asks at a turn of the loop",
    probes: [
      Probe("invalidate() waits for a lock that was asked for, and gives it back") { stage in
        let realm = try stage.stocked()
        let attempt = Latch("the call of invalidate()")
        let held = Latch("the other writer being inside")
        let closed = Latch("the return of invalidate()")
        let writer = stage.thread("writer") {
          let realm = try stage.open()
          realm.beginWrite()
          held.open()
          try stage.wait(for: attempt)
          stage.letShow(closed)
          stage.stamps.mark("released")
          try realm.commitWrite()
        }
        try stage.wait(for: held)
        var ran = false
        realm.beginAsyncWrite { ran = true }
        attempt.open()
        realm.invalidate()
        stage.stamps.mark("closed")
        closed.open()
        try stage.join(writer)
        try stage.foreign { $0.account(1).balance = 7 }
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "what a third writer wrote")
        stage.equal(ran, false, "whether the block ran")
        stage.ordered("released", before: "closed")
      },
      Probe("of two realms the one that called first is let in first, though it is busy") { stage in
        let (one, two) = (DispatchQueue(label: "one"), DispatchQueue(label: "two"))
        try stage.elsewhere { _ = try stage.stocked() }
        for round in 0..<5 {
          let (called, free) = (Latch("the first call"), Latch("the first being free"))
          let done = Latch("both blocks")
          let inside = Stamps()
          let release = Latch("the other writer's end")
          let writer = try stage.holdingWrite(until: release)
          func ask(_ name: String) throws {
            let realm = try Realm(
              configuration: stage.configuration(),
              queue: name == "one" ? one : two)
            realm.writeAsync {
              inside.mark(name)
            } onComplete: { _ in
              if inside.draw() > 3 { done.open() }
            }
          }
          stage.later(on: one) {
            try? ask("one")
            called.open()
            try? stage.wait(for: free)
          }
          try stage.wait(for: called)
          try stage.on(two) { try ask("two") }
          // The second has had a turn of its loop, the first has not.
          stage.on(two) {}
          free.open()
          stage.on(one) {}
          release.open()
          try stage.join(writer)
          try stage.wait(for: done)
          guard
            stage.expect(
              inside.ordered("one", before: "two"), "the first is let in first",
              observed: "the second was, in round \(round)")
          else { return }
        }
      },
      // one              two
      // asks, is busy
      //                  asks
      // is free
      Probe("who asked while nobody wrote is let in first, however late it comes") { stage in
        let (one, two) = (DispatchQueue(label: "one"), DispatchQueue(label: "two"))
        try stage.elsewhere { _ = try stage.stocked() }
        let (called, overtaken) = (Latch("the first call"), Latch("the second being let in"))
        let done = Latch("both blocks")
        let inside = Stamps()
        func ask(_ name: String, _ letIn: Latch? = nil) throws {
          let realm = try Realm(
            configuration: stage.configuration(), queue: name == "one" ? one : two)
          realm.writeAsync {
            inside.mark(name)
            letIn?.open()
          } onComplete: { _ in
            if inside.draw() > 3 { done.open() }
          }
        }
        stage.later(on: one) {
          try? ask("one")
          called.open()
          // Gives an engine that lets the second in the time to do so.
          _ = overtaken.wait(.milliseconds(100))
        }
        try stage.wait(for: called)
        try stage.on(two) { try ask("two", overtaken) }
        try stage.wait(for: done)
        stage.expect(
          inside.ordered("one", before: "two"), "the first is let in first",
          observed: "the second was")
      },
    ])
}
