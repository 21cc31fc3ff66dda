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
}
