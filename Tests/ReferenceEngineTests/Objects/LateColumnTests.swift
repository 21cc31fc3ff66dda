// forEach itself is what is asked here.
// swift-format-ignore-file: ReplaceForEachWithForLoop

import Foundation
import Testing

@testable import ReferenceEngine

/// A row is read through its class's wrappers: also one whose cluster was written before they were.
@Suite struct LateColumnTests {
  final class Young: Object {
    @Persisted var age: Int
    override class func _realmObjectName() -> String? { "Thing" }
  }

  final class Grown: Object {
    @Persisted var age: Int
    @Persisted var size: Int
    @Persisted var tiny: Int8
    @Persisted var weight: Double
    @Persisted var ratio: Float
    @Persisted var isGood: Bool
    @Persisted var name: String
    @Persisted var height: Int?
    @Persisted var isBad: Bool?
    @Persisted var note: String?
    @Persisted var born: Date?
    override class func _realmObjectName() -> String? { "Thing" }
  }

  @Test func `columns that came later are empty in older rows`() throws {
    let scratch = Scratch()
    func open(_ type: ObjectBase.Type) throws -> Realm {
      var configuration = scratch.configuration([type])
      configuration.cache = false
      return try Realm(configuration: configuration)
    }
    let young = try open(Young.self)
    try young.write { for age in 0..<600 { young.create(Young.self, value: [age]) } }
    young.invalidate()
    let realm = try open(Grown.self)
    let all = realm.objects(Grown.self)
    func check(_ isEmpty: (Int) -> Bool) {
      var ages: [Int] = []
      all.forEach { thing in
        let age = thing.age
        ages.append(age)
        let empty =
          thing.size == 0 && thing.tiny == 0 && thing.weight == 0 && thing.ratio == 0
          && !thing.isGood && thing.name == "" && thing.height == nil && thing.isBad == nil
          && thing.note == nil && thing.born == nil
        let full =
          thing.size == age && thing.tiny == -1 && thing.weight == 0.5 && thing.ratio == 0.25
          && thing.isGood && thing.name == "thing \(age)" && thing.height == -age
          && thing.isBad == false && thing.note == "note \(age)"
          && thing.born == Date(timeIntervalSince1970: Double(age))
        #expect(isEmpty(age) ? empty : full, "\(age)")
      }
      #expect(ages == Array(0..<600))
    }
    check { _ in true }
    try realm.write {
      for thing in all where thing.age >= 300 {
        let age = thing.age
        (thing.size, thing.tiny, thing.weight, thing.ratio) = (age, -1, 0.5, 0.25)
        (thing.isGood, thing.name, thing.height, thing.isBad) = (true, "thing \(age)", -age, false)
        (thing.note, thing.born) = ("note \(age)", Date(timeIntervalSince1970: Double(age)))
      }
      check { $0 < 300 }
    }
    check { $0 < 300 }
    let held = Array(all)
    #expect(held.allSatisfy { $0.size == ($0.age < 300 ? 0 : $0.age) })
    #expect(held.allSatisfy { $0.name == ($0.age < 300 ? "" : "thing \($0.age)") })
  }

  @Test func `numbers of every width are read, with nulls and without`() throws {
    final class Wide: Object {
      @Persisted var plain: Int
      @Persisted var maybe: Int?
    }
    let scratch = Scratch()
    let realm = try Realm(configuration: scratch.configuration([Wide.self]))
    let all = realm.objects(Wide.self)
    for top in [0, 1, 3, 15, 127, 30_000, 2_000_000_000, Int.max] {
      for sign in [1, -1] {
        func value(_ row: Int) -> Int { row % 3 == 0 ? top * sign : row % 2 * min(top, 1) }
        try realm.write {
          realm.deleteAll()
          for row in 0..<300 {
            realm.create(
              Wide.self,
              value: ["plain": value(row), "maybe": row % 5 == 0 ? nil : value(row)]
                as [String: Any?])
          }
        }
        var row = 0
        all.forEach { wide in
          let isRight = wide.plain == value(row) && wide.maybe == (row % 5 == 0 ? nil : value(row))
          #expect(isRight, "\(top * sign), row \(row)")
          row += 1
        }
        #expect(row == 300)
      }
    }
  }
}
