import Foundation
import Testing

@testable import ReferenceEngine

/// One class before and after: members that may be null, and members that may not.
private enum Before {
  class Guest: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var numbers: List<Int?>
    @Persisted var group: MutableSet<Int?>
    @Persisted var texts: MutableSet<String?>
    @Persisted var marks: Map<String, Double?>
    override class func _realmObjectName() -> String? { "Guest" }
  }
}

private enum After {
  class Guest: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var numbers: List<Int>
    @Persisted var group: MutableSet<Int>
    @Persisted var texts: MutableSet<String>
    @Persisted var marks: Map<String, Double>
    override class func _realmObjectName() -> String? { "Guest" }
  }
}

/// A column of required members cannot hold the nulls of one of optional ones: they become what a
/// single property's null becomes.
struct RequiredMemberTests {
  private let scratch = Scratch()

  @Test(arguments: [[-2, nil, 3], [nil, 0, 5], [nil], [4]] as [[Int?]])
  func `nulls become defaults, in a set one at most`(members: [Int?]) throws {
    do {
      let realm = try Realm(configuration: scratch.configuration([Before.Guest.self]))
      try realm.write {
        let guest = realm.create(Before.Guest.self, value: ["id": 1])
        guest.numbers.append(objectsIn: members)
        guest.group.insert(objectsIn: members)
        guest.texts.insert(objectsIn: members.map { $0.map { "\($0)" } })
        for (place, member) in members.enumerated() {
          guest.marks["\(place)"] = .some(member.map(Double.init))
        }
      }
    }
    let realm = try Realm(configuration: scratch.configuration([After.Guest.self], version: 1))
    let filled = members.map { $0 ?? 0 }
    let texts = members.map { $0.map { "\($0)" } ?? "" }
    func look(_ guest: After.Guest) {
      #expect(Array(guest.numbers) == filled && guest.numbers.sum() == filled.reduce(0, +))
      #expect(guest.group.sorted() == Set(filled).sorted())
      #expect(guest.group.count == Set(filled).count)
      #expect(filled.allSatisfy { guest.group.contains($0) })
      #expect(guest.texts.sorted() == Set(texts).sorted())
      #expect(guest.marks.map(\.value).sorted() == filled.map(Double.init).sorted())
      #expect(guest.marks.count == members.count && guest.marks["0"] == Double(filled[0]))
    }
    let guest = realm.objects(After.Guest.self)[0]
    look(guest)
    look(guest.freeze())
    let all = realm.objects(After.Guest.self)
    #expect(all.filter("ANY numbers == nil").isEmpty && all.filter("numbers.@min < 9").count == 1)
    try realm.write { for member in Set(filled) { guest.group.remove(member) } }
    #expect(guest.group.isEmpty)
  }
}
