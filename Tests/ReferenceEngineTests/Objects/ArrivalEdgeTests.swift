import Foundation
import Testing

@testable import ReferenceEngine

/// Rows that come in no order under keys from all of what an integer can be, go one by one, and
/// come again under the same keys in the same write; with keys of the other kinds beside them.
@Suite struct ArrivalEdgeTests {
  private let scratch = Scratch()

  private func key(_ dice: inout Dice) -> Int {
    let small = dice.below(3000)
    switch dice.below(6) {
    case 0: return .min + small
    case 1: return .max - small
    case 2: return small - 1500
    case 3: return Int(truncatingIfNeeded: dice.next())
    case 4: return 1 << 62 &+ small
    default: return -(1 << 33) + small * 7
    }
  }

  @Test func `DATA-07, DATA-12: rows of all keys come, go and come again in one write`() throws {
    var dice = Dice(seed: Wish.seed())
    let realm = try Realm(configuration: scratch.configuration([Keyed.self, Named.self]))
    var model: [Int: String] = [:]
    func compare(_ place: String) {
      let all = realm.objects(Keyed.self)
      let keys = model.keys.sorted()
      #expect(all.map(\.id) == keys, "\(place)")
      #expect(all.map(\.name) == keys.map { model[$0]! }, "\(place)")
      let name = "\(dice.below(9))"
      #expect(
        all.filter("name == '\(name)'").map(\.id) == keys.filter { model[$0] == name }, "\(place)")
      #expect(realm.objects(Named.self).count == model.count, "\(place)")
    }
    for round in 0..<Wish.number(orElse: 8) {
      let before = model
      realm.beginWrite()
      for _ in 0..<(2 + dice.below(6)) {
        switch dice.below(5) {
        case 0, 1:
          for _ in 0..<[30, 400, 900][dice.below(3)] {
            let (id, name) = (key(&dice), "\(dice.below(9))")
            let isThere = model[id] != nil
            realm.create(Keyed.self, value: ["id": id, "name": name], update: .modified)
            if !isThere { realm.create(Named.self, value: ["id": "\(id)", "value": id]) }
            model[id] = name
          }
        case 2:
          for id in model.keys.sorted().shuffled(using: &dice).prefix(dice.below(500)) {
            realm.delete(realm.object(ofType: Keyed.self, forPrimaryKey: id)!)
            realm.delete(realm.object(ofType: Named.self, forPrimaryKey: "\(id)")!)
            model[id] = nil
            if dice.below(3) > 0 { continue }
            #expect(realm.object(ofType: Keyed.self, forPrimaryKey: id) == nil)
            realm.create(Keyed.self, value: ["id": id, "name": "again"])
            realm.create(Named.self, value: ["id": "\(id)", "value": id])
            model[id] = "again"
          }
        case 3:
          for id in [Int.min, .min + 1, -1, 0, .max - 1, .max] {
            if let one = realm.object(ofType: Keyed.self, forPrimaryKey: id) {
              #expect(model[id] == one.name)
              realm.delete(one)
              realm.delete(realm.object(ofType: Named.self, forPrimaryKey: "\(id)")!)
              model[id] = nil
            } else {
              #expect(model[id] == nil)
              realm.create(Keyed.self, value: ["id": id, "name": "edge"])
              realm.create(Named.self, value: ["id": "\(id)", "value": id])
              model[id] = "edge"
            }
          }
        default:
          if dice.below(2) == 0 {
            compare("in write \(round)")
          } else {
            var visited = 0
            let count = model.count
            for one in realm.objects(Keyed.self) {
              visited += 1
              if one.isInvalidated || dice.below(9) > 0 { continue }
              let id = one.id
              realm.delete(one)
              realm.delete(realm.object(ofType: Named.self, forPrimaryKey: "\(id)")!)
              model[id] = nil
              let other = key(&dice)
              if model[other] != nil { continue }
              realm.create(Keyed.self, value: ["id": other, "name": "in a loop"])
              realm.create(Named.self, value: ["id": "\(other)", "value": other])
              model[other] = "in a loop"
            }
            #expect(visited == count)
          }
        }
      }
      if dice.below(5) == 0 {
        realm.cancelWrite()
        model = before
      } else {
        try realm.commitWrite()
      }
      compare("after \(round)")
    }
    _ = try realm.session.coordinator.checkEverything()
  }

  /// `ROWS=70000` asks for more than two bytes can count.
  @Test func `DATA-12: most of many rows go one by one and half of them come again`() throws {
    var dice = Dice(seed: Wish.seed())
    let count = Wish.number("ROWS", orElse: 3000)
    let realm = try Realm(configuration: scratch.configuration([Keyed.self, Named.self]))
    let ids = (0..<count).map { $0 * 5 - count }.shuffled(using: &dice)
    let gone = ids.shuffled(using: &dice).prefix(count / 10 * 9)
    let again = gone.shuffled(using: &dice).prefix(count / 2)
    func add(_ id: Int, _ name: String) {
      realm.create(Keyed.self, value: ["id": id, "name": name])
      realm.create(Named.self, value: ["id": "\(id)", "value": id])
    }
    try realm.write {
      for id in ids { add(id, "first") }
      for id in gone {
        realm.delete(realm.object(ofType: Keyed.self, forPrimaryKey: id)!)
        realm.delete(realm.object(ofType: Named.self, forPrimaryKey: "\(id)")!)
      }
      for id in again { add(id, "again") }
    }
    let left = Set(ids).subtracting(gone).union(again).sorted()
    #expect(realm.objects(Keyed.self).map(\.id) == left)
    #expect(realm.objects(Keyed.self).filter("name == 'again'").map(\.id) == again.sorted())
    #expect(realm.objects(Named.self).map(\.value).sorted() == left)
    for id in left.prefix(500) {
      #expect(realm.object(ofType: Named.self, forPrimaryKey: "\(id)")?.value == id)
    }
    _ = try realm.session.coordinator.checkEverything()
  }
}
