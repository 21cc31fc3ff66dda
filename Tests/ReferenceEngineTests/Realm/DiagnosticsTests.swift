import Foundation
import Testing

@testable import ReferenceEngine

/// What Realm forbids ends the process, in Realm's own words.
struct DiagnosticsTests {
  private func said(_ result: ExitTest.Result?, _ words: String) -> Bool {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(words)
  }

  @Test func `FREEZE-39: a read from a frozen realm that was invalidated dies`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let frozen = try scratch.realm().freeze()
      frozen.invalidate()
      print(frozen.objects(Person.self).count)
    }
    #expect(said(result, "Cannot read from a frozen Realm which has been invalidated."))
  }

  @Test func `FREEZE-39: a property of an object of such a realm dies`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      let person = try realm.write { realm.create(Person.self) }.freeze()
      person.realm?.invalidate()
      print(person.name)
    }
    #expect(said(result, "Object has been deleted or invalidated."))
  }

  @Test func `WRITE-09: a write inside a write dies`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      realm.beginWrite()
      realm.beginWrite()
    }
    #expect(said(result, "The Realm is already in a write transaction"))
  }

  @Test func `WRITE-13: cancelling nothing dies`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Scratch().realm().cancelWrite()
    }
    #expect(said(result, "Can't cancel a non-existing write transaction"))
  }

  @Test func `WRITE-14: committing nothing throws`() throws {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    let realm = try scratch.realm()
    #expect(throws: Realm.Error.self) { try realm.commitWrite() }
  }

  @Test func `WRITE-15: setting a property outside a write dies`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      let person = try realm.write { realm.create(Person.self) }
      person.name = "Jane"
    }
    #expect(
      said(
        result,
        "Attempting to modify object outside of a write transaction - call beginWriteTransaction "
          + "on an RLMRealm instance first."))
  }

  @Test func `WRITE-16: changing a list outside a write dies`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      let person = try realm.write { realm.create(Person.self) }
      person.dogs.append(Dog())
    }
    #expect(said(result, "Cannot modify managed RLMArray outside of a write transaction."))
  }

  @Test func `WRITE-17: adding outside a write dies`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Scratch().realm().add(Person())
    }
    #expect(
      said(
        result,
        "Can only add, remove, or create objects in a Realm in a write transaction - call "
          + "beginWriteTransaction on an RLMRealm instance first."))
  }

  @Test func `WRITE-26: a read-only realm cannot be written`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      do {
        let realm = try scratch.realm()
        try realm.write { realm.add(Person()) }
      }
      var configuration = scratch.configuration()
      configuration.readOnly = true
      try Realm(configuration: configuration).beginWrite()
    }
    #expect(said(result, "Can't perform transactions on read-only Realms."))
  }

  @Test func `WRITE-30: adding another realm's object dies`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (first, second) = (Scratch(), Scratch())
      defer { withExtendedLifetime((first, second)) {} }
      let (one, other) = (try first.realm(), try second.realm())
      let person = try one.write { one.create(Person.self) }
      try other.write { other.add(person) }
    }
    #expect(said(result, "Object is already managed by another Realm. Use create instead"))
  }

  @Test func `WRITE-31: deleting another realm's object dies`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (first, second) = (Scratch(), Scratch())
      defer { withExtendedLifetime((first, second)) {} }
      let (one, other) = (try first.realm(), try second.realm())
      let person = try one.write { one.create(Person.self) }
      try other.write { other.delete(person) }
    }
    #expect(said(result, "Can only delete an object from the Realm it belongs to."))
  }

  @Test func `CONFINE-01, -02: a live realm and its objects die on another thread`() async {
    let realm = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      nonisolated(unsafe) let realm = try scratch.realm()
      onAnotherThread { realm.beginWrite() }
    }
    #expect(said(realm, "Realm accessed from incorrect thread."))
    let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      nonisolated(unsafe) let person = try realm.write { realm.create(Person.self) }
      onAnotherThread { _ = person.name }
    }
    #expect(said(object, "Realm accessed from incorrect thread."))
  }

  @Test func `LIFE-12: a deleted object dies when it is read`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      let person = try realm.write { realm.create(Person.self) }
      try realm.write { realm.delete(person) }
      _ = person.name
    }
    #expect(said(result, "Object has been deleted or invalidated."))
  }

  @Test func `a duplicate primary key dies`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      try realm.write {
        realm.create(Named.self, value: ["id": "a"])
        realm.create(Named.self, value: ["id": "a"])
      }
    }
    #expect(
      said(
        result,
        "Attempting to create an object of type 'Named' with an existing primary key value 'a'."))
  }
}

/// Does something on a thread of its own and waits until it has.
private func onAnotherThread(_ work: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread {
    work()
    done.signal()
  }.start()
  done.wait()
}
