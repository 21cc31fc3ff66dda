import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

@Suite struct FreezeTests {
  private let configuration = freshConfiguration()

  private func realmWithAda() throws -> (Realm, Person) {
    let realm = try Realm(configuration: configuration)
    let ada = Person(name: "Ada")
    try realm.write {
      ada.dogs.append(Dog(value: ["name": "Rex", "age": 3]))
      realm.add(ada)
    }
    return (realm, ada)
  }

  @Test func `FREEZE-02, FREEZE-03: a frozen view stays, the original lives`() throws {
    let (realm, ada) = try realmWithAda()
    let frozenAda = ada.freeze()
    let frozenPeople = realm.objects(Person.self).freeze()
    let frozenDogs = ada.dogs.freeze()
    try realm.write {
      ada.name = "Eva"
      ada.dogs.removeAll()
      realm.add(Person(name: "Bob"))
    }
    #expect(ada.name == "Eva")
    #expect(!ada.isFrozen)
    #expect(frozenAda.name == "Ada")
    #expect(frozenAda.dogs.map(\.name) == ["Rex"])
    #expect(frozenPeople.map(\.name) == ["Ada"])
    #expect(frozenDogs.map(\.name) == ["Rex"])
    try realm.write { realm.delete(ada) }
    #expect(frozenAda.name == "Ada")
  }

  @Test func `FREEZE-04, CONFINE-07: frozen views are read on any thread, queried, too`() throws {
    let (realm, ada) = try realmWithAda()
    let frozen = Smuggled((realm: realm.freeze(), person: ada.freeze(), dogs: ada.dogs.freeze()))
    let people = Smuggled(realm.objects(Person.self).freeze())
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      #expect(frozen.value.person.name == "Ada")
      #expect(frozen.value.dogs.first?.age == 3)
      #expect(frozen.value.realm.objects(Dog.self).where { $0.age > 2 }.count == 1)
      #expect(people.value.sorted(byKeyPath: "name").first?.name == "Ada")
      #expect(people.value.filter("name == 'Ada'").count == 1)
    }
  }

  @Test func `FREEZE-39: a closed frozen realm leaves others alone, and freezing makes another`()
    throws
  {
    let (realm, ada) = try realmWithAda()
    let closed = realm.freeze()
    let frozenAda = ada.freeze()
    closed.invalidate()
    closed.invalidate()
    #expect(frozenAda.isInvalidated, "it belongs to the closed one")
    #expect(realm.freeze() != closed)
    #expect(realm.freeze().objects(Person.self).count == 1)
    #expect(ada.freeze().name == "Ada")
    try realm.write { ada.name = "Eva" }
    #expect(ada.freeze().name == "Eva")
    #expect(frozenAda.thaw()?.name == "Eva")
  }

  @Test func `FREEZE-06, FREEZE-07: all that is reached from something frozen is frozen`() throws {
    let (realm, ada) = try realmWithAda()
    let frozen = realm.freeze()
    let person = try #require(frozen.objects(Person.self).first)
    #expect(frozen.isFrozen)
    #expect(person.isFrozen)
    #expect(person.realm?.isFrozen == true)
    #expect(person.dogs.isFrozen)
    #expect(person.dogs.first?.isFrozen == true)
    #expect(person.dogs.first?.owners.isFrozen == true)
    #expect(ada.freeze().dogs.first?.realm?.isFrozen == true)
    #expect(!ada.isFrozen, "FREEZE-08")
    #expect(ada.realm?.isFrozen == false)
  }

  @Test func `FREEZE-10, FREEZE-11: isFrozen is asked anywhere, of unmanaged things, too`() throws {
    let (_, ada) = try realmWithAda()
    let both = Smuggled((ada, ada.freeze()))
    #expect(onNewThread { [both.value.0.isFrozen, both.value.1.isFrozen] } == [false, true])
    #expect(!Person().isFrozen)
    #expect(!Person().dogs.isFrozen)
  }

  @Test func `FREEZE-18, FREEZE-19: one frozen realm for a version`() throws {
    let (realm, ada) = try realmWithAda()
    let frozen = realm.freeze()
    #expect(frozen == realm.freeze())
    #expect(frozen.freeze() == frozen)
    #expect(ada.freeze().realm == frozen)
    let frozenAda = ada.freeze()
    #expect(frozenAda.freeze() === frozenAda)
    try realm.write { ada.age += 1 }
    #expect(realm.freeze() != frozen)
  }

  @Test func `FREEZE-23: freezing inside a write shows the state before it`() throws {
    let (realm, ada) = try realmWithAda()
    try realm.write {
      ada.name = "Eva"
      #expect(ada.freeze().name == "Ada")
      #expect(realm.freeze().objects(Person.self).first?.name == "Ada")
    }
    #expect(ada.freeze().name == "Eva")
  }

  @Test func `FREEZE-25, FREEZE-31: a thawed object lives and can be written`() throws {
    let (realm, ada) = try realmWithAda()
    let frozen = ada.freeze()
    let thawed = try #require(frozen.thaw())
    #expect(!thawed.isFrozen)
    #expect(thawed.realm == realm)
    try realm.write { thawed.name = "Eva" }
    #expect(ada.name == "Eva")
    #expect(frozen.name == "Ada")
    #expect(frozen.realm?.thaw() == realm, "FREEZE-30")
    let dogs = try #require(ada.dogs.freeze().thaw())
    #expect(dogs.realm == realm)
    #expect(try #require(realm.objects(Person.self).freeze().thaw()).realm == realm)
  }

  @Test func `FREEZE-26: thawing what lives gives it back`() throws {
    let (realm, ada) = try realmWithAda()
    #expect(ada.thaw() === ada)
    #expect(realm.thaw() == realm)
    #expect(ada.dogs.thaw() != nil)
  }

  @Test func `FREEZE-27, FREEZE-28: what was deleted does not thaw, results do`() throws {
    let (realm, ada) = try realmWithAda()
    let (frozen, people) = (ada.freeze(), realm.objects(Person.self).freeze())
    try realm.write { realm.delete(ada) }
    #expect(frozen.thaw() == nil)
    #expect(people.count == 1)
    #expect(people.thaw()?.count == 0)
  }

  // desk                          other
  // reads
  //                               renames, freezes
  // thaws: sees the old name
  // refreshes: sees the new one
  @Test func `FREEZE-29: thawing does not refresh`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { $0.add(Person(name: "Ada")) }
    desk.work { realm in
      realm.autorefresh = false
      realm.refresh()
      #expect(realm.objects(Person.self).first?.name == "Ada")
    }
    let frozen = other.work { realm in
      try? realm.write { realm.objects(Person.self).first?.name = "Eva" }
      return Smuggled(realm.objects(Person.self).first!.freeze())
    }
    onNewThread {
      let realm = try? Realm(configuration: other.configuration)
      #expect(frozen.value.thaw()?.name == "Eva")
      withExtendedLifetime(realm) {}
    }
    #expect(frozen.value.name == "Eva")
  }

  @Test func `FREEZE-36, FREEZE-37: frozen views outlive the realm they came from`() throws {
    let frozen = try { () throws -> Person in
      let (realm, ada) = try realmWithAda()
      let frozen = ada.freeze()
      realm.invalidate()
      return frozen
    }()
    #expect(frozen.name == "Ada")
    #expect(frozen.dogs.first?.name == "Rex")
  }

  @Test func `FREEZE-38: closing a frozen realm leaves the live one alone`() throws {
    let (realm, ada) = try realmWithAda()
    realm.freeze().invalidate()
    #expect(ada.name == "Ada")
    try realm.write { ada.name = "Eva" }
  }

  @Test func `FREEZE-40: frozen copies of one version are equal`() throws {
    let (realm, ada) = try realmWithAda()
    let first = ada.freeze()
    #expect(first == ada.freeze())
    #expect(first.hashValue == ada.freeze().hashValue)
    try realm.write { ada.age += 1 }
    #expect(first != ada.freeze())
  }

  @Test func `FREEZE-12, FREEZE-13, FREEZE-14: nothing frozen is written`() async {
    await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Realm(configuration: freshConfiguration()).freeze().beginWrite()
    }
    let property = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: freshConfiguration())
      let person = try realm.write { realm.create(Person.self) }
      let frozen = person.freeze()
      try realm.write { frozen.name = "never" }
    }
    expect(property, says: "Attempting to modify a frozen object")
    await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: freshConfiguration())
      let person = try realm.write { realm.create(Person.self) }
      let frozen = person.dogs.freeze()
      try realm.write { frozen.append(Dog()) }
    }
  }

  @Test func `FREEZE-15: nobody listens to what does not change`() async {
    let realm = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: freshConfiguration()).freeze()
      _ = realm.observe { _, _ in }
    }
    expect(realm, says: "Frozen Realms do not change and do not have change notifications.")
    let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: freshConfiguration())
      let person = try realm.write { realm.create(Person.self) }.freeze()
      _ = person.observe { _ in }
    }
    expect(object, says: "Frozen Realms do not change and do not have change notifications.")
  }

  @Test func `FREEZE-20, FREEZE-21, FREEZE-24, FREEZE-32: what cannot be frozen or thawed`() async {
    let unmanaged = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Person().freeze() }
    expect(unmanaged, says: "Unmanaged objects cannot be frozen.")
    let thawed = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Person().thaw() }
    expect(thawed, says: "Unmanaged objects cannot be thawed.")
    let deleted = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: freshConfiguration())
      let person = try realm.write { realm.create(Person.self) }
      try realm.write { realm.delete(person) }
      _ = person.freeze()
    }
    expect(deleted, says: "Object has been deleted or invalidated.")
    let new = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: freshConfiguration())
      try realm.write { _ = realm.create(Person.self).freeze() }
    }
    expect(new, says: "Cannot freeze an object in the same write transaction")
  }

  @Test func `FREEZE-22: nothing is frozen from elsewhere`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = Smuggled(try Realm(configuration: freshConfiguration()))
      onNewThread { _ = realm.value.freeze() }
    }
    expect(result, says: "Realm accessed from incorrect thread.")
  }

  @Test func `FREEZE-34: a frozen object is not appended to a thawed list`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: freshConfiguration())
      let person = try realm.write { realm.create(Person.self) }
      let dog = try realm.write { realm.create(Dog.self) }.freeze()
      try realm.write { person.dogs.append(dog) }
    }
    expect(result, says: "Object is already managed by another Realm")
  }

  @Test(arguments: ["reference", "variable", "frozen", "thawed"])
  func `GROW-01: what a thread has had of a version and let go pins nothing`(means: String) throws {
    let (realm, _) = try realmWithAda()
    let (configuration, coordinator) = (realm.configuration, realm.session.coordinator)
    onNewThread {
      let ada = try! Realm(configuration: configuration).objects(Person.self)[0]
      switch means {
      case "reference": _ = ThreadSafeReference(to: ada)
      case "variable":
        @ThreadSafe var shared: Person? = ada
        onNewThread { [_shared] in #expect(_shared.wrappedValue?.name == "Ada") }
      case "frozen": #expect(ada.freeze().name == "Ada")
      default: #expect(ada.freeze().thaw()?.name == "Ada")
      }
    }
    Desk(configuration).commit { $0.create(Person.self) }
    realm.invalidate()
    #expect(coordinator.activeVersionCount == 1)
  }

  @Test func `GROW-06: a thousand frozen views of a version pin one version`() throws {
    let (realm, ada) = try realmWithAda()
    let views = (0..<1000).map { _ in ada.freeze() }
    let coordinator = realm.session.coordinator
    #expect(coordinator.activeVersionCount <= 2)
    try realm.write { ada.age += 1 }
    #expect(coordinator.activeVersionCount <= 2)
    withExtendedLifetime(views) {}
  }
}

/// Checks what a process that stopped said last.
func expect(
  _ result: ExitTest.Result?, says words: String, _ location: SourceLocation = #_sourceLocation
) {
  guard let result else { return }
  let said = String(decoding: result.standardErrorContent, as: UTF8.self)
  #expect(said.contains(words), "said: \(said)", sourceLocation: location)
}
