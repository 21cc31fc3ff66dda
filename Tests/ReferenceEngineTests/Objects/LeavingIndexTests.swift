import Foundation
import Testing

@testable import ReferenceEngine

/// A row that is found by a text, by another one that may be missing, and by a number.
class Filed: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted(indexed: true) var tag: String?
  @Persisted(indexed: true) var number: Int
}

/// Rows that are deleted one by one leave their indexes together, later: nobody must find them
/// there, and none must stay.
@Suite struct `Rows that leave their indexes` {
  private let scratch = Scratch()

  private struct Row: Equatable {
    var tag: String?
    var number: Int
  }

  private typealias Model = [String: Row]

  private func check(_ realm: Realm, _ model: Model, _ seed: UInt64) {
    let all = realm.objects(Filed.self)
    #expect(all.count == model.count, "SEED=\(seed)")
    for tag in [nil, "a", "b", "c"] as [String?] {
      let right = model.filter { $0.value.tag == tag }.keys.sorted()
      #expect(all.where { $0.tag == tag }.map(\.id).sorted() == right, "SEED=\(seed)")
    }
    for number in 0..<5 {
      let right = model.filter { $0.value.number == number }.keys.sorted()
      #expect(all.where { $0.number == number }.map(\.id).sorted() == right, "SEED=\(seed)")
    }
  }

  /// How many pairs each index has.
  private func entries(_ realm: Realm) -> [Int] {
    let session = realm.session
    session.read()
    let number = session.stored.tables.firstIndex { $0.name == "Filed" } ?? 0
    let columns = session.stored.tables[number].columns.filter { $0.isIndexed && !$0.isRowKey }
    return columns.map { column in
      guard let root = session.store.root(column.indexNumber, of: number) else { return 0 }
      var count = 0
      PairTree(space: session.store.space, root: root).forEach(from: Pair(first: 0, second: 0)) {
        _ in
        count += 1
        return true
      }
      return count
    }
  }

  private func add(_ realm: Realm, _ model: inout Model, _ id: String, _ dice: inout Dice) {
    let row = Row(tag: [nil, "a", "b", "c"][dice.below(4)], number: dice.below(5))
    realm.create(
      Filed.self, value: ["id": id, "tag": row.tag as Any, "number": row.number],
      update: .modified)
    model[id] = row
  }

  // deletes one by one                 asks in between, by an index or by key
  // adds rows under the same keys      changes what is indexed
  // commits, or cancels
  @Test(arguments: [40, 300, 2000])
  func `whatever happens between two of them`(rows: Int) throws {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    let realm = try scratch.realm()
    var committed = Model()
    try realm.write {
      for id in 0..<rows { add(realm, &committed, "id \(id)", &dice) }
    }
    for _ in 0..<12 {
      var model = committed
      realm.beginWrite()
      let askings = [0, 1, 20][dice.below(3)]
      for _ in 0..<dice.below(rows / 2) {
        let id = "id \(dice.below(rows))"
        let known = realm.object(ofType: Filed.self, forPrimaryKey: id)
        #expect((known != nil) == (model[id] != nil), "SEED=\(seed)")
        switch dice.below(30) {
        case 0: add(realm, &model, id, &dice)
        case 1:
          guard let known else { continue }
          known.tag = dice.below(2) == 0 ? nil : "c"
          model[id]?.tag = known.tag
        case 2 where dice.below(20) < askings: check(realm, model, seed)
        default:
          guard let known else { continue }
          realm.delete(known)
          model[id] = nil
        }
      }
      // By objects that were found before any of them went.
      let held = Array(realm.objects(Filed.self).where { $0.number == 3 })
      for filed in held where dice.below(2) == 0 {
        let id = filed.id
        realm.delete(filed)
        model[id] = nil
      }
      if dice.below(4) == 0 {
        realm.cancelWrite()
      } else {
        if dice.below(2) == 0 { check(realm, model, seed) }
        try realm.commitWrite()
        committed = model
      }
      check(realm, committed, seed)
      #expect(entries(realm).allSatisfy { $0 == committed.count }, "SEED=\(seed)")
      if committed.count < rows / 2 {
        try realm.write {
          for id in 0..<rows where dice.below(3) > 0 { add(realm, &committed, "id \(id)", &dice) }
        }
      }
    }
    #expect(try realm.session.coordinator.checkEverything().nodes > 0)
  }

  @Test func `all of them, and the class again`() throws {
    let realm = try scratch.realm()
    var dice = Dice(seed: 1)
    var model = Model()
    for _ in 0..<2 {
      try realm.write { for id in 0..<700 { add(realm, &model, "id \(id)", &dice) } }
      try realm.write {
        for filed in Array(realm.objects(Filed.self)) { realm.delete(filed) }
      }
      #expect(entries(realm) == [0, 0, 0])
      try realm.write { for id in 0..<700 { add(realm, &model, "id \(id)", &dice) } }
      try realm.write {
        for filed in Array(realm.objects(Filed.self)).dropLast(10) { realm.delete(filed) }
        realm.deleteAll()
      }
      #expect(entries(realm) == [0, 0, 0])
    }
  }
}
