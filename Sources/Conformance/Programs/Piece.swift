import EngineUnderTest
import Foundation

/// A class of the wide model.
enum Kind: Int, CaseIterable, Sendable {
  case piece
  case byText
  case byUUID
  case byObjectId
  case byMaybeInt
  case byMaybeText
  case keyless

  var type: any Wide.Type {
    switch self {
    case .piece: Piece.self
    case .byText: ByText.self
    case .byUUID: ByUUID.self
    case .byObjectId: ByObjectId.self
    case .byMaybeInt: ByMaybeInt.self
    case .byMaybeText: ByMaybeText.self
    case .keyless: Keyless.self
    }
  }

  var members: [Member] { type.members }
  var backward: [Backward] { type.backward }

  /// A member that is a collection, by a number: the same for all acts of one number.
  func collection(_ number: Int) -> Int {
    let places = members.indices.filter { members[$0].isCollection }
    return places[number % places.count]
  }

  /// One that is a single value or a link.
  func value(_ number: Int) -> Int {
    let places = members.indices.filter { !members[$0].isFixed && !members[$0].isCollection }
    return places[number % places.count]
  }

  /// The keys that its few rows have.
  var keys: [Worth] {
    switch self {
    case .piece: [-7, 0, 1, 2, 3, 4, 5, 6, 7, 300, .max, 1 << 40].map(Worth.int)
    case .byText: ["", "a", "b", String(repeating: "key", count: 90)].map(Worth.text)
    case .byUUID:
      (0..<4).map { .uuid(UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))) }
    case .byObjectId:
      (0..<4).map { .objectId(try! ObjectId(string: "5f000000000000000000000\($0)")) }
    case .byMaybeInt: [.null, .int(-1), .int(0), .int(9)]
    case .byMaybeText: [.null, .text(""), .text("x"), .text("y")]
    case .keyless: (0..<4).map(Worth.int)
    }
  }

  /// The kind and the key that a letter of a program names.
  static func place(_ letter: Int) -> (Kind, Worth) {
    if letter < 12 { return (.piece, Kind.piece.keys[letter]) }
    let kind = Kind(rawValue: 1 + (letter - 12) / 4)!
    return (kind, kind.keys[(letter - 12) % 4])
  }
}

/// An object of the wide model: each is told from all others, also from those that had its key
/// before, by the number of its birth.
protocol Wide: Object, Worthy, RealmFetchable {
  associatedtype Key: Worthy
  static var kind: Kind { get }
  static var members: [Member] { get }
  static var backward: [Backward] { get }
  static var byNumber: KeyPath<Self, Int> { get }
  var birth: Int { get set }
  var key: Key { get set }
}

extension Wide {
  var worth: Worth { .row(birth) }

  static func made(of worth: Worth, _ finder: Finder) -> Self {
    guard case .row(let birth) = worth, let found = finder.object(birth) as? Self else {
      return Self()
    }
    return found
  }

  static func find(_ key: Worth, _ birth: Int, _ finder: Finder) -> Self? {
    if kind == .keyless {
      return finder.realm.objects(Self.self).filter("birth == %@", birth).first
    }
    return finder.realm.object(ofType: Self.self, forPrimaryKey: Key.made(of: key, finder))
  }
}

/// Owned by the piece that holds it.
final class Box: EmbeddedObject, Worthy {
  @Persisted var text: String
  @Persisted var number: Int
  @Persisted var piece: Piece?

  static func made(of worth: Worth, _ finder: Finder) -> Box {
    let box = Box()
    guard case .box(let parts) = worth else { return box }
    box.text = String.made(of: parts[0], finder)
    box.number = Int.made(of: parts[1], finder)
    box.piece = Piece?.made(of: parts[2], finder)
    return box
  }

  var worth: Worth { .box([.text(text), .int(number), piece.worth]) }
}

/// A property of every kind: what programs change and ask.
final class Piece: Object, Wide {
  static let kind = Kind.piece
  static var byNumber: KeyPath<Piece, Int> { \.number }
  @Persisted var birth: Int
  @Persisted(primaryKey: true) var key: Int

  @Persisted(indexed: true) var number: Int
  @Persisted(indexed: true) var maybeNumber: Int?
  @Persisted var whole: Int?
  @Persisted var small: Int8?
  @Persisted var single: Float?
  @Persisted var ratio: Double
  @Persisted var fraction: Double?
  @Persisted var price: Decimal128?
  @Persisted(indexed: true) var day: Date?
  @Persisted var word: String
  @Persisted(indexed: true) var name: String
  @Persisted(indexed: true) var tag: String?
  @Persisted var truth: Bool
  @Persisted(indexed: true) var maybeTruth: Bool?
  @Persisted var bytes: Data?
  @Persisted(indexed: true) var mark: UUID?
  @Persisted(indexed: true) var code: ObjectId?
  @Persisted var mixed: AnyRealmValue

  @Persisted var next: Piece?
  @Persisted var other: Piece?
  @Persisted var friend: ByText?
  @Persisted var members: List<Piece>
  @Persisted var spares: List<Piece>
  @Persisted var group: MutableSet<Piece>
  @Persisted var named: Map<String, Piece?>
  @Persisted var friends: List<ByText>

  @Persisted var numbers: List<Int>
  @Persisted var maybeNumbers: List<Int?>
  @Persisted var words: List<String>
  @Persisted var mixture: List<AnyRealmValue>
  @Persisted var marks: MutableSet<Int>
  @Persisted var labels: MutableSet<String>
  @Persisted var scores: Map<String, Int>
  @Persisted var titles: Map<String, String?>

  @Persisted var box: Box?
  @Persisted var boxes: List<Box>

  @Persisted(originProperty: "next") var throughNext: LinkingObjects<Piece>
  @Persisted(originProperty: "other") var throughOther: LinkingObjects<Piece>
  @Persisted(originProperty: "members") var throughMembers: LinkingObjects<Piece>
  @Persisted(originProperty: "spares") var throughSpares: LinkingObjects<Piece>
  @Persisted(originProperty: "group") var throughGroup: LinkingObjects<Piece>
  @Persisted(originProperty: "named") var throughNamed: LinkingObjects<Piece>
  @Persisted(originProperty: "piece") var throughKeyless: LinkingObjects<Keyless>

  nonisolated(unsafe) static let members: [Member] = {
    let texts = ["", "a", "ab", "b", "ba", "zz", String(repeating: "zebra", count: 80)]
    let short: [Worth] = [-3, -1, 0, 0, 1, 2, 5, 5, 900].map(Worth.int)
    return [
      .fixed("birth", \Piece.birth), .fixed("key", \Piece.key),
      .number("number", \Piece.number, short),
      .number("maybeNumber", \Piece.maybeNumber, short + [.null, .null]),
      .number("whole", \Piece.whole, [.min, -70_000, 0, 1, 70_000, .max].map(Worth.int) + [.null]),
      .number("small", \Piece.small, [-128, -1, 0, 1, 127].map(Worth.int) + [.null]),
      .number("single", \Piece.single, [-4.5, 0, 0.25, 8].map(Worth.float) + [.null]),
      .number("ratio", \Piece.ratio, [-2.5, 0, 0.5, 1e9].map(Worth.double)),
      .number("fraction", \Piece.fraction, [-2.5, 0, 0.25, 3].map(Worth.double) + [.null]),
      .number("price", \Piece.price, [-12.5, 0, 1, 2.25].map(Worth.decimal) + [.null]),
      .number(
        "day", \Piece.day,
        [-1e9, -1, 0, 0.5, 1e9].map { .date(Date(timeIntervalSince1970: $0)) } + [.null]),
      .text("word", \Piece.word, texts.map(Worth.text)),
      .text("name", \Piece.name, texts.map(Worth.text)),
      .text("tag", \Piece.tag, texts.map(Worth.text) + [.null]),
      .value("truth", \Piece.truth, [.bool(true), .bool(false)], isSortable: true),
      .value(
        "maybeTruth", \Piece.maybeTruth, [.bool(true), .bool(false), .null], isSortable: true),
      .value(
        "bytes", \Piece.bytes, [Data(), Data([0]), Data(count: 300)].map(Worth.bytes) + [.null]),
      .value("mark", \Piece.mark, Kind.byUUID.keys + [.null]),
      .value("code", \Piece.code, Kind.byObjectId.keys + [.null]),
      .mixed("mixed", \Piece.mixed, mixtures),
      .link("next", \Piece.next), .link("other", \Piece.other), .link("friend", \Piece.friend),
      .links("members", \Piece.members), .links("spares", \Piece.spares),
      .links("group", \Piece.group), .links("named", \Piece.named),
      .links("friends", \Piece.friends),
      .wholes("numbers", \Piece.numbers, short),
      .maybeWholes("maybeNumbers", \Piece.maybeNumbers, maybe),
      .list("words", \Piece.words, texts.map(Worth.text)),
      .list("mixture", \Piece.mixture, mixtures),
      .set("marks", \Piece.marks, short), .set("labels", \Piece.labels, texts.map(Worth.text)),
      .map("scores", \Piece.scores, short), .map("titles", \Piece.titles, [.text("a"), .null]),
      .box("box", \Piece.box), .boxes("boxes", \Piece.boxes),
    ]
  }()

  private static let maybe: [Worth] = [.int(1), .int(1), .null, .null, .int(-4), .int(2)]
  private static let mixtures: [Worth] =
    [
      .null, .int(5), .int(-2), .text("a"), .text(""), .bool(true), .double(0.5), .row(0), .row(1),
      Kind.byUUID.keys[1], .row(2), .row(3),
    ] + nests

  private static let nests: [Worth] =
    Engine.offersReins
    ? [
      .many([.int(1), .text("a"), .row(1), .many([.null, .row(2)])]), .many([]),
      .named(["a": .int(5), "b": .many([.text("b")]), "": .row(0)]),
    ] : []

  nonisolated(unsafe) static let backward: [Backward] = [
    Backward("throughNext", \Piece.throughNext, "next"),
    Backward("throughOther", \Piece.throughOther, "other"),
    Backward("throughMembers", \Piece.throughMembers, "members"),
    Backward("throughSpares", \Piece.throughSpares, "spares"),
    Backward("throughGroup", \Piece.throughGroup, "group"),
    Backward("throughNamed", \Piece.throughNamed, "named"),
    Backward("throughKeyless", \Piece.throughKeyless, "piece"),
  ]
}
