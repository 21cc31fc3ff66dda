import Foundation
import Testing

@testable import ReferenceEngine

private final class Leaf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var n: Int
  @Persisted var next: Leaf?
}

private final class Holder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: AnyRealmValue
  @Persisted var list: List<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
  @Persisted var set: MutableSet<AnyRealmValue>
}

/// What listeners and copies make of objects that mixed values link to.
struct MixedLinkTests {
  private static func configuration() -> Realm.Configuration {
    Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Leaf.self, Holder.self])
  }

  private func positions<C>(_ change: RealmCollectionChange<C>) -> String {
    guard case .update(_, let deletions, let insertions, let modifications) = change else {
      return "initial"
    }
    return "\(deletions) \(insertions) \(modifications)"
  }

  private func keys(_ change: RealmMapChange<Map<String, AnyRealmValue>>) -> String {
    guard case .update(_, let deletions, let insertions, let modifications) = change else {
      return "initial"
    }
    return "\(deletions) \(insertions) \(modifications)"
  }

  @Test func `NOTIFY-11: a change behind a link in a mixed value is told`() throws {
    let configuration = MixedLinkTests.configuration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      let far = realm.create(Leaf.self, value: ["id": 2])
      let leaf = AnyRealmValue.object(realm.create(Leaf.self, value: ["id": 1, "next": far]))
      let holder = realm.create(Holder.self, value: ["id": 1])
      holder.list.append(objectsIn: [.int(0), leaf, .fromArray([leaf])])
      holder.map["none"] = 1
      holder.map["leaf"] = .fromDictionary(["deep": .fromArray([leaf])])
      holder.set.insert(leaf)
      holder.value = .fromArray([.int(3), .fromDictionary(["leaf": leaf])])
    }
    let told = Noted<String>()
    let tokens = desk.work { realm -> [NotificationToken] in
      let holders = realm.objects(Holder.self)
      let holder = holders[0]
      return [
        holder.list.observe { told.add("list " + positions($0)) },
        holder.list.observe(keyPaths: [] as [String]) { told.add("shallow " + positions($0)) },
        holder.map.observe { told.add("map " + keys($0)) },
        holder.set.observe { told.add("set " + positions($0)) },
        holder.value.listValue?.observe { told.add("value " + positions($0)) },
        holders.observe { told.add("holders " + positions($0)) },
      ].compactMap(\.self)
    }
    desk.work { _ in }
    #expect(told.all.count == 6)
    for id in [1, 2] {
      let before = told.all.count
      other.commit { $0.object(ofType: Leaf.self, forPrimaryKey: id)?.n += 1 }
      desk.work { _ in }
      #expect(
        told.all.dropFirst(before) == [
          "list [] [] [1, 2]", "map [] [] [\"leaf\"]", "set [] [] [0]", "value [] [] [1]",
          "holders [] [] [0]",
        ])
    }
    let before = told.all.count
    other.commit { $0.create(Leaf.self, value: ["id": 3]) }
    desk.work { _ in }
    #expect(told.all.count == before)
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-06: what changes in a list or dictionary of a mixed value is modified`() {
    let configuration = MixedLinkTests.configuration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      let holder = realm.create(Holder.self, value: ["id": 1])
      holder.list.append(objectsIn: [.int(0), .fromArray([1, 2]), .fromArray([1, 2])])
      holder.value = .fromArray([.fromArray([1]), .fromDictionary(["a": 1])])
    }
    let told = Noted<String>()
    let tokens = desk.work { realm -> [NotificationToken] in
      let holder = realm.objects(Holder.self)[0]
      return [
        holder.list.observe { told.add("list " + positions($0)) },
        holder.value.listValue?.observe { told.add("value " + positions($0)) },
      ].compactMap(\.self)
    }
    desk.work { _ in }
    func tell(_ change: (Holder) -> Void) -> [String] {
      let before = told.all.count
      other.commit { change($0.objects(Holder.self)[0]) }
      desk.work { _ in }
      return Array(told.all.dropFirst(before))
    }
    #expect(tell { $0.list[2].listValue?.append(3) } == ["list [] [] [2]"])
    #expect(tell { $0.value.listValue?[1].dictionaryValue?["b"] = 2 } == ["value [] [] [1]"])
    #expect(
      tell {
        $0.list.remove(at: 0)
        $0.list[0].listValue?.remove(at: 0)
      } == ["list [0] [] [1]"])
    #expect(
      tell {
        $0.value.listValue?.insert(5, at: 0)
        $0.value.listValue?[1].listValue?.removeAll()
      } == ["value [] [0] [0]"])
    for token in tokens { token.invalidate() }
  }

  @Test func `an object of another realm is copied with what its mixed values link to`() throws {
    let (here, there) = (
      try Realm(configuration: MixedLinkTests.configuration()),
      try Realm(configuration: MixedLinkTests.configuration())
    )
    let holder = try there.write {
      let leaf = AnyRealmValue.object(there.create(Leaf.self, value: ["id": 5, "n": 7]))
      let holder = there.create(Holder.self, value: ["id": 1])
      holder.value = .fromArray([leaf, .fromDictionary(["leaf": leaf])])
      holder.list.append(objectsIn: [leaf, .object(holder), .fromArray([leaf])])
      holder.map["leaf"] = leaf
      holder.set.insert(leaf)
      return holder
    }
    for (number, original) in [holder, holder.freeze()].enumerated() {
      try here.write {
        if number == 1 { here.deleteAll() }
        let copy = here.create(Holder.self, value: original)
        let leaves = here.objects(Leaf.self)
        #expect(leaves.map(\.id) == [5] && leaves[0].n == 7)
        let leaf = AnyRealmValue.object(leaves[0])
        #expect(copy.value.listValue?[0] == leaf)
        #expect(copy.value.listValue?[1].dictionaryValue?["leaf"] == leaf)
        #expect(copy.list[0] == leaf && copy.list[2].listValue?[0] == leaf)
        #expect(copy.list[1].object(Holder.self)?.isSameObject(as: copy) == true)
        #expect(copy.map["leaf"] == leaf && Array(copy.set) == [leaf])
      }
    }
    try here.write {
      here.create(Leaf.self, value: ["id": 5, "n": 1], update: .modified)
      let copy = here.create(
        Holder.self, value: ["id": 2, "value": holder.value], update: .modified)
      #expect(copy.value.listValue?[0].object(Leaf.self)?.n == 7)
      #expect(here.objects(Leaf.self).count == 1 && here.objects(Holder.self).count == 2)
    }
  }
}
