import Foundation

@testable import ReferenceEngine

/// What the classes of a leaving walk have in common: a number that is never given again, and
/// values of the kinds that have an index.
protocol Leaver: Object {
  var serial: Int { get set }
  var name: String? { get set }
  var value: Int? { get set }
  var day: Date? { get set }
  var code: UUID? { get set }
  var isOn: Bool? { get set }
  var text: String { get set }
  /// A free object with its key, where the class has one.
  static func make(_ key: Int) -> Self
  /// Nil of a class without a key.
  static func find(_ key: Int, _ realm: Realm) -> Self??
}

final class LeaverLoose: Object, Leaver {
  @Persisted(indexed: true) var serial: Int
  @Persisted(indexed: true) var name: String?
  @Persisted(indexed: true) var value: Int?
  @Persisted(indexed: true) var day: Date?
  @Persisted(indexed: true) var code: UUID?
  @Persisted(indexed: true) var isOn: Bool?
  @Persisted var text: String
  static func make(_ key: Int) -> LeaverLoose { LeaverLoose() }
  static func find(_ key: Int, _ realm: Realm) -> LeaverLoose?? { nil }
}

final class LeaverInt: Object, Leaver {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var serial: Int
  @Persisted(indexed: true) var name: String?
  @Persisted var value: Int?
  @Persisted var day: Date?
  @Persisted(indexed: true) var code: UUID?
  @Persisted var isOn: Bool?
  @Persisted var text: String
  static func id(_ key: Int) -> Int { key % 7 == 0 ? -key : key * 3 }
  static func make(_ key: Int) -> LeaverInt {
    let made = LeaverInt()
    made.id = id(key)
    return made
  }
  static func find(_ key: Int, _ realm: Realm) -> LeaverInt?? {
    .some(realm.object(ofType: LeaverInt.self, forPrimaryKey: id(key)))
  }
}

final class LeaverText: Object, Leaver {
  @Persisted(primaryKey: true) var id: String
  @Persisted(indexed: true) var serial: Int
  @Persisted var name: String?
  @Persisted(indexed: true) var value: Int?
  @Persisted var day: Date?
  @Persisted var code: UUID?
  @Persisted var isOn: Bool?
  @Persisted var text: String
  static func id(_ key: Int) -> String {
    key == 0 ? "" : key % 11 == 0 ? String(repeating: "ö\(key)", count: 60) : "k\(key)"
  }
  static func make(_ key: Int) -> LeaverText {
    let made = LeaverText()
    made.id = id(key)
    return made
  }
  static func find(_ key: Int, _ realm: Realm) -> LeaverText?? {
    .some(realm.object(ofType: LeaverText.self, forPrimaryKey: id(key)))
  }
}

final class LeaverUuid: Object, Leaver {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted(indexed: true) var serial: Int
  @Persisted var name: String?
  @Persisted var value: Int?
  @Persisted(indexed: true) var day: Date?
  @Persisted var code: UUID?
  @Persisted(indexed: true) var isOn: Bool?
  @Persisted var text: String
  static func make(_ key: Int) -> LeaverUuid {
    let made = LeaverUuid()
    made.id = LeaverSheet.code(key)
    return made
  }
  static func find(_ key: Int, _ realm: Realm) -> LeaverUuid?? {
    .some(realm.object(ofType: LeaverUuid.self, forPrimaryKey: LeaverSheet.code(key)))
  }
}

final class LeaverOid: Object, Leaver {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted(indexed: true) var serial: Int
  @Persisted var name: String?
  @Persisted var value: Int?
  @Persisted var day: Date?
  @Persisted var code: UUID?
  @Persisted var isOn: Bool?
  @Persisted var text: String
  static func id(_ key: Int) -> ObjectId {
    let digits = String(key, radix: 16)
    return try! ObjectId(string: String(repeating: "0", count: 24 - digits.count) + digits)
  }
  static func make(_ key: Int) -> LeaverOid {
    let made = LeaverOid()
    made.id = id(key)
    return made
  }
  static func find(_ key: Int, _ realm: Realm) -> LeaverOid?? {
    .some(realm.object(ofType: LeaverOid.self, forPrimaryKey: id(key)))
  }
}

/// What hangs on the others.
final class LeaverKnot: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var serial: Int
  @Persisted var one: LeaverLoose?
  @Persisted var many: List<LeaverLoose>
  @Persisted var some: MutableSet<LeaverInt>
  @Persisted var named: Map<String, LeaverText?>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var next: LeaverKnot?
  @Persisted var part: LeaverPart?
  @Persisted var parts: List<LeaverPart>
  @Persisted(originProperty: "next") var before: LinkingObjects<LeaverKnot>
}

final class LeaverPart: EmbeddedObject {
  @Persisted var label: Int
  @Persisted var one: LeaverLoose?
  @Persisted var child: LeaverPart?
  @Persisted var parts: List<LeaverPart>
}
