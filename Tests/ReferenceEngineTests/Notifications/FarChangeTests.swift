import Foundation
import Testing

@testable import ReferenceEngine

/// Changes that reach a listener over links backwards, and changes too many to be recorded one by
/// one.
@Suite struct FarChangeTests {
  private let configuration = freshConfiguration()

  /// Ada has Rex, Bob has none; Fido is nobody's.
  private func stock(_ desk: Desk) {
    desk.commit { realm in
      let ada = Person(name: "Ada")
      ada.dogs.append(Dog(value: ["name": "Rex"]))
      realm.add(ada)
      realm.add(Person(name: "Bob"))
      realm.add(Dog(value: ["name": "Fido"]))
    }
  }

  @Test func `NOTIFY-12: a key path may lead through links backwards`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    stock(other)
    let told = Noted<String>()
    let token = desk.work {
      $0.objects(Dog.self).observe(keyPaths: ["owners.name"]) { told.add($0.brief) }
    }
    desk.work { _ in }
    // Rex is at 0, Fido at 1.
    other.commit { $0.objects(Person.self)[0].name = "Eva" }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[0].age = 7 }
    other.commit { $0.objects(Person.self)[1].name = "Rob" }
    other.commit { $0.objects(Dog.self)[0].name = "Max" }
    desk.work { _ in }
    #expect(told.all == ["initial", "-[] +[] ~[0]"])
    token.invalidate()
  }

  @Test func `NOTIFY-12: who begins or ceases to link is a change of the links backwards`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    stock(other)
    let told = Noted<String>()
    let token = desk.work {
      $0.objects(Dog.self).observe(keyPaths: ["owners"]) { told.add($0.brief) }
    }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[1].dogs.append($0.objects(Dog.self)[1]) }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[0].dogs.removeAll() }
    desk.work { _ in }
    other.commit { $0.delete($0.objects(Person.self)[1]) }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[0].name = "no change of any dog" }
    desk.work { _ in }
    #expect(told.all == ["initial", "-[] +[] ~[1]", "-[] +[] ~[0]", "-[] +[] ~[1]"])
    token.invalidate()
  }

  @Test func `NOTIFY-12: who links instead of another, or more often, changes the links backwards`()
  {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    stock(other)
    let told = Noted<String>()
    let token = desk.work {
      $0.objects(Dog.self).observe(keyPaths: ["owners.name"]) { told.add($0.brief) }
    }
    desk.work { _ in }
    // Rex goes from Ada to Bob, is Bob's twice, once again, and changes places with Fido.
    other.commit { realm in
      let people = realm.objects(Person.self)
      people[1].dogs.append(people[0].dogs[0])
      people[0].dogs.removeAll()
    }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[1].dogs.append($0.objects(Dog.self)[0]) }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[1].dogs.remove(at: 0) }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[1].dogs.append($0.objects(Dog.self)[1]) }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[1].dogs.swapAt(0, 1) }
    desk.work { _ in }
    let (rex, fido) = ("-[] +[] ~[0]", "-[] +[] ~[1]")
    #expect(told.all == ["initial", rex, rex, rex, fido])
    token.invalidate()
  }

  @Test func `NOTIFY-12: an object hears of the objects that link to it`() throws {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    stock(other)
    let told = Noted<String>()
    let token = desk.work { realm in
      realm.objects(Dog.self)[0].observe(keyPaths: ["owners.age", "name"]) { change in
        if case .change(_, let properties) = change { told.add("\(properties.map(\.name))") }
      }
    }
    other.commit { $0.objects(Person.self)[0].age = 7 }
    desk.work { _ in }
    other.commit { $0.objects(Person.self)[0].name = "Eva" }
    desk.work { _ in }
    other.commit { $0.objects(Dog.self)[0].name = "Max" }
    desk.work { _ in }
    #expect(told.all == ["[\"owners\"]", "[\"name\"]"])
    token.invalidate()
  }

  // A record of a commit tells at most 32,768 runs of rows; every second row of more is told by
  // comparing the versions.
  @Test func `NOTIFY-06: each of more modifications than a record holds is told`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let count = 2 * ChangeLog.mostChanges + 4
    other.commit { realm in for id in 0..<count { realm.add(Dog(value: ["age": id])) } }
    let (modified, others) = (Noted<Int>(), Noted<Int>())
    let token = desk.work {
      $0.objects(Dog.self).observe { change in
        guard case .update(_, let deletions, let insertions, let modifications) = change else {
          return
        }
        (deletions + insertions).forEach(others.add)
        modifications.forEach(modified.add)
      }
    }
    desk.work { _ in }
    other.commit { realm in
      let dogs = Array(realm.objects(Dog.self))
      for index in stride(from: 0, to: count, by: 2) { dogs[index].age = -1 }
    }
    // So large a step is looked into elsewhere, unless it is asked for.
    desk.work { $0.refresh() }
    #expect(modified.all == Array(stride(from: 0, to: count, by: 2)))
    #expect(others.all.isEmpty)
    token.invalidate()
  }

  @Test func `NOTIFY-06: comparing versions finds what the records tell`() throws {
    let realm = try Realm(configuration: configuration)
    let session = realm.session
    try realm.write { for age in 0..<600 { realm.add(Dog(value: ["age": age])) } }
    let before = session.committedSnapshot
    let old = try #require(session.root)
    try realm.write {
      realm.delete(realm.objects(Dog.self).where { $0.age > 100 && $0.age < 140 })
      for dog in realm.objects(Dog.self) where dog.age % 7 == 0 { dog.age += 1 }
      for age in 0..<5 { realm.add(Dog(value: ["age": age])) }
      realm.add(Person(name: "of a class that had no rows"))
    }
    let new = try #require(session.root)
    let compared = ChangeSet(comparing: old, with: new, in: session.coordinator.space)
    let recorded = try #require(session.coordinator.changes(after: old.version, upTo: new))
    // Versions do not say whether what is in a list was replaced or moved.
    let unplaced = compared.tables.mapValues { runs in
      runs.map { run in
        var run = run
        run.isShifted = false
        return run
      }
    }
    #expect(unplaced == recorded.tables)
    withExtendedLifetime(before) {}
  }
}

@Suite struct FilteredMembersTests {
  @Test(arguments: [3, 40, 400])
  func `NOTIFY-06: what was told makes the new members of the old ones`(changes: Int) {
    var generator = Dice(seed: 20_261_121 &+ UInt64(changes))
    var members = FilteredMembers((0..<200).map { Int64($0 * 3) })
    for _ in 0..<50 {
      let old = members.keys
      let rows = Set((0..<changes).map { _ in Int64(generator.below(700)) }).sorted()
      let staying = Set(rows.filter { _ in generator.below(2) == 0 })
      let difference = members.update(rows, isMember: staying.contains, modified: rows)
      let right = (Set(old).subtracting(rows).union(staying)).sorted()
      #expect(members.keys == right)
      var mirror = old
      for position in difference.deletions.reversed() { mirror.remove(at: position) }
      for position in difference.insertions { mirror.insert(members.keys[position], at: position) }
      #expect(mirror == right)
      #expect(
        difference.modifications.map { old[$0] }
          == rows.filter {
            staying.contains($0) && old.contains($0)
          })
    }
  }

  @Test(arguments: [1, 5, 60])
  func `NOTIFY-06: the same of runs of rows, among them others under the same keys`(runs: Int) {
    var generator = Dice(seed: 20_261_123 &+ UInt64(runs))
    var members = FilteredMembers((0..<300).map { Int64($0 * 2) })
    for _ in 0..<100 {
      let old = members.keys
      let starts = Set((0..<runs).map { _ in generator.below(70) * 10 }).sorted()
      let changes = starts.map { start in
        let kinds: [RowChange.Kind] = [.inserted, .deleted, .modified, .replaced]
        return RowChange(
          table: 0, kind: kinds[generator.below(4)], key: Int64(start),
          count: UInt32(1 + generator.below(10)), columns: 0)
      }
      let staying = Set((0..<800).filter { _ in generator.below(2) == 0 }.map(Int64.init))
      let difference = members.update(changes, TouchedRows()) { keys in
        keys.filter { staying.contains($0) }
      }
      var right = Set(old)
      for change in changes {
        right.subtract(change.keys)
        if change.kind != .deleted { right.formUnion(change.keys.filter(staying.contains)) }
      }
      #expect(members.keys == right.sorted())
      var mirror = old
      for position in difference.deletions.reversed() { mirror.remove(at: position) }
      for position in difference.insertions { mirror.insert(members.keys[position], at: position) }
      #expect(mirror == members.keys)
    }
  }
}
