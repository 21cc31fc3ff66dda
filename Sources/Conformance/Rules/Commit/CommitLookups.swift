import EngineUnderTest
import Foundation
import Harness

/// One object among many by its key, for each kind of key: to find it, or that there is none,
/// touches little of the file.
enum Lookups {
  private static let count = 60_000

  static let probes: [Probe] = [
    probe(IntKeyed.self) { 3 * $0 }, probe(IntOrNoneKeyed.self) { 3 * $0 },
    probe(StringKeyed.self) { "key \($0)" }, probe(StringOrNoneKeyed.self) { "key \($0)" },
    probe(UUIDKeyed.self, uuid), probe(UUIDOrNoneKeyed.self) { uuid($0) },
    probe(ObjectIdKeyed.self, id), probe(ObjectIdOrNoneKeyed.self) { id($0) },
  ]

  /// Numbers that come in no order, as such keys do.
  private static func scattered(_ number: Int) -> UInt64 {
    UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15
  }

  @Sendable private static func uuid(_ number: Int) -> UUID {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { bytes in
      withUnsafeBytes(of: scattered(number)) { source in
        for place in 0..<6 { bytes[place] = source[place] }
      }
      withUnsafeBytes(of: number.bigEndian) { source in
        for place in 2..<8 { bytes[8 + place] = source[place] }
      }
    }
    return UUID(uuid: bytes)
  }

  @Sendable private static func id(_ number: Int) -> ObjectId {
    let (head, tail) = (String(scattered(number) >> 32, radix: 16), String(number, radix: 16))
    func padded(_ digits: String, _ count: Int) -> String {
      String(repeating: "0", count: count - digits.count) + digits
    }
    return try! ObjectId(string: padded(head, 8) + padded(tail, 16))
  }

  private static func configuration(_ stage: Stage, _ name: String) -> Realm.Configuration {
    var configuration = stage.configuration(name)
    configuration.objectTypes = Keyed.classes
    return configuration
  }

  private static func fill<Class: KeyedClass>(
    _ realm: Realm, _ type: Class.Type, _ count: Int, _ key: (Int) -> Class.Key
  ) throws {
    try realm.write {
      for number in 0..<count {
        realm.add(Keyed.made(type, key(number), "note \(number), which is not long"))
      }
    }
  }

  /// Looks for some that are there, and some that are not.
  private static func look<Class: KeyedClass>(
    _ stage: Stage, _ realm: Realm, _ type: Class.Type, _ count: Int, _ key: (Int) -> Class.Key
  ) {
    for number in [count - 1, count / 2, count, 2 * count] {
      let note = realm.object(ofType: type, forPrimaryKey: key(number))?.note
      let expected = number < count ? "note \(number), which is not long" : nil
      stage.equal(note, expected, "what is found by \(key(number))")
    }
  }

  private static func probe<Class: KeyedClass>(
    _ type: Class.Type, _ key: @escaping @Sendable (Int) -> Class.Key
  ) -> Probe where Class.Key: Sendable {
    Probe(
      "to look for one \(type) among many touches little",
      companions: [
        "reader": { stage in
          // What a first lookup costs that has nothing to do with the file.
          look(stage, try Realm(configuration: configuration(stage, "few")), type, 4, key)
          let (own, filed) = (Stage.ownBytes(), Stage.filedBytes())
          let realm = try Realm(configuration: configuration(stage, "many"))
          look(stage, realm, type, count, key)
          // Who lets go of the realm lets go of what is mapped.
          withExtendedLifetime(realm) {
            stage.tell("\(Stage.ownBytes() - own) \(Stage.filedBytes() - filed)")
          }
        }
      ]
    ) { stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere {
        try fill(try Realm(configuration: configuration(stage, "few")), type, 4, key)
        try fill(try Realm(configuration: configuration(stage, "many")), type, count, key)
      }
      let reader = try stage.companion("reader")
      let told = try stage.hear(reader, "its memory").split(separator: " ").compactMap { Int($0) }
      use(reader.remains())
      let size = stage.size(of: "many")
      stage.expect(size > 2 << 20, "a large file", observed: "\(size)")
      // The system brings in what lies around what is read.
      stage.expect(
        told.count == 2 && told[0] < size / 4 && told[1] < size / 2,
        "less than a quarter of \(size >> 10) KiB of its own, and than half of the file",
        observed: "\(told)")
    }
  }
}
