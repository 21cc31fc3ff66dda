import EngineUnderTest
import Foundation
import Harness

extension Rules.Actor {
  static let opening: [Rule] = [
    actor01, actor02, actor03, actor04, actor05, actor10, actor11, actor35,
  ]

  static let actor01 = Rule(
    "ACTOR-01", .documented,
    "`try await Realm()` without an actor argument MUST give a realm isolated to "
      + "`MainActor`.",
    source: "S4 Open an Actor-Isolated Realm.",
    broken: "binds to the calling executor",
    probes: [
      Probe.task("await Realm() is the main actor's") { stage in
        try await Task { @MainActor in
          let realm = try await Realm(configuration: stage.configuration())
          try realm.write { Stage.stock(realm) }
          let plain = try openHere(stage.configuration())
          stage.expect(realm == plain, "the awaited realm is the main thread's")
          stage.equal(realm.account(1).balance, 100, "the balance on the main actor")
        }.value
      },
      Probe.diesInTask(
        "its use off the main actor", saying: Words.wrongThread, "Incorrect actor executor"
      ) { stage in
        let realm = try await Task { @MainActor in
          Smuggling(try await Realm(configuration: stage.configuration()))
        }.value
        stage.act { use(realm.value.objects(Person.self).count) }
      },
    ])

  static let actor02 = Rule(
    "ACTOR-02", .documented,
    "`Realm(actor: MainActor.shared)` MUST be identical to it.",
    source: "S4 code comment (\"These are identical\").",
    broken: "two instances",
    probes: [
      Probe.task("the main actor named and not named") { stage in
        try await sameRealmForMainActor(stage)
      }
    ] + [ActorOpens.ofTheMainActor])

  static let actor03 = Rule(
    "ACTOR-03", .documented,
    "`Realm(configuration:actor:)` MUST open the given configuration isolated to the given "
      + "actor, with defaults for configuration and download behaviour.",
    source: "S4 code 2 (custom config).",
    broken: "configuration ignored",
    probes: [
      Probe.task("the configuration and the actor are honoured") { stage in
        let one = try await Keeper(stage.configuration("one"))
        let two = try await Keeper(stage.configuration("two"))
        try await one.add(Account.self, id: 1)
        try await two.add(Account.self, id: 2)
        let ids = await (one.ids, two.ids)
        stage.equal(ids.0, [1], "the accounts in the first file")
        stage.equal(ids.1, [2], "the accounts in the second file")
        stage.equal(
          try stage.seen("one") { $0.objects(Account.self).map(\.id) }, [1], "what a thread sees")
      }
    ] + [ActorOpens.failing])

  static let actor04 = Rule(
    "ACTOR-04", .documented,
    "Local (`actor` instance), global (`@globalActor`) and `isolated`-parameter actors MUST "
      + "all be accepted.",
    source: "S4 Define a Custom Realm Actor (\"either local or global actors\").",
    broken: "only @MainActor works",
    probes: [
      Probe.task("an actor, a global actor, an isolated parameter") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        try await writeOnKennel(stage, id: 2)
        try await writeIn(keeper, id: 3)
        stage.equal(
          await keeper.with { _, realm in
            realm.refresh()
            return realm.objects(Account.self).map(\.id).sorted()
          }, [1, 2, 3], "the accounts")
      }
    ])

  static let actor05 = Rule(
    "ACTOR-05", .documented,
    "`Realm(actor: self)` MUST work inside an actor's async initialiser (implicitly "
      + "unwrapped property).",
    source: "S4 code.",
    broken: "isolation error in init",
    probes: [
      Probe.task("a realm opened in an actor's initialiser") { stage in
        let keeper = try await Keeper(stage.configuration())
        stage.equal(await keeper.ids, [], "the accounts of a new file")
        try await keeper.add(Account.self, id: 1)
        stage.equal(await keeper.ids, [1], "the accounts after a write")
      }
    ])

  static let actor10 = Rule(
    "ACTOR-10", .documented,
    "Opening twice for one actor MUST give the same instance; different actors, different "
      + "instances.",
    source: "(impl) cacheKey per actor; CONFINE-10.",
    broken: "fresh instance per open: self-deadlock of two writes",
    probes: [
      Probe.task("one actor, one realm; two actors, two") { stage in
        let one = try await Keeper(stage.configuration())
        let two = try await Keeper(stage.configuration())
        let same = try await one.opensTheSame(stage.configuration())
        stage.equal(same, true, "whether a second open gives the same realm")
        let first = await one.with { _, realm in Smuggling(realm) }
        let second = await two.with { _, realm in Smuggling(realm) }
        stage.expect(first.value != second.value, "another actor's realm is another")
      }
    ] + [ActorOpens.ofActors] + Probe.crowdsOfActors
      + Meetings.onOneExecutor)

  static let actor11 = Rule(
    "ACTOR-11", .documented,
    "The first open with an actor MUST do its expensive part off the actor, with the caller "
      + "suspended; the actor stays able to run other work.",
    source: "S4 (\"await opening\").",
    broken: "migration on the actor",
    probes: [
      Probe.task("a migration at the first open leaves the actor free") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let release = Latch("another job on the actor")
        let started = Latch("the migration")
        var configuration = stage.configuration()
        configuration.schemaVersion = 1
        configuration.migrationBlock = { _, _ in
          started.open()
          _ = release.wait(stage.patience)
          stage.stamps.mark("migrated")
        }
        let migrating = configuration
        let opener = Opener()
        let opening = Task { try await opener.open(migrating) }
        try await stage.arrival(of: started, "the migration's start")
        let answer = await opener.answers()
        stage.stamps.mark("other job")
        release.open()
        stage.equal(answer, 42, "what the other job says")
        stage.equal(try await opening.value, 100, "the balance after the open")
        stage.ordered("other job", before: "migrated")
      }
    ])

  static let actor35 = Rule(
    "ACTOR-35", .documented,
    "An actor MUST be able to let its realm go (`realm = nil`) and a later open start "
      + "fresh.",
    source: "S4 `close()`.",
    broken: "actor cache keeps it",
    probes: [
      Probe.task("an actor lets its realm go") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        await keeper.close()
        try stage.foreign { $0.account(1).balance = 7 }
        let other = try await Keeper(stage.configuration())
        stage.equal(
          await other.with { _, realm in realm.account(1).balance }, 7, "the balance on a new actor"
        )
        await other.close()
        for _ in 0..<50 { await Task.yield() }
        stage.equal(
          try Realm.deleteFiles(for: stage.configuration()), true,
          "whether the file could be deleted")
      }
    ] + [.actorsAreLetGo])
}
