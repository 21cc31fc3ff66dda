import EngineUnderTest
import Evidence
import Foundation

/// Specimens in a realm whose values depend on nothing but a seed, so that plain Swift can say what
/// a query must find.
struct Crowd {
  /// From one object to more than an engine is likely to keep in one place.
  static let sizes = [1, 5, 50, 300, 700]
  /// Further ones: at the edges of what engines like to keep together, and far beyond.
  static let deeper = [2, 63, 64, 65, 255, 257, 1_000, 5_000]

  let size: Int
  let seed: UInt64
  /// The objects that belong to the lists and the set of the first one, in the lists' order.
  let chosen: [Int]

  init(_ size: Int, seed: UInt64) {
    self.size = size
    self.seed = seed
    var chance = SeededGenerator(seed: derivedSeed(seed, "chosen of \(size)"))
    chosen = Array((0..<size).shuffled(using: &chance).prefix(size / 2 + 1))
  }

  func fill(_ realm: Realm, _ fields: [any AnyField] = Fields.all) throws {
    try realm.write {
      for id in 0..<size {
        let specimen = Specimen(id: id)
        for field in fields { field.write(value(field, id), to: specimen) }
        realm.add(specimen)
      }
      let first = realm.specimen(0)!
      for id in chosen {
        first.members.append(realm.specimen(id)!)
        first.group.insert(realm.specimen(id)!)
      }
    }
  }

  private func draw(_ name: String, _ id: Int) -> UInt64 { derivedSeed(seed &+ UInt64(id), name) }

  /// What an object holds.
  func value(_ field: some AnyField, _ id: Int) -> AnyHashable? {
    field.pick(draw(field.name, id)).map { AnyHashable($0) }
  }

  /// What an object holds, in the field's own type.
  func typed<F: AnyField>(_ field: F, _ id: Int) -> F.Value? { field.pick(draw(field.name, id)) }
}

/// A collection of specimens as it is asked in one of the ways there are, and which members it has.
struct View {
  let name: String
  let members: AnyRealmCollection<Specimen>
  let ids: [Int]
  /// Whether its members come in the order of the ids.
  let isOrdered: Bool

  init(
    _ name: String, _ members: AnyRealmCollection<Specimen>, _ ids: [Int], isOrdered: Bool = true
  ) {
    self.name = name
    self.members = members
    self.ids = ids
    self.isOrdered = isOrdered
  }

  /// All ways to ask for the specimens of a crowd.
  static func all(_ crowd: Crowd, in realm: Realm) -> [View] {
    let everything = realm.objects(Specimen.self)
    let first = realm.specimen(0)!
    let all = Array(0..<crowd.size)
    return [
      View("all objects", AnyRealmCollection(everything), all),
      View("all frozen objects", AnyRealmCollection(everything.freeze()), all),
      View(
        "filtered results", AnyRealmCollection(everything.where { $0.id >= 1 }),
        Array(all.dropFirst())),
      View(
        "sorted results", AnyRealmCollection(everything.sorted(byKeyPath: "id", ascending: false)),
        all.reversed()),
      View("a list", AnyRealmCollection(first.members), crowd.chosen),
      View("a frozen list", AnyRealmCollection(first.members.freeze()), crowd.chosen),
      View("a set", AnyRealmCollection(first.group), crowd.chosen, isOrdered: false),
    ]
  }
}

extension Stage {
  /// The sizes of crowds to be walked.
  var crowds: [Int] { Crowd.sizes + (isDeep ? Crowd.deeper : []) }

  /// Walks crowds of all sizes, in each all ways to ask for its members, and in each of these
  /// fields: all of them where there are few members or the walk is deep, and every third where
  /// there are many, another third in the next way and at the next size.
  func eachView(
    _ fields: [any AnyField], sizes: [Int] = Crowd.sizes,
    _ body: (View, any AnyField, Crowd) throws -> Void
  ) throws {
    for (round, size) in (sizes + (isDeep ? Crowd.deeper : [])).enumerated() {
      let realm = try Realm(configuration: specimens("crowd of \(size)"))
      let crowd = Crowd(size, seed: seed)
      try crowd.fill(realm)
      for (way, view) in View.all(crowd, in: realm).enumerated() {
        for (place, field) in fields.enumerated()
        where size <= 50 || isDue(place + way + round + 1, of: 3) {
          try body(view, field, crowd)
        }
      }
    }
  }

  /// Asserts that a query found the members it must find, in the order of its collection.
  func found(
    _ results: Results<Specimen>, _ ids: [Int], by words: @autoclosure () -> String, of view: View,
    _ crowd: Crowd
  ) {
    let observed = results.map(\.id)
    let agrees =
      results.count == ids.count
      && (view.isOrdered ? observed == ids : observed.sorted() == ids.sorted())
    expect(
      agrees, "\(words()) finds \(ids.count) of \(crowd.size) objects in \(view.name)",
      observed:
        "\(results.count), also: \(Set(observed).subtracting(ids).sorted().prefix(5)), missing: "
        + "\(Set(ids).subtracting(observed).sorted().prefix(5))")
  }
}
