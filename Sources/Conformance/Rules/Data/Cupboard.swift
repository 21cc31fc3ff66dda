import EngineUnderTest
import Foundation

/// An object with a property, a list, a set and a map of each kind of value there is, for values
/// that may be null and for others.
final class Cupboard: Object {
  @Persisted(primaryKey: true) var id: Int

  @Persisted var truth: Bool
  @Persisted var tiny: Int8
  @Persisted var short: Int16
  @Persisted var middle: Int32
  @Persisted var long: Int64
  @Persisted var whole: Int
  @Persisted var single: Float
  @Persisted var fraction: Double
  @Persisted var price: Decimal128
  @Persisted var text: String
  @Persisted var bytes: Data
  @Persisted var day: Date
  @Persisted var mark: UUID
  @Persisted var code: ObjectId
  @Persisted var mixed: AnyRealmValue

  @Persisted var maybeTruth: Bool?
  @Persisted var maybeTiny: Int8?
  @Persisted var maybeShort: Int16?
  @Persisted var maybeMiddle: Int32?
  @Persisted var maybeLong: Int64?
  @Persisted var maybeWhole: Int?
  @Persisted var maybeSingle: Float?
  @Persisted var maybeFraction: Double?
  @Persisted var maybePrice: Decimal128?
  @Persisted var maybeText: String?
  @Persisted var maybeBytes: Data?
  @Persisted var maybeDay: Date?
  @Persisted var maybeMark: UUID?
  @Persisted var maybeCode: ObjectId?

  @Persisted var truthList: List<Bool>
  @Persisted var tinyList: List<Int8>
  @Persisted var shortList: List<Int16>
  @Persisted var middleList: List<Int32>
  @Persisted var longList: List<Int64>
  @Persisted var wholeList: List<Int>
  @Persisted var singleList: List<Float>
  @Persisted var fractionList: List<Double>
  @Persisted var priceList: List<Decimal128>
  @Persisted var textList: List<String>
  @Persisted var bytesList: List<Data>
  @Persisted var dayList: List<Date>
  @Persisted var markList: List<UUID>
  @Persisted var codeList: List<ObjectId>
  @Persisted var mixedList: List<AnyRealmValue>

  @Persisted var maybeTruthList: List<Bool?>
  @Persisted var maybeTinyList: List<Int8?>
  @Persisted var maybeShortList: List<Int16?>
  @Persisted var maybeMiddleList: List<Int32?>
  @Persisted var maybeLongList: List<Int64?>
  @Persisted var maybeWholeList: List<Int?>
  @Persisted var maybeSingleList: List<Float?>
  @Persisted var maybeFractionList: List<Double?>
  @Persisted var maybePriceList: List<Decimal128?>
  @Persisted var maybeTextList: List<String?>
  @Persisted var maybeBytesList: List<Data?>
  @Persisted var maybeDayList: List<Date?>
  @Persisted var maybeMarkList: List<UUID?>
  @Persisted var maybeCodeList: List<ObjectId?>

  @Persisted var truthSet: MutableSet<Bool>
  @Persisted var tinySet: MutableSet<Int8>
  @Persisted var shortSet: MutableSet<Int16>
  @Persisted var middleSet: MutableSet<Int32>
  @Persisted var longSet: MutableSet<Int64>
  @Persisted var wholeSet: MutableSet<Int>
  @Persisted var singleSet: MutableSet<Float>
  @Persisted var fractionSet: MutableSet<Double>
  @Persisted var priceSet: MutableSet<Decimal128>
  @Persisted var textSet: MutableSet<String>
  @Persisted var bytesSet: MutableSet<Data>
  @Persisted var daySet: MutableSet<Date>
  @Persisted var markSet: MutableSet<UUID>
  @Persisted var codeSet: MutableSet<ObjectId>
  @Persisted var mixedSet: MutableSet<AnyRealmValue>

  @Persisted var maybeTruthSet: MutableSet<Bool?>
  @Persisted var maybeTinySet: MutableSet<Int8?>
  @Persisted var maybeShortSet: MutableSet<Int16?>
  @Persisted var maybeMiddleSet: MutableSet<Int32?>
  @Persisted var maybeLongSet: MutableSet<Int64?>
  @Persisted var maybeWholeSet: MutableSet<Int?>
  @Persisted var maybeSingleSet: MutableSet<Float?>
  @Persisted var maybeFractionSet: MutableSet<Double?>
  @Persisted var maybePriceSet: MutableSet<Decimal128?>
  @Persisted var maybeTextSet: MutableSet<String?>
  @Persisted var maybeBytesSet: MutableSet<Data?>
  @Persisted var maybeDaySet: MutableSet<Date?>
  @Persisted var maybeMarkSet: MutableSet<UUID?>
  @Persisted var maybeCodeSet: MutableSet<ObjectId?>

  @Persisted var truthMap: Map<String, Bool>
  @Persisted var tinyMap: Map<String, Int8>
  @Persisted var shortMap: Map<String, Int16>
  @Persisted var middleMap: Map<String, Int32>
  @Persisted var longMap: Map<String, Int64>
  @Persisted var wholeMap: Map<String, Int>
  @Persisted var singleMap: Map<String, Float>
  @Persisted var fractionMap: Map<String, Double>
  @Persisted var priceMap: Map<String, Decimal128>
  @Persisted var textMap: Map<String, String>
  @Persisted var bytesMap: Map<String, Data>
  @Persisted var dayMap: Map<String, Date>
  @Persisted var markMap: Map<String, UUID>
  @Persisted var codeMap: Map<String, ObjectId>
  @Persisted var mixedMap: Map<String, AnyRealmValue>

  @Persisted var maybeTruthMap: Map<String, Bool?>
  @Persisted var maybeTinyMap: Map<String, Int8?>
  @Persisted var maybeShortMap: Map<String, Int16?>
  @Persisted var maybeMiddleMap: Map<String, Int32?>
  @Persisted var maybeLongMap: Map<String, Int64?>
  @Persisted var maybeWholeMap: Map<String, Int?>
  @Persisted var maybeSingleMap: Map<String, Float?>
  @Persisted var maybeFractionMap: Map<String, Double?>
  @Persisted var maybePriceMap: Map<String, Decimal128?>
  @Persisted var maybeTextMap: Map<String, String?>
  @Persisted var maybeBytesMap: Map<String, Data?>
  @Persisted var maybeDayMap: Map<String, Date?>
  @Persisted var maybeMarkMap: Map<String, UUID?>
  @Persisted var maybeCodeMap: Map<String, ObjectId?>

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

/// An object with an index over each kind of value that may have one.
final class Pigeonhole: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var truth: Bool?
  @Persisted(indexed: true) var tiny: Int8?
  @Persisted(indexed: true) var short: Int16?
  @Persisted(indexed: true) var middle: Int32?
  @Persisted(indexed: true) var long: Int64?
  @Persisted(indexed: true) var whole: Int?
  @Persisted(indexed: true) var text: String?
  @Persisted(indexed: true) var day: Date?
  @Persisted(indexed: true) var mark: UUID?
  @Persisted(indexed: true) var code: ObjectId?
  @Persisted(indexed: true) var mixed: AnyRealmValue

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

extension Stage {
  /// A configuration for a file of cupboards.
  func cupboards(_ name: String = "cupboards") -> Realm.Configuration {
    Realm.Configuration(fileURL: ownFile(name), objectTypes: [Cupboard.self, Pigeonhole.self])
  }
}

extension Realm {
  func cupboard(_ id: Int) -> Cupboard { object(ofType: Cupboard.self, forPrimaryKey: id)! }
}
