import Foundation
import Testing

@testable import ReferenceEngine

private final class Lookalike: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var link: Lookalike?
  @Persisted var list: List<Lookalike>
  @Persisted var set: MutableSet<Lookalike>
  @Persisted var map: Map<String, Lookalike?>
  @Persisted var any: AnyRealmValue
  @Persisted(originProperty: "link") var linkers: LinkingObjects<Lookalike>

  /// Links to itself in every way that there is.
  static func alone(_ realm: Realm) throws -> Lookalike {
    try realm.write {
      let twin = realm.create(Lookalike.self, value: ["id": 1])
      twin.link = twin
      twin.list.append(twin)
      twin.set.insert(twin)
      twin.map["twin"] = twin
      twin.any = .object(twin)
      return twin
    }
  }
}

private func memory() throws -> Realm {
  try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))
}

/// An object of one realm put to another that has the same row: it was taken for that row.
struct StrangerTests {
  @Test func `an object of another realm is found nowhere`() throws {
    let (realm, other) = (try memory(), try memory())
    let (own, stranger) = (try Lookalike.alone(realm), try Lookalike.alone(other))
    func places(_ twin: Lookalike) -> [Int?] {
      [
        realm.objects(Lookalike.self).index(of: twin),
        realm.objects(Lookalike.self).sorted(by: \.id).index(of: twin),
        own.list.index(of: twin), own.list.sorted(by: \.id).index(of: twin),
        own.set.index(of: twin), own.set.sorted(by: \.id).index(of: twin),
        own.linkers.index(of: twin), AnyRealmCollection(own.list).index(of: twin),
      ]
    }
    #expect(places(own) == Array(repeating: 0, count: 8))
    #expect(places(stranger) == Array(repeating: nil, count: 8))
    #expect(places(Lookalike(value: ["id": 1])) == Array(repeating: nil, count: 8))
    #expect(places(own.freeze()) == Array(repeating: nil, count: 8))
    #expect(own.set.contains(own) && !own.set.contains(stranger))
    #expect(own != stranger && !own.isSameObject(as: stranger))
    try realm.write { own.set.remove(stranger) }
    #expect(own.set.count == 1)
  }

  @Test func `a query about an own object finds it, be it frozen`() throws {
    let realm = try memory()
    let own = try Lookalike.alone(realm)
    for twin in [own, own.freeze()] {
      let twins = realm.objects(Lookalike.self)
      #expect(twins.filter("link == %@", twin).count == 1)
      #expect(twins.where { $0.list.contains(twin) }.count == 1)
      #expect(twins.where { $0.link.in([twin]) }.count == 1)
      #expect(twins.where { $0.any == .object(twin) }.count == 1)
    }
    #expect(realm.objects(Lookalike.self).filter("link == %@", Lookalike(value: ["id": 1])).isEmpty)
  }

  private func said(_ result: ExitTest.Result?, _ words: String) -> Bool {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(words)
  }

  @Test func `a query about an object of another realm dies`() async {
    let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, stranger) = (try memory(), try Lookalike.alone(try memory()))
      _ = realm.objects(Lookalike.self).filter("link == %@", stranger)
    }
    let member = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, stranger) = (try memory(), try Lookalike.alone(try memory()))
      _ = realm.objects(Lookalike.self).where { $0.list.contains(stranger) }
    }
    let oneOf = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, stranger) = (try memory(), try Lookalike.alone(try memory()))
      _ = realm.objects(Lookalike.self).where { $0.link.in([stranger]) }
    }
    let mixed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, stranger) = (try memory(), try Lookalike.alone(try memory()))
      _ = realm.objects(Lookalike.self).where { $0.any == .object(stranger) }
    }
    for result in [link, member, oneOf, mixed] {
      #expect(said(result, "Object must be from the Realm being queried"))
    }
  }

  @Test(arguments: [
    ("link.nothing", "property 'Lookalike.nothing' does not exist"),
    ("", "missing property name"), ("link.", "missing property name"),
    ("link..id", "missing property name"),
    (
      "link",
      "property 'Lookalike.link' of type 'object' cannot be the final property in the key path"
    ),
    (
      "id.id",
      "property 'Lookalike.id' of type 'int' may only be the final property in the key path"
    ),
    ("list.id", "property 'Lookalike.list' is of unsupported type 'array'"),
    ("link.set", "property 'Lookalike.set' is of unsupported type 'set'"),
    ("map", "property 'Lookalike.map' is of unsupported type 'dictionary'"),
    ("linkers.id", "property 'Lookalike.linkers' is of unsupported type 'linking objects'"),
  ])
  func `sorting by what is no value of the object says so in Realm's words`(
    path: String, flaw: String
  ) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = path as String] in
      _ = try memory().objects(Lookalike.self).sorted(byKeyPath: path)
    }
    #expect(said(result, "Cannot sort on key path '\(path)': \(flaw)."))
  }
}
