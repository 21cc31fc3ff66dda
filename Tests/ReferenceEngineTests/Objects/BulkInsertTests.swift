import Foundation
import Testing

@testable import ReferenceEngine

/// Many objects added in one write with keys in no order: their rows are put in order when somebody
/// asks, and no object or place that is held by then may notice.
struct BulkInsertTests {
  class Thing: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var note: String?
    @Persisted var next: Thing?
    @Persisted var numbers: List<Int>
  }

  private func made(_ id: Int) -> Thing {
    let thing = Thing()
    thing.id = id
    thing.name = "thing \(id)"
    if id % 3 == 0 { thing.note = String(repeating: "n", count: id % 200) }
    if id % 50 == 0 { thing.numbers.append(objectsIn: [id, id + 1]) }
    return thing
  }

  private func expect(_ things: Results<Thing>, _ count: Int) {
    var id = 0
    var wrong = 0
    for thing in things {
      if thing.id != id || thing.name != "thing \(id)" { wrong += 1 }
      if thing.note != (id % 3 == 0 ? String(repeating: "n", count: id % 200) : nil) { wrong += 1 }
      if Array(thing.numbers) != (id % 50 == 0 ? [id, id + 1] : []) { wrong += 1 }
      id += 1
    }
    #expect(id == count && wrong == 0, "\(wrong) of \(id) are wrong, \(count) expected")
  }

  @Test func `objects that are held stay what they are when the rows are put in order`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let scratch = Scratch()
    let realm = try scratch.realm()
    let ids = (0..<2000).shuffled(using: &random)
    try realm.write {
      let things = ids.map(made)
      for (index, thing) in things.enumerated() {
        realm.add(thing)
        #expect(realm.object(ofType: Thing.self, forPrimaryKey: thing.id) == thing)
        if index == 1200 { #expect(realm.objects(Thing.self).count == 1201) }
        // The row was opened before it moved, and is written to where it is now.
        if index == 1300 {
          #expect(realm.objects(Thing.self).first?.id == ids[...1300].min())
          thing.name = "moved"
          #expect(thing.name == "moved")
          thing.name = "thing \(thing.id)"
        }
      }
      for thing in things { #expect(thing.name == "thing \(thing.id)") }
    }
    expect(realm.objects(Thing.self), 2000)
  }

  @Test func `keys that are there are refused or updated, and links lead to their rows`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let scratch = Scratch()
    let realm = try scratch.realm()
    let ids = (0..<2000).shuffled(using: &random)
    try realm.write {
      for id in ids { realm.add(made(id)) }
      for id in ids.prefix(100) {
        realm.create(Thing.self, value: ["id": id, "name": "thing \(id)"], update: .modified)
        let again = made(id)
        realm.add(again, update: .all)
      }
      for id in ids.prefix(500) {
        realm.object(ofType: Thing.self, forPrimaryKey: id)?.next =
          realm.object(ofType: Thing.self, forPrimaryKey: (id + 1) % 2000)
      }
    }
    expect(realm.objects(Thing.self), 2000)
    for id in ids.prefix(500) {
      #expect(realm.object(ofType: Thing.self, forPrimaryKey: id)?.next?.id == (id + 1) % 2000)
    }
  }

  @Test func `what an update compares is the row's own, also after a link has added another`()
    throws
  {
    let scratch = Scratch()
    let realm = try scratch.realm()
    class Node: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var age: Int
      @Persisted var next: Node?
      @Persisted var name: String
    }
    try realm.write { realm.add(Node(value: ["id": 1, "name": "old"])) }
    // Once the row's age is written its cluster is the write's own; the linked object's row then
    // goes in front of it there.
    try realm.write {
      let node = Node(value: ["id": 1, "age": 5, "name": "new"])
      node.next = Node(value: ["id": 0, "name": "new"])
      realm.add(node, update: .modified)
    }
    #expect(realm.objects(Node.self).map(\.name) == ["new", "new"])
    try realm.write {
      realm.create(
        Node.self,
        value: ["id": 1, "age": 6, "next": ["id": -1, "name": "newer"], "name": "newer"],
        update: .modified)
    }
    #expect(realm.objects(Node.self).map(\.name) == ["newer", "new", "newer"])
  }

  @Test func `a cancelled write leaves nothing`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let scratch = Scratch()
    let realm = try scratch.realm()
    let things = (0..<1500).shuffled(using: &random).map(made)
    realm.beginWrite()
    for thing in things { realm.add(thing) }
    realm.cancelWrite()
    #expect(realm.objects(Thing.self).isEmpty)
    #expect(things.allSatisfy { $0.isInvalidated })
    try realm.write { for id in 0..<1500 { realm.add(made(id)) } }
    expect(realm.objects(Thing.self), 1500)
  }

  @Test func `listeners hear of each object once`() {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let scratch = Scratch()
    let configuration = scratch.configuration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let ids = (0..<1500).shuffled(using: &random)
    let told = Noted<[Int]>()
    let token = desk.work { realm in
      realm.objects(Thing.self).observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          told.add(insertions)
          #expect(deletions.isEmpty && modifications.isEmpty)
        }
      }
    }
    desk.work { _ in }
    other.commit { realm in
      for id in ids {
        let thing = made(id)
        realm.add(thing)
        thing.name = "thing \(id)"
        if id == 700 { #expect(realm.objects(Thing.self).contains(thing)) }
      }
    }
    // So large a step is looked into elsewhere, unless it is asked for.
    desk.work { $0.refresh() }
    #expect(told.all == [Array(0..<1500)])
    token.invalidate()
  }
}
