import Foundation
import Testing

@testable import ReferenceEngine

/// A predicate of 5,000 nested parentheses ended the program on the thread's stack.
@Suite struct DeepPredicateTests {
  private static let depths = ["(": ")", "NOT ": "", "!": "", "NOT (": ")"]

  @Test(arguments: depths.keys.sorted())
  func `a predicate within so many parentheses that no stack is enough is refused`(
    open: String
  ) throws {
    let close = try #require(Self.depths[open])
    for depth in [5000, 100_000] {
      let text =
        String(repeating: open, count: depth) + "age == 1" + String(repeating: close, count: depth)
      let error = #expect(throws: PredicateSyntaxError.self) { try PredicateParser.parse(text) }
      #expect(error?.expectation.contains("at most 200 levels") == true)
    }
    let text =
      String(repeating: open, count: 90) + "age == 1" + String(repeating: close, count: 90)
    let scratch = Scratch()
    let realm = try scratch.realm()
    try realm.write { _ = realm.create(Dog.self, value: ["age": 1]) }
    #expect(realm.objects(Dog.self).filter(text).count == 1)
  }

  @Test func `operands, lists and sub-queries within each other are refused, too`() {
    let many = 20_000
    let texts = [
      "age == " + String(repeating: "(", count: many) + "1" + String(repeating: ")", count: many),
      "age IN " + String(repeating: "{", count: many),
      String(repeating: "SUBQUERY(dogs, $d, ", count: many) + "age == 1",
    ]
    for text in texts {
      #expect(throws: PredicateSyntaxError.self) { try PredicateParser.parse(text) }
    }
  }

  @Test func `a chain of any length is no depth`() throws {
    let scratch = Scratch()
    let realm = try scratch.realm()
    try realm.write { _ = realm.create(Dog.self, value: ["age": 1]) }
    let chain = Array(repeating: "age == 1", count: 5000).joined(separator: " AND ")
    #expect(realm.objects(Dog.self).filter(chain).count == 1)
    var dogs = realm.objects(Dog.self)
    for _ in 0..<5000 { dogs = dogs.filter("age == 1 OR name == 'Rex'") }
    #expect(dogs.count == 1)
  }

  @Test func `a query that was built as deep is refused with a sentence`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let scratch = Scratch()
      let realm = try scratch.realm()
      let dogs = realm.objects(Dog.self).where { dog in
        var query = dog.age == 1
        for _ in 0..<3000 { query = (query && dog.name == "a") || dog.age == 2 }
        return query
      }
      print(dogs.count)
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("more than 200 levels of parentheses"))
  }
}
