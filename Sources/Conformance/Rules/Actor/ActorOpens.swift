import EngineUnderTest
import Foundation
import Harness

/// Each way to open a realm for an actor, with each of its arguments: one actor has one realm of a
/// file, whichever way it was asked for.
enum ActorOpens {
  private static let behaviours: [Realm.OpenBehavior] = [.never, .once, .always]

  static let ofActors = Probe.task("each way to open for an actor gives the realm that it has") {
    stage in
    try stage.elsewhere { _ = try stage.stocked() }
    let configuration = stage.configuration()
    let keeper = try await Keeper(configuration)
    let other = try await Keeper(configuration)
    for round in 1...2 {
      for behaviour in behaviours {
        try await keeper.run { keeper, realm in
          let what = "\(behaviour), round \(round)"
          let one = try await Realm(
            configuration: configuration, actor: keeper, downloadBeforeOpen: behaviour)
          stage.expect(one == realm, "the actor's realm, opened for it, \(what)")
          let opened = try await Realm.open(
            configuration: configuration, downloadBeforeOpen: behaviour)
          stage.expect(opened == realm, "the actor's realm, by Realm.open, \(what)")
          stage.equal(opened.account(3).balance, 300, "the balance by Realm.open, \(what)")
          try await opened.asyncWrite {
            stage.equal(realm.isInWriteTransaction, true, "whether the write is shared, \(what)")
            opened.account(1).balance = round
          }
          stage.equal(realm.account(1).balance, round, "the balance by the one it had, \(what)")
        }
        try await other.run { other, realm in
          let mine = try await Realm.open(
            configuration: configuration, downloadBeforeOpen: behaviour)
          stage.expect(mine == realm, "another actor's own realm, \(behaviour)")
        }
      }
    }
    let (first, second) = (
      await keeper.with { _, realm in Smuggling(realm) },
      await other.with { _, realm in Smuggling(realm) }
    )
    stage.expect(first.value != second.value, "two actors have two realms")
  }

  static let ofTheMainActor = Probe.task("each way to open on the main actor gives its realm") {
    stage in
    try await onMain(stage)
  }

  @MainActor private static func onMain(_ stage: Stage) async throws {
    let configuration = stage.configuration()
    let realm = try openHere(configuration)
    try realm.write { Stage.stock(realm) }
    for behaviour in behaviours {
      let ways: [(String, Realm)] = [
        (
          "awaited",
          try await Realm(configuration: configuration, downloadBeforeOpen: behaviour)
        ),
        (
          "for the main actor",
          try await Realm(
            configuration: configuration, actor: MainActor.shared, downloadBeforeOpen: behaviour)
        ),
        (
          "by Realm.open",
          try await Realm.open(configuration: configuration, downloadBeforeOpen: behaviour)
        ),
      ]
      for (way, other) in ways {
        stage.expect(other == realm, "the main actor's realm, \(way), \(behaviour)")
        stage.equal(other.account(1).balance, 100, "the balance, \(way), \(behaviour)")
      }
    }
    stage.expect(
      try mainQueueRealm(configuration) == realm, "the main queue's realm is the main actor's")
    // Without a configuration it is the default one.
    Realm.Configuration.defaultConfiguration = configuration
    let byDefault = [
      try await Realm(), try await Realm(actor: MainActor.shared), try await Realm.open(),
    ]
    for other in byDefault { stage.expect(other == realm, "the default file's realm") }
  }

  /// `Realm(configuration:queue:)` in an async function would be the async one without `queue`.
  private static func mainQueueRealm(_ configuration: Realm.Configuration) throws -> Realm {
    try Realm(configuration: configuration, queue: .main)
  }

  /// What cannot be opened says so by each way, and the actor goes on.
  static let failing = Probe.task("what cannot be opened for an actor throws, by each way") {
    stage in
    let keeper = try await Keeper(stage.configuration())
    try await keeper.add(Account.self, id: 1)
    var missing = stage.configuration("missing")
    missing.readOnly = true
    let wrong = missing
    for round in 1...2 {
      for behaviour in behaviours {
        try await keeper.run { keeper, realm in
          for way in ["opened for it", "by Realm.open"] {
            let what = "\(way), \(behaviour), round \(round)"
            do {
              if way == "by Realm.open" {
                use(try await Realm.open(configuration: wrong, downloadBeforeOpen: behaviour))
              } else {
                use(
                  try await Realm(
                    configuration: wrong, actor: keeper, downloadBeforeOpen: behaviour))
              }
              stage.fail(expected: "an error, \(what)", observed: "a realm")
            } catch {
              stage.equal((error as? Realm.Error)?.code, .fileNotFound, "the error, \(what)")
            }
          }
          try await realm.asyncWrite { realm.account(1).balance += 1 }
        }
      }
    }
    stage.equal(Realm.fileExists(for: wrong), false, "whether a file was made")
    stage.equal(try stage.seen { $0.account(1).balance }, 6, "the balance in the end")
  }

  /// A write that cannot begin under the limit throws where it is awaited.
  static let limited = Probe.task("an actor's write beyond the limit throws, and later ones work") {
    stage in
    Backstage.hooks?.skipFlushes()
    var configuration = stage.configuration()
    configuration.maximumNumberOfActiveVersions = 3
    let keeper = try await Keeper(configuration)
    try await keeper.add(Account.self, id: 1)
    for round in 1...3 {
      try await keeper.run { _, realm in
        var held: [Realm] = []
        var refused = 0
        for number in 0..<8 {
          held.append(realm.freeze())
          var ran = false
          do {
            try await realm.asyncWrite {
              ran = true
              realm.account(1).balance = 100 * round + number
            }
            stage.equal(ran, true, "whether the block of a write that returned ran")
          } catch {
            refused += 1
            stage.equal(ran, false, "whether the block of a write that threw ran")
            stage.expect(
              "\(error.localizedDescription)".contains("exceeded the limit of 3"),
              "an error that names the limit", observed: error.localizedDescription)
            stage.equal(realm.isInWriteTransaction, false, "whether the realm writes after it")
          }
        }
        stage.expect(refused > 0, "a write beyond the limit is refused, round \(round)")
        stage.equal(
          held.first?.account(1).balance, round == 1 ? 0 : 100 * (round - 1) + 50, "what is held")
        held = []
        try await realm.asyncWrite { realm.account(1).balance = 100 * round + 50 }
        stage.equal(realm.account(1).balance, 100 * round + 50, "the balance, round \(round)")
      }
    }
  }
}
