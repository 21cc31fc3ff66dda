import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

@Suite struct RefreshTests {
  private let configuration = freshConfiguration()

  @Test func `REFRESH-03, REFRESH-04: refresh advances everything and says whether it did`() throws
  {
    let realm = try Realm(configuration: configuration)
    let people = realm.objects(Person.self)
    #expect(people.count == 0)
    let other = Desk(configuration)
    other.commit { $0.add(Person(name: "Ada")) }
    other.commit { $0.add(Person(name: "Eva")) }
    #expect(people.count == 0)
    #expect(realm.refresh())
    #expect(people.count == 2)
    #expect(!realm.refresh())
  }

  @Test
  func
    `REFRESH-01, REFRESH-02: a realm shows the newest version it was opened on, until refreshed`()
    throws
  {
    let other = Desk(configuration)
    other.commit { $0.add(Person(name: "Ada")) }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Person.self).count == 1)
    other.commit { $0.add(Person(name: "Eva")) }
    for _ in 0..<10 { #expect(realm.objects(Person.self).count == 1) }
  }

  @Test func `REFRESH-05: refresh inside a write does nothing`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.add(Person(name: "Ada"))
      #expect(!realm.refresh())
      #expect(realm.objects(Person.self).count == 1)
    }
  }

  @Test func `REFRESH-06: refresh inside a listener's call does nothing`() throws {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let seen = Noted<Bool>()
    let token = desk.work { realm in
      _ = realm.objects(Person.self).count
      return realm.observe { _, realm in
        guard seen.all.isEmpty else { return }
        other.commit { $0.add(Person(name: "later")) }
        seen.add(realm.refresh())
        seen.add(realm.objects(Person.self).count == 1)
      }
    }
    other.commit { $0.add(Person(name: "first")) }
    desk.work { _ in }
    #expect(seen.all == [false, true])
    desk.work { _ in }
    desk.work { #expect($0.objects(Person.self).count == 2) }
    token.invalidate()
  }

  @Test func `REFRESH-08, REFRESH-09: a queue's realm follows by itself`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.work { realm in
      #expect(realm.autorefresh)
      #expect(realm.objects(Person.self).count == 0)
    }
    other.commit { $0.add(Person(name: "Ada")) }
    desk.work { #expect($0.objects(Person.self).count == 1) }
  }

  // desk                          other
  // reads nothing
  //                               commits
  // still reads nothing
  // (next block) reads it
  @Test func `REFRESH-10: it does not advance in the middle of a block`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.work { realm in
      let people = realm.objects(Person.self)
      #expect(people.count == 0)
      other.commit { $0.add(Person(name: "Ada")) }
      #expect(people.count == 0)
    }
    desk.work { #expect($0.objects(Person.self).count == 1) }
  }

  @Test func `REFRESH-11, REFRESH-13: without autorefresh it stays, and is told that it is behind`()
  {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let told = Noted<Realm.Notification>()
    let token = desk.work { realm in
      realm.autorefresh = false
      #expect(realm.objects(Person.self).count == 0)
      return realm.observe { notification, _ in told.add(notification) }
    }
    other.commit { $0.add(Person(name: "Ada")) }
    desk.work { realm in
      #expect(told.all == [.refreshRequired])
      #expect(realm.objects(Person.self).count == 0)
      #expect(realm.refresh())
      #expect(realm.objects(Person.self).count == 1)
      #expect(told.all == [.refreshRequired, .didChange])
    }
    token.invalidate()
  }

  @Test func `REFRESH-12: a thread without a loop never follows by itself`() throws {
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Person.self).count == 0)
    let other = Desk(configuration)
    for i in 0..<20 { other.commit { $0.add(Person(name: "\(i)")) } }
    #expect(realm.objects(Person.self).count == 0)
  }

  @Test func `REFRESH-18: autorefresh belongs to the instance and goes with it`() throws {
    let scope = { () throws -> Void in
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      #expect(try !Realm(configuration: configuration).autorefresh)
    }
    try scope()
    #expect(try Realm(configuration: configuration).autorefresh)
  }

  @Test func `REFRESH-20: an object that was deleted elsewhere is invalid after a refresh`() throws
  {
    let realm = try Realm(configuration: configuration)
    let other = Desk(configuration)
    other.commit { $0.add(Person(name: "Ada")) }
    realm.refresh()
    let person = try #require(realm.objects(Person.self).first)
    other.commit { $0.delete($0.objects(Person.self)) }
    #expect(!person.isInvalidated)
    realm.refresh()
    #expect(person.isInvalidated)
  }

  @Test func `REFRESH-04: after invalidate a refresh begins anew`() throws {
    let realm = try Realm(configuration: configuration)
    _ = realm.objects(Person.self).count
    realm.invalidate()
    #expect(realm.refresh())
  }

  @Test func `REFRESH-07, REFRESH-14: frozen realms neither refresh nor follow`() throws {
    let frozen = try Realm(configuration: configuration).freeze()
    #expect(!frozen.refresh())
    #expect(!frozen.autorefresh)
  }

  @Test func `REFRESH-14: a frozen realm cannot be made to follow`() async {
    await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: freshConfiguration())
      realm.freeze().autorefresh = true
    }
  }
}
