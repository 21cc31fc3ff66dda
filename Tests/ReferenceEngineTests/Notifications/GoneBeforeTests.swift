import Foundation
import Testing

@testable import ReferenceEngine

/// The first call of a listener tells that its collection can be used. One whose owner was deleted
/// before it got a first call with a collection that nobody can read.
@Suite struct GoneBeforeTests {
  @Test func `NOTIFY-04: a collection that is gone before its first call is not told of`() {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Everything.self, Address.self])
    let (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      for int in 1...2 {
        let owner = realm.create(Everything.self, value: ["int": int])
        owner.ints.append(objectsIn: [1, 2, 3])
        owner.intSet.insert(1)
        owner.intMap["one"] = 1
      }
    }
    let told = Noted<String>()
    let tokens = desk.work { realm in
      // The bell rings when the desk is free again: by then the first one is gone.
      let tokens = realm.objects(Everything.self).sorted(by: \.int).flatMap { owner in
        [
          owner.ints.observe { _ in told.add("\(owner.int) list") },
          owner.ints.filter("self > 1").observe { _ in told.add("\(owner.int) filtered") },
          owner.intSet.observe { _ in told.add("\(owner.int) set") },
          owner.intMap.observe { _ in told.add("\(owner.int) map") },
          owner.linkers.observe { _ in told.add("\(owner.int) linkers") },
          owner.ints.sectioned(by: { $0 % 2 }, ascending: true).observe { _ in
            told.add("\(owner.int) sections")
          },
        ]
      }
      other.commit { $0.delete($0.objects(Everything.self).where { $0.int == 1 }) }
      return tokens
    }
    desk.work { _ in }
    #expect(
      told.all == ["2 list", "2 filtered", "2 set", "2 map", "2 linkers", "2 sections"])
    told.clear()
    other.commit { $0.create(Everything.self, value: ["int": 3]) }
    desk.work { _ in }
    #expect(told.all == [])
    for token in tokens { token.invalidate() }
  }
}
