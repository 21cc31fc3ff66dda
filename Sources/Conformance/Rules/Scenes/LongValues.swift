import EngineUnderTest
import Foundation

/// Every way of a text or data into a realm.
struct LongValue: Sendable {
  let name: String
  let put: @Sendable (Realm, Int) -> Void

  private init(_ name: String, _ put: @escaping @Sendable (Realm, Int) -> Void) {
    (self.name, self.put) = (name, put)
  }

  /// `String(repeating:)` appends one after the other, a third of a second for 16 MB.
  static func text(_ count: Int) -> String {
    String(unsafeUninitializedCapacity: count) { bytes in
      bytes.initialize(repeating: UInt8(ascii: "x"))
      return count
    }
  }
  static func data(_ count: Int) -> Data { Data(repeating: 1, count: count) }

  private static func into(_ name: String, _ put: @escaping @Sendable (Vessel, Int) -> Void)
    -> LongValue
  { LongValue(name) { realm, count in put(realm.vessel(1), count) } }

  private static func within(_ name: String, _ put: @escaping @Sendable (Vessel, Int) -> Void)
    -> LongValue
  {
    LongValue("\(name) of an object that is added") { realm, count in
      let vessel = Vessel(id: 9)
      put(vessel, count)
      realm.add(vessel)
    }
  }

  static let all: [LongValue] = [
    into("a text, by its name") { ByName.set(text($1), "text", of: $0) },
    into("data, by setValue") { $0.setValue(data($1), forKey: "data") },
    into("a text of all members, by name") { ByName.set(text($1), "text", in: $0.links) },
    into("a mixed value with a text") { $0.mixed = .string(text($1)) },
    into("a mixed value with data") { $0.mixed = .data(data($1)) },
    into("an embedded object's text") { $0.part!.text = text($1) },
    into("an embedded object's mixed value") { $0.part!.mixed = .string(text($1)) },
    into("the text of a new embedded object") { $0.part = Part(text: text($1)) },
    into("the text of an embedded object that is appended") {
      $0.parts.append(Part(text: text($1)))
    },
    into("a list of data") { $0.blobs.append(data($1)) },
    into("a list's text, set at a position") { $0.texts[0] = text($1) },
    into("a list's text, inserted with others") {
      $0.texts.insert(contentsOf: ["a", text($1)], at: 0)
    },
    into("a list's text, in a range") { $0.texts.replaceSubrange(0..<1, with: [text($1)]) },
    into("a list's text, filled anew") { $0.texts.assign(["a", text($1)]) },
    into("a list's text, replaced") { $0.texts.replace(index: 0, object: text($1)) },
    into("a list that is assigned") { $0.texts = List([text($1)]) },
    into("a set's text, with others") { $0.labels.insert(objectsIn: ["a", text($1)]) },
    into("a map's text") { $0.titles["b"] = text($1) },
    into("a map's text, in the place of another") { $0.titles["a"] = text($1) },
    into("a map's text, updated") { $0.titles.updateValue(text($1), forKey: "b") },
    into("a map's text, merged") { $0.titles.merge([(key: "b", value: text($1))]) { $1 } },
    into("a list of mixed values") { $0.mixture.append(.string(text($1))) },
    into("a set of mixed values") { $0.mixedSet.insert(.string(text($1))) },
    into("a map of mixed values") { $0.mixedMap["b"] = .data(data($1)) },
    within("the text") { $0.text = text($1) },
    within("the indexed text") { $0.name = text($1) },
    within("the optional text") { $0.maybeText = text($1) },
    within("the optional data") { $0.maybeData = data($1) },
    within("the mixed value") { $0.mixed = .string(text($1)) },
    within("a list's text") { $0.texts.append(text($1)) },
    within("a list's data") { $0.blobs.append(data($1)) },
    within("a set's text") { $0.labels.insert(text($1)) },
    within("a map's text") { $0.titles["a"] = text($1) },
    within("a mixed value in a list") { $0.mixture.append(.string(text($1))) },
    within("the embedded object's text") { $0.part = Part(text: text($1)) },
    within("the text of the link") { vessel, count in
      vessel.link = Vessel(id: 10)
      vessel.link!.text = text(count)
    },
    LongValue("the text of one that is added as an update") { realm, count in
      let vessel = Vessel(id: 1)
      vessel.text = text(count)
      realm.add(vessel, update: .all)
    },
    LongValue("the text of one that is added as what is modified") { realm, count in
      let vessel = Vessel(id: 1)
      vessel.text = text(count)
      realm.add(vessel, update: .modified)
    },
    LongValue("the data of one that is created as what is modified") { realm, count in
      realm.create(
        Vessel.self, value: ["id": 1, "data": data(count)] as [String: Any], update: .modified)
    },
    LongValue("a list's text of one that is created") { realm, count in
      realm.create(Vessel.self, value: ["id": 9, "texts": [text(count)]] as [String: Any])
    },
    LongValue("the text of a link of one that is created") { realm, count in
      realm.create(
        Vessel.self,
        value: ["id": 9, "link": ["id": 10, "text": text(count)] as [String: Any]]
          as [String: Any])
    },
  ]
}

extension Probe {
  /// Each way of a value that is too long; and of one that is not, all in one.
  static let longValues: [Probe] =
    LongValue.all.map { way in
      Probe("16 MB by each way: \(way.name)", refusing: ["too big"]) { stage in
        let realm = try Vessel.stocked(stage)
        realm.beginWrite()
        stage.act { way.put(realm, 1 << 24) }
      }
    } + [
      Probe("a byte less than 16 MB, by each way") { stage in
        Backstage.hooks?.skipFlushes()
        for (number, way) in LongValue.all.enumerated() where stage.isDue(number, of: 3) {
          let realm = try Vessel.stocked(stage)
          realm.beginWrite()
          way.put(realm, 1 << 24 - 1)
          realm.cancelWrite()
          stage.equal(realm.vessel(1)?.text, "text", "the text after \(way.name), cancelled")
        }
      }
    ]
}
