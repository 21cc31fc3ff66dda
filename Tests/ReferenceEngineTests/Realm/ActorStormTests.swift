import Dispatch
import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

/// An actor that writes in all ways there are, by lot, many tasks at a time.
private actor Stormy {
  private var realm: Realm!
  private let configuration: Realm.Configuration
  /// How many people it has added for good.
  private(set) var added = 0

  struct Refusal: Error {}

  init(_ configuration: Realm.Configuration) async throws {
    self.configuration = configuration
    try await open()
  }

  private func open() async throws { realm = try await Realm.open(configuration: configuration) }

  var isBusy: Bool { realm.isPerformingAsynchronousWriteOperations }

  /// - Parameter mayBlock: Whether it may take its thread to wait for others, and hold the gate
  ///   over a suspension: one actor that does leaves a thread for the others wherever there are
  ///   two.
  func blow(_ seed: UInt64, mayBlock: Bool) async {
    var dice = Dice(seed: seed)
    for _ in 0..<10 {
      switch dice.below(13) {
      case 0, 1: await awaitWrite(dice.below(6))
      case 2: await Task.yield()
      case 3, 4, 5: queueBlock(isGrouped: dice.below(3) > 0, isCancelled: dice.below(4) == 0)
      case 6: await realm.asyncRefresh()
      case 7:
        try? realm.cancelAsyncWrite(realm.beginAsyncWrite { Issue.record("was cancelled") })
      case 8: _ = realm.freeze().objects(Person.self).count
      case 9: await resolveElsewhere()
      case 10: await cancelTask(after: dice.below(3))
      case 11 where mayBlock: writeSynchronously()
      case 12 where mayBlock: await suspendInWrite(dice.below(5), end: dice.below(4))
      default: break
      }
    }
  }

  private func add() { realm.add(Person(name: "anybody")) }

  private func awaitWrite(_ end: Int) async {
    do {
      try await realm.asyncWrite {
        #expect(realm.isInWriteTransaction)
        add()
        switch end {
        case 0: throw Refusal()
        case 1:
          realm.cancelWrite()
          realm.beginWrite()
          add()
        case 2: try realm.commitWrite()
        default: break
        }
      }
      added += 1
    } catch { #expect(error is Refusal && end == 0) }
  }

  private func queueBlock(isGrouped: Bool, isCancelled: Bool) {
    realm.beginAsyncWrite {
      self.add()
      if isCancelled { return }
      self.added += 1
      self.realm.commitAsyncWrite(allowGrouping: isGrouped) { #expect($0 == nil) }
    }
  }

  private func resolveElsewhere() async {
    if realm.isInWriteTransaction { return }
    let (reference, configuration) = (
      ThreadSafeReference(to: realm.objects(Person.self)), configuration
    )
    let count = realm.objects(Person.self).count
    let found = await Task.detached {
      (try? Realm(configuration: configuration, queue: nil))?.resolve(reference)?.count
    }.value
    #expect(found.map { $0 >= count } == true, "what was handed over is there")
  }

  private func cancelTask(after steps: Int) async {
    let task = Task {
      try await realm.asyncWrite { add() }
      added += 1
    }
    for _ in 0..<steps { await Task.yield() }
    task.cancel()
    if case .failure(let error) = await task.result { #expect(error is CancellationError) }
  }

  private func writeSynchronously() {
    if realm.isInWriteTransaction { return }
    try! realm.write { add() }
    added += 1
  }

  private func suspendInWrite(_ steps: Int, end: Int) async {
    if realm.isInWriteTransaction { return }
    realm.beginWrite()
    add()
    for _ in 0..<steps { await Task.yield() }
    #expect(realm.isInWriteTransaction)
    if end == 0 { return realm.cancelWrite() }
    added += 1
    if end == 1 {
      try! realm.commitWrite()
    } else {
      realm.commitAsyncWrite(allowGrouping: end == 2)
    }
  }
}

@Suite struct ActorStormTests {
  /// `STORM_TEST_ROUNDS` says how long.
  @Test(arguments: [true, false])
  func `ACTOR-20, ASYNC-52: whatever four actors write at once ends, and counts once`(
    inMemory: Bool
  ) async {
    let seed = Wish.seed()
    let rounds: UInt64 = Wish.number("STORM_TEST_ROUNDS", orElse: 5)
    await #expect(processExitsWith: .success) {
      [inMemory, seed = seed as UInt64, rounds = rounds as UInt64] in
      alarm(UInt32(60 + rounds))
      for round in 0..<rounds {
        let scratch = Scratch()
        let configuration =
          inMemory ? freshConfiguration() : scratch.configuration([Person.self, Dog.self])
        var actors: [Stormy] = []
        for _ in 0..<4 { actors.append(try await Stormy(configuration)) }
        await withTaskGroup(of: Void.self) { [actors] group in
          for i in 0..<16 {
            let lot = seed &+ round &* 1000 &+ UInt64(i)
            group.addTask { await actors[i % 4].blow(lot, mayBlock: i % 4 == 0) }
          }
        }
        var added = 0
        for actor in actors {
          while await actor.isBusy { await Task.yield() }
          added += await actor.added
        }
        #expect(Desk(configuration).work { $0.objects(Person.self).count } == added)
      }
    }
  }
}
