import EngineUnderTest
import Foundation

/// Mixed values that look alike to whoever looks at their bytes, and others that are equal though
/// they do not.
enum MixedKinds {
  /// Its bytes are the first sixteen letters.
  private static let mark = UUID(uuidString: "61626364-6566-6768-696A-6B6C6D6E6F70")!

  /// Texts of each length up to some, and the whole numbers that their bytes are, either way round;
  /// marks and codes, and the texts that stand for them.
  private static var alike: [AnyRealmValue] {
    var values: [AnyRealmValue] = [.none, .int(0), .string("")]
    for length in 1...9 {
      let text = String("abcdefghi".prefix(length))
      values.append(.string(text))
      if length > 8 { continue }
      let bytes = Array(text.utf8)
      let low = bytes.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
      values.append(.int(low))
      if length > 1 { values.append(.int(bytes.reduce(0) { $0 << 8 | Int($1) })) }
    }
    let code = try! ObjectId(string: "6162636465666768696a6b6c")
    values += [
      .uuid(mark), .string(mark.uuidString), .objectId(code), .string("6162636465666768696a6b6c"),
      .string("abcdefghijkl"), .string("abcdefghijklmnop"), .string("97"), .string("ABC"),
      .string("aBc"), .string("ABCDEFGHIJKL"), .string("É"), .string("é"),
      .date(Date(timeIntervalSince1970: 3)), .int(3), .double(2.5),
    ]
    return values
  }

  static let asked = Probe("mixed values of one look and several kinds, indexed or not") { stage in
    let alike = alike
    func ask<Shelf: Object>(
      _ type: Shelf.Type, _ key: KeyPath<Shelf, Int>, _ name: String
    ) throws {
      let realm = try Realm(
        configuration: Realm.Configuration(
          fileURL: stage.file(name), objectTypes: [type]))
      try realm.write {
        for (id, value) in alike.enumerated() {
          realm.create(type, value: ["id": id, "mixed": value])
        }
      }
      for home in [realm, realm.freeze()] {
        let all = home.objects(type).sorted(byKeyPath: "id")
        for (id, value) in alike.enumerated() {
          func ids(_ format: String) -> [Int] {
            all.filter(format, value).map { $0[keyPath: key] }
          }
          stage.equal(ids("mixed == %@"), [id], "who has \(value), \(name)")
          stage.equal(ids("mixed IN {%@, 'nobody'}"), [id], "who has \(value) or another, \(name)")
          stage.equal(
            ids("mixed != %@").count, alike.count - 1,
            "who has something else than \(value), \(name)")
        }
      }
    }
    try ask(PlainShelf.self, \.id, "plain")
    try ask(IndexedShelf.self, \.id, "indexed")
  }

  /// Values that have the same bytes, or are equal, and are of several kinds.
  private static var twins: [[AnyRealmValue]] {
    equal + [
      [.string("abc"), .data(Data("abc".utf8)), .string("ABC")],
      [.string(""), .data(Data()), .none, .int(0), .bool(false)],
      [.bool(true), .int(1), .double(1), .string("1")],
      [.date(Date(timeIntervalSince1970: 5)), .int(5), .double(5)],
      [.uuid(mark), .string(mark.uuidString), .data(Data("abcdefghijklmnop".utf8))],
      [
        .string(String(repeating: "long ", count: 20)),
        .data(Data(String(repeating: "long ", count: 20).utf8)),
      ],
    ]
  }

  static let replaced = Probe("a mixed value takes the place of one that looks like it") { stage in
    let realm = try Realm(configuration: RefKinds.configuration(stage))
    try realm.write { realm.add(Vessel(id: 1)) }
    let vessel = realm.vessel(1)!
    for values in twins {
      for before in values {
        for after in values {
          try realm.write {
            vessel.mixture.removeAll()
            vessel.mixture.append(objectsIn: [.int(8), before, .int(9)])
            (vessel.mixed, vessel.mixedMap["key"]) = (before, before)
          }
          try realm.write {
            (vessel.mixture[1], vessel.mixed, vessel.mixedMap["key"]) = (after, after, after)
          }
          for home in [realm, realm.freeze()] {
            let one = home.vessel(1)!
            let moment = "\(after) for \(before)\(home.isFrozen ? ", frozen" : "")"
            stage.equal("\(one.mixture[1])", "\(after)", "what a list has, \(moment)")
            stage.equal("\(one.mixed)", "\(after)", "what a property has, \(moment)")
            stage.equal(
              "\(one.mixedMap["key"] ?? .none)", "\(after)", "what a map has, \(moment)")
          }
        }
      }
    }
  }

  /// One number in each kind of number.
  private static var equal: [[AnyRealmValue]] {
    [0, 1, -3, 40_000].map { number in
      [
        .int(number), .double(Double(number)), .float(Float(number)),
        .decimal128(Decimal128(number)),
      ]
    }
  }

  static let oneMember = Probe("equal numbers are one member of a set, whatever their kind") {
    stage in
    let configuration = RefKinds.configuration(stage)
    for kinds in equal {
      for first in kinds.indices {
        try stage.elsewhere {
          let realm = try Realm(configuration: configuration)
          try realm.write {
            realm.deleteAll()
            let vessel = Vessel(id: 1)
            realm.add(vessel)
            vessel.mixedSet.insert(objectsIn: [.string("1"), .none])
            vessel.mixedSet.insert(kinds[first])
            stage.equal(vessel.mixedSet.count, 3, "the members with \(kinds[first])")
            for kind in kinds {
              vessel.mixedSet.insert(kind)
              stage.equal(vessel.mixedSet.count, 3, "the members with \(kind), too")
              stage.equal(vessel.mixedSet.contains(kind), true, "whether \(kind) is in it")
            }
            vessel.mixedSet.insert(objectsIn: kinds)
          }
        }
        try stage.elsewhere {
          let realm = try Realm(configuration: configuration)
          let group = realm.vessel(1)!.mixedSet
          stage.equal(group.count, 3, "the members when it is opened again")
          stage.equal(
            realm.freeze().vessel(1)!.mixedSet.count, 3, "the members of what is frozen")
          try realm.write { group.remove(kinds[kinds.count - 1 - first]) }
          stage.equal(group.count, 2, "the members behind the removal of another kind")
        }
      }
    }
  }
}
