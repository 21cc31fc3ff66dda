import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// A realm that is invalidated by a block of its own, behind commits of the same turn.
  static let invalidatingBlocks = [false, true].map { grouping in
    Probe("invalidate() in a block delivers what was committed, \(grouping ? "" : "not ")grouped") {
      stage in
      for count in [1, 3] {
        let realm = try stage.stocked("\(count)")
        var told: [Int] = []
        for number in 1...count {
          realm.beginAsyncWrite {
            realm.account(1).balance = number
            realm.commitAsyncWrite(allowGrouping: grouping) { error in
              stage.expect(error == nil, "commit \(number) went well", observed: "\(error!)")
              told.append(number)
            }
            if number == count { realm.invalidate() }
          }
        }
        try stage.spin(until: { told.count == count }, "\(count) completions")
        stage.equal(told, Array(1...count), "the completions")
        stage.equal(try stage.seen("\(count)") { $0.account(1).balance }, count, "the balance")
        var isDone = false
        realm.writeAsync {
          realm.account(1).balance = 99
        } onComplete: { _ in
          isDone = true
        }
        try stage.spin(until: { isDone }, "a later write")
        stage.equal(realm.isPerformingAsynchronousWriteOperations, false, "whether work is left")
      }
    }
  }

  /// A flush that fails when the realm has been read on what is lost.
  static let lostWhileRead = [1, 3].map { count in
    Probe("what was read before its flush failed is shown no more: \(count) commits") { stage in
      let hooks = try stage.hooks()
      hooks.record()
      let realm = try stage.stocked()
      let account = realm.account(1)
      let accounts = realm.objects(Account.self)
      for round in 0..<3 {
        hooks.fail(.flushes, after: 0, times: 1)
        var told: [Bool] = []
        for number in 0..<count {
          realm.beginAsyncWrite {
            account.balance = 1000 + number
            realm.add(Account(id: 50 + number))
            realm.commitAsyncWrite(allowGrouping: true) { told.append($0 == nil) }
            stage.equal(account.balance, 1000 + number, "the balance that was committed")
          }
        }
        try stage.spin(until: { told.count == count }, "\(count) completions")
        let there = try stage.seen { ($0.account(1).balance, $0.objects(Account.self).count) }
        stage.equal(account.balance, there.0, "the balance, as others see it")
        stage.equal(accounts.count, there.1, "the accounts, as others see them")
        try realm.write { realm.account(2).balance = round }
        stage.equal(account.balance, there.0, "the balance after the next write")
        stage.equal(accounts.count, there.1, "the accounts after the next write")
      }
    }
  }

  /// Tasks and blocks of one realm, between writes of the same home.
  static let turnsInOrder = Probe.task(
    "tasks and blocks write in the order of their calls though the home writes in between"
  ) { stage in try await writeInTurns(stage) }

  /// Tasks that wait for their turn when the realm is invalidated.
  static let waitingTasksEnd = Probe.task("tasks that wait for their turn end with invalidate()") {
    stage in try await endWhileWaiting(stage)
  }
}

@MainActor private func writeInTurns(_ stage: Stage) async throws {
  for round in 0..<4 {
    let name = "\(round)"
    let realm = try await Realm(configuration: stage.configuration(name))
    try realm.write { Stage.stock(realm) }
    let release = Latch("the end of the other's write")
    let writer = try stage.holdingWrite(name, until: release)
    var order: [String] = []
    let task = Task { @MainActor in
      try await realm.asyncWrite { order.append("task") }
    }
    // The task has asked for its turn when it is suspended.
    while !realm.isPerformingAsynchronousWriteOperations { await Task.yield() }
    var isDone = false
    realm.writeAsync {
      order.append("block")
    } onComplete: { _ in
      isDone = true
    }
    release.open()
    try stage.join(writer)
    for _ in 0..<(10 * round) {
      try realm.write { realm.account(1).balance += 1 }
      await Task.yield()
    }
    try await task.value
    while !isDone { await Task.yield() }
    stage.equal(order, ["task", "block"], "the order in round \(round)")
  }
}

@MainActor private func endWhileWaiting(_ stage: Stage) async throws {
  for count in [1, 3] {
    let name = "\(count)"
    let realm = try await Realm(configuration: stage.configuration(name))
    try realm.write { Stage.stock(realm) }
    let release = Latch("the end of the other's write")
    let writer = try stage.holdingWrite(name, until: release)
    var ended: [String] = []
    var ran = 0
    let tasks = (0..<count).map { _ in
      Task { @MainActor in
        do {
          try await realm.asyncWrite { ran += 1 }
          ended.append("wrote")
        } catch is CancellationError {
          ended.append("cancelled")
        } catch {
          ended.append("\(error)")
        }
      }
    }
    while !realm.isPerformingAsynchronousWriteOperations { await Task.yield() }
    for _ in 0..<50 { await Task.yield() }
    release.open()
    realm.invalidate()
    for task in tasks { await task.value }
    try stage.join(writer)
    stage.equal(ended, Array(repeating: "cancelled", count: count), "how the tasks ended")
    stage.equal(ran, 0, "the blocks that ran")
    try await realm.asyncWrite { realm.account(1).balance = 7 }
    stage.equal(try stage.seen(name) { $0.account(1).balance }, 7, "what is written afterwards")
  }
}
