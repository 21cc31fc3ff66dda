import EngineUnderTest
import Foundation
import Harness

/// Realm's own words, as far as a probe looks for them.
enum Words {
  static let wrongThread = "Realm accessed from incorrect thread"
  static let alreadyInWrite = "The Realm is already in a write transaction"
  static let outsideWrite = "outside of a write transaction"
  static let onlyInWrite =
    "Can only add, remove, or create objects in a Realm in a write transaction"
  static let managedElsewhere = "Object is already managed by another Realm"
  static let deletedElsewhere = "Can only delete an object from the Realm it belongs to"
  static let readOnly = "Can't perform transactions on read-only Realms"
  static let frozenWrite = "Can't perform transactions on a frozen Realm"
  static let frozenObject = "Attempting to modify a frozen object"
  static let invalidated = "Object has been deleted or invalidated"
  static let frozenNews = "Frozen Realms do not change and do not have change notifications"
  static let nothingToCommit = "Can't commit a non-existing write transaction"
  static let nothingToCancel = "Can't cancel a non-existing write transaction"
}

/// Makes sure that the optimiser keeps a read whose value nobody wants.
@_optimize(none) func use<Value>(_ value: Value) {}

extension Stage {
  /// A configuration for a file in this probe's own directory, with all models.
  func configuration(_ name: String = "probe") -> Realm.Configuration {
    Realm.Configuration(fileURL: ownFile(name), objectTypes: Models.all)
  }

  /// The same with a schema version, and with other classes where any are named.
  func configuration(
    version: UInt64, of types: [ObjectBase.Type] = Models.all, _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    var configuration = configuration()
    configuration.objectTypes = types
    configuration.schemaVersion = version
    configuration.migrationBlock = block
    return configuration
  }

  /// Opens the probe's file for the thread that asks.
  func open(_ name: String = "probe") throws -> Realm {
    try Realm(configuration: configuration(name))
  }

  /// Opens the file with three people in it, each with two dogs, and accounts 1 to 3.
  ///
  /// Ann is 30, Bob 40, Cid 50; their dogs are Ann's 1 and Ann's 2 and so on, 1 and 2 years old.
  func stocked(_ name: String = "probe") throws -> Realm {
    let realm = try open(name)
    try realm.write { Stage.stock(realm) }
    return realm
  }

  static func stock(_ realm: Realm) {
    for (name, age) in [("Ann", 30), ("Bob", 40), ("Cid", 50)] {
      let person = Person(name: name, age: age)
      realm.add(person)
      for number in 1...2 { person.dogs.append(Dog(name: "\(name)'s \(number)", age: number)) }
      person.best = person.dogs[0]
    }
    for id in 1...3 { realm.add(Account(id: id, balance: id * 100)) }
  }

  /// Commits a change from another thread and waits until it has.
  func foreign(_ name: String = "probe", _ change: @escaping (Realm) throws -> Void) throws {
    try elsewhere("foreign writer") {
      let realm = try self.open(name)
      try realm.write { try change(realm) }
    }
  }

  /// What `asyncOpen` brings: what a realm shows on its queue, or why there is none.
  func openedAsynchronously<Value>(
    _ configuration: Realm.Configuration, on queue: DispatchQueue,
    _ look: @escaping (Realm) throws -> Value
  ) throws -> Result<Value, any Error> {
    let called = Latch("the callback of asyncOpen")
    // Written before the latch opens, and read after.
    nonisolated(unsafe) var answer: Result<Value, any Error>?
    nonisolated(unsafe) let look = look
    Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
      answer = Result { try look(try result.get()) }
      called.open()
    }
    try wait(for: called)
    return answer!
  }

  /// Commits a change in a realm, or on another thread and brings the realm to it.
  func commit(
    in realm: Realm, byOthers: Bool, _ change: @escaping (Realm) throws -> Void
  ) throws {
    guard byOthers else { return try realm.write { try change(realm) } }
    let configuration = realm.configuration
    try elsewhere {
      let other = try Realm(configuration: configuration)
      try other.write { try change(other) }
    }
    realm.refresh()
  }

  /// What another thread sees that opens the file afresh.
  func seen<Value>(_ name: String = "probe", _ look: @escaping (Realm) throws -> Value) throws
    -> Value
  {
    try elsewhere("foreign reader") { try look(try self.open(name)) }
  }

  func size(of name: String = "probe") -> Int {
    let path = directory.appendingPathComponent("\(name).realm").path
    return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// Runs a block on a queue and waits for it.
  func on<Value>(_ queue: DispatchQueue, _ body: () throws -> Value) rethrows -> Value {
    try queue.sync(execute: body)
  }

  /// Runs a block on a queue some time later, whatever it captures.
  func later(on queue: DispatchQueue, _ body: @escaping () -> Void) {
    nonisolated(unsafe) let body = body
    queue.async { body() }
  }

  /// Keeps a thread inside a write until a latch opens.
  func holdingWrite(
    _ name: String = "probe", until release: Latch,
    change: @escaping (Realm) throws -> Void = { _ in }
  ) throws -> Cast.Member {
    let held = Latch("the writer being inside its write")
    let member = thread("writer") {
      let realm = try self.open(name)
      realm.beginWrite()
      try change(realm)
      held.open()
      try self.wait(for: release)
      self.stamps.mark("release")
      try realm.commitWrite()
    }
    try wait(for: held)
    return member
  }
}

extension Realm {
  func person(_ name: String) -> Person {
    objects(Person.self).where { $0.name == name }.first!
  }

  func account(_ id: Int) -> Account {
    object(ofType: Account.self, forPrimaryKey: id)!
  }
}

extension Probe {
  /// An act done with the realm of the main thread.
  struct Act: Sendable {
    let name: String
    let body: @Sendable (Realm) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Realm) throws -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// A probe for each act that must die on a stocked realm on its own thread.
  static func each(saying words: String..., acts: [Act]) -> [Probe] {
    acts.map { act in
      Probe(act.name, refusing: words) { stage in
        let realm = try stage.stocked()
        stage.act { try act.body(realm) }
      }
    }
  }

  /// A probe for each act that must be refused on another thread than the realm's.
  static func eachElsewhere(acts: [Act]) -> [Probe] {
    acts.map { act in
      Probe(act.name, refusing: [Words.wrongThread]) { stage in
        let realm = try stage.stocked()
        try stage.elsewhere { stage.act { try act.body(realm) } }
      }
    }
  }
}
