import Testing

@testable import ReferenceEngine

/// Rows ascend by their keys as signed numbers, an index's pairs by the keys as unsigned ones.
@Suite struct NegativeKeyTests {
  @Test(arguments: [2, 700])
  func `objects of keys below and above zero and of the same indexed value go together`(
    count: Int
  ) throws {
    let scratch = Scratch()
    let realm = try Realm(configuration: scratch.configuration([Keyed.self]))
    let all = realm.objects(Keyed.self)
    try realm.write {
      for id in -count..<count {
        realm.create(Keyed.self, value: ["id": id, "name": "name \(id & 1)"])
      }
      realm.create(Keyed.self, value: ["id": Int.max, "name": "stays"])
      realm.create(Keyed.self, value: ["id": Int.min, "name": "stays"])
    }
    try realm.write { realm.delete(all.filter("name != 'stays'")) }
    #expect(all.map(\.id) == [.min, .max])
    #expect(all.filter("name == 'name 0'").isEmpty && all.filter("name == 'stays'").count == 2)
    _ = try realm.session.coordinator.checkEverything()
  }
}
