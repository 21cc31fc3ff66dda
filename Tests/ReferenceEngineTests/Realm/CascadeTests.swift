import Foundation
import Testing

@testable import ReferenceEngine

private class Nest: Object {
  @Persisted var inner: Nested?
}

private class Nested: EmbeddedObject {
  @Persisted var number: Int
  @Persisted var inner: Nested?
  @Persisted var others: List<Nested>
}

private class Holder: Object {
  @Persisted var any: AnyRealmValue
  @Persisted var list: List<AnyRealmValue>
  @Persisted var set: MutableSet<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
}

/// What goes with an object that is deleted, and what stays.
@Suite struct CascadeTests {
  @Test(arguments: [false, true])
  func `Embedded objects 40,000 deep go with the one that owns them`(isReplaced: Bool) async {
    // Deleting one after the other from inside itself ran out of stack.
    await #expect(processExitsWith: .success) { [isReplaced = isReplaced as Bool] in
      let scratch = Scratch()
      let realm = try Realm(configuration: scratch.configuration([Nest.self, Nested.self]))
      try realm.write {
        let nest = realm.create(Nest.self)
        nest.inner = Nested()
        var last = nest.inner
        for number in 1..<40_000 {
          let next = Nested()
          next.number = number
          last?.inner = next
          last = last?.inner
        }
        last?.others.append(Nested())
        realm.create(Nest.self).inner = Nested()
      }
      let all = realm.objects(Nest.self).count
      #expect(all == 2 && realm.dynamicObjects("Nested").count == 40_002)
      try realm.write {
        if isReplaced {
          realm.objects(Nest.self)[0].inner = nil
        } else {
          realm.delete(realm.objects(Nest.self)[0])
        }
      }
      #expect(realm.dynamicObjects("Nested").count == 1)
      #expect(realm.objects(Nest.self).last?.inner != nil)
      try realm.session.coordinator.checkEverything()
    }
  }

  @Test func `REF-25: a mixed value that led to a deleted object leads to no later one`() throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Holder.self, Keyed.self, Named.self])
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let (one, other) = (
        realm.create(Keyed.self, value: ["id": 5]), realm.create(Keyed.self, value: ["id": 6])
      )
      let named = realm.create(Named.self, value: ["id": "a"])
      for _ in 0..<2 {
        let holder = Holder()
        realm.add(holder)
        holder.any = .object(one)
        holder.list.append(objectsIn: [.object(other), .object(one), .int(1), .object(one)])
        holder.set.insert(objectsIn: [.object(one), .object(other)])
        holder.map["one"] = .object(one)
        holder.map["other"] = .object(other)
        holder.map["named"] = .object(named)
      }
    }
    try realm.write {
      realm.delete(try #require(realm.object(ofType: Keyed.self, forPrimaryKey: 5)))
    }
    try realm.write { realm.create(Keyed.self, value: ["id": 5, "name": "another"]) }
    for holder in realm.objects(Holder.self) {
      #expect(holder.any == .none)
      #expect(holder.list.count == 4 && holder.list[1] == .none && holder.list[3] == .none)
      #expect(holder.list[0].object(Keyed.self)?.id == 6 && holder.list[2] == .int(1))
      #expect(holder.set.count == 1 && holder.set.first?.object(Keyed.self)?.id == 6)
      #expect(holder.map["one"] == AnyRealmValue.none)
      #expect(holder.map["other"]?.object(Keyed.self)?.id == 6)
    }
    // What links elsewhere meanwhile, or is gone, is left alone.
    try realm.write {
      let other = try #require(realm.object(ofType: Keyed.self, forPrimaryKey: 6))
      realm.objects(Holder.self)[0].list[0] = .int(3)
      realm.delete(realm.objects(Holder.self)[1])
      realm.delete(other)
    }
    #expect(realm.objects(Holder.self)[0].list[0] == .int(3))
    #expect(realm.objects(Holder.self)[0].map["other"] == AnyRealmValue.none)
    try realm.session.coordinator.checkEverything()
  }
}

/// A variable that named a deleted object named another one that was added later under its key.
@Suite struct RememberedRowTests {
  private static let keys = 0..<6

  private func configuration(_ scratch: Scratch) -> Realm.Configuration {
    scratch.configuration([Keyed.self, Person.self, Dog.self])
  }

  private func fill(_ realm: Realm) throws {
    try realm.write {
      for id in Self.keys { realm.create(Keyed.self, value: ["id": id, "name": "first"]) }
    }
  }

  private func replace(_ id: Int, in realm: Realm, atOnce: Bool) throws {
    if atOnce {
      return try realm.write {
        realm.delete(realm.object(ofType: Keyed.self, forPrimaryKey: id)!)
        realm.create(Keyed.self, value: ["id": id, "name": "second"])
      }
    }
    try realm.write { realm.delete(realm.object(ofType: Keyed.self, forPrimaryKey: id)!) }
    try realm.write { _ = realm.create(Keyed.self, value: ["id": id, "name": "second"]) }
  }

  @Test(arguments: [false, true])
  func `REF-25: a variable stays nil whatever comes under its key`(isElsewhere: Bool) throws {
    let scratch = Scratch()
    let realm = try Realm(configuration: configuration(scratch))
    try fill(realm)
    let other = Desk(configuration(scratch))
    let variables = Self.keys.map {
      ThreadSafe(wrappedValue: realm.object(ofType: Keyed.self, forPrimaryKey: $0))
    }
    func change(_ id: Int, atOnce: Bool) throws {
      if isElsewhere {
        try other.work { try replace(id, in: $0, atOnce: atOnce) }
      } else {
        try replace(id, in: realm, atOnce: atOnce)
      }
    }
    try change(0, atOnce: false)
    try change(1, atOnce: true)
    // Many records later, and read first only then.
    for round in 0..<200 {
      try other.work { realm in
        try realm.write { realm.create(Keyed.self, value: ["id": 100 + round]) }
      }
    }
    realm.refresh()
    #expect(variables[0].wrappedValue == nil && variables[1].wrappedValue == nil)
    #expect(variables[2].wrappedValue?.name == "first")
    // Read in between; and the one that is told of the new object is another variable's.
    try realm.write { realm.delete(realm.object(ofType: Keyed.self, forPrimaryKey: 2)!) }
    #expect(variables[2].wrappedValue == nil)
    try realm.write { _ = realm.create(Keyed.self, value: ["id": 2, "name": "second"]) }
    #expect(variables[2].wrappedValue == nil)
    let fresh = ThreadSafe(wrappedValue: realm.object(ofType: Keyed.self, forPrimaryKey: 2))
    #expect(fresh.wrappedValue?.name == "second")
    variables[2].wrappedValue = realm.object(ofType: Keyed.self, forPrimaryKey: 2)
    #expect(variables[2].wrappedValue?.name == "second")
    // What is left alone is what it was, here and elsewhere.
    for id in 3..<6 { #expect(variables[id].wrappedValue?.name == "first") }
    other.work { _ in #expect(variables[4].wrappedValue?.name == "first") }
    // A write that comes to nothing deletes nothing.
    realm.beginWrite()
    realm.delete(realm.object(ofType: Keyed.self, forPrimaryKey: 5)!)
    realm.cancelWrite()
    try realm.write { realm.object(ofType: Keyed.self, forPrimaryKey: 5)?.name = "changed" }
    #expect(variables[5].wrappedValue?.name == "changed")
  }

  @Test func `REF-25: what another process deletes is known, and nothing is kept for it`() throws {
    let folder = Folder()
    let here = try Coordinator(Toy.configuration(folder.file(), .none))
    let there = try Coordinator(Toy.configuration(folder.file(), .none))
    var write = try here.beginWrite()
    var toy = ToyWrite(write)
    toy.set(0, [1])
    write.changes.inserted(table: 1, key: 5)
    var root = try write.commit(settle: toy.settle)
    let row = RememberedRow(table: 1, key: 5, since: root.version)
    let neighbour = RememberedRow(table: 1, key: 6, since: root.version)
    here.remember(row, isFrozen: false)
    here.remember(neighbour, isFrozen: false)
    write = try there.beginWrite()
    toy = ToyWrite(write)
    toy.set(0, [2])
    write.changes.deleted(table: 1, key: 5)
    root = try write.commit(settle: toy.settle)
    for value in UInt8(0)..<20 { root = try there.set([1: [value]]) }
    let holders = here.pins.holders().count
    let snapshot = try here.newestSnapshot(kind: .live)
    here.follow(to: snapshot.root)
    #expect(row.isGoneForGood && !neighbour.isGoneForGood)
    #expect(here.pins.holders().count == holders + 1)
  }
}
