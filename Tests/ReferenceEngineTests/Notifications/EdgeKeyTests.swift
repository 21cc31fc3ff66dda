import Foundation
import Testing

@testable import ReferenceEngine

/// The least and the greatest key that there are: nothing lies before the one, nothing behind the
/// other.
@Suite struct EdgeKeyTests {
  private let keys = [Int.min, .min + 1, 0, .max - 1, .max]
  private let configuration = freshConfiguration()

  private func stock(_ desk: Desk) {
    desk.commit { realm in
      for id in keys { realm.add(Keyed(value: ["id": id, "name": "first"])) }
    }
  }

  @Test func `NOTIFY-20: objects at the edges are told, found and gone like others`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    stock(other)
    let told = Noted<String>()
    desk.work { _ = $0.refresh() }
    let tokens = desk.work { realm -> [NotificationToken] in
      let all = realm.objects(Keyed.self)
      return [all, all.where { $0.name != "nobody" }].enumerated().map { place, members in
        members.observe {
          if case .update(_, let deletions, let insertions, let modifications) = $0 {
            told.add("\(place) -\(deletions) +\(insertions) ~\(modifications)")
          }
        }
      }
        + keys.map { id in
          realm.object(ofType: Keyed.self, forPrimaryKey: id)!.observe {
            if case .change = $0 { told.add("\(id) changed") }
            if case .deleted = $0 { told.add("\(id) gone") }
          }
        }
    }
    func hears(_ expected: [String], of act: (Realm) -> Void) {
      let before = told.all.count
      other.commit(act)
      desk.work { _ = $0.refresh() }
      desk.work { _ in }
      #expect(told.all.dropFirst(before).sorted() == expected.sorted())
    }
    desk.work { _ in }
    hears(
      keys.map { "\($0) changed" } + ["0 -[] +[] ~[0, 1, 2, 3, 4]", "1 -[] +[] ~[0, 1, 2, 3, 4]"]
    ) {
      for object in $0.objects(Keyed.self) { object.name = "second" }
    }
    let held = desk.work { realm in
      keys.map { realm.object(ofType: Keyed.self, forPrimaryKey: $0)! }
    }
    hears(["\(Int.max) gone", "\(Int.min) gone", "0 -[0, 4] +[] ~[]", "1 -[0, 4] +[] ~[]"]) {
      realm in
      for id in [Int.max, .min] {
        realm.delete(realm.object(ofType: Keyed.self, forPrimaryKey: id)!)
      }
    }
    hears(["0 -[] +[0, 4] ~[]", "1 -[] +[0, 4] ~[]"]) { realm in
      for id in [Int.max, .min] { realm.add(Keyed(value: ["id": id, "name": "third"])) }
    }
    desk.work { realm in
      #expect(held.map(\.isInvalidated) == [true, false, false, false, true])
      #expect(realm.objects(Keyed.self).count == keys.count)
    }
    for token in tokens { desk.work { _ in token.invalidate() } }
  }

  /// In which order keys come says nothing about where they lie: the least one was put behind the
  /// greatest when it came next, and was not found again.
  @Test func `objects at the edges are found in whatever order they came`() throws {
    let realm = try Realm(configuration: configuration)
    func permutations(_ left: [Int], _ chosen: [Int] = []) -> [[Int]] {
      left.isEmpty
        ? [chosen]
        : left.flatMap { key in permutations(left.filter { $0 != key }, chosen + [key]) }
    }
    for order in permutations([.min, .min + 1, -1, 0, .max - 1, .max]) {
      realm.beginWrite()
      for id in order { realm.add(Keyed(value: ["id": id, "name": "\(id)"])) }
      let all = realm.objects(Keyed.self)
      #expect(all.map(\.id) == order.sorted(), "\(order)")
      for id in order {
        let found = realm.object(ofType: Keyed.self, forPrimaryKey: id)
        #expect(found?.name == "\(id)", "\(id) of \(order)")
      }
      realm.cancelWrite()
    }
    try realm.write {
      realm.add(Keyed(value: ["id": Int.max]))
      realm.add(Keyed(value: ["id": Int.min]))
    }
    #expect(realm.objects(Keyed.self).map(\.id) == [.min, .max])
    _ = try realm.session.coordinator.checkEverything()
  }

  /// Sorting all objects of a class ended the process when the least and the greatest key were
  /// further apart than half of all keys there are: random ones mostly are.
  @Test(arguments: [[Int.min, .max], [-6_000_000_000_000_000_000, 7_000_000_000_000_000_000, 3]])
  func `objects whose keys are far apart are sorted`(keys: [Int]) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in keys { realm.add(Keyed(value: ["id": id, "name": "\(id / -3)"])) }
    }
    let all = realm.objects(Keyed.self)
    for path in ["name", "id"] {
      for ascending in [true, false] {
        let sorted = all.sorted(byKeyPath: path, ascending: ascending)
        #expect(Set(sorted.map(\.id)) == Set(keys) && sorted.count == keys.count)
        #expect(sorted.first?.id == Array(sorted)[0].id)
      }
    }
    #expect(all.sorted(byKeyPath: "id", ascending: false).map(\.id) == keys.sorted().reversed())
    #expect(all.sorted(byKeyPath: "name").distinct(by: ["name"]).count == keys.count)
    #expect(all.sectioned(by: \.name, sortDescriptors: ["name"]).count == keys.count)
  }

  @Test func `many at the edges go together`() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in (Int.min)...(Int.min + 99) { realm.add(Keyed(value: ["id": id, "name": "b"])) }
      for id in (Int.max - 99)...Int.max { realm.add(Keyed(value: ["id": id, "name": "a"])) }
    }
    let held = Array(realm.objects(Keyed.self))
    try realm.write {
      // The greatest key stands before the least.
      realm.delete(realm.objects(Keyed.self).sorted(byKeyPath: "name"))
      realm.add(Keyed(value: ["id": Int.min]))
    }
    #expect(held.allSatisfy(\.isInvalidated) && realm.objects(Keyed.self).count == 1)
  }
}
