import EngineUnderTest
import Foundation
import Harness

/// Writes of an actor, by how they come to their turn and how they end, at two kinds of home: what
/// holds of a write that got its turn at once holds of one that had to wait.
enum ActorWays {
  enum Turn: String, CaseIterable, Sendable {
    case free = "at once"
    case behindThread = "behind a thread's write"
    case behindTask = "behind another task of the actor, and a thread's write"
  }

  enum Ending: String, CaseIterable, Sendable {
    case returns = "returns an object"
    case returnsNothing = "returns nothing"
    case throwsError = "throws"
    case throwsWithoutChanges = "throws before it changed anything"
    case cancels = "cancels its write"
    case cancelsAndThrows = "cancels its write and throws"
    case commits = "commits its write"
    case beginsAnew = "commits its write and begins another"
  }

  private struct Trouble: Error, Equatable { let number: Int }

  private static func rest(_ actor: isolated any Actor) {}

  static func probes(_ endings: [Ending]) -> [Probe] {
    endings.map { ending in
      Probe.task("a block on an actor that \(ending.rawValue), whenever its turn comes") { stage in
        Backstage.hooks?.skipFlushes()
        try stage.elsewhere { _ = try stage.stocked() }
        let keeper = try await Keeper(stage.configuration())
        for round in 1...2 {
          for (number, turn) in Turn.allCases.enumerated() {
            let mark = 1_000 * round + 10 * number
            try await keeper.run { keeper, realm in
              try await write(keeper, realm, stage, turn, ending, mark)
            }
            try await onMain(stage, turn, ending, mark + 1)
          }
        }
      }
    }
  }

  @MainActor private static func onMain(
    _ stage: Stage, _ turn: Turn, _ ending: Ending, _ mark: Int
  ) async throws {
    let realm = try await Realm(configuration: stage.configuration())
    try await write(MainActor.shared, realm, stage, turn, ending, mark)
    stage.expect(Thread.isMainThread, "the main actor's task goes on on the main thread")
  }

  private static func write(
    _ actor: isolated any Actor, _ realm: Realm, _ stage: Stage, _ turn: Turn, _ ending: Ending,
    _ mark: Int
  ) async throws {
    let what = "of a block that \(ending.rawValue), \(turn.rawValue)"
    let release = Latch("the end of the other write")
    var writer: Cast.Member?
    if turn != .free {
      writer = try stage.holdingWrite(until: release) { $0.account(2).balance = mark }
    } else {
      try stage.foreign { $0.account(2).balance = mark }
    }
    var others: [Task<Void, any Error>] = []
    if turn == .behindTask {
      others.append(
        Task {
          // Named, so that the task is the actor's.
          rest(actor)
          try await realm.asyncWrite { realm.account(3).balance = mark }
        })
    }
    // The actor takes another job only once this one is suspended.
    let opener = Task {
      rest(actor)
      release.open()
    }
    let isMain = actor === MainActor.shared
    // News of what was written at the other home may still be on its way here.
    realm.refresh()
    let old = realm.account(1).balance
    var account: Account?
    var thrown: (any Error)?
    do {
      account = try await realm.asyncWrite { () throws -> Account? in
        actor.assertIsolated()
        stage.equal(Thread.isMainThread, isMain, "whether the block is on the main thread, \(what)")
        stage.equal(realm.isInWriteTransaction, true, "the flag in it, \(what)")
        stage.equal(
          realm.isPerformingAsynchronousWriteOperations, true, "the other flag in it, \(what)")
        stage.equal(realm.account(2).balance, mark, "what the write before wrote, \(what)")
        stage.equal(realm.account(1).balance, old, "what it begins with, \(what)")
        if ending == .throwsWithoutChanges { throw Trouble(number: mark) }
        realm.account(1).balance = mark
        switch ending {
        case .returns: return realm.account(1)
        case .returnsNothing, .throwsWithoutChanges: return nil
        case .throwsError: throw Trouble(number: mark)
        case .cancels: realm.cancelWrite()
        case .cancelsAndThrows:
          realm.cancelWrite()
          throw Trouble(number: mark)
        case .commits: try realm.commitWrite()
        case .beginsAnew:
          try realm.commitWrite()
          realm.beginWrite()
          realm.account(1).balance += 5
        }
        return nil
      }
    } catch { thrown = error }
    actor.assertIsolated()
    let throwing: [Ending] = [.throwsError, .throwsWithoutChanges, .cancelsAndThrows]
    stage.equal(
      thrown as? Trouble, throwing.contains(ending) ? Trouble(number: mark) : nil,
      "the error \(what)")
    stage.equal(realm.isInWriteTransaction, false, "the flag afterwards, \(what)")
    for other in others { try await other.value }
    await opener.value
    if let writer { try stage.join(writer) }
    stage.equal(
      realm.isPerformingAsynchronousWriteOperations, false, "the other flag afterwards, \(what)")
    let expected =
      switch ending {
      case .returns, .returnsNothing, .commits: mark
      case .beginsAnew: mark + 5
      default: old
      }
    stage.equal(realm.account(1).balance, expected, "the balance, \(what)")
    stage.equal(try stage.seen { $0.account(1).balance }, expected, "the same elsewhere, \(what)")
    if turn == .behindTask {
      stage.equal(realm.account(3).balance, mark, "what the other task wrote, \(what)")
    }
    if ending == .returns {
      stage.equal(account?.balance, mark, "of what it returned, \(what)")
      stage.equal(account?.realm, realm, "the realm of what it returned, \(what)")
      try stage.foreign { $0.account(1).balance = mark + 1 }
      await realm.asyncRefresh()
      stage.equal(account?.balance, mark + 1, "of what it returned, after another's, \(what)")
    }
    // Whoever comes next, of this realm and of others, has it as free as before.
    for next in 0..<2 {
      try await realm.asyncWrite { realm.account(2).balance = next }
      try stage.foreign { $0.account(2).balance += 1 }
      await realm.asyncRefresh()
      stage.equal(realm.account(2).balance, next + 1, "what was written then, \(what)")
    }
  }

  // MARK: What else is said of each kind

  /// Each kind of thing that goes from one actor to another.
  static let references = Probe.task("each kind of thing goes from one actor to another") {
    stage in
    try stage.elsewhere { _ = try RefKinds.stocked(stage) }
    let one = try await Keeper(RefKinds.configuration(stage))
    let two = try await Keeper(RefKinds.configuration(stage))
    for kind in RefKinds.all {
      let (ticket, digest) = await one.with { _, realm in
        let held = kind.hold(realm, 2)
        return (Smuggling(held.refer()), held.digest())
      }
      try await two.run { _, realm in
        try await realm.asyncWrite {
          let thing = ticket.value.resolve(realm)
          stage.equal(thing?.digest, digest, kind.name)
          stage.equal(thing?.realm, realm, "the realm of \(kind.name)")
        }
      }
    }
  }

  /// What a refresh answers, again and again.
  static let answers = Probe.task(
    "what asyncRefresh answers on two kinds of actors, by what was done"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try stage.stocked() }
    let keeper = try await Keeper(stage.configuration())
    try await keeper.run { keeper, realm in try await answer(keeper, realm, stage, "an actor") }
    try await answerOnMain(stage)
    // Of a file that nobody may write meanwhile.
    try stage.elsewhere { _ = try stage.stocked("read only") }
    var readOnly = stage.configuration("read only")
    readOnly.readOnly = true
    let reader = try await Keeper(readOnly)
    for _ in 0..<2 {
      await reader.run { _, realm in
        use(realm.account(1).balance)
        stage.equal(await realm.asyncRefresh(), false, "the answer of a read-only realm")
      }
    }
  }

  @MainActor private static func answerOnMain(_ stage: Stage) async throws {
    let realm = try await Realm(configuration: stage.configuration())
    try await answer(MainActor.shared, realm, stage, "the main actor")
  }

  private static func answer(
    _ actor: isolated any Actor, _ realm: Realm, _ stage: Stage, _ home: String
  ) async throws {
    var told: [Int] = []
    var token: NotificationToken?
    for observes in [false, true] {
      realm.autorefresh = false
      if observes {
        token = realm.objects(Account.self).observe { change in
          switch change {
          case .update(let accounts, _, _, _): told.append(accounts[0].balance)
          default: told.append(-1)
          }
        }
        await realm.asyncRefresh()
        realm.refresh()
      }
      let what = "on \(home), observed: \(observes)"
      func ask(_ expected: Bool, _ after: String) async {
        stage.equal(await realm.asyncRefresh(), expected, "the answer \(after), \(what)")
        stage.equal(await realm.asyncRefresh(), false, "the second answer \(after), \(what)")
      }
      use(realm.account(1).balance)
      realm.refresh()
      await ask(false, "with nothing new")
      for round in 1...3 {
        try stage.foreign { $0.account(1).balance = round }
        told = []
        await ask(true, "to commit \(round)")
        stage.equal(realm.account(1).balance, round, "the balance, \(what)")
        if observes { stage.equal(told, [round], "what was told when it returned, \(what)") }
        try realm.write { realm.account(1).note = "own" }
        await ask(false, "after an own write")
        try await realm.asyncWrite { realm.account(1).note = "own, asynchronous" }
        await ask(false, "after an own asynchronous write")
        for other in 0..<3 { try stage.foreign { $0.account(2).balance = other } }
        await ask(true, "to several commits")
        realm.beginWrite()
        realm.cancelWrite()
        await ask(false, "after a cancelled write")
        try stage.foreign { $0.account(1).balance = 50 }
        realm.refresh()
        await ask(false, "after a refresh")
        try stage.foreign { _ in }
        use(await realm.asyncRefresh())
        await ask(false, "after what changed nothing")
      }
      stage.equal(await realm.freeze().asyncRefresh(), false, "the answer of a frozen one, \(what)")
      realm.invalidate()
      stage.equal(await realm.asyncRefresh(), false, "the answer without a version, \(what)")
      use(realm.account(1).balance)
      try stage.foreign { $0.account(1).balance = 60 }
      if !observes { await ask(true, "to a commit after that") }
    }
    token?.invalidate()
    realm.autorefresh = true
  }

  /// What an actor is told of each kind of thing that lives with another one.
  static let observed = Probe.task(
    "each kind of thing is observed on another actor: a copy of its own, from the next write on"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try RefKinds.stocked(stage) }
    let keeper = try await Keeper(RefKinds.configuration(stage))
    let listener = try await Keeper(RefKinds.configuration(stage))
    for (number, name) in names.enumerated() {
      for round in 0..<2 {
        let told = Latch("the call for \(name) in round \(round)")
        let foreign = await keeper.with { _, realm in Smuggling(realm) }
        let mark = 1 + 2 * number + round
        let token = await keeper.run { _, realm in
          await observe(number, realm, listener, mark) { listener, thing in
            listener.assertIsolated()
            stage.expect(thing != nil && thing == listener.realm, "\(name) is of its own realm")
            stage.expect(thing != foreign.value, "\(name) is not of the caller's realm")
            told.open()
          }
        }
        try await keeper.run { _, realm in
          try await realm.asyncWrite {
            RefKinds.change(realm, mark)
          }
        }
        try await stage.arrival(of: told)
        token.invalidate()
        await listener.with { _, _ in }
      }
    }
  }

  private static let names = [
    "an object", "all objects", "a query", "a sorted query", "a list", "a set", "links backwards",
    "a list of texts", "a set of texts", "an erased list",
  ]

  typealias Told = @Sendable (isolated Keeper, Realm?) -> Void

  /// Tells when the block is shown what a write has made: in the first call, if that came so late,
  /// or in a later one.
  private static func observe(
    _ number: Int, _ realm: Realm, _ listener: Keeper, _ mark: Int,
    isolation: isolated (any Actor)? = #isolation, _ told: @escaping Told
  ) async -> NotificationToken {
    func members<Members: RealmCollection & SendableMetatype>(
      _ members: Members, isolation: isolated (any Actor)? = #isolation,
      _ shows: @escaping @Sendable (Members) -> Bool
    ) async -> NotificationToken {
      await members.observe(on: listener) { listener, change in
        switch change {
        case .initial(let all), .update(let all, _, _, _):
          if shows(all) { told(listener, all.realm) }
        case .error: break
        }
      }
    }
    @Sendable func shows(_ members: some Collection<Vessel> & SendableMetatype) -> Bool {
      !members.isEmpty && members.allSatisfy { $0.number == mark }
    }
    let vessel = realm.vessel(1)!
    let all = realm.objects(Vessel.self)
    switch number {
    case 0:
      return await vessel.observe(on: listener) { listener, change in
        if case .change(let vessel, _) = change, vessel.number == mark {
          told(listener, vessel.realm)
        }
      }
    case 1: return await members(all) { shows($0) }
    case 2: return await members(all.where { $0.id > 0 }) { shows($0) }
    case 3: return await members(all.sorted(byKeyPath: "id")) { shows($0) }
    case 4: return await members(vessel.links) { shows($0) }
    case 5: return await members(vessel.group) { shows($0) }
    case 6: return await members(vessel.throughLink) { shows($0) }
    case 7: return await members(vessel.texts) { $0.last == "\(mark)" }
    case 8: return await members(vessel.labels) { $0.contains("\(mark)") }
    default: return await members(AnyRealmCollection(vessel.links)) { shows($0) }
    }
  }
}
