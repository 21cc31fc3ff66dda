import EngineUnderTest
import Foundation
import Harness

/// What hangs on objects that go, and come again: its space is used again, whatever it is, and
/// however they go.
enum Leavings {
  private struct Shape: Sendable {
    let name: String
    let fill: @Sendable (Realm) -> Void
  }

  private static let text = String(repeating: "text ", count: 8)

  private static let shapes: [Shape] = [
    Shape(name: "indexes") { realm in
      for number in 0..<500 {
        realm.create(Tagged.self, value: ["number": number, "word": "word \(number)"])
      }
    },
    Shape(name: "keys") { realm in
      for number in 0..<500 { realm.add(Keyed.made(StringKeyed.self, "key \(number)", "")) }
    },
    Shape(name: "links backwards") { realm in
      let ends = (0..<50).map { _ in realm.create(Linked.self) }
      for number in 0..<500 { realm.create(Linked.self).to = ends[number % 50] }
    },
    vessels("lists of texts") { vessel, _ in
      for number in 0..<24 { vessel.texts.append("\(text)\(number)") }
    },
    vessels("lists of numbers") { vessel, _ in
      vessel.numbers.append(objectsIn: (0..<200).map { $0 << 40 })
    },
    vessels("lists of objects") { vessel, first in
      for _ in 0..<100 { vessel.links.append(first) }
    },
    vessels("lists of data") { vessel, _ in
      for _ in 0..<8 { vessel.blobs.append(Data(repeating: 7, count: 100)) }
    },
    vessels("lists of mixed values") { vessel, _ in
      for number in 0..<24 { vessel.mixture.append(.string("\(text)\(number)")) }
    },
    vessels("sets") { vessel, _ in
      for number in 0..<24 { vessel.labels.insert("\(text)\(number)") }
    },
    vessels("maps") { vessel, _ in
      for number in 0..<24 { vessel.titles["\(number)"] = "\(text)\(number)" }
    },
    vessels("embedded objects") { vessel, _ in
      for number in 0..<12 { vessel.parts.append(Part(text: "\(text)\(number)")) }
      vessel.part = Part(text: text)
      for number in 0..<12 { vessel.part!.texts.append("\(text)\(number)") }
    },
    vessels("long texts and data") { vessel, _ in
      vessel.text = String(repeating: text, count: 10)
      vessel.data = Data(repeating: 7, count: 1_000)
    },
  ]

  private static func vessels(
    _ name: String, _ fill: @escaping @Sendable (_ vessel: Vessel, _ first: Vessel) -> Void
  ) -> Shape {
    Shape(name: name) { realm in
      let first = Vessel(id: 0)
      realm.add(first)
      for id in 1..<40 {
        let vessel = Vessel(id: id)
        realm.add(vessel)
        fill(vessel, first)
      }
    }
  }

  private static let classes: [Object.Type] = [
    Tagged.self, Linked.self, StringKeyed.self, Vessel.self,
  ]

  private static func clear(_ realm: Realm, _ way: String) {
    if way == "deleteAll()" { return realm.deleteAll() }
    func clear<Class: Object>(_ type: Class.Type) {
      let all = realm.objects(type)
      switch way {
      case "one by one": for object in Array(all) { realm.delete(object) }
      case "as an array": realm.delete(Array(all))
      default: realm.delete(all)
      }
    }
    for type in classes { clear(type) }
  }

  /// All at once.
  static let emptied = shapes.map { probe($0, ["deleteAll()", "a query"]) }
  /// One after the other.
  static let deleted = shapes.map { probe($0, ["one by one", "as an array"]) }

  private static func probe(_ shape: Shape, _ ways: [String]) -> Probe {
    Probe("\(shape.name) of those that go give their space back: " + ways.joined(separator: ", ")) {
      stage in
      Backstage.hooks?.skipFlushes()
      for way in ways {
        let file = stage.directory.appendingPathComponent("\(way).realm")
        let realm = try Realm(
          configuration: .init(
            fileURL: file, objectTypes: classes + [Part.self, Account.self] as [ObjectBase.Type]))
        func pass() throws {
          try realm.write { shape.fill(realm) }
          try realm.write { clear(realm, way) }
          // What the one before let go may be used again in the next.
          for _ in 0..<2 {
            try realm.write { realm.create(Account.self, value: ["id": -1], update: .all) }
          }
        }
        var sizes: [Int] = []
        for round in 0..<30 {
          try pass()
          if round % 5 == 4 { sizes.append(stage.size(of: way)) }
        }
        // A file may grow by steps: one more is none too many.
        stage.expect(
          sizes[5] <= sizes[1] + sizes[1] / 3 + 65_536, "no growth on re-insertion after \(way)",
          observed: "sizes \(sizes)")
        stage.equal(realm.objects(Vessel.self).count, 0, "how many are left")
      }
    }
  }
}

/// A row that is mostly its indexes.
final class Tagged: Object {
  @Persisted(indexed: true) var number: Int
  @Persisted(indexed: true) var word: String
}

/// A row that is mostly its links.
final class Linked: Object {
  @Persisted var to: Linked?
  @Persisted(originProperty: "to") var from: LinkingObjects<Linked>
}
