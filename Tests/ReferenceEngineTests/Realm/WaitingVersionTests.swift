import Foundation
import Testing

@testable import ReferenceEngine

/// What begins to be used where a group's commits wait for their place in the file. They lie in
/// memory that the next group writes over, whoever that is of: whatever knew a row by where it
/// waited found there what the next group had left.
@Suite struct WaitingVersionTests {
  private let scratch = Scratch()

  private func desks() -> (Desk, Desk) {
    let configuration = scratch.configuration([Dog.self, Person.self, Keyed.self])
    return (Desk(configuration), Desk(configuration))
  }

  private func fill(_ realm: Realm, _ count: Int) {
    for age in 0..<count { realm.create(Dog.self, value: ["name": "dog \(age)", "age": age]) }
  }

  // home                            another
  // commits, and begins a loop
  // commits once more
  //                                 commits a group
  // goes on with the loop
  @Test(arguments: [5, 300, 600])
  func `READ-12: a loop that began over what waited goes on over it`(count: Int) {
    let (desk, other) = desks()
    let done = Bell()
    var walk: RLMIterator<Dog>?
    var ages: [Int] = []
    desk.work { realm in
      realm.beginAsyncWrite {
        fill(realm, count)
        realm.commitAsyncWrite(allowGrouping: true)
        #expect(realm.session.root?.isWaiting == true)
        walk = realm.objects(Dog.self).makeIterator()
        for _ in 0..<3 { ages.append(walk?.next()?.age ?? -1) }
      }
      realm.beginAsyncWrite {
        realm.create(Person.self)
        realm.commitAsyncWrite { _ in done.ring() }
      }
    }
    #expect(done.wait())
    other.writeOver()
    desk.work { _ in
      while let dog = walk?.next(), ages.count < 2 * count { ages.append(dog.age) }
      walk = nil
    }
    #expect(ages == Array(0..<count))
  }

  // home                            another
  // commits, and begins to listen
  // begins once more, and is told
  // commits
  // is busy                         commits a group
  // is told of the second
  @Test(arguments: [5, 300, 600], [1, 2])
  func `NOTIFY-06: a listener of what waited is told what came after`(count: Int, between: Int) {
    let (desk, other) = desks()
    let done = Bell()
    var ages: [Int] = []
    var token: NotificationToken?
    desk.work { realm in
      let dogs = realm.objects(Dog.self)
      realm.beginAsyncWrite {
        fill(realm, count)
        realm.commitAsyncWrite(allowGrouping: true)
        #expect(realm.session.root?.isWaiting == true)
        token = dogs.observe { change in
          switch change {
          case .initial(let now): ages = now.map(\.age)
          case .update(let now, let deletions, let insertions, let modifications):
            for index in deletions.reversed() { ages.remove(at: index) }
            for index in insertions { ages.insert(now[index].age, at: index) }
            for index in modifications { ages[index] = now[index].age }
          case .error(let error): Issue.record(error)
          }
        }
      }
      for number in 1...between {
        realm.beginAsyncWrite {
          #expect(ages.count == count)
          realm.delete(dogs[count / 2])
          realm.create(Dog.self, value: ["name": "last", "age": count + number])
          realm.commitAsyncWrite(allowGrouping: number < between) { _ in
            if number == between { done.ring() }
          }
        }
      }
      // Behind the turn that runs all of them, and before its news.
      let blockHome = Smuggled { other.writeOver() }
      desk.queue.async { blockHome.value() }
    }
    #expect(done.wait())
    desk.work { realm in
      realm.refresh()
      #expect(ages == Array(realm.objects(Dog.self).map(\.age)))
      token?.invalidate()
    }
  }
}
