import EngineUnderTest
import Foundation
import Harness

/// Questions that name many values: as one IN, or as so many comparisons.
private enum Naming {
  typealias Ask = @Sendable (Results<Specimen>, [Int?]) -> Results<Specimen>

  static func uuid(_ number: Int) -> UUID {
    UUID(uuidString: "00000000-0000-0000-0000-\(String(format: "%012d", number + 9))")!
  }

  static func code(_ number: Int) -> ObjectId {
    try! ObjectId(string: String(format: "%024x", number + 9))
  }

  static func day(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(number)) }

  /// A specimen each of whose fields says its number, or nothing where it may be null.
  static func made(_ id: Int) -> Specimen {
    let specimen = Specimen(id: id)
    (specimen.amount, specimen.name, specimen.word) = (id, "n\(id)", "w\(id)")
    guard let number = number(id) else { return specimen }
    (specimen.whole, specimen.number, specimen.fraction) = (number, number, Double(number))
    (specimen.text, specimen.tag) = ("t\(number)", "g\(number)")
    (specimen.mark, specimen.code) = (uuid(number), code(number))
    (specimen.price, specimen.day) = (Decimal128(number), day(number))
    specimen.bytes = Data("b\(number)".utf8)
    return specimen
  }

  /// What the fields that may be null hold.
  static func number(_ id: Int) -> Int? { id % 7 == 3 ? nil : id / 2 }

  /// Fields that may be null.
  static let optional: [(name: String, ask: Ask)] = [
    ("whole", { all, some in all.where { $0.whole.in(some) } }),
    ("number, indexed", { all, some in all.where { $0.number.in(some) } }),
    ("fraction", { all, some in all.where { $0.fraction.in(some.map { $0.map(Double.init) }) } }),
    ("text", { all, some in all.where { $0.text.in(some.map { $0.map { "t\($0)" } }) } }),
    ("tag, indexed", { all, some in all.where { $0.tag.in(some.map { $0.map { "g\($0)" } }) } }),
    ("mark, indexed", { all, some in all.where { $0.mark.in(some.map { $0.map(uuid) }) } }),
    ("code", { all, some in all.where { $0.code.in(some.map { $0.map(code) }) } }),
    (
      "price", { all, some in all.where { $0.price.in(some.map { $0.map { Decimal128($0) } }) } }
    ),
    ("day", { all, some in all.where { $0.day.in(some.map { $0.map(day) }) } }),
    (
      "bytes",
      { all, some in all.where { $0.bytes.in(some.map { $0.map { Data("b\($0)".utf8) } }) } }
    ),
    (
      "whole, one by one",
      { all, some in
        all.where { query in
          some.dropFirst().reduce(query.whole == some[0]) { $0 || query.whole == $1 }
        }
      }
    ),
    (
      "number, indexed, one by one",
      { all, some in
        all.where { query in
          some.dropFirst().reduce(query.number == some[0]) { $0 || query.number == $1 }
        }
      }
    ),
    (
      "text, one by one",
      { all, some in
        all.where { query in
          some.dropFirst().reduce(query.text == some[0].map { "t\($0)" }) {
            $0 || query.text == $1.map { "t\($0)" }
          }
        }
      }
    ),
  ]

  /// Others, which say the id itself.
  static let required: [(name: String, ask: Ask)] = [
    ("id, the key", { all, some in all.where { $0.id.in(some.compactMap(\.self)) } }),
    ("amount", { all, some in all.where { $0.amount.in(some.compactMap(\.self)) } }),
    (
      "name, indexed",
      { all, some in all.where { $0.name.in(some.compactMap(\.self).map { "n\($0)" }) } }
    ),
    ("word", { all, some in all.where { $0.word.in(some.compactMap(\.self).map { "w\($0)" }) } }),
  ]
}

extension Probe {
  /// How many values a question names, among few and many objects.
  static let manyNamed: [Probe] = [5, 65, 700].map { size in
    Probe("questions that name from one value to many find those of \(size) that have one") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Realm(configuration: stage.specimens())
      try realm.write { for id in 0..<size { realm.add(Naming.made(id)) } }
      let all = realm.objects(Specimen.self)
      var chance = stage.chance
      let counts = [1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 64, 65, 130, 300]
      for (place, count) in counts.enumerated()
      where size < 700 || [2, 4, 5, 17, 65, 300].contains(count) || stage.isDue(place + 6, of: 7) {
        for withNull in [false, true] {
          // Some that are there, some that are not, some twice.
          var some: [Int?] = (0..<count).map { _ in Int.random(in: -3..<(size + 3), using: &chance)
          }
          if withNull { some[some.count / 2] = nil }
          let named = Set(some)
          let halves = (0..<size).filter { named.contains(Naming.number($0)) }
          for (name, ask) in Naming.optional where count <= 130 || !name.contains("one by one") {
            let found = ask(all, some)
            stage.expect(
              found.map(\.id) == halves && found.count == halves.count
                && found.first?.id == halves.first,
              "\(count) values of \(name) find \(halves.count) of \(size), null: \(withNull)",
              observed: "\(found.count): \(found.prefix(10).map(\.id))")
          }
          let wholes = (0..<size).filter { named.contains($0) }
          for (name, ask) in Naming.required where !withNull {
            let found = ask(all, some)
            stage.expect(
              found.map(\.id) == wholes && found.count == wholes.count,
              "\(count) values of \(name) find \(wholes.count) of \(size)",
              observed: "\(found.count): \(found.prefix(10).map(\.id))")
            let others = all.where { $0.id >= 0 }
            stage.equal(ask(others, some).count, wholes.count, "as many of a filter, \(name)")
          }
        }
      }
    }
  }
}
