import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

private final class Ring: Object {
  @Persisted var n: Int
  @Persisted var next: Ring?
  @Persisted(originProperty: "next") var before: LinkingObjects<Ring>
}

/// What listeners are told where it was too little, or at another time.
struct WhatIsToldTests {
  private let configuration = freshConfiguration()

  private func names(_ change: ObjectChange<Dog>) -> String {
    switch change {
    case .change(_, let properties): properties.map(\.name).joined(separator: " ")
    case .deleted: "deleted"
    case .error: "error"
    }
  }

  @Test func `NOTIFY-16: a change over links backwards names the property`() throws {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { $0.create(Person.self, value: ["name": "Ada", "dogs": [["name": "Rex"]]]) }
    let told = Noted<String>()
    let token = desk.work { realm -> NotificationToken in
      realm.objects(Dog.self)[0].observe(keyPaths: ["owners.name", "name"]) { told.add(names($0)) }
    }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[0].name = "Eva" }
    desk.work { _ in }
    other.commit {
      $0.objects(Person.self)[0].name = "Ida"
      $0.objects(Dog.self)[0].name = "Bo"
    }
    desk.work { _ in }
    other.commit { $0.create(Person.self, value: ["dogs": [$0.objects(Dog.self)[0]]]) }
    desk.work { _ in }
    #expect(told.all == ["owners", "name owners", "owners"])
    token.invalidate()
  }

  @Test func `key paths that end in a link behind a link count`() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Ring.self])
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { $0.create(Ring.self, value: ["n": 1, "next": ["n": 2, "next": ["n": 3]]]) }
    let told = Noted<Int>()
    let token = desk.work { realm -> NotificationToken in
      realm.objects(Ring.self).where { $0.n == 1 }.observe(keyPaths: [\.next?.next]) { change in
        if case .update(_, _, _, let modifications) = change { told.add(modifications.count) }
      }
    }
    desk.work { _ in }
    other.commit { $0.objects(Ring.self).where { $0.n == 2 }[0].next = nil }
    desk.work { _ in }
    #expect(told.all == [1])
    token.invalidate()
  }

  @Test func `NOTIFY-05: an own write comes after the initial call`() throws {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let told = Noted<String>()
    let token = desk.work { realm -> NotificationToken in
      let token = realm.objects(Person.self).observe { change in
        switch change {
        case .initial(let people): told.add("initial \(people.count)")
        case .update(_, _, let insertions, _): told.add("update \(insertions)")
        case .error: told.add("error")
        }
      }
      other.commit { $0.add(Person(name: "from elsewhere")) }
      try? realm.write { realm.add(Person(name: "own")) }
      #expect(told.all == ["initial 1"])
      return token
    }
    desk.work { _ in }
    #expect(told.all == ["initial 1", "update [1]"])
    token.invalidate()
  }
}
