import Foundation
import Testing

@testable import ReferenceEngine

private final class Purse: Object {
  @Persisted var values: MutableSet<AnyRealmValue>
}

/// A set of mixed values had a number once for each type it came in; in Realm it has it once.
struct EqualNumberTests {
  private let realm = try! Realm(
    configuration: Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Purse.self]))

  /// What is left of values that are put into a set in turn, and that each is found there.
  private func kept(_ values: [AnyRealmValue], line: Int = #line) throws -> Set<AnyRealmValue> {
    try realm.write {
      let set = realm.create(Purse.self).values
      set.insert(objectsIn: values)
      let kept = Set(set)
      for value in values {
        #expect(set.contains(value) && set.index(of: value) != nil, "\(value), line \(line)")
      }
      for value in values { set.remove(value) }
      #expect(set.isEmpty, "line \(line)")
      return kept
    }
  }

  @Test func `numbers of equal value are one element, which is the first of them`() throws {
    let ones: [AnyRealmValue] = [.int(1), .double(1), .float(1), .decimal128("1.00")]
    for one in ones { #expect(try kept([one] + ones).first == one) }
    for one in ones { #expect(try kept([one] + ones).count == 1) }
    #expect(try kept([.decimal128("1.0"), .decimal128("1.00")]).count == 1)
    let zeros: [AnyRealmValue] = [
      .double(-0.0), .int(0), .double(0), .float(-0.0), .decimal128("-0.0"), .decimal128("0E3"),
    ]
    for turn in zeros.indices {
      #expect(try kept(Array(zeros[turn...] + zeros[..<turn])).count == 1)
    }
    #expect(try kept([.double(.infinity), .float(.infinity), .decimal128("Inf")]).count == 1)
  }

  @Test func `true is no number, and a text neither`() throws {
    #expect(try kept([.int(1), .bool(true), .string("1"), .none]).count == 4)
  }

  @Test func `whole numbers are not rounded to compare them with doubles`() throws {
    let end = 1 << 53
    #expect(try kept([.double(Double(end)), .int(end + 1), .int(end)]).count == 2)
    #expect(try kept([.int(.max), .double(0x1p63)]).count == 2)
    #expect(try kept([.int(.min), .double(-0x1p63), .float(-0x1p63)]).count == 1)
    #expect(try kept([.float(0.1), .double(0.1)]).count == 2)
  }

  @Test func `a decimal is what the first digits of a double say`() throws {
    #expect(try kept([.decimal128("0.1"), .double(0.1), .float(0.1)]).count == 1)
    #expect(try kept([.double(0.1 + 0.2), .decimal128("0.3")]) == [.double(0.1 + 0.2)])
    #expect(try kept([.decimal128("0.3000000000000001"), .double(0.3)]).count == 2)
    #expect(try kept([.int(.max), .decimal128("9223372036854775807")]).count == 1)
  }

  @Test func `what is no number is one element, too`() throws {
    #expect(try kept([.double(.nan), .float(.nan), .decimal128(.nan), .int(0)]).count == 2)
    let other = Double(bitPattern: Double.nan.bitPattern | 1)
    #expect(try kept([.double(.nan), .double(other)]).count == 2)
  }

  @Test func `a free set tells decimals apart, which a realm then has once`() throws {
    let purse = Purse()
    let set = purse.values
    set.insert(objectsIn: [.int(1), .double(1), .float(1), .decimal128(1), .double(.nan)])
    set.insert(.float(.nan))
    #expect(set.count == 3 && set.contains(.float(1)) && set.index(of: .double(1)) == 0)
    #expect(set == [.float(1), .decimal128("1.0"), .float(.nan)])
    try realm.write { realm.add(purse) }
    #expect(Set(set).contains(.int(1)) && set.count == 2)
  }

  @Test func `what takes another set takes its numbers for those of equal value`() throws {
    func pair() -> (MutableSet<AnyRealmValue>, MutableSet<AnyRealmValue>) {
      let (one, other) = (realm.create(Purse.self).values, realm.create(Purse.self).values)
      one.insert(objectsIn: [.int(1), .int(2)])
      other.insert(objectsIn: [.double(2), .decimal128(1), .double(2.5)])
      return (one, other)
    }
    try realm.write {
      var (one, other) = pair()
      #expect(one.isSubset(of: other) && !other.isSubset(of: one) && one.intersects(other))
      one.formUnion(other)
      #expect(Set(one) == [.int(1), .int(2), .double(2.5)])
      other.formIntersection(one)
      #expect(other.count == 3)
      (one, other) = pair()
      one.subtract(other)
      #expect(one.isEmpty)
    }
  }
}
