import EngineUnderTest

/// The realm that `await` opens without an actor is the main thread's.
@MainActor func mainRealmIsShared(_ stage: Stage) async throws {
  let awaited = try await Realm(configuration: stage.configuration())
  let plain = try openHere(stage.configuration())
  stage.expect(awaited == plain, "the awaited realm is the main thread's")
}

@MainActor func sameRealmForMainActor(_ stage: Stage) async throws {
  let one = try await Realm(configuration: stage.configuration())
  let two = try await Realm(configuration: stage.configuration(), actor: MainActor.shared)
  stage.expect(one == two, "the realms are equal")
}

@MainActor func hopsOnMainActor(_ stage: Stage) async throws {
  let realm = try await Realm(configuration: stage.configuration())
  try realm.write { Stage.stock(realm) }
  let account = realm.account(1)
  for round in 0..<200 {
    await Task.detached { await Task.yield() }.value
    guard account.balance == 100 else {
      return stage.fail(expected: "100", observed: "\(account.balance) in round \(round)")
    }
  }
  stage.expect(true, "every read worked")
}

@MainActor func asyncWriteOn(_ realm: Smuggling<Realm>, _ stage: Stage) async throws {
  await stage.act { try await realm.value.asyncWrite {} }
}

@MainActor func asyncRefreshOn(_ realm: Smuggling<Realm>, _ stage: Stage) async {
  await stage.act { use(await realm.value.asyncRefresh()) }
}
