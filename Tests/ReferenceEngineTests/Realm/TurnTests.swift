import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// An actor on which several tasks write in turn.
private actor Weaver {
  private var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws { try await open(configuration) }

  private func open(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm.open(configuration: configuration)
  }

  var names: [String] { realm.objects(Person.self).map(\.name).sorted() }
  var isBusy: Bool { realm.isPerformingAsynchronousWriteOperations }

  private func add(_ name: String) { realm.add(Person(name: name)) }

  func write(_ name: String) async throws { try await realm.asyncWrite { add(name) } }
  func writeSynchronously(_ name: String) throws { try realm.write { add(name) } }

  /// Between the block that comes first in a turn and the task that comes next, something else is
  /// done here.
  private func inBetween(
    isGrouped: Bool, _ work: @escaping (isolated Weaver) async throws -> Void
  ) async throws {
    let tasks = Noted<Task<Void, any Error>>()
    realm.beginAsyncWrite {
      tasks.add(Task { try await work(self) })
      if !isGrouped { return }
      self.add("group")
      self.realm.commitAsyncWrite(allowGrouping: true)
    }
    try await realm.asyncWrite { add("task") }
    for task in tasks.all { try await task.value }
  }

  func suspendInWrite(isGrouped: Bool, commits: Bool) async throws {
    try await inBetween(isGrouped: isGrouped) { me in
      me.realm.beginWrite()
      me.add("between")
      me.realm.writeAsync { me.add("later") }
      for _ in 0..<100 { await Task.yield() }
      #expect(me.realm.isInWriteTransaction)
      #expect(!me.names.contains("task"))
      if commits { try me.realm.commitWrite() } else { me.realm.cancelWrite() }
    }
  }

  func letOthersIn(_ enter: @escaping @Sendable () -> Void) async throws {
    try await inBetween(isGrouped: false) { me in
      try me.realm.write { me.add("between") }
      enter()
    }
  }

  func invalidate(_ after: @escaping @Sendable () -> Void) async throws {
    try await inBetween(isGrouped: false) { me in
      me.realm.invalidate()
      after()
    }
  }

  enum Taking: CaseIterable { case cancelling, invalidating, cancellingTheTask }

  func takeBack(_ how: Taking) async throws {
    switch how {
    case .cancelling: try realm.cancelAsyncWrite(realm.writeAsync {})
    case .invalidating:
      realm.writeAsync {}
      realm.invalidate()
    case .cancellingTheTask:
      let task = Task { try await write("never") }
      await Task.yield()
      task.cancel()
      _ = await task.result
    }
  }
}

@Suite struct `Turns of tasks` {
  private let configuration = freshConfiguration()

  // turn          elsewhere on the actor
  // block
  //               begins a write, and is suspended in it
  // task: not now
  //               ends its write
  // task
  @Test(arguments: [true, false], [true, false])
  func `ACTOR-20: a write that is suspended is left alone by those that waited`(
    isGrouped: Bool, commits: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isGrouped, commits] in
      let weaver = try await Weaver(freshConfiguration())
      try await weaver.suspendInWrite(isGrouped: isGrouped, commits: commits)
      while await weaver.isBusy { await Task.yield() }
      var expected = ["later", "task"]
      if isGrouped { expected.insert("group", at: 0) }
      if commits { expected.insert("between", at: 0) }
      #expect(await weaver.names == expected)
    }
  }

  // actor                          elsewhere
  // block ends without a write
  // writes synchronously
  //                                enters the gate
  // task: not now
  // does other things
  //                                leaves the gate
  // task
  @Test func `ACTOR-12: a task whose turn was used by others waits without blocking the actor`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let configuration = freshConfiguration()
      let weaver = try await Weaver(configuration)
      let other = Desk(configuration)
      let (inside, leave) = (Bell(), Bell())
      let task = Task {
        try await weaver.letOthersIn {
          Thread.detachNewThread {
            other.commit { realm in
              realm.add(Person(name: "other"))
              inside.ring()
              leave.wait()
            }
          }
          inside.wait()
        }
      }
      while await !weaver.names.contains("between") { await Task.yield() }
      for _ in 0..<100 {
        _ = await weaver.names
        await Task.yield()
      }
      leave.ring()
      try await task.value
      #expect(await weaver.names == ["between", "other", "task"])
    }
  }

  @Test func `ASYNC-18, ASYNC-19: a task that was about to write is dropped by invalidate`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let configuration = freshConfiguration()
      let weaver = try await Weaver(configuration)
      let other = Desk(configuration)
      await #expect(throws: CancellationError.self) {
        try await weaver.invalidate { other.commit { $0.add(Person(name: "other")) } }
      }
      #expect(await weaver.names == ["other"])
    }
  }

  @Test(arguments: Weaver.Taking.allCases)
  fileprivate func `ASYNC-51: work that was taken back keeps no actor`(how: Weaver.Taking)
    async throws
  {
    let known = WeakWeaver()
    do {
      let weaver = try await Weaver(configuration)
      known.weaver = weaver
      try await weaver.takeBack(how)
    }
    for _ in 0..<100_000 where known.weaver != nil { await Task.yield() }
    #expect(known.weaver == nil)
  }

  // holder           actor                       as many actors as there are threads
  // holds the gate
  //                  waits for it in a task
  //                                              write synchronously
  // lets go
  //                  has no thread to come on
  @Test
  func `ASYNC-52, ACTOR-25: synchronous writes that occupy all threads let a task's turn pass`()
    async
  {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let entering = Noted<Void>()
      let honest = Seams.given.gate
      Seams.given.gate = { CountingGate(honest($0), entering) }
      let configuration = freshConfiguration()
      let holder = Desk(configuration)
      let (inside, leave) = (Bell(), Bell())
      Thread.detachNewThread {
        holder.commit { realm in
          realm.add(Person(name: "holder"))
          inside.ring()
          leave.wait()
        }
      }
      inside.wait()
      let weaver = try await Weaver(configuration)
      var others: [Weaver] = []
      let cores = ProcessInfo.processInfo.activeProcessorCount
      for _ in 0..<8 * cores { others.append(try await Weaver(configuration)) }
      let before = entering.all.count
      let task = Task { try await weaver.write("task") }
      while entering.all.count == before { await Task.yield() }
      let writers = others.map { other in Task { try await other.writeSynchronously("sync") } }
      // Not on one of the threads that are about to be occupied.
      Thread.detachNewThread {
        // The count decides, and not the time: it is only asked so often.
        while entering.all.count < before + 1 + cores { usleep(1000) }
        leave.ring()
      }
      try await task.value
      for writer in writers { try await writer.value }
      #expect(await weaver.names.count == 2 + others.count)
    }
  }
}

/// Says who is about to wait for the gate.
private final class CountingGate: Gate {
  private let honest: any Gate
  private let entering: Noted<Void>

  init(_ honest: any Gate, _ entering: Noted<Void>) {
    (self.honest, self.entering) = (honest, entering)
  }

  func enter() -> Bool {
    entering.add(())
    return honest.enter()
  }
  func tryEnter() -> Bool? { honest.tryEnter() }
  func leave() { honest.leave() }
}

private final class WeakWeaver: @unchecked Sendable {
  // Sendable because one task uses it.
  weak var weaver: Weaver?
}
