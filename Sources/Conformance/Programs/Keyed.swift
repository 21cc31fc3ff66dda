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
  @Persisted(originProperty: "mate") var throughMate: LinkingObjects<ByText>
  @Persisted(originProperty: "crew") var throughCrew: LinkingObjects<ByText>
  @Persisted(originProperty: "friend") var throughFriend: LinkingObjects<Piece>
  @Persisted(originProperty: "friends") var throughFriends: LinkingObjects<Piece>

  nonisolated(unsafe) static let members = Member.small(
    \ByText.birth, \.key, \.number, \.word, \.mate, \.crew, \.piece)
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
  @Persisted(originProperty: "mate") var throughMate: LinkingObjects<ByUUID>
  @Persisted(originProperty: "crew") var throughCrew: LinkingObjects<ByUUID>

  nonisolated(unsafe) static let members = Member.small(
    \ByUUID.birth, \.key, \.number, \.word, \.mate, \.crew, \.piece)
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
  @Persisted(originProperty: "mate") var throughMate: LinkingObjects<ByObjectId>
  @Persisted(originProperty: "crew") var throughCrew: LinkingObjects<ByObjectId>

  nonisolated(unsafe) static let members = Member.small(
    \ByObjectId.birth, \.key, \.number, \.word, \.mate, \.crew, \.piece)
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
  @Persisted(originProperty: "mate") var throughMate: LinkingObjects<ByMaybeInt>
  @Persisted(originProperty: "crew") var throughCrew: LinkingObjects<ByMaybeInt>

  nonisolated(unsafe) static let members = Member.small(
    \ByMaybeInt.birth, \.key, \.number, \.word, \.mate, \.crew, \.piece)
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
  @Persisted(originProperty: "mate") var throughMate: LinkingObjects<ByMaybeText>
  @Persisted(originProperty: "crew") var throughCrew: LinkingObjects<ByMaybeText>

  nonisolated(unsafe) static let members = Member.small(
    \ByMaybeText.birth, \.key, \.number, \.word, \.mate, \.crew, \.piece)
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
  @Persisted(originProperty: "mate") var throughMate: LinkingObjects<Keyless>
  @Persisted(originProperty: "crew") var throughCrew: LinkingObjects<Keyless>

  nonisolated(unsafe) static let members = Member.small(
    \Keyless.birth, \.key, \.number, \.word, \.mate, \.crew, \.piece)
  nonisolated(unsafe) static let backward = [
    Backward("throughMate", \Keyless.throughMate, "mate"),
    Backward("throughCrew", \Keyless.throughCrew, "crew"),
  ]
}
