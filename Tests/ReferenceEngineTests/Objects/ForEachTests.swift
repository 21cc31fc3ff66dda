// forEach itself is what is asked here.
// swift-format-ignore-file: ReplaceForEachWithForLoop

import CShims
import Foundation
import Testing

@testable import ReferenceEngine

/// `forEach` lends one object and moves it from row to row, and a read looks at next to nothing as
/// long as the instant lasts: so all that may happen in a body happens here.
@Suite struct ForEachTests {
  let scratch = Scratch()

  private func dogs(_ count: Int) throws -> Realm {
    let realm = try scratch.realm()
    try realm.write {
      for age in 0..<count { realm.create(Dog.self, value: ["name": "dog \(age)", "age": age]) }
    }
    return realm
  }

  private func sum(_ dogs: Results<Dog>) -> Int {
    var sum = 0
    dogs.forEach { sum += $0.age }
    return sum
  }

  // MARK: Which rows

  @Test(arguments: [0, 1, 2, 255, 256, 257, 600])
  func `every row is visited once, in order`(count: Int) throws {
    let realm = try dogs(count)
    var ages: [Int] = []
    var names: [String] = []
    realm.objects(Dog.self).forEach {
      ages.append($0.age)
      names.append($0.name)
    }
    #expect(ages == Array(0..<count) && names == ages.map { "dog \($0)" })
  }

  @Test func `rows with gaps between their keys are visited, too`() throws {
    let realm = try dogs(900)
    let all = realm.objects(Dog.self)
    try realm.write {
      realm.delete(all.where { $0.age.in(Array(stride(from: 0, to: 600, by: 3))) })
    }
    var ages: [Int] = []
    all.forEach { ages.append($0.age) }
    #expect(ages == (0..<900).filter { $0 >= 600 || $0 % 3 != 0 })
    var keys: [Int64] = []
    all.forEach { keys.append($0.rowKey ?? -1) }
    #expect(keys == Array(all).map(\.rowKey))
  }

  @Test func `objects whose class is known by name alone are visited`() throws {
    let realm = try dogs(3)
    try realm.write {
      let owner = realm.create(Person.self)
      owner.dogs.append(objectsIn: realm.objects(Dog.self))
    }
    let owner = try #require(realm.dynamicObjects("Person").first)
    var ages: [Int] = []
    owner.dynamicList("dogs").filter("age > 0").forEach { ages.append($0["age"] as? Int ?? -1) }
    #expect(ages == [1, 2])
    ages = []
    realm.dynamicObjects("Dog").forEach { ages.append($0["age"] as? Int ?? -1) }
    #expect(ages == [0, 1, 2])
  }

  @Test func `values are visited`() throws {
    class Numbers: Object {
      @Persisted var all: List<Int>
    }
    let realm = try Realm(configuration: scratch.configuration([Numbers.self]))
    let numbers = try realm.write { realm.create(Numbers.self, value: [[3, 1, 2]]) }
    var seen: [Int] = []
    numbers.all.sorted(ascending: true).forEach { seen.append($0) }
    #expect(seen == [1, 2, 3])
  }

  // MARK: What a body does

  @Test func `an object that a body keeps stays with its row`() throws {
    let realm = try dogs(700)
    for step in [1, 2, 7, 255, 256] {
      var kept: [Dog] = []
      realm.objects(Dog.self).forEach { dog in
        if dog.age % step == 0 { kept.append(dog) }
        #expect(kept.last?.age == dog.age - dog.age % step)
      }
      #expect(kept.map(\.age) == Array(stride(from: 0, to: 700, by: step)))
      #expect(kept.map(\.name) == kept.map { "dog \($0.age)" })
    }
    try realm.write { realm.objects(Dog.self).forEach { $0.age += 1 } }
    #expect(sum(realm.objects(Dog.self)) == 700 * 701 / 2)
  }

  @Test func `a walk within a walk of the same results`() throws {
    let realm = try dogs(300)
    let all = realm.objects(Dog.self)
    var pairs = 0
    all.forEach { one in
      guard one.age % 30 == 0 else { return }
      all.forEach { other in if other.age < one.age { pairs += 1 } }
      all.forEach { other in if other.age == one.age { #expect(other.isSameObject(as: one)) } }
    }
    #expect(pairs == (0..<10).map { $0 * 30 }.reduce(0, +))
  }

  @Test func `a body that throws ends the walk, and nothing is left behind`() throws {
    struct Enough: Error {}
    let realm = try dogs(600)
    let all = realm.objects(Dog.self)
    for last in [0, 1, 256, 300, 599] {
      weak var lent: Dog?
      var seen = 0
      #expect(throws: Enough.self) {
        try all.forEach { dog in
          seen += 1
          lent = dog
          if dog.age == last { throw Enough() }
        }
      }
      #expect(seen == last + 1 && lent == nil)
    }
    #expect(sum(all) == 600 * 599 / 2)
  }

  // this session                   another one of the thread
  // begins a walk
  //                                commits: the instant passes, the row does not move
  // reads the same as before
  // refreshes: reads what is new
  @Test func `what another session of the thread commits is seen after a refresh`() throws {
    let realm = try dogs(700)
    realm.autorefresh = false
    var configuration = scratch.configuration()
    configuration.cache = false
    let other = try Realm(configuration: configuration)
    let theirs = try #require(other.objects(Dog.self).first)
    var ages: [Int] = []
    try realm.objects(Dog.self).forEach { dog in
      if [100, 400].contains(dog.age) {
        let old = dog.age
        try other.write { other.objects(Dog.self)[old].age = -1 }
        #expect(dog.age == old && theirs.age == 0)
        ages.append(dog.age)
        #expect(realm.refresh())
        #expect(dog.age == -1)
      } else {
        ages.append(dog.age)
      }
    }
    #expect(ages == Array(0..<700))
  }

  @Test func `a body deletes the object it was lent, and others ahead and behind`() throws {
    let realm = try dogs(700)
    let all = realm.objects(Dog.self)
    var visited = 0
    var gone = 0
    try realm.write {
      all.forEach { dog in
        visited += 1
        if dog.isInvalidated {
          gone += 1
          return
        }
        let age = dog.age
        guard age % 10 == 0 else { return }
        realm.delete(dog)
        #expect(dog.isInvalidated)
        realm.delete(all.where { $0.age == age + 1 || $0.age == age - 1 })
      }
    }
    #expect(visited == 700 && gone == 70)
    // Nobody came after the last to take it along.
    #expect(all.map(\.age) == (0..<700).filter { ![0, 1, 9].contains($0 % 10) || $0 == 699 })
  }

  /// What was deleted lies in its cluster until somebody asks for the rows in order, and was found
  /// there beside the row before.
  @Test(arguments: [false, true])
  func `READ-12, LIFE-12: whoever was deleted ahead of a walk is gone when it comes there`(
    isLent: Bool
  ) throws {
    let realm = try dogs(700)
    let all = realm.objects(Dog.self)
    let each = Array(all)
    var visited: [Int] = []
    func visit(_ dog: Dog) {
      let age = visited.count
      visited.append(age)
      // Of ten the seventh to the ninth are deleted when the first is visited, and the second.
      #expect(dog.isInvalidated == (7..<10).contains(age % 10))
      if !dog.isInvalidated { #expect(dog.age == age) }
      if age % 10 == 0 { for other in 7..<9 { realm.delete(each[age + other]) } }
      if age % 10 == 1 { realm.delete(each[age + 8]) }
    }
    try realm.write { if isLent { all.forEach(visit) } else { for dog in all { visit(dog) } } }
    #expect(visited.count == 700 && all.count == 490)
  }

  @Test func `a body begins a write, creates, and takes it all back`() throws {
    let realm = try dogs(600)
    let all = realm.objects(Dog.self)
    var seen: [Int] = []
    all.forEach { dog in
      seen.append(dog.age)
      guard dog.age % 100 == 50 else { return }
      realm.beginWrite()
      let age = dog.age
      let late = realm.create(Dog.self, value: ["name": "late", "age": 10_000])
      dog.age = -1
      realm.delete(all.where { $0.age == age + 1 })
      #expect(dog.age == -1 && late.age == 10_000 && all.count == 600)
      realm.cancelWrite()
      #expect(dog.age == age && late.isInvalidated)
    }
    #expect(seen == Array(0..<600) && all.map(\.age) == seen)
  }

  @Test func `the object of a row that is gone can no longer be read`() async {
    let deleted = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: freshConfiguration())
      try realm.write { for age in 0..<300 { realm.create(Dog.self, value: ["", age]) } }
      try realm.write {
        realm.objects(Dog.self).forEach { dog in
          if dog.age == 270 {
            realm.delete(dog)
            print(dog.age)
          }
        }
      }
    }
    expect(deleted, says: "Object has been deleted or invalidated.")
    let invalidated = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: freshConfiguration())
      try realm.write { for age in 0..<300 { realm.create(Dog.self, value: ["", age]) } }
      realm.objects(Dog.self).forEach { dog in
        if dog.age == 270 {
          realm.invalidate()
          print(dog.age)
        }
      }
    }
    expect(invalidated, says: "Object has been deleted or invalidated.")
  }

  // MARK: Where

  @Test func `CONFINE-02: a lent object dies on another thread`() async {
    let thread = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: freshConfiguration())
      try realm.write { for age in 0..<300 { realm.create(Dog.self, value: ["", age]) } }
      realm.objects(Dog.self).forEach { dog in
        guard dog.age == 270 else { return }
        let lent = Smuggled(dog)
        onNewThread { _ = lent.value.age }
      }
    }
    expect(thread, says: "Realm accessed from incorrect thread.")
    // A thread that has a realm, and so instants, of its own.
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let configuration = freshConfiguration()
      let realm = try Realm(configuration: configuration)
      try realm.write { for age in 0..<300 { realm.create(Dog.self, value: ["", age]) } }
      realm.objects(Dog.self).forEach { dog in
        guard dog.age == 270 else { return }
        let lent = Smuggled(dog)
        onNewThread {
          let own = try? Realm(configuration: configuration)
          own?.objects(Dog.self).forEach { if $0.age == 270 { _ = lent.value.age } }
        }
      }
    }
    expect(other, says: "Realm accessed from incorrect thread.")
  }

  // A queue's block runs on the thread that waits for it: only the queue tells them apart.
  @Test func `CONFINE-02: a queue's lent object dies on another queue of the same thread`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let desk = Desk(freshConfiguration())
      desk.commit { realm in for age in 0..<300 { realm.create(Dog.self, value: ["", age]) } }
      desk.work { realm in
        realm.objects(Dog.self).forEach { dog in
          if dog.age == 270 { DispatchQueue(label: "elsewhere").sync { print(dog.age) } }
        }
      }
    }
    expect(result, says: "Realm accessed from incorrect thread.")
  }

  @Test func `frozen results and those of a queue are visited alike`() throws {
    let realm = try dogs(700)
    let frozen = Smuggled(realm.objects(Dog.self).freeze())
    let desk = Desk(scratch.configuration())
    let right = 700 * 699 / 2
    #expect(sum(frozen.value) == right)
    #expect(
      onNewThread {
        var sum = 0
        frozen.value.forEach { sum += $0.age }
        return sum
      } == right)
    #expect(desk.work { sum($0.objects(Dog.self)) } == right)
    try realm.write { realm.deleteAll() }
    #expect(sum(frozen.value) == right && sum(realm.objects(Dog.self)) == 0)
  }

  @Test func `two threads never have the same instant`() {
    let own = rb_instant_clock().pointee
    let others = (0..<200).map { _ in
      onNewThread { [rb_instant_get(), rb_instant_clock().pointee, rb_instant_get()] }
    }
    // Before it asks for one, a thread has an instant that no object is given.
    #expect(others.allSatisfy { $0[0] == 1 && $0[1] == $0[2] })
    #expect(Set(others.map { $0[1] } + [own]).count == 201)
    var clock = rb_instant_block() + 0xFFFFD
    rb_instant_pass(&clock)
    let last = clock
    rb_instant_pass(&clock)
    #expect(clock > last + 1 && clock & 0xFFFFF == 1)
  }
}
