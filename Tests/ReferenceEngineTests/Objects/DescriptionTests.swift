import Foundation
import Testing

@testable import ReferenceEngine

private final class Printed: Object {
  @Persisted var bool: Bool
  @Persisted var int = 123
  @Persisted var float: Float = 1.23
  @Persisted var double = 12.3
  @Persisted var whole = 3.0
  @Persisted var text = "a"
  @Persisted var none: String?
  @Persisted var data = Data("a".utf8)
  @Persisted var date = Date(timeIntervalSince1970: 1)
  @Persisted var decimal: Decimal128 = "1.5"
  @Persisted var mood: Mood = .sad
  @Persisted var any: AnyRealmValue = .int(7)
  @Persisted var link: Dog?
  @Persisted var bools: List<Bool?>
  @Persisted var dogs: List<Dog>
  @Persisted var words: MutableSet<String>
  @Persisted var prices: Map<String, Double>
}

private final class Circle: Object {
  @Persisted var objects: List<Circle>
  @Persisted(originProperty: "objects") var circles: LinkingObjects<Circle>
}

private final class DogView: Projection<Dog> {
  @Projected(\Dog.name) var title
  @Projected(\Dog.age) var years
}

/// What is printed of objects, collections and schemas: what Realm prints.
struct DescriptionTests {
  private let realm = try! Realm(
    configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))

  /// The text with addresses that are the same everywhere.
  private func masked(_ value: Any) -> String {
    "\(value)".replacing(/0x[0-9a-f]+/, with: "0x")
  }

  @Test func `objects are printed property by property, free and managed`() throws {
    let printed = Printed()
    printed.link = Dog(value: ["name": "Rex", "age": 2])
    printed.bools.append(objectsIn: [true, nil])
    printed.dogs.append(Dog(value: ["name": "Ben"]))
    printed.words.insert("w")
    printed.prices["a"] = 1.5
    let expected = """
      Printed {
      \tbool = 0;
      \tint = 123;
      \tfloat = 1.23;
      \tdouble = 12.3;
      \twhole = 3;
      \ttext = a;
      \tnone = (null);
      \tdata = <61 — 1 total bytes>;
      \tdate = 1970-01-01 00:00:01 +0000;
      \tdecimal = 1.5;
      \tmood = sad;
      \tany = 7;
      \tlink = Dog {
      \t\tname = Rex;
      \t\tage = 2;
      \t};
      \tbools = List<bool> <0x> (
      \t\t[0] 1,
      \t\t[1] <null>
      \t);
      \tdogs = List<Dog> <0x> (
      \t\t[0] Dog {
      \t\t\tname = Ben;
      \t\t\tage = 0;
      \t\t}
      \t);
      \twords = MutableSet<string> <0x> (
      \t\t[0] w
      \t);
      \tprices = Map<string, double> <0x> (
      \t[a]: 1.5
      \t);
      }
      """
    #expect(masked(printed) == expected)
    try realm.write { realm.add(printed) }
    #expect(masked(printed) == expected && masked(printed.freeze()) == expected)
    try realm.write { realm.delete(printed) }
    #expect(masked(printed) == "[invalid object]")
  }

  @Test func `collections that cannot be read any more are printed all the same`() throws {
    let circle = try realm.write { realm.create(Circle.self) }
    let printed = try realm.write { realm.create(Printed.self, value: ["bools": [true]]) }
    let dogs = realm.objects(Dog.self)
    let sections = dogs.sectioned(by: \.age, ascending: true)
    let names = printed.dogs.projectTo.name
    let texts: [() -> String] = [
      { [bools = printed.bools] in masked(bools) }, { [words = printed.words] in masked(words) },
      { [prices = printed.prices] in masked(prices) },
      { [circles = circle.circles] in masked(circles) },
      { [odd = printed.bools.filter("self == true")] in masked(odd) },
      { [all = AnyRealmCollection(printed.bools)] in masked(all) }, { masked(names) },
    ]
    try realm.write {
      realm.delete(printed)
      realm.delete(circle)
    }
    #expect(
      texts.map { $0() } == [
        "List<bool> <0x> (invalidated)", "MutableSet<string> <0x> (invalidated)",
        "Map<string, double> <0x> (invalidated)", "LinkingObjects<Circle> <0x> (invalidated)",
        "Results<bool> <0x> (invalidated)", "Results<bool> <0x> (invalidated)",
        "ProjectedCollection<String> (invalidated)",
      ])
    realm.invalidate()
    #expect(masked(dogs) == "Results<Dog> <0x> (invalidated)")
    #expect(masked(sections) == "SectionedResults<Int, Dog> (invalidated)")
  }

  @Test func `objects in circles are printed to a depth`() throws {
    let circle = Circle()
    circle.objects.append(circle)
    let expected = """
      Circle {
      \tobjects = List<Circle> <0x> (
      \t\t[0] Circle {
      \t\t\tobjects = List<Circle> <0x> (
      \t\t\t\t[0] Circle {
      \t\t\t\t\tobjects = <Maximum depth exceeded>;
      \t\t\t\t}
      \t\t\t);
      \t\t}
      \t);
      }
      """
    #expect(masked(circle) == expected)
    try realm.write { realm.add(circle) }
    #expect(masked(circle) == expected)
    #expect(masked(circle.circles).hasPrefix("LinkingObjects<Circle> <0x> (\n\t[0] Circle {"))
  }

  @Test func `collections are printed element by element`() throws {
    #expect(masked(List<Int>()) == "List<int> <0x> (\n\n)")
    #expect(masked(List([1, 2])) == "List<int> <0x> (\n\t[0] 1,\n\t[1] 2\n)")
    #expect(List([Data([1])]).description.contains("[0] {length = 1, bytes = 0x01}"))
    let many = List(0..<103)
    #expect(masked(many).hasSuffix("\t[99] 99\n\t... 3 objects skipped.\n)"))
    try realm.write { _ = realm.create(Dog.self, value: ["name": "Rex", "age": 2]) }
    #expect(
      masked(realm.objects(Dog.self))
        == "Results<Dog> <0x> (\n\t[0] Dog {\n\t\tname = Rex;\n\t\tage = 2;\n\t}\n)")
    #expect(masked(AnyRealmCollection(realm.objects(Dog.self))).hasPrefix("Results<Dog> <0x>"))
    let view = try #require(realm.objects(DogView.self).first)
    #expect(
      masked(view) == "DogView<Dog> <0x> {\n\t\ttitle(\\.name) = Rex;\n\tyears(\\.age) = 2;\n}")
  }

  @Test func `schemas, orders and configurations are printed`() {
    let schema = Schema([Address().objectSchema, Dog().objectSchema])
    #expect(
      Address().objectSchema.description == """
        Address (embedded) {
        \tstreet {
        \t\ttype = string;
        \t\tcolumnName = street;
        \t\tindexed = NO;
        \t\tisPrimary = NO;
        \t\tarray = NO;
        \t\tset = NO;
        \t\tdictionary = NO;
        \t\toptional = NO;
        \t}
        }
        """)
    let owners = Dog().objectSchema["owners"]?.description ?? ""
    #expect(owners.contains("\ttype = linking objects;\n\tobjectClassName = Person;\n"))
    #expect(owners.contains("\tlinkOriginPropertyName = dogs;"))
    #expect(schema.description.hasPrefix("Schema {\n\tAddress (embedded) {\n\t\tstreet {"))
    #expect(
      SortDescriptor(keyPath: "a", ascending: false).description
        == "SortDescriptor(keyPath: a, direction: descending)")
    let configuration = Realm.Configuration(inMemoryIdentifier: "x", schemaVersion: 3)
    #expect(configuration.description.hasPrefix("Realm.Configuration {\n\tfileURL = (null);"))
    #expect(configuration.description.contains("\tinMemoryIdentifier = x;\n"))
    #expect(configuration.description.contains("\tschemaVersion = 3;\n"))
  }

  @Test func `collections are kept in sets and dictionaries`() throws {
    let shelf = try realm.write { realm.create(Shelf.self, value: ["numbers": [1]]) }
    let lists: Set<List<Int>> = [shelf.numbers, shelf.numbers, List([1])]
    #expect(lists.count == 2 && lists.contains(realm.objects(Shelf.self)[0].numbers))
  }

  @Test func `numbers with a decimal point are what they are made of`() {
    #expect(Decimal128(value: 3) == 3 && Decimal128(value: "1.5") == "1.5")
    #expect(Decimal128(value: Date()).isNaN && Decimal128(2).distance(to: 5) == 3)
    #expect(Decimal128(2).advanced(by: 1.5).stringValue == "3.5")
  }
}
