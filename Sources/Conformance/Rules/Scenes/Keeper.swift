import EngineUnderTest

/// An actor that keeps a realm, as Realm's documentation has it.
actor Keeper {
  var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func add(_ type: Account.Type, id: Int) async throws {
    try await realm.asyncWrite { realm.add(Account(id: id)) }
  }

  var ids: [Int] { realm.objects(Account.self).map(\.id).sorted() }

  @discardableResult
  func with<Value: Sendable>(_ body: @Sendable (isolated Keeper, Realm) throws -> Value) rethrows
    -> Value
  {
    try body(self, realm)
  }

  func close() { realm = nil }
}

extension Keeper {
  /// Does something that suspends with the actor's realm.
  @discardableResult
  func run<Value: Sendable>(
    _ body: @Sendable (isolated Keeper, Realm) async throws -> Value
  ) async rethrows -> Value {
    try await body(self, realm)
  }

  func opensTheSame(_ configuration: Realm.Configuration) async throws -> Bool {
    try await Realm(configuration: configuration, actor: self) == realm
  }

  /// `Realm(configuration:)` in a plain method of an actor is bound to the thread of the moment.
  func opensPlainly(_ configuration: Realm.Configuration, _ balance: Int) throws -> Int {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.account(1).balance = balance }
    return realm.account(1).balance
  }
}

func writeIn(_ keeper: isolated Keeper, id: Int) async throws {
  try await keeper.realm.asyncWrite { keeper.realm.add(Account(id: id)) }
}
