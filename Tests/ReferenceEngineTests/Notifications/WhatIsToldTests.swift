import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

private final class Bag: Object {
  @Persisted var words: MutableSet<String>
  @Persisted var mixed: MutableSet<AnyRealmValue>
}

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

  @Test func `what a set has already is not put into it again and told to nobody`() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Bag.self])
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { $0.create(Bag.self, value: ["words": ["a"], "mixed": [1]]) }
    let told = Noted<String>()
    let tokens = desk.work { realm -> [NotificationToken] in
      let bag = realm.objects(Bag.self)[0]
      return [
        realm.objects(Bag.self).observe { _ in told.add("bags") },
        bag.words.observe { _ in told.add("words") },
        bag.observe { _ in told.add("bag") },
      ]
    }
    desk.work { _ in }
    #expect(told.all == ["bags", "words"])
    other.commit {
      $0.objects(Bag.self)[0].words.insert("a")
      $0.objects(Bag.self)[0].mixed.insert(1)
    }
    desk.work { _ in }
    #expect(told.all == ["bags", "words"])
    other.commit { $0.objects(Bag.self)[0].words.insert("b") }
    desk.work { _ in }
    #expect(Set(told.all.dropFirst(2)) == ["bags", "words", "bag"])
    for token in tokens { token.invalidate() }
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

  @Test func `what is replaced in a list is modified`() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Shelf.self, Dog.self])
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit {
      $0.create(Shelf.self, value: ["numbers": [1, 2, 3], "dogs": [["age": 1], ["age": 2]]])
    }
    let told = Noted<String>()
    let tokens = desk.work { realm -> [NotificationToken] in
      let shelf = realm.objects(Shelf.self)[0]
      return [
        shelf.numbers.observe { told.add(positions($0)) },
        shelf.dogs.observe { told.add("dogs " + positions($0)) },
      ]
    }
    desk.work { _ in }
    func tell(_ change: (Shelf) -> Void) -> [String] {
      let before = told.all.count
      other.commit { change($0.objects(Shelf.self)[0]) }
      desk.work { _ in }
      return Array(told.all.dropFirst(before))
    }
    #expect(tell { $0.numbers[1] = 7 } == ["[] [] [1]"])
    #expect(
      tell { shelf in for place in 0..<3 { shelf.numbers[place] += 1 } } == ["[] [] [0, 1, 2]"])
    #expect(
      tell {
        $0.numbers[0] = 9
        $0.numbers.append(5)
      } == ["[0] [0, 3] []"])
    #expect(
      tell {
        $0.numbers.remove(at: 0)
        $0.numbers.insert(8, at: 0)
      } == ["[0] [0] []"])
    #expect(tell { $0.dogs[0] = Dog(value: ["age": 5]) } == ["dogs [] [] [0]"])
    #expect(tell { $0.dogs[1].age = 6 } == ["dogs [] [] [1]"])
    #expect(
      tell {
        $0.dogs[0] = $0.dogs[1]
        $0.dogs[1].age = 7
      } == ["dogs [] [] [0, 1]"])
    for token in tokens { token.invalidate() }
  }

  private func positions<C>(_ change: RealmCollectionChange<C>) -> String {
    guard case .update(_, let deletions, let insertions, let modifications) = change else {
      return "initial"
    }
    return "\(deletions) \(insertions) \(modifications)"
  }
}
