import Testing

@testable import ReferenceEngine

/// Writes after which the rows of a class lie elsewhere, and of which no change is told.
@Suite struct TracelessChangeTests {
  private let scratch = Scratch()

  /// A listener knew the rows where the version before such a write had them, and compared what
  /// came next with whatever lay there by then.
  @Test(arguments: [false, true], [5, 300, 2000])
  func `NOTIFY-06: who came and went takes nothing from what a listener knows`(
    isApart: Bool, count: Int
  ) throws {
    let configuration = scratch.configuration([Dog.self, Person.self])
    let (desk, other) = (Desk(configuration), Desk(configuration))
    try desk.work { try walk($0, isApart ? other : nil, count) }
  }

  private func walk(_ realm: Realm, _ other: Desk?, _ count: Int) throws {
    try realm.write {
      for age in 0..<count { realm.create(Dog.self, value: ["name": "", "age": age]) }
    }
    let dogs = realm.objects(Dog.self)
    var ages: [Int] = []
    let token = dogs.observe { change in
      switch change {
      case .initial(let now): ages = now.map(\.age)
      case .update(let now, let deletions, let insertions, let modifications):
        for index in deletions.reversed() { ages.remove(at: index) }
        for index in insertions { ages.insert(now[index].age, at: index) }
        for index in modifications { ages[index] = now[index].age }
      case .error(let error): Issue.record(error)
      }
    }
    realm.refresh()
    for round in 0..<12 {
      // In one write, or in two of which the listener is told together.
      if let other {
        other.commit { $0.create(Dog.self, value: ["name": "", "age": -1]) }
        other.commit { $0.delete($0.objects(Dog.self).where { $0.age == -1 }) }
      } else {
        try realm.write { realm.delete(realm.create(Dog.self)) }
      }
      realm.refresh()
      // Nodes come where the old ones were.
      for number in 0..<8 {
        try realm.write {
          for _ in 0..<20 { realm.create(Person.self, value: ["name": "\(number)"]) }
          if number == 7 { realm.delete(realm.objects(Person.self)) }
        }
      }
      try realm.write {
        realm.delete(dogs[round % dogs.count])
        realm.create(Dog.self, value: ["name": "", "age": count + round])
      }
      realm.refresh()
      #expect(ages == Array(dogs.map(\.age)), "round \(round)")
    }
    token.invalidate()
  }
}
