import Foundation
import Testing

@testable import ReferenceEngine

private final class Twig: Object {
  @Persisted var n: Int
  @Persisted var isDry: Bool
  @Persisted var text: String?
  @Persisted var part: Float
  @Persisted var mixed: AnyRealmValue
  @Persisted var many: List<AnyRealmValue>
  @Persisted var next: Twig?
  @Persisted var twigs: List<Twig>
  @Persisted var named: Map<String, Twig?>
}

/// Collections that no realm manages compute what managed ones do.
struct FreeCollectionTests {
  @Test func `a free list of numbers is summed and searched`() {
    let list = List<Int>([3, 1, 2])
    #expect(list.max() == 3 && list.min() == 1 && list.sum() == 6)
    #expect((list.average() as Double?) == 2 && (List<Int>().average() as Double?) == nil)
    #expect(List<Int>().max() == nil && List<Int>().sum() == 0)
    #expect(list.index(matching: "SELF > 1") == 0 && list.index(matching: "SELF == 2") == 2)
    #expect(list.index(matching: "SELF > 5") == nil)
    let set = MutableSet<Double>()
    set.insert(objectsIn: [0.5, 1.5])
    #expect(set.max() == 1.5 && set.sum() == 2 && (set.average() as Double?) == 1)
    let map: Map<String, Int?> = ["a": 1, "b": nil, "c": 5]
    #expect(map.max() == 5 && map.min() == 1 && map.sum() == 6)
    #expect(List<Int?>([nil, 4]).min() == 4 && List<Decimal128>(["1.5", "2"]).sum() == "3.5")
    #expect(List<Date>([Date(timeIntervalSince1970: 5)]).max() == Date(timeIntervalSince1970: 5))
  }

  @Test func `a free list of objects is summed and searched by their properties`() {
    let dogs = List<Dog>()
    for age in [4, 2, 9] { dogs.append(Dog(value: ["name": "dog \(age)", "age": age])) }
    #expect(dogs.sum(of: \.age) == 15 && dogs.max(of: \.age) == 9)
    #expect((dogs.min(ofProperty: "age") as Int?) == 2 && dogs.average(of: \.age) == 5)
    #expect(dogs.index(matching: "name == 'dog 2'") == 1)
    #expect(dogs.index(matching: { $0.age > 4 && $0.name.contains("dog") }) == 2)
    let people = List<Person>()
    people.append(Person(value: ["name": "Ada", "dogs": [["age": 1]], "best": ["age": 7]]))
    people.append(Person(value: ["name": "Bob", "dogs": [["age": 3], ["age": 4]]]))
    #expect(people.index(matching: "dogs.@count > 1") == 1)
    #expect(people.index(matching: "ANY dogs.age == 4") == 1)
    #expect(people.index(matching: "best.age == 7") == 0)
    #expect(people.index(matching: "SUBQUERY(dogs, $d, $d.age > 2).@count == 2") == 1)
    #expect(people.index(matching: "email == nil AND name BEGINSWITH 'B'") == 1)
    // A collection behind a link that leads nowhere counted as one of a single null.
    #expect(people.index(matching: "best.owners.@count == 1") == nil)
    #expect(people.index(matching: "SUBQUERY(best.owners, $p, $p.age == nil).@count == 1") == nil)
    #expect(people.index(matching: "best.age == nil") == 1)
  }

  // What lay behind a link that leads nowhere was null, behind a collection, too.
  @Test func `free objects are asked of links behind a collection that lead somewhere`() {
    let young: [[String: Any]] = [["n": 2, "next": ["n": 1]], ["n": 3]]
    let one = Twig(value: ["n": 10, "twigs": young])
    let two = Twig(value: ["n": 20, "twigs": [["n": 4]]])
    let three = Twig(value: ["n": 30])
    three.next = two
    one.named["a"] = .some(nil)
    let twigs = List<Twig>([one, two, three])
    #expect(twigs.index(matching: "ANY twigs.next == nil") == nil)
    #expect(twigs.index(matching: { $0.twigs.next == nil }) == nil)
    #expect(twigs.index(matching: "ANY twigs.next != nil") == 0)
    #expect(twigs.index(matching: "ALL twigs.next != nil AND n > 10") == 1)
    #expect(twigs.index(matching: "SUBQUERY(twigs.next, $t, $t.n != 7).@count == 1") == 0)
    #expect(twigs.index(matching: "ANY twigs.next.n == nil") == nil)
    #expect(twigs.index(matching: "ANY next.twigs.n == nil") == nil)
    #expect(twigs.index(matching: "ANY next.twigs.n == 4") == 2)
    #expect(twigs.index(matching: "ALL next.twigs.n == 4") == 0)
    #expect(twigs.index(matching: "SUBQUERY(named, $t, $t.n == nil).@count == 1") == nil)
    #expect(twigs.index(matching: "named.@count == 1 AND ANY named == nil") == 0)
    #expect(twigs.index(matching: "next.n == nil AND next.next == nil") == 0)
  }

  // Before a property that is no collection the words were passed over; they are refused.
  @Test func `free objects and values are asked for any, all or none of many`() {
    let one = Twig(value: ["n": 1, "twigs": [["n": 2], ["n": 3]]])
    let twigs = List<Twig>([Twig(value: ["n": 2]), one])
    #expect(twigs.index(matching: "ANY twigs.n == 3 AND ALL twigs.n > 1") == 1)
    #expect(twigs.index(matching: "NONE twigs.n == 3") == 0)
    #expect(twigs.index(matching: "ALL named.@allKeys == 'a' AND NONE named.n == 1") == 0)
    // Of two properties they mean nothing, as in Realm, and what a mixed value is nobody knows.
    #expect(twigs.index(matching: "ANY n == n AND ALL next.n == next.n") == 0)
    #expect(List<AnyRealmValue>([.int(1), .int(2)]).index(matching: "ANY SELF == 2") == 1)
  }

  private static let comparisons = [
    "isDry == 1", "n == true", "ANY twigs.isDry == 1", "mixed == 0.1", "part == 0.1",
    "text > nil", "text <= nil", "text >= nil", "text < nil", "NONE twigs.text > nil",
    "ALL twigs.text > nil", "many CONTAINS 'a'", "NOT many CONTAINS 'a'", "mixed CONTAINS 'a'",
    "twigs.@max.part == 0.1", "twigs.@min.part < 0.1", "mixed['a'] == 1", "mixed['b'] == nil",
    "mixed['b']['c'] == 2", "ANY mixed[#any] == 1", "many[0]['a'] == 1", "many[1][1] == 3",
    "next.mixed['a'] == 1", "twigs.mixed['a'] == 1",
  ]

  // What was compared with stayed as it was written: of a Bool 1 was another value than true, of
  // a mixed value a Double became a Float, texts had no order with null, and a list of mixed values
  // contained what one of its texts contains. Of a mixed value itself what lies in it was not
  // asked, but the whole.
  @Test(arguments: comparisons)
  func `free objects are compared as those of a realm are`(question: String) throws {
    let scratch = Scratch()
    let realm = try scratch.realm()
    let one = Twig(value: ["n": 1, "isDry": true, "text": "ab", "part": Float(0.1)])
    one.mixed = .float(0.1)
    one.many.append(.string("ab"))
    let two = Twig(value: ["n": 2, "text": "", "part": Float(0.05)])
    two.mixed = .dictionary(["a": .int(1), "b": .dictionary(["c": .int(2)])])
    two.many.append(objectsIn: [.dictionary(["a": .int(1)]), .list([.int(2), .int(3)])])
    let three = Twig(value: ["n": 3])
    three.many.append(.string("a"))
    three.mixed = .string("ab")
    three.next = two
    three.twigs.append(objectsIn: [one, two])
    one.twigs.append(objectsIn: [three])
    two.twigs.append(one)
    let free = [one, two, three].filter { List<Twig>([$0]).index(matching: question) != nil }
    let found = free.map(\.n)
    try realm.write { realm.add([one, two, three]) }
    #expect(realm.objects(Twig.self).filter(question).map(\.n).sorted() == found)
  }

  @Test func `a free list is searched for what a realm's list would find`() throws {
    let texts = List<String>(["e\u{301}", "\u{e9}"])
    #expect(texts.index(of: "\u{e9}") == 1 && texts.index(of: "e\u{301}") == 0)
    #expect(List<Double>([1, .nan]).index(of: .nan) == 1)
    #expect(List<Float?>([nil, .nan]).index(of: .nan) == 1)
    #expect(List<Int?>([1, nil]).index(of: nil) == 1)
  }

  @Test func `free sets and maps of objects are summed and searched by their properties`() {
    let (set, map) = (MutableSet<Dog>(), Map<String, Dog?>())
    for age in [4, 2, 9] {
      let dog = Dog(value: ["name": "dog \(age)", "age": age])
      set.insert(dog)
      map["\(age)"] = dog
    }
    map["none"] = .some(nil)
    #expect(set.sum(of: \.age) == 15 && set.max(of: \.age) == 9 && set.min(of: \.age) == 2)
    #expect(set.average(of: \.age) == 5 && (set.max(ofProperty: "age") as Int?) == 9)
    #expect(set.index(matching: "name == 'dog 2'") == 1 && set.index(matching: "age > 9") == nil)
    #expect(set.index(matching: { $0.age > 4 }) == 2)
    #expect(map.sum(of: \.age) == 15 && map.max(of: \.age) == 9 && map.min(of: \.age) == 2)
    #expect(map.average(of: \.age) == 5)
    let numbers = MutableSet<Int?>()
    numbers.insert(objectsIn: [3, nil, 1])
    #expect(numbers.max() == 3 && numbers.min() == 1 && numbers.sum() == 4)
    #expect((numbers.average() as Double?) == 2)
    #expect(
      numbers.index(matching: "SELF == 1") == 2 && numbers.index(matching: "SELF == 7") == nil)
    #expect(numbers.index(matching: { $0 > 2 }) == 0 && numbers.index(matching: "SELF == nil") == 1)
    let mixed: Map<String, AnyRealmValue> = ["a": 1, "b": 2.5, "c": "x", "d": .none]
    #expect(mixed.sum() == .decimal128("3.5"))
  }

  /// What broke: of two realms whatever had the same row was the same.
  @Test func `objects of other realms are other objects in a free list`() throws {
    let (here, there) = (Scratch(), Scratch())
    let (one, two) = (try here.realm(), try there.realm())
    let mine = try one.write { one.create(Dog.self, value: ["name": "Rex"]) }
    let foreign = try two.write { two.create(Dog.self, value: ["name": "Bo"]) }
    let dogs = List<Dog>()
    dogs.append(objectsIn: [foreign, mine])
    #expect(dogs.index(matching: "SELF == %@", mine) == 1)
    #expect(dogs.index(matching: "SELF IN %@", [mine]) == 1)
    let again = try #require(one.objects(Dog.self).first)
    #expect(dogs.index(matching: "SELF == %@", again) == 1)
    #expect(dogs.index(matching: "SELF == %@", mine.freeze()) == 1)
  }
}
