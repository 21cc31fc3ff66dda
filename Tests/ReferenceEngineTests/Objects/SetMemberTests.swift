import Foundation
import Testing

@testable import ReferenceEngine

private final class Bag: Object {
  @Persisted var texts: MutableSet<String>
  @Persisted var doubles: MutableSet<Double>
  @Persisted var floats: MutableSet<Float?>
  @Persisted var mixed: MutableSet<AnyRealmValue>
}

/// Which values a set has once, be it free or a realm's.
///
/// What broke: free sets decided as Swift's `==` does. NaN was another member each time, could not
/// be found and not be removed; and of two spellings of one text the second was lost.
struct SetMemberTests {
  private let realm = try! Realm(
    configuration: Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Bag.self]))
  private static let whole = "\u{e9}"
  private static let parted = "e\u{301}"

  private func fill(_ bag: Bag) {
    bag.texts.insert(objectsIn: [Self.whole, Self.parted, "e", Self.whole])
    bag.doubles.insert(objectsIn: [.nan, 1, .nan, 0, -0.0])
    bag.floats.insert(objectsIn: [nil, .nan, nil, .nan])
    bag.mixed.insert(objectsIn: [.string(Self.whole), .string(Self.parted), .double(.nan)])
    bag.mixed.insert(objectsIn: [.float(.nan), .double(.nan), .string(Self.parted)])
  }

  private func expectEach(in bag: Bag) {
    #expect(bag.texts.count == 3 && bag.doubles.count == 3 && bag.floats.count == 2)
    #expect(bag.mixed.count == 3)
    #expect(bag.texts.contains(Self.whole) && bag.texts.contains(Self.parted))
    #expect(bag.doubles.contains(.nan) && bag.doubles.index(of: .nan) != nil)
    #expect(bag.doubles.contains(-0.0) && bag.doubles.contains(0))
    #expect(bag.mixed.contains(.double(.nan)) && bag.mixed.index(of: .float(.nan)) != nil)
    let spellings = Set(bag.texts.map { Array($0.utf8) })
    #expect(spellings == Set([Self.whole, Self.parted, "e"].map { Array($0.utf8) }))
  }

  private func removeOnes(from bag: Bag) {
    bag.texts.remove(Self.whole)
    #expect(!bag.texts.contains(Self.whole) && bag.texts.contains(Self.parted))
    bag.doubles.remove(.nan)
    bag.floats.remove(.nan)
    #expect(bag.doubles.count == 2 && bag.floats.count == 1 && !bag.floats.contains(.nan))
    bag.mixed.remove(.string(Self.parted))
    #expect(bag.mixed.contains(.string(Self.whole)) && bag.mixed.count == 2)
  }

  @Test func `free sets tell members apart as those of a realm do`() throws {
    let free = Bag()
    fill(free)
    expectEach(in: free)
    let added = Bag()
    fill(added)
    try realm.write {
      let managed = realm.create(Bag.self)
      fill(managed)
      expectEach(in: managed)
      realm.add(added)
      expectEach(in: added)
      removeOnes(from: managed)
    }
    removeOnes(from: free)
  }

  @Test func `free sets are compared by the same members`() {
    let (one, other): (MutableSet<String>, MutableSet<String>) = ([Self.whole], [Self.parted])
    #expect(one != other && !one.intersects(other) && !one.isSubset(of: other))
    other.formUnion(one)
    #expect(other.count == 2 && one.isSubset(of: other))
    other.subtract(one)
    #expect(other.map { Array($0.utf8) } == [Array(Self.parted.utf8)])
    let (two, again): (MutableSet<Double>, MutableSet<Double>) = ([.nan, 2], [2, .nan])
    #expect(two == again && two.isSubset(of: again))
    two.formIntersection(again)
    #expect(two.count == 2)
    let never = Date(timeIntervalSinceReferenceDate: .nan)
    let dates: MutableSet<Date> = [never, never]
    #expect(dates.count == 1 && dates.contains(never))
  }
}
