import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// The ways to commit that say nothing of grouping.
  static let barriersBySilence = Probe(
    "a commit that says nothing of grouping is complete before the next block"
  ) { stage in
    let ways: [(String, (Realm, @escaping () -> Void, @escaping () -> Void) -> Void)] = [
      ("writeAsync", { $0.writeAsync($1, onComplete: { [done = $2] _ in done() }) }),
      (
        "commitAsyncWrite()",
        { realm, block, done in
          realm.beginAsyncWrite {
            block()
            realm.commitAsyncWrite { _ in done() }
          }
        }
      ),
    ]
    for isOnQueue in [false, true] {
      for (name, write) in ways {
        let queue = DispatchQueue(label: "home")
        let place = "\(name), \(isOnQueue ? "on a queue" : "here")"
        var events: [String] = []
        let end = Latch("ten events")
        func begin() throws {
          let realm = try Realm(
            configuration: stage.configuration(place), queue: isOnQueue ? queue : nil)
          try realm.write { Stage.stock(realm) }
          for number in 1...5 {
            write(
              realm,
              {
                events.append("block \(number)")
                realm.account(1).balance = number
              },
              {
                events.append("done \(number)")
                if events.count == 10 { end.open() }
              })
          }
        }
        if isOnQueue {
          try stage.on(queue) { try begin() }
          try stage.wait(for: end)
        } else {
          try begin()
          try stage.spin(until: { end.isOpen }, "ten events")
        }
        stage.equal(
          isOnQueue ? stage.on(queue) { events } : events,
          (1...5).flatMap { ["block \($0)", "done \($0)"] }, "the order by \(place)")
      }
    }
  }

  /// Numbers that nobody was given, and such as somebody might take for "all" or "the last one".
  static let strangeIds = Probe("ids that nobody was given cancel nobody's write") { stage in
    let realm = try stage.stocked()
    var done: [Int] = []
    let first = realm.writeAsync {
      realm.account(1).balance = 7
    } onComplete: { _ in
      done.append(1)
    }
    let second = realm.beginAsyncWrite {
      realm.account(2).balance = 8
      realm.commitAsyncWrite { _ in done.append(2) }
    }
    let given = [first, second]
    for id in [0, .max, .max / 2, first &+ 1_000, second &+ 1] as [AsyncTransactionId]
    where !given.contains(id) {
      try realm.cancelAsyncWrite(id)
    }
    try stage.spin(until: { done.count == 2 }, "two completions")
    stage.equal(done, [1, 2], "the completions")
    stage.equal(
      try stage.seen { "\($0.account(1).balance) \($0.account(2).balance)" }, "7 8",
      "the balances")
  }

  /// A commit that fails, at homes of several kinds.
  static let failuresOnQueues = Probe("on a queue a completion gets the error of its commit") {
    stage in
    for isGrouped in [false, true] {
      let queue = DispatchQueue(label: "home")
      let name = "grouped \(isGrouped)"
      let told = Latch("the completion")
      var failed: [Bool] = []
      let realm = try stage.on(queue) {
        try Realm(configuration: stage.configuration(name), queue: queue)
      }
      try stage.on(queue) { try realm.write { Stage.stock(realm) } }
      try Stage.withFilesLimited(to: stage.size(of: name) + 65_536) {
        stage.on(queue) {
          let id = realm.beginAsyncWrite {
            realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: 10_000_000)))
            realm.commitAsyncWrite(allowGrouping: isGrouped) { error in
              failed.append(error != nil)
              told.open()
            }
          }
          use(id)
        }
        try stage.wait(for: told)
      }
      stage.equal(stage.on(queue) { failed }, [true], "whether the completion got an error")
      stage.equal(
        try stage.seen(name) { $0.objects(Blob.self).count }, 0, "what was persisted")
    }
  }
}
