import EngineUnderTest
import Foundation

// Small classes of the wide model, one for each kind of key.

extension Member {
  /// The members that all small classes have.
  fileprivate static func small<T: Wide>(
    _ birth: ReferenceWritableKeyPath<T, Int>, _ key: ReferenceWritableKeyPath<T, T.Key>,
    _ number: ReferenceWritableKeyPath<T, Int>, _ word: ReferenceWritableKeyPath<T, String?>,
    _ mate: ReferenceWritableKeyPath<T, T?>, _ crew: ReferenceWritableKeyPath<T, List<T>>,
    _ piece: ReferenceWritableKeyPath<T, Piece?>
  ) -> [Member] where T.Key: _Persistable & Hashable {
    [
      .fixed("birth", birth), .fixed("key", key),
      .number("number", number, [-3, -1, 0, 0, 1, 2, 5, 5, 900].map(Worth.int)),
      .text("word", word, ["", "a", "ab", "b", "zz"].map(Worth.text) + [.null]),
      .link("mate", mate), .links("crew", crew), .link("piece", piece),
    ]
  }
}

/// One of them: its key is a text.
final class ByText: Object, Wide {
  static let kind = Kind.byText
  static var byNumber: KeyPath<ByText, Int> { \.number }
  @Persisted var birth: Int
  @Persisted(primaryKey: true) var key: String
  @Persisted(indexed: true) var number: Int
  @Persisted var word: String?
  @Persisted var mate: ByText?
  @Persisted var crew: List<ByText>
  @Persisted var piece: Piece?
  @Persisted var flags: List<Bool>
  @Persisted var maybeDays: List<Date?>
  @Persisted var ratios: MutableSet<Double>
  @Persisted var blobs: Map<String, Data>
  @Persisted var pals: MutableSet<ByText>
  @Persisted(originProperty: "mate") var throughMate: LinkingObjects<ByText>
  @Persisted(originProperty: "crew") var throughCrew: LinkingObjects<ByText>
  @Persisted(originProperty: "friend") var throughFriend: LinkingObjects<Piece>
  @Persisted(originProperty: "friends") var throughFriends: LinkingObjects<Piece>

  nonisolated(unsafe) static let members: [Member] =
    Member.small(
      \ByText.birth, \.key, \.number, \.word, \.mate, \.crew, \.piece) + [
      .list("flags", \ByText.flags, [true, false, true].map(Worth.bool)),
      .list("maybeDays", \ByText.maybeDays, [-1, 0, 0.5].map(Worth.day) + [.null]),
      .set("ratios", \ByText.ratios, [-2.5, 0, 0.5, 1e9].map(Worth.double)),
      .map("blobs", \ByText.blobs, [Data(), Data([0, 1]), Data(count: 90)].map(Worth.bytes)),
      .links("pals", \ByText.pals),
    ]
  nonisolated(unsafe) static let backward = [
    Backward("throughMate", \ByText.throughMate, "mate"),
    Backward("throughCrew", \ByText.throughCrew, "crew"),
    Backward("throughFriend", \ByText.throughFriend, "friend"),
    Backward("throughFriends", \ByText.throughFriends, "friends"),
  ]
}

/// One of them: its key is a UUID.
final class ByUUID: Object, Wide {
  static let kind = Kind.byUUID
  static var byNumber: KeyPath<ByUUID, Int> { \.number }
  @Persisted var birth: Int
  @Persisted(primaryKey: true) var key: UUID
  @Persisted(indexed: true) var number: Int
  @Persisted var word: String?
  @Persisted var mate: ByUUID?
  @Persisted var crew: List<ByUUID>
  @Persisted var piece: Piece?
  @Persisted var marks: List<UUID>
  @Persisted var prices: List<Decimal128?>
  @Persisted var codes: MutableSet<ObjectId>
  @Persisted var halves: Map<String, Float?>
  @Persisted(originProperty: "mate") var throughMate: LinkingObjects<ByUUID>
  @Persisted(originProperty: "crew") var throughCrew: LinkingObjects<ByUUID>

  nonisolated(unsafe) static let members: [Member] =
    Member.small(
      \ByUUID.birth, \.key, \.number, \.word, \.mate, \.crew, \.piece) + [
      .list("marks", \ByUUID.marks, Kind.byUUID.keys),
      .list("prices", \ByUUID.prices, [-12.5, 0, 2.25].map(Worth.decimal) + [.null]),
      .set("codes", \ByUUID.codes, Kind.byObjectId.keys),
      .map("halves", \ByUUID.halves, [-4.5, 0, 0.25].map(Worth.float) + [.null]),
    ]
  nonisolated(unsafe) static let backward = [
    Backward("throughMate", \ByUUID.throughMate, "mate"),
    Backward("throughCrew", \ByUUID.throughCrew, "crew"),
  ]
}

/// One of them: its key is an ObjectId.
final class ByObjectId: Object, Wide {
  static let kind = Kind.byObjectId
  static var byNumber: KeyPath<ByObjectId, Int> { \.number }
  @Persisted var birth: Int
  @Persisted(primaryKey: true) var key: ObjectId
  @Persisted(indexed: true) var number: Int
  @Persisted var word: String?
  @Persisted var mate: ByObjectId?
  @Persisted var crew: List<ByObjectId>
  @Persisted var piece: Piece?
  @Persisted var codes: List<ObjectId?>
  @Persisted var singles: List<Float>
  @Persisted var days: MutableSet<Date>
  @Persisted var mates: Map<String, ByObjectId?>
  @Persisted(originProperty: "mate") var throughMate: LinkingObjects<ByObjectId>
  @Persisted(originProperty: "crew") var throughCrew: LinkingObjects<ByObjectId>

  nonisolated(unsafe) static let members: [Member] =
    Member.small(
      \ByObjectId.birth, \.key, \.number, \.word, \.mate, \.crew, \.piece) + [
      .list("codes", \ByObjectId.codes, Kind.byObjectId.keys + [.null]),
      .list("singles", \ByObjectId.singles, [-4.5, 0, 0.25, 8].map(Worth.float)),
      .set("days", \ByObjectId.days, [-1e9, 0, 0.5].map(Worth.day)),
      .links("mates", \ByObjectId.mates),
    ]
  nonisolated(unsafe) static let backward = [
    Backward("throughMate", \ByObjectId.throughMate, "mate"),
    Backward("throughCrew", \ByObjectId.throughCrew, "crew"),
  ]
}

/// One of them: its key is a number or null.
final class ByMaybeInt: Object, Wide {
  static let kind = Kind.byMaybeInt
  static var byNumber: KeyPath<ByMaybeInt, Int> { \.number }
  @Persisted var birth: Int
  @Persisted(primaryKey: true) var key: Int?
  @Persisted(indexed: true) var number: Int
  @Persisted var word: String?
  @Persisted var mate: ByMaybeInt?
  @Persisted var crew: List<ByMaybeInt>
  @Persisted var piece: Piece?
  @Persisted var smalls: List<Int8?>
  @Persisted var blobs: List<Data>
  @Persisted var marks: MutableSet<UUID>
  @Persisted var truths: Map<String, Bool>
  @Persisted(originProperty: "mate") var throughMate: LinkingObjects<ByMaybeInt>
  @Persisted(originProperty: "crew") var throughCrew: LinkingObjects<ByMaybeInt>

  nonisolated(unsafe) static let members: [Member] =
    Member.small(
      \ByMaybeInt.birth, \.key, \.number, \.word, \.mate, \.crew, \.piece) + [
      .list("smalls", \ByMaybeInt.smalls, [-128, 0, 0, 127].map(Worth.int) + [.null]),
      .list("blobs", \ByMaybeInt.blobs, [Data(), Data([0]), Data(count: 70)].map(Worth.bytes)),
      .set("marks", \ByMaybeInt.marks, Kind.byUUID.keys),
      .map("truths", \ByMaybeInt.truths, [true, false].map(Worth.bool)),
    ]
  nonisolated(unsafe) static let backward = [
    Backward("throughMate", \ByMaybeInt.throughMate, "mate"),
    Backward("throughCrew", \ByMaybeInt.throughCrew, "crew"),
  ]
}

/// One of them: its key is a text or null.
final class ByMaybeText: Object, Wide {
  static let kind = Kind.byMaybeText
  static var byNumber: KeyPath<ByMaybeText, Int> { \.number }
  @Persisted var birth: Int
  @Persisted(primaryKey: true) var key: String?
  @Persisted(indexed: true) var number: Int
  @Persisted var word: String?
  @Persisted var mate: ByMaybeText?
  @Persisted var crew: List<ByMaybeText>
  @Persisted var piece: Piece?
  @Persisted var words: List<String?>
  @Persisted var doubles: List<Double>
  @Persisted var labels: MutableSet<String?>
  @Persisted var days: Map<String, Date?>
  @Persisted(originProperty: "mate") var throughMate: LinkingObjects<ByMaybeText>
  @Persisted(originProperty: "crew") var throughCrew: LinkingObjects<ByMaybeText>

  nonisolated(unsafe) static let members: [Member] =
    Member.small(
      \ByMaybeText.birth, \.key, \.number, \.word, \.mate, \.crew, \.piece) + [
      .list("words", \ByMaybeText.words, ["", "a", "a", "zz"].map(Worth.text) + [.null]),
      .list("doubles", \ByMaybeText.doubles, [-2.5, 0, 0.5, 1e9].map(Worth.double)),
      .set("labels", \ByMaybeText.labels, ["", "a", "b"].map(Worth.text) + [.null]),
      .map("days", \ByMaybeText.days, [-1, 0.5].map(Worth.day) + [.null]),
    ]
  nonisolated(unsafe) static let backward = [
    Backward("throughMate", \ByMaybeText.throughMate, "mate"),
    Backward("throughCrew", \ByMaybeText.throughCrew, "crew"),
  ]
}

/// One of them: it has no key; what bears the name is a number like others.
final class Keyless: Object, Wide {
  static let kind = Kind.keyless
  static var byNumber: KeyPath<Keyless, Int> { \.number }
  @Persisted var birth: Int
  @Persisted var key: Int
  @Persisted(indexed: true) var number: Int
  @Persisted var word: String?
  @Persisted var mate: Keyless?
  @Persisted var crew: List<Keyless>
  @Persisted var piece: Piece?
  @Persisted var prices: MutableSet<Decimal128>
  @Persisted var flags: MutableSet<Bool?>
  @Persisted var numbers: MutableSet<Int?>
  @Persisted var codes: Map<String, ObjectId>
  @Persisted var scores: Map<String, Int?>
  @Persisted(originProperty: "mate") var throughMate: LinkingObjects<Keyless>
  @Persisted(originProperty: "crew") var throughCrew: LinkingObjects<Keyless>

  nonisolated(unsafe) static let members: [Member] =
    Member.small(
      \Keyless.birth, \.key, \.number, \.word, \.mate, \.crew, \.piece) + [
      .set("prices", \Keyless.prices, [-12.5, 0, 1, 2.25].map(Worth.decimal)),
      .set("flags", \Keyless.flags, [.bool(true), .bool(false), .null]),
      .maybeWholes("numbers", \Keyless.numbers, [-3, 0, 5, 900].map(Worth.int) + [.null]),
      .map("codes", \Keyless.codes, Kind.byObjectId.keys),
      .map("scores", \Keyless.scores, [-3, 0, 5].map(Worth.int) + [.null]),
    ]
  nonisolated(unsafe) static let backward = [
    Backward("throughMate", \Keyless.throughMate, "mate"),
    Backward("throughCrew", \Keyless.throughCrew, "crew"),
  ]
}
