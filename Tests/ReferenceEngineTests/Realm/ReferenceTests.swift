import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

@Suite struct ReferenceTests {
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

  @Test func `REF-01, REF-02, REF-17: objects, lists, results and links backwards cross`() throws {
    let (realm, ada) = try realmWithAda()
    let person = ThreadSafeReference(to: ada)
    let dogs = ThreadSafeReference(to: ada.dogs)
    let people = ThreadSafeReference(to: realm.objects(Person.self).where { $0.name == "Ada" })
    let owners = ThreadSafeReference(to: ada.dogs[0].owners)
    let desk = Desk(configuration)
    desk.work { other in
      #expect(other.resolve(dogs)?.first?.name == "Rex")
      #expect(other.resolve(people)?.count == 1)
      #expect(other.resolve(owners)?.first?.name == "Ada")
      let found = other.resolve(person)
      #expect(found?.realm == other)
      try? other.write { found?.name = "Eva" }
    }
    #expect(ada.name == "Ada", "REF-17")
    realm.refresh()
    #expect(ada.name == "Eva")
  }

  @Test func `REF-04, REF-05: copies share whether they were resolved`() throws {
    let (realm, ada) = try realmWithAda()
    let reference = ThreadSafeReference(to: ada)
    let copy = reference
    #expect(!copy.isInvalidated)
    #expect(realm.resolve(reference)?.isSameObject(as: ada) == true, "REF-18")
    #expect(copy.isInvalidated)
  }

  @Test func `REF-03: a second resolution stops the process`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: freshConfiguration())
      let person = try realm.write { realm.create(Person.self) }
      let reference = ThreadSafeReference(to: person)
      _ = realm.resolve(reference)
      _ = realm.resolve(reference)
    }
    expect(result, says: "Can only resolve a thread safe reference once.")
  }

  @Test func `REF-07, REF-08: what cannot be referred to`() async {
    let unmanaged = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = ThreadSafeReference(to: Person()) }
    expect(unmanaged, says: "Cannot construct reference to unmanaged object")
    let deleted = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: freshConfiguration())
      let person = try realm.write { realm.create(Person.self) }
      try realm.write { realm.delete(person) }
      _ = ThreadSafeReference(to: person)
    }
    expect(deleted, says: "Cannot construct reference to invalidated object")
  }

  @Test func `REF-09, REF-10: a deleted target is nil, and a write resolves to the newest state`()
    throws
  {
    let (realm, ada) = try realmWithAda()
    let (first, second) = (ThreadSafeReference(to: ada), ThreadSafeReference(to: ada))
    let desk = Desk(configuration)
    let other = Desk(configuration)
    other.commit { $0.objects(Person.self).first?.name = "Eva" }
    desk.commit { #expect($0.resolve(first)?.name == "Eva") }
    other.commit { $0.delete($0.objects(Person.self)) }
    desk.commit { #expect($0.resolve(second) == nil) }
    withExtendedLifetime(realm) {}
  }

  @Test func `REF-12: resolving brings an older realm up to the reference, and leaves a newer one`()
    throws
  {
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Person.self).count == 0)
    let desk = Desk(configuration)
    let reference = desk.work { other in
      try? other.write { other.add(Person(name: "Ada")) }
      return ThreadSafeReference(to: other.objects(Person.self).first!)
    }
    #expect(realm.objects(Person.self).count == 0)
    #expect(realm.resolve(reference)?.name == "Ada")
    let old = ThreadSafeReference(to: realm.objects(Person.self).first!)
    desk.commit { $0.objects(Person.self).first?.name = "Eva" }
    desk.work { #expect($0.resolve(old)?.name == "Eva") }
  }

  @Test func `REF-15: a reference made in a write follows its end`() throws {
    let realm = try Realm(configuration: configuration)
    let desk = Desk(configuration)
    realm.beginWrite()
    let kept = ThreadSafeReference(to: realm.create(Person.self, value: ["name": "Ada"]))
    try realm.commitWrite()
    desk.work { #expect($0.resolve(kept)?.name == "Ada") }
    realm.beginWrite()
    let lost = ThreadSafeReference(to: realm.create(Person.self, value: ["name": "Eva"]))
    realm.cancelWrite()
    desk.work { #expect($0.resolve(lost) == nil) }
  }

  @Test func `REF-21: a reference finds nothing in another file`() throws {
    let (realm, ada) = try realmWithAda()
    let other = try Realm(configuration: freshConfiguration())
    try other.write { other.add(Person(name: "somebody else")) }
    #expect(other.resolve(ThreadSafeReference(to: ada)) == nil)
    withExtendedLifetime(realm) {}
  }

  @Test func `REF-20: a frozen object can be referred to`() throws {
    let (realm, ada) = try realmWithAda()
    #expect(realm.resolve(ThreadSafeReference(to: ada.freeze()))?.name == "Ada")
  }

  @Test func `REF-22: resolving on the wrong thread stops the process`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = Smuggled(try Realm(configuration: freshConfiguration()))
      let person = try realm.value.write { realm.value.create(Person.self) }
      let reference = ThreadSafeReference(to: person)
      onNewThread { _ = realm.value.resolve(reference) }
    }
    expect(result, says: "Realm accessed from incorrect thread.")
  }

  @Test
  func `REF-24, REF-25, REF-28: a thread-safe variable is read anywhere, until its object is gone`()
    throws
  {
    let (realm, ada) = try realmWithAda()
    @ThreadSafe var person = ada
    let shared = _person
    #expect(person === ada || person?.isSameObject(as: ada) == true)
    for _ in 0..<3 {
      #expect(onNewThread { shared.wrappedValue?.name } == "Ada")
    }
    try realm.write { realm.delete(ada) }
    #expect(onNewThread { shared.wrappedValue == nil })
    #expect(person == nil)
  }

  @Test func `REF-26: a thread-safe variable takes another object, and none that is unmanaged`()
    async throws
  {
    let (realm, ada) = try realmWithAda()
    @ThreadSafe var person = ada
    let bob = try realm.write { realm.create(Person.self, value: ["name": "Bob"]) }
    person = bob
    let shared = _person
    #expect(onNewThread { shared.wrappedValue?.name } == "Bob")
    person = nil
    #expect(onNewThread { shared.wrappedValue == nil })
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = ThreadSafe(wrappedValue: Person()) }
    expect(result, says: "Only managed objects may be wrapped as thread safe.")
  }

  @Test func `REF-29: a thread-safe variable is writable in this thread's write`() throws {
    let (realm, ada) = try realmWithAda()
    let shared = ThreadSafe(wrappedValue: ada)
    let desk = Desk(configuration)
    onNewThread {
      let other = try? Realm(configuration: desk.configuration)
      try? other?.write { shared.wrappedValue?.name = "Eva" }
    }
    realm.refresh()
    #expect(ada.name == "Eva")
  }

  @Test func `REF-30: thread-safe variables hold collections`() throws {
    let (realm, ada) = try realmWithAda()
    let dogs = ThreadSafe(wrappedValue: ada.dogs)
    let people = ThreadSafe(wrappedValue: realm.objects(Person.self))
    #expect(onNewThread { dogs.wrappedValue?.first?.name } == "Rex")
    #expect(onNewThread { people.wrappedValue?.count } == 1)
  }

  // home                      disk                   elsewhere
  // seals
  // makes a reference
  //                           is about to flush
  //                                                  resolves
  @Test(arguments: [true, false], [true, false])
  func `REF-12: what is committed and not yet durable is found by reference`(
    isDurableInTheEnd: Bool, isMadeInWrite: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isDurableInTheEnd, isMadeInWrite] in
      alarm(60)
      let (scratch, ear) = (Scratch(), Ear())
      ear.record()
      ear.install()
      let configuration = scratch.configuration([Person.self, Dog.self])
      let (desk, other) = (Desk(configuration), Desk(configuration))
      desk.commit { $0.add(Person(name: "Ada")) }
      other.work { #expect($0.objects(Person.self).count == 1) }
      let (arrived, goOn, done) = (Bell(), Bell(), Bell())
      if !isDurableInTheEnd { ear.fail(.flushes, after: 0, times: 1) }
      ear.beforeFlush {
        ear.beforeFlush(nil)
        arrived.ring()
        goOn.wait()
      }
      let references = desk.work { realm in
        realm.beginWrite()
        let person = Person(name: "Bea")
        realm.add(person)
        let early = isMadeInWrite ? ThreadSafeReference(to: person) : nil
        realm.commitAsyncWrite { error in
          #expect((error == nil) == isDurableInTheEnd)
          done.ring()
        }
        return (
          early ?? ThreadSafeReference(to: person),
          ThreadSafeReference(to: realm.objects(Person.self))
        )
      }
      arrived.wait()
      let found = other.work { realm in
        let person = realm.resolve(references.0)
        #expect(person?.name == "Bea")
        #expect(realm.resolve(references.1)?.count == 2)
        return Smuggled(person)
      }
      goOn.ring()
      done.wait()
      desk.commit { $0.add(Dog()) }
      other.work { realm in
        realm.refresh()
        #expect(realm.objects(Person.self).count == (isDurableInTheEnd ? 2 : 1))
        #expect(found.value?.isInvalidated == !isDurableInTheEnd)
      }
    }
  }

  @Test func `ACTOR-31: what is committed and not yet durable is observed elsewhere`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (scratch, ear) = (Scratch(), Ear())
      ear.record()
      ear.install()
      let configuration = scratch.configuration([Person.self, Dog.self])
      let (desk, other) = (Desk(configuration), Desk(configuration))
      desk.commit { $0.add(Person(name: "Ada")) }
      other.work { #expect($0.objects(Person.self).count == 1) }
      let (arrived, goOn, told) = (Bell(), Bell(), Noted<String>())
      ear.beforeFlush {
        ear.beforeFlush(nil)
        arrived.ring()
        goOn.wait()
      }
      let tokens = desk.work { realm in
        realm.beginWrite()
        let ada = realm.objects(Person.self)[0]
        ada.name = "Ada the first"
        let bea = Person(name: "Bea")
        realm.add(bea)
        realm.commitAsyncWrite()
        return [ada, bea].map { person in
          person.observe(on: other.queue) { change in
            if case .change(let person, _) = change { told.add(person.name) }
          }
        }
      }
      arrived.wait()
      other.work { _ in }
      goOn.ring()
      desk.commit { realm in for person in realm.objects(Person.self) { person.name += "!" } }
      other.work { _ in }
      other.work { $0.refresh() }
      #expect(told.all == ["Ada the first!", "Bea!"])
      for token in tokens { token.invalidate() }
    }
  }

  @Test func `REF-14: a reference to results keeps its version until it is resolved`() throws {
    let (realm, ada) = try realmWithAda()
    let coordinator = realm.session.coordinator
    let reference = ThreadSafeReference(to: realm.objects(Person.self))
    for _ in 0..<3 { try realm.write { ada.age += 1 } }
    let held = coordinator.pins.pinnedVersions().count
    _ = realm.resolve(reference)
    #expect(coordinator.pins.pinnedVersions().count == held - 1)
  }
}
