import EngineUnderTest
import Foundation

/// What lies behind a link that leads nowhere: null, and of collections nothing, whatever lies at
/// the link's end elsewhere.
enum Nowhere {
  private static let day = Date(timeIntervalSinceReferenceDate: 700_000_000)
  private static let mark = UUID(uuidString: "1C6F0E5A-9C5B-4C0E-8E4B-0B6F0F2B7A11")!
  private static let code = try! ObjectId(string: "65a1b2c3d4e5f60718293a4b")

  /// Each optional property, and what one object has there; the others have null.
  private static var values: [(String, Any)] {
    [
      ("truth", true), ("whole", 3), ("small", Int8(4)), ("number", 5), ("single", Float(1.5)),
      ("fraction", 2.5), ("price", Decimal128(7)), ("day", day), ("text", "a text"),
      ("tag", "a tag"), ("bytes", Data([1, 2])), ("mark", mark), ("code", code),
    ]
  }

  /// Questions about collections that the same object has something in, and the others have not.
  private static let collections: [(before: String, after: String)] = [
    ("ANY ", "scores.@allValues == 3"), ("ANY ", "scores.@allValues > 2"),
    ("ANY ", "scores.@allKeys == 'a'"), ("ANY ", "scores.@allKeys BEGINSWITH 'a'"),
    ("", "scores['a'] == 3"), ("ANY ", "numbers == 3"), ("ANY ", "numbers IN {3, 9}"),
    ("ANY ", "words == 'w'"), ("ANY ", "labels CONTAINS 'x'"), ("ANY ", "members.id == 2"),
    ("ANY ", "group.id == 2"), ("", "members.@count > 0"), ("", "scores.@sum > 2"),
    ("", "numbers.@max == 3"),
  ]

  /// Where each object's link leads: to the one that has all, to one that has nothing, to no one.
  private static let links = [1: nil, 2: nil, 3: 1, 4: 2, 5: nil, 6: 3, 7: 5, 8: 1] as [Int: Int?]

  private static func end(_ id: Int, _ depth: Int) -> Int? {
    depth == 0 ? id : links[id]!.flatMap { end($0, depth - 1) }
  }

  private static func stocked(_ stage: Stage) throws -> Realm {
    let realm = try Realm(configuration: stage.specimens())
    try realm.write {
      for id in links.keys.sorted() { realm.add(Specimen(id: id)) }
      for (id, link) in links { realm.specimen(id)!.next = link.flatMap { realm.specimen($0) } }
      let full = realm.specimen(1)!
      var all = Dictionary(uniqueKeysWithValues: values)
      all["id"] = 1
      realm.create(Specimen.self, value: all, update: .modified)
      full.scores["a"] = 3
      full.numbers.append(3)
      full.words.append("w")
      full.labels.insert("x")
      full.members.append(realm.specimen(2)!)
      full.group.insert(realm.specimen(2)!)
      realm.specimen(5)!.spares.append(objectsIn: links.keys.sorted().map { realm.specimen($0)! })
    }
    return realm
  }

  static let probe = Probe("what lies behind links that lead nowhere, indexed or not") { stage in
    let realm = try stocked(stage)
    let frozen = realm.freeze()
    func ask(_ format: String, _ argument: Any?, _ isFound: (Int?) -> Bool, _ depth: Int) {
      let wanted = links.keys.sorted().filter { isFound(end($0, depth)) }
      func ids(_ objects: Results<Specimen>) -> [Int] {
        let found = argument.map { objects.filter(format, $0) } ?? objects.filter(format)
        return found.map(\.id).sorted()
      }
      stage.equal(ids(realm.objects(Specimen.self)), wanted, "what \(format) finds")
      stage.equal(ids(frozen.objects(Specimen.self)), wanted, "what \(format) finds, frozen")
      let members = realm.specimen(5)!.spares.sorted(byKeyPath: "id")
      stage.equal(ids(members), wanted, "what \(format) finds in a list")
    }
    for depth in 0...2 {
      let path = String(repeating: "next.", count: depth)
      for (name, value) in values {
        ask("\(path)\(name) == nil", nil, { $0 != 1 }, depth)
        ask("\(path)\(name) != nil", nil, { $0 == 1 }, depth)
        ask("\(path)\(name) == %@", value, { $0 == 1 }, depth)
        ask("\(path)\(name) != %@", value, { $0 != 1 }, depth)
        ask("\(path)\(name) IN %@", [value], { $0 == 1 }, depth)
      }
      for (before, after) in collections {
        ask("\(before)\(path)\(after)", nil, { $0 == 1 }, depth)
      }
    }
  }
}
