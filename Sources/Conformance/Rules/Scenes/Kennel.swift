import EngineUnderTest

/// A global actor, as Realm's documentation has it.
@globalActor actor Kennel: GlobalActor {
  static let shared = Kennel()
}

@Kennel func writeOnKennel(_ stage: Stage, id: Int) async throws {
  let realm = try await Realm(configuration: stage.configuration(), actor: Kennel.shared)
  try await realm.asyncWrite { realm.add(Account(id: id)) }
}
