import Foundation
import Testing

@testable import ReferenceEngine

/// A walk over objects that its body changes moves one object from row to row, as one that only
/// reads does: unless somebody keeps it, the row is gone, or another write goes on.
@Suite struct WritingWalkTests {
  let scratch = Scratch()

  private func dogs(_ count: Int) throws -> Realm {
    let realm = try scratch.realm()
    try realm.write {
      for age in 0..<count { realm.create(Dog.self, value: ["name": "dog \(age)", "age": age]) }
    }
    return realm
  }

  @Test(arguments: [1, 256, 700])
  func `every row is changed, by hardly more than one object`(count: Int) throws {
    let realm = try dogs(count)
    var objects: Set<ObjectIdentifier> = []
    try realm.write {
      for dog in realm.objects(Dog.self) {
        dog.name = "old \(dog.name)"
        dog.age += 1000
        objects.insert(ObjectIdentifier(dog))
      }
    }
    // Who held an object a moment too long has made the walk go on with another.
    #expect(objects.count <= 4)
    let all = Array(realm.objects(Dog.self))
    #expect(all.map(\.age) == (0..<count).map { $0 + 1000 })
    #expect(all.map(\.name) == (0..<count).map { "old dog \($0)" })
  }

  @Test func `an object that is kept stays at its row`() throws {
    let realm = try dogs(600)
    var kept: [Dog] = []
    try realm.write {
      for dog in realm.objects(Dog.self) {
        dog.age += 1
        if dog.age % 7 == 0 { kept.append(dog) }
      }
      #expect(kept.map(\.age) == Array(stride(from: 7, through: 600, by: 7)))
    }
    #expect(kept.map(\.name) == kept.map { "dog \($0.age - 1)" })
  }

  @Test func `rows that the body deletes, moves and adds are met as they are`() throws {
    let realm = try dogs(600)
    var seen: [Int] = []
    try realm.write {
      let all = realm.objects(Dog.self)
      for dog in all {
        if dog.isInvalidated { continue }
        seen.append(dog.age)
        // The one behind goes, and another comes at the end, which the walk does not meet.
        if dog.age % 3 == 0, let next = all.where({ $0.age == dog.age + 1 }).first {
          realm.delete(next)
        }
        if dog.age % 50 == 0 { realm.create(Dog.self, value: ["age": 5000]) }
        dog.name = "seen"
      }
    }
    #expect(seen == (0..<600).filter { $0 % 3 != 1 })
    let left = realm.objects(Dog.self)
    #expect(left.count == 400 + 8 && left.where { $0.name == "seen" }.count == 400)
  }

  @Test func `a walk goes on behind the end of its write and the beginning of another`() throws {
    let realm = try dogs(300)
    var seen: [Int] = []
    realm.beginWrite()
    for dog in realm.objects(Dog.self) {
      seen.append(dog.age)
      dog.name = "seen"
      if dog.age == 99 {
        realm.cancelWrite()
        realm.beginWrite()
      } else if dog.age == 199 {
        try realm.commitWrite()
        realm.beginWrite()
      }
    }
    try realm.commitWrite()
    #expect(seen == Array(0..<300))
    let changed = realm.objects(Dog.self).where { $0.name == "seen" }
    #expect(changed.map(\.age) == Array(100..<300))
  }

  @Test func `rows that come in no order while a walk writes are not met, and disturb nobody`()
    throws
  {
    let realm = try scratch.realm()
    try realm.write {
      for id in 0..<80 { realm.add(Keyed(value: ["id": id, "name": "\(id)"])) }
      var seen: [Int] = []
      for keyed in realm.objects(Keyed.self) {
        seen.append(keyed.id)
        for step in 1...6 { realm.add(Keyed(value: ["id": 100_000 - keyed.id * 7 - step])) }
        keyed.name = "seen"
      }
      #expect(seen == Array(0..<80))
    }
    let all = realm.objects(Keyed.self)
    #expect(all.count == 560 && all.where { $0.name == "seen" }.map(\.id) == Array(0..<80))
  }

  private static func replace(_ realm: Realm, _ id: Int) {
    if let keyed = realm.object(ofType: Keyed.self, forPrimaryKey: id) { realm.delete(keyed) }
    realm.add(Keyed(value: ["id": id, "name": "new"]))
  }

  /// Who came under the key of a member that had gone was taken for it: by a refresh, in a write
  /// that goes on, and where members are listed and fetched by the batch.
  @Test(arguments: ["all", "filtered", "sorted"], ["refresh", "one write", "write", "cancelled"])
  func `READ-12: who comes under the key of a member is none`(view: String, move: String) throws {
    for count in [3, 300, 600] { try replaceMembers(count, view, move) }
  }

  private func replaceMembers(_ count: Int, _ view: String, _ move: String) throws {
    let scratch = Scratch()
    let realm = try scratch.realm()
    realm.autorefresh = false
    try realm.write {
      for id in 0..<count { realm.add(Keyed(value: ["id": id, "name": "old"])) }
    }
    let all = realm.objects(Keyed.self)
    let walked =
      switch view {
      case "all": all
      case "filtered": all.where { $0.id >= 0 }
      default: all.sorted(byKeyPath: "id", ascending: false)
      }
    let order = view == "sorted" ? Array((0..<count).reversed()) : Array(0..<count)
    let replaced = Set([order[1], order[count / 2], order[count - 1]])
    if move == "one write" { realm.beginWrite() }
    var visited: [Int?] = []
    for keyed in walked {
      if visited.isEmpty {
        switch move {
        case "refresh":
          let configuration = realm.configuration
          try onThreads(1) { _ in
            let other = try Realm(configuration: configuration)
            try other.write { for id in replaced { WritingWalkTests.replace(other, id) } }
          }
          realm.refresh()
        case "one write": for id in replaced { WritingWalkTests.replace(realm, id) }
        case "write": try realm.write { for id in replaced { WritingWalkTests.replace(realm, id) } }
        default:
          realm.beginWrite()
          for id in replaced { WritingWalkTests.replace(realm, id) }
          realm.cancelWrite()
        }
      }
      visited.append(keyed.isInvalidated ? nil : keyed.id)
      if !keyed.isInvalidated { #expect(keyed.name == "old") }
    }
    if realm.isInWriteTransaction { try realm.commitWrite() }
    #expect(visited == order.map { move != "cancelled" && replaced.contains($0) ? nil : $0 })
    withExtendedLifetime(scratch) {}
  }
}
