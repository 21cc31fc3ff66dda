import EngineUnderTest
import Foundation
import Harness

/// What a realm of an actor has been through when it is asked.
private enum ActorState: String, CaseIterable, Sendable {
  case asOpened = "as it was opened"
  case resting = "with autorefresh off, behind a commit"
  case refreshed = "refreshed asynchronously"
  case cancelled = "after a cancelled write"
  case thrown = "after an asynchronous write that threw"
  case committed = "after its commit"
  case written = "after an asynchronous write"
  case given = "after a task that was cancelled"
  case invalidated = "after invalidate()"
  case thawed = "thawed"

  var turn: Int {
    [.refreshed, .committed, .written, .invalidated].contains(self) ? 1 : 0
  }
}

extension Probe {
  private struct Unwanted: Error {}

  /// A realm of an actor, of each make, in each state: what it answers, writes and is told.
  static func actorStates(_ make: RealmMake) -> Probe {
    Probe.task("a realm of an actor does the same in each state: \(make.rawValue)") { stage in
      Backstage.hooks?.skipFlushes()
      let cargoes = (0..<3).map { Cargo(6, turn: $0) }
      let configuration = try Situation.prepare(stage, make, "actor \(make)", cargoes[0])
      // Held open, for a realm in memory.
      let other = ActorNeighbour(configuration)
      try other.write { cargoes[0].put(into: $0) }
      let keeper = try await Keeper(configuration)
      for state in ActorState.allCases where Engine.offersReins || state != .invalidated {
        let what = "\(state.rawValue), \(make.rawValue)"
        try await keeper.run { keeper, realm in
          try await enter(state, keeper, realm, cargoes, other)
          compare(stage, realm, cargoes[state.turn], what)
          stage.equal(realm.isInWriteTransaction, false, "the flag, \(what)")
          // What is written in it is told to who listens, here and elsewhere.
          let news = CallLog()
          let came = Latch("the listener's call, \(what)")
          let token = await realm.objects(Vessel.self).sorted(byKeyPath: "id").observe(
            on: keeper
          ) { keeper, change in
            keeper.assertIsolated()
            if case .update(_, let deletions, let insertions, _) = change {
              news.mark("\(deletions) \(insertions)")
              came.open()
            }
          }
          let count = try await realm.asyncWrite {
            cargoes[2].put(into: realm)
            return realm.objects(Vessel.self).count
          }
          stage.equal(count, cargoes[2].ids.count, "what the write returned, \(what)")
          compare(stage, realm, cargoes[2], "written to, \(what)")
          try await stage.arrival(of: came)
          let before = cargoes[state.turn]
          let gone = before.ids.indices.filter { cargoes[2].pieces[before.ids[$0]] == nil }
          let new = cargoes[2].ids.indices.filter { before.pieces[cargoes[2].ids[$0]] == nil }
          // One that rested comes by its begin to another's commit, told by itself or not.
          if state != .resting {
            stage.equal(news.all, ["\(gone) \(new)"], "what was told, \(what)")
          }
          token.invalidate()
          stage.equal(await realm.asyncRefresh(), false, "a refresh for nothing, \(what)")
          try other.write { cargoes[1].put(into: $0) }
          await realm.asyncRefresh()
          compare(stage, realm, cargoes[1], "refreshed afterwards, \(what)")
          let frozen = realm.freeze()
          try stage.elsewhere { compare(stage, frozen, cargoes[1], "frozen, elsewhere, \(what)") }
          realm.autorefresh = true
        }
      }
      await keeper.close()
      other.close()
    }
  }

  private static func enter(
    _ state: ActorState, _ keeper: isolated Keeper, _ realm: Realm, _ cargoes: [Cargo],
    _ other: ActorNeighbour
  ) async throws {
    realm.refresh()
    try realm.write { cargoes[0].put(into: realm) }
    other.refresh()
    switch state {
    case .asOpened: break
    case .resting:
      realm.autorefresh = false
      use(realm.objects(Vessel.self).count)
      try other.write { cargoes[1].put(into: $0) }
    case .refreshed:
      try other.write { cargoes[1].put(into: $0) }
      await realm.asyncRefresh()
    case .cancelled:
      realm.beginWrite()
      cargoes[1].put(into: realm)
      realm.cancelWrite()
    case .thrown:
      _ = try? await realm.asyncWrite {
        cargoes[1].put(into: realm)
        throw Unwanted()
      }
    case .committed: try realm.write { cargoes[1].put(into: realm) }
    case .written: try await realm.asyncWrite { cargoes[1].put(into: realm) }
    case .given:
      let task = Task {
        _ = keeper.realm
        try await realm.asyncWrite { cargoes[1].put(into: realm) }
      }
      task.cancel()
      _ = try? await task.value
    case .invalidated:
      realm.invalidate()
      try other.write { cargoes[1].put(into: $0) }
    case .thawed: use(realm.freeze().vessel(0)?.number)
    }
  }

  private static func compare(_ stage: Stage, _ realm: Realm, _ cargo: Cargo, _ what: String) {
    for question in CargoQuestion.all {
      let (answer, expected) = (question.prepare(realm)(), question.answer(cargo))
      if answer != expected { stage.equal(answer, expected, "\(question.name), \(what)") }
    }
    stage.expect(true, "all questions have their answers")
  }
}

/// Another realm of the file, on a queue, that stays open.
private final class ActorNeighbour: @unchecked Sendable {
  // Sendable because the queue is the realm's home, and nobody else touches it.
  private let queue = DispatchQueue(label: "neighbour")
  private var realm: Realm!

  init(_ configuration: Realm.Configuration) {
    queue.sync {
      realm = try? Realm(configuration: configuration, queue: queue)
      realm.autorefresh = false
    }
  }

  func write(_ change: (Realm) -> Void) throws {
    try queue.sync { try realm.write { change(realm) } }
  }

  func refresh() { queue.sync { _ = realm.refresh() } }
  func close() { queue.sync { realm = nil } }
}
