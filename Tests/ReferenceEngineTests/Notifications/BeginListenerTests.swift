import Testing

@testable import ReferenceEngine

/// Listeners that are told by the begin of a write, and change something in it. Those behind them
/// knew the write's rows from then on, as rows of the version that it was begun on: what came of
/// them they were not told, and where they had lain was looked up when others lay there.
@Suite struct BeginListenerTests {
  private let scratch = Scratch()

  /// A copy of all dogs that only what is told changes.
  private final class Mirror {
    var ages: [Int] = []
    var calls = 0
    var token: NotificationToken?

    func listen(to dogs: Results<Dog>) {
      token = dogs.observe { [unowned self] change in
        calls += 1
        switch change {
        case .initial(let now): ages = now.map(\.age)
        case .update(let now, let deletions, let insertions, let modifications):
          guard deletions.allSatisfy({ $0 < ages.count }) else {
            Issue.record("\(deletions) of \(ages.count)")
            return
          }
          for index in deletions.reversed() { ages.remove(at: index) }
          for index in insertions {
            guard index <= ages.count, index < now.count else {
              Issue.record("\(insertions) into \(ages.count)")
              return
            }
            ages.insert(now[index].age, at: index)
          }
          for index in modifications where index < ages.count { ages[index] = now[index].age }
        case .error(let error): Issue.record(error)
        }
      }
    }
  }

  // home                             another
  //                                  commits
  // begins: a listener adds one
  // and deletes one, others are told
  // commits, or cancels
  @Test(arguments: [false, true], [3, 600])
  func `NOTIFY-07: what a listener changes in a begin is told when the write has ended`(
    isKept: Bool, count: Int
  ) throws {
    let configuration = scratch.configuration([Dog.self, Person.self])
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      for age in 0..<count { realm.create(Dog.self, value: ["name": "", "age": age]) }
    }
    let mirrors = (0..<3).map { _ in Mirror() }
    var tokens: [NotificationToken] = []
    try desk.work { realm in
      realm.autorefresh = false
      let dogs = realm.objects(Dog.self)
      var isDue = false
      mirrors[0].listen(to: dogs)
      tokens.append(
        dogs.observe { change in
          if case .update = change {
            guard isDue, realm.isInWriteTransaction else { return }
            isDue = false
            realm.delete(dogs[1])
            realm.create(Dog.self, value: ["name": "", "age": -1])
          }
        })
      mirrors[1].listen(to: dogs)
      realm.refresh()
      for round in 0..<4 {
        other.commit { realm in
          realm.delete(realm.objects(Dog.self)[0])
          realm.create(Dog.self, value: ["name": "", "age": 10_000 + round])
        }
        // The last one is yet to be told of any.
        if round == 2 { mirrors[2].listen(to: dogs) }
        isDue = true
        realm.beginWrite()
        #expect(!isDue)
        if isKept { try realm.commitWrite() } else { realm.cancelWrite() }
        for number in 0..<6 {
          try realm.write {
            for _ in 0..<40 { realm.create(Person.self, value: ["name": "\(number)"]) }
          }
        }
        realm.refresh()
        let ages = Array(dogs.map(\.age))
        for (number, mirror) in mirrors.enumerated() where mirror.token != nil {
          #expect(mirror.ages == ages, "mirror \(number) in round \(round)")
        }
      }
      for token in tokens + mirrors.compactMap(\.token) { token.invalidate() }
    }
  }
}
