import EngineUnderTest
import Foundation
import Harness

/// A home that is busy whenever its asynchronous write could begin, so that others are let in
/// before it: it waits for its next turn as it did for the first, and does other work meanwhile.
///
/// Each of those others ends its write only when the home has done other work: if the home waits
/// for it, neither goes on.
enum LateTurns {
  private static let verbs = ["writeAsync", "beginAsyncWrite", "writeAsync behind another one"]

  /// One who writes as soon as it may, and until it is told to end.
  private struct Other {
    let inside: Latch
    let release: Latch

    init(_ name: String) {
      inside = Latch("\(name) being inside its write")
      release = Latch("the home's doing other work than that of \(name)")
    }

    func start(_ stage: Stage) {
      stage.thread("writer") {
        let realm = try stage.open()
        realm.beginWrite()
        inside.open()
        try stage.wait(for: release)
        realm.cancelWrite()
      }
    }

    /// Keeps a home busy until this one writes. An engine may keep others out until the home has
    /// come; then there is nothing to see.
    func keepBusy() { _ = inside.wait(.seconds(3)) }
  }

  private static func ask(_ realm: Realm, _ verb: String, _ done: @escaping () -> Void) {
    switch verb {
    case "beginAsyncWrite":
      realm.beginAsyncWrite {
        realm.account(1).balance = 7
        realm.commitAsyncWrite { _ in done() }
      }
    case "writeAsync behind another one":
      realm.beginAsyncWrite { realm.cancelWrite() }
      fallthrough
    default:
      realm.writeAsync {
        realm.account(1).balance = 7
      } onComplete: { _ in
        done()
      }
    }
  }

  static let onQueues: [Probe] = verbs.flatMap { verb in
    [false, true].map { isBehind in
      Probe(
        "a queue that is late for its turn, and again, runs other blocks: \(verb)"
          + (isBehind ? ", asked for while another writes" : "")
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let queue = DispatchQueue(label: "late")
        var realm: Realm?
        try stage.on(queue) {
          realm = try Realm(configuration: stage.configuration(), queue: queue)
          use(realm!.account(1).balance)
        }
        let done = Latch("the queue's own write")
        var former: Other?
        if isBehind {
          former = Other("the first writer")
          former!.start(stage)
          try stage.wait(for: former!.inside)
        }
        for round in 0..<2 {
          let busy = Latch("block \(round) of the queue")
          let ran = Latch("the block behind block \(round)")
          let other = Other("writer \(round)")
          stage.later(on: queue) {
            if round == 0 { ask(realm!, verb) { done.open() } }
            busy.open()
            other.keepBusy()
            // Behind what the engine has for the queue by now.
            stage.later(on: queue) { ran.open() }
          }
          try stage.wait(for: busy)
          former?.release.open()
          other.start(stage)
          try stage.wait(for: ran)
          stage.expect(true, "another block of the queue runs, round \(round)")
          former = other
        }
        former?.release.open()
        try stage.wait(for: done)
        try stage.joinAll()
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance")
        stage.on(queue) { realm = nil }
      }
    }
  }

  static let onTheMainThread: [Probe] = verbs.map { verb in
    Probe("the main thread that is late for its turn, and again, goes on: \(verb)") { stage in
      let realm = try stage.stocked()
      var isDone = false
      ask(realm, verb) { isDone = true }
      var former: Other?
      for round in 0..<2 {
        let other = Other("writer \(round)")
        former?.release.open()
        other.start(stage)
        other.keepBusy()
        // More than one, as what the engine has for the thread may come by another way.
        var turns = 0
        func turn() {
          turns += 1
          if turns < 4 { stage.later(on: .main) { turn() } }
        }
        stage.later(on: .main) { turn() }
        try stage.spin(until: { turns == 4 }, "turns of the main thread, round \(round)")
        stage.expect(true, "the main thread does other work, round \(round)")
        former = other
      }
      former?.release.open()
      try stage.spin(until: { isDone }, "the main thread's own write")
      try stage.joinAll()
      stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance")
    }
  }
}
