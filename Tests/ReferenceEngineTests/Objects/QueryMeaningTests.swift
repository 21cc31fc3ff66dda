import Foundation
import Testing

@testable import ReferenceEngine

private enum Grade: Int, PersistableEnum {
  case low = 1
  case middle = 2
  case high = 3
}

private final class Knot: Object {
  @Persisted var n: Int
  @Persisted var text: String?
  @Persisted var grade: Grade
  @Persisted var lastGrade: Grade?
  @Persisted var next: Knot?
  @Persisted var others: List<Knot>
  @Persisted var ints: List<Int>
  @Persisted var doubles: Map<String, Double>
  @Persisted var floats: MutableSet<Float>
  @Persisted var named: Map<String, Knot?>

  convenience init(_ n: Int) {
    self.init()
    self.n = n
  }
}

/// What queries mean where one could think otherwise.
struct QueryMeaningTests {
  private let realm = try! Realm(
    configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))

  private func numbers(_ results: Results<Knot>) -> [Int] { results.map(\.n).sorted() }

  @Test func `a collection contains a range if all of it lies within`() throws {
    try realm.write {
      let knot = realm.create(Knot.self, value: ["ints": [1, 2, 3], "floats": [1, 2, 3]])
      knot.doubles["a"] = 1
      knot.doubles["b"] = 3
    }
    let knots = realm.objects(Knot.self)
    #expect(knots.where { $0.ints.contains(1..<3) }.isEmpty)
    #expect(knots.where { $0.ints.contains(1..<4) }.count == 1)
    #expect(knots.where { $0.ints.contains(1...3) }.count == 1)
    #expect(knots.where { $0.ints.contains(1...2) }.isEmpty)
    #expect(knots.where { $0.ints.contains(2...3) }.isEmpty)
    #expect(knots.where { $0.floats.contains(1...2) }.isEmpty)
    #expect(knots.where { $0.floats.contains(0..<4) }.count == 1)
    #expect(knots.where { $0.doubles.contains(1..<3) }.isEmpty)
    #expect(knots.where { $0.doubles.contains(1...3) }.count == 1)
  }

  @Test func `an enumeration is compared by its raw value`() throws {
    try realm.write {
      realm.create(Knot.self, value: ["n": 1, "grade": Grade.low])
      realm.create(Knot.self, value: ["n": 2, "grade": Grade.high, "lastGrade": Grade.middle])
    }
    let knots = realm.objects(Knot.self)
    #expect(numbers(knots.where { $0.grade.rawValue > 1 }) == [2])
    #expect(numbers(knots.where { $0.grade.rawValue == 1 }) == [1])
    #expect(numbers(knots.where { $0.lastGrade.rawValue >= 2 }) == [2])
    #expect(numbers(knots.where { $0.lastGrade.rawValue == nil }) == [1])
    #expect(numbers(knots.where { $0.grade.rawValue.in([3]) }) == [2])
    #expect(numbers(knots.where { $0.grade > .middle }) == [2])
  }

  @Test func `a sub-query may count, and look at the object around it`() throws {
    try realm.write {
      let one = realm.create(Knot.self, value: ["n": 1, "others": [["n": 5], ["n": 6]]])
      one.others[0].ints.append(objectsIn: [1, 2])
      one.others[0].others.append(objectsIn: [Knot(7), Knot(8)])
      realm.create(Knot.self, value: ["n": 9, "others": [["n": 3], ["n": 10]]])
    }
    let knots = realm.objects(Knot.self)
    #expect(
      numbers(knots.where { ($0.others.ints.count == 2 && $0.others.n == 5).count == 1 }) == [1])
    #expect(numbers(knots.where { ($0.others.n > $0.n).count == 2 }) == [1, 5])
    #expect(numbers(knots.where { ($0.others.n > $0.n).count == 1 }) == [9])
    #expect(
      numbers(knots.where { (($0.others.others.n > 6).count == 1 && $0.others.n == 5).count == 1 })
        == [1])
    #expect(numbers(knots.where { ($0.others.n > 3 && $0.n == 9).count == 1 }) == [9])
    #expect(
      numbers(knots.where { ($0.others.n > 4 && $0.others.count == 2).count == 2 }) == [1, 5])
    #expect(numbers(knots.filter("SUBQUERY(others, $k, $k.n > n).@count == 2")) == [1, 5])
    #expect(numbers(knots.filter("SUBQUERY(others, $k, $k.ints.@count == 2).@count == 1")) == [1])
    #expect(
      numbers(
        knots.filter(
          "SUBQUERY(others, $k, SUBQUERY($k.others, $l, $l.n > $k.n AND $l.n > n).@count == "
            + "2).@count > 0"
        )) == [1])
  }

  @Test func `behind a link that leads nowhere is no value`() throws {
    try realm.write {
      let ends = [3, 1, 2, 1].map { realm.create(Knot.self, value: ["n": $0, "text": "end"]) }
      for (number, end) in ends.enumerated() {
        realm.create(Knot.self, value: ["n": 10 + number, "text": "start", "next": end])
      }
      realm.create(Knot.self, value: ["n": 20, "text": "start"])
    }
    let starts = realm.objects(Knot.self).where { $0.text == "start" }
    let orders = starts.sorted(byKeyPath: "next.n").map(\.n)
    #expect(Array(orders) == [11, 13, 12, 10, 20])
    #expect(starts.sorted(byKeyPath: "next.n", ascending: false).map(\.n) == [20, 10, 12, 11, 13])
    #expect(numbers(starts.distinct(by: ["next.n"])) == [10, 11, 12])
    #expect(numbers(starts.distinct(by: ["next.next.n"])) == [])
    #expect(starts.distinct(by: ["next"]).count == 5)
  }

  // A collection behind such a link counted as one of a single null.
  @Test func `behind a link that leads nowhere a collection is empty`() throws {
    try realm.write {
      let many = realm.create(Knot.self, value: ["n": 1, "others": [["n": 2], ["n": 3]]])
      many.ints.append(5)
      realm.create(Knot.self, value: ["n": 10, "next": many])
    }
    let knots = realm.objects(Knot.self)
    #expect(numbers(knots.filter("next.others.@count == 1")) == [])
    #expect(numbers(knots.filter("next.others.@count == 0")) == [1, 2, 3])
    #expect(numbers(knots.where { $0.next.others.count == 2 }) == [10])
    #expect(numbers(knots.where { $0.next.ints.count < 1 }) == [1, 2, 3])
    #expect(numbers(knots.filter("ANY next.others.text == nil")) == [10])
    #expect(numbers(knots.filter("ALL next.others.n > 1")) == [1, 2, 3, 10])
    #expect(numbers(knots.filter("NONE next.ints == nil")) == [1, 2, 3, 10])
    #expect(numbers(knots.filter("SUBQUERY(next.others, $k, $k.text == nil).@count > 0")) == [10])
    #expect(numbers(knots.filter("next.others.@max.n == nil")) == [1, 2, 3])
    #expect(numbers(knots.filter("next.n == nil")) == [1, 2, 3])
  }

  // Such a link counted as a null, which `nil` equalled and any object differed from.
  @Test func `a link behind a collection that leads nowhere is none`() throws {
    let two: [[String: Any]] = [["n": 2, "next": ["n": 1]], ["n": 3]]
    try realm.write {
      realm.create(Knot.self, value: ["n": 10, "others": two])
      realm.create(Knot.self, value: ["n": 20, "others": [["n": 4], ["n": 5]]])
    }
    let all = [1, 2, 3, 4, 5, 10, 20]
    for home in [realm, realm.freeze()] {
      let knots = home.objects(Knot.self)
      let end = knots.where { $0.n == 1 }.first
      #expect(numbers(knots.filter("ANY others.next == nil")) == [])
      #expect(numbers(knots.where { $0.others.next == nil }) == [])
      #expect(numbers(knots.filter("ANY others.next != nil")) == [10])
      #expect(numbers(knots.where { $0.others.next != nil }) == [10])
      #expect(numbers(knots.filter("NONE others.next == nil")) == all)
      #expect(numbers(knots.where { !($0.others.next == nil) }) == all)
      #expect(numbers(knots.filter("ALL others.next != nil")) == all)
      #expect(numbers(knots.filter("ALL others.next == nil")) == all.filter { $0 != 10 })
      #expect(numbers(knots.filter("ANY others.next == %@", end as Any)) == [10])
      #expect(numbers(knots.filter("ANY others.next != %@", end as Any)) == [])
      #expect(numbers(knots.where { $0.others.next == end }) == [10])
      #expect(numbers(knots.where { $0.others.next != end }) == [])
      #expect(numbers(knots.filter("ANY others.next IN %@", [end, nil])) == [10])
      #expect(numbers(knots.filter("SUBQUERY(others.next, $k, $k.n != 7).@count == 1")) == [10])
      #expect(numbers(knots.filter("SUBQUERY(others.next, $k, $k.text == nil).@count > 1")) == [])
      // A single link is itself, wherever it leads.
      #expect(numbers(knots.filter("next == nil")) == all.filter { $0 != 2 })
      #expect(
        numbers(knots.filter("SUBQUERY(others, $k, $k.next == nil).@count > 0")) == [10, 20])
    }
  }

  // The condition of a sub-query was asked of the keys that have no object, too, as of one whose
  // properties are null.
  @Test func `a sub-query is about objects alone`() throws {
    try realm.write {
      let knot = realm.create(Knot.self, value: ["n": 1])
      knot.named["a"] = .some(knot)
      knot.named["b"] = .some(nil)
    }
    for home in [realm, realm.freeze()] {
      let knots = home.objects(Knot.self)
      #expect(numbers(knots.filter("SUBQUERY(named, $k, $k.text == nil).@count == 1")) == [1])
      #expect(numbers(knots.filter("SUBQUERY(named, $k, $k.n != 7).@count == 1")) == [1])
      // The map itself has both.
      #expect(numbers(knots.filter("named.@count == 2 AND ANY named == nil")) == [1])
    }
  }

  // One value was computed of all of them together: as of one collection.
  @Test func `each of many collections has a count of its own`() throws {
    let free = [Knot(1), Knot(2), Knot(3)]
    for (ints, others) in [([1, 2], [7, 8]), ([3], [9])] {
      let other = Knot(4)
      other.ints.append(objectsIn: ints)
      other.others.append(objectsIn: others.map { Knot($0) })
      free[0].others.append(other)
    }
    free[1].others.append(Knot(5))
    let questions: [(String, [Int])] = [
      ("others.ints.@count == 2", [1]), ("others.ints.@count == 3", []),
      ("others.ints.@count == 0", [2]), ("others.others.@count == 1", [1]),
      ("others.ints.@sum == 3", [1]), ("others.ints.@sum == 6", []),
      ("others.ints.@max < 3", [1]), ("ALL others.ints.@max < 3", [3]),
      ("NONE others.others.@count == 2", [2, 3]), ("others.ints.@avg == nil", [2]),
      // Of a property of linked objects one value is computed.
      ("others.others.@sum.n == 24", [1]), ("others.others.@min.n == 9", []),
    ]
    let asked = questions.map { question, _ in
      free.filter { List<Knot>([$0]).index(matching: question) != nil }.map(\.n)
    }
    try realm.write { realm.add(free) }
    let knots = realm.objects(Knot.self)
    for ((question, answer), found) in zip(questions, asked) {
      #expect(numbers(knots.filter(question).where { $0.n < 4 }) == answer, "\(question)")
      #expect(found == answer, "\(question), of free ones")
    }
    #expect(numbers(knots.where { $0.others.ints.sum == 3 }) == [1])
    #expect(numbers(knots.where { $0.others.ints.max == 2 && $0.others.others.count == 1 }) == [1])
  }

  // Before a comparison with null in the order of texts NONE and ALL were passed over.
  @Test func `null sorts before each text, whatever word is before it`() throws {
    try realm.write {
      for (n, texts) in [[], ["a"], [nil], ["a", nil]].enumerated() {
        let knot = realm.create(Knot.self, value: ["n": n])
        for text in texts { knot.others.append(Knot(value: ["n": 9, "text": text as Any])) }
      }
    }
    let knots = realm.objects(Knot.self).where { $0.n < 9 }
    #expect(numbers(knots.filter("ANY others.text > nil")) == [1, 3])
    #expect(numbers(knots.filter("NONE others.text > nil")) == [0, 2])
    #expect(numbers(knots.filter("ALL others.text > nil")) == [0, 1])
    #expect(numbers(knots.filter("NONE others.text <= nil")) == [0, 1])
    #expect(numbers(knots.filter("ALL others.text <= nil")) == [0, 2])
  }

  // The least and the greatest of floats were compared with a Double that no float is.
  @Test func `what is computed of floats is compared as they are`() throws {
    try realm.write { realm.create(Knot.self, value: ["n": 1, "floats": [Float(0.1), 0.3]]) }
    let knots = realm.objects(Knot.self)
    #expect(numbers(knots.filter("ANY floats == 0.1 AND floats.@min == 0.1")) == [1])
    #expect(numbers(knots.filter("floats.@max <= 0.3 AND floats.@max IN {0.3}")) == [1])
    #expect(numbers(knots.filter("floats.@max BETWEEN {0.3, 0.3}")) == [1])
  }

  @Test func `key paths go through links, forced or not, and through members`() throws {
    try realm.write {
      realm.create(Knot.self, value: ["n": 1, "next": ["n": 5]])
      realm.create(Knot.self, value: ["n": 2, "next": ["n": 4]])
    }
    let knots = realm.objects(Knot.self).where { $0.next != nil }
    #expect(knots.sorted(by: \.next!.n).map(\.n) == [2, 1])
    #expect(knots.sorted(by: \.next?.n).map(\.n) == [2, 1])
    #expect(knots.max(of: \.next!.n) == 5)
    #expect(propertyName(of: \Knot.next?.next, in: Knot.self) == "next.next")
    #expect(propertyName(of: \Knot.next, in: Knot.self) == "next")
    #expect(propertyName(of: \Knot.next!.next!.next!.text, in: Knot.self) == "next.next.next.text")
    #expect(propertyName(of: \Knot.others[0].next?.n, in: Knot.self) == "others.next.n")
    #expect(propertyName(of: \Knot.others.first?.ints, in: Knot.self) == "others.ints")
    #expect(
      propertyName(of: \Person.best?.owners.first?.name, in: Person.self) == "best.owners.name")
  }

  @Test func `a text is greater than none`() throws {
    try realm.write {
      realm.create(Knot.self, value: ["n": 1, "text": "a"])
      realm.create(Knot.self, value: ["n": 2])
    }
    let knots = realm.objects(Knot.self)
    #expect(numbers(knots.where { $0.text > nil }) == [1])
    #expect(numbers(knots.where { $0.text >= nil }) == [1, 2])
    #expect(numbers(knots.where { $0.text < nil }) == [])
    #expect(numbers(knots.where { $0.text <= nil }) == [2])
    #expect(numbers(knots.where { $0.text < "b" }) == [1])
  }
}
