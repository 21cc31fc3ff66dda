import Foundation

@testable import ReferenceEngine

/// A model with a property of every kind that queries deal with.
class Sample: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var int: Int
  @Persisted var tiny: Int8
  @Persisted(indexed: true) var code: Int
  @Persisted var intOptional: Int?
  @Persisted var bool: Bool
  @Persisted var double: Double
  @Persisted var doubleOptional: Double?
  @Persisted var float: Float
  @Persisted var string: String
  @Persisted(indexed: true) var tag: String?
  @Persisted var text: String?
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var dateOptional: Date?
  @Persisted var objectId: ObjectId
  @Persisted var uuid: UUID?
  @Persisted var decimal: Decimal128
  @Persisted var any: AnyRealmValue
  @Persisted var link: Sample?
  @Persisted var links: List<Sample>
  @Persisted var ints: List<Int>
  @Persisted var words: List<String?>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var prices: Map<String, Int>
  @Persisted(originProperty: "link") var linkers: LinkingObjects<Sample>
}

/// What a sample was made of, as plain Swift: what the naive evaluation looks at.
struct SampleFacts {
  var single: [String: StoredValue] = [:]
  var many: [String: [StoredValue]] = [:]
  var prices: [String: Int] = [:]
  var link: Int?
  var links: [Int] = []
  var linkers: [Int] = []
}

/// Random samples, in a realm and as facts.
struct SampleWorld {
  let realm: Realm
  var facts: [SampleFacts] = []

  /// How many random predicates are tried; QUERY_TEST_ROUNDS asks for more.
  static let rounds = Wish.number("QUERY_TEST_ROUNDS", orElse: 200)

  static let singles: [(name: String, type: PropertyType)] = [
    ("int", .int), ("tiny", .int), ("code", .int), ("intOptional", .int), ("bool", .bool),
    ("double", .double), ("doubleOptional", .double), ("float", .float), ("string", .string),
    ("tag", .string), ("text", .string), ("data", .data), ("date", .date),
    ("dateOptional", .date), ("objectId", .objectId), ("uuid", .UUID),
    ("decimal", .decimal128), ("any", .any), ("id", .int),
  ]
  static let manies: [(name: String, type: PropertyType)] = [
    ("ints", .int), ("words", .string), ("intSet", .int),
  ]
  static let strings = [
    "", "a", "A", "ab", "aB", "abc", "é", "e\u{301}", "É", "straße", "STRASSE", "🦊", "🦊🐕",
    "a🦊b", "*", "?", "a*c", "x y", "exactly fifteen", "sixteen bytes 16", "twelve bytes", "\0",
    "a longer string that lives on the heap",
  ]

  init(rows: Int, in scratch: Scratch, using random: inout Dice) throws {
    realm = try scratch.realm()
    var samples: [Sample] = []
    for id in 0..<rows {
      let (sample, facts) = SampleWorld.sample(id, of: rows, using: &random)
      samples.append(sample)
      self.facts.append(facts)
    }
    for id in 0..<rows {
      if let link = facts[id].link {
        samples[id].link = samples[link]
        facts[link].linkers.append(id)
      }
      samples[id].links.append(objectsIn: facts[id].links.map { samples[$0] })
    }
    try realm.write { realm.add(samples) }
  }

  private static func sample(
    _ id: Int, of rows: Int, using random: inout Dice
  ) -> (Sample, SampleFacts) {
    let sample = Sample()
    var facts = SampleFacts()
    sample.id = id
    facts.single["id"] = .int(Int64(id))
    for (name, type) in singles where name != "id" {
      let isOptional = ["intOptional", "doubleOptional", "tag", "text", "dateOptional", "uuid"]
        .contains(name)
      var value = value(of: type, using: &random)
      if name == "tiny", case .int(let number) = value { value = .int(number % 100) }
      if name == "code", case .int(let number) = value { value = .int(number % 7) }
      if isOptional, Int.random(in: 0..<4, using: &random) == 0 { value = .null }
      if name == "string", id == 7 { value = .string(String(repeating: "long🦊", count: 130_000)) }
      facts.single[name] = value
      set(value, name, sample)
    }
    facts.many["ints"] = values(.int, using: &random)
    facts.many["words"] = values(.string, using: &random).map {
      Int.random(in: 0..<4, using: &random) == 0 ? .null : $0
    }
    facts.many["intSet"] = Array(Set(values(.int, using: &random)))
    sample.ints.append(objectsIn: facts.many["ints"]!.map { Int($0.number) })
    sample.words.append(objectsIn: facts.many["words"]!.map(\.text))
    for value in facts.many["intSet"]! { sample.intSet.insert(Int(value.number)) }
    for key in ["eur", "usd", "é"] where Bool.random(using: &random) {
      let price = Int.random(in: -5...5, using: &random)
      sample.prices[key] = price
      facts.prices[key] = price
    }
    facts.many["prices"] = facts.prices.values.map { .int(Int64($0)) }
    if Int.random(in: 0..<3, using: &random) > 0 {
      facts.link = Int.random(in: 0..<rows, using: &random)
    }
    facts.links = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Int.random(in: 0..<rows, using: &random)
    }
    return (sample, facts)
  }

  private static func values(
    _ type: PropertyType, using random: inout Dice
  ) -> [StoredValue] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in value(of: type, using: &random) }
  }

  static func value(of type: PropertyType, using random: inout Dice) -> StoredValue {
    switch type {
    case .int:
      let widths: [Int64] = [3, 10, 100, 1_000, 100_000, 5_000_000_000, .max / 2]
      let width = widths.randomElement(using: &random)!
      return .int(Int64.random(in: -width...width, using: &random))
    case .bool: return .bool(Bool.random(using: &random))
    case .double:
      return .double(
        [0, -0.0, 1, 1.5, -2.25, .nan, .infinity, -.infinity, 1e300, 3].randomElement(
          using: &random)!)
    case .float:
      return .float(
        [0, 1, 1.5, -2.25, 1.1, .nan, .infinity, 3].randomElement(using: &random)!)
    case .string: return .string(strings.randomElement(using: &random)!)
    case .data:
      return .data(
        Data(
          (0..<Int.random(in: 0...3, using: &random)).map { _ in
            UInt8.random(in: 0...2, using: &random)
          }))
    case .date:
      return .date(Date(timeIntervalSince1970: Double(Int.random(in: -3...3, using: &random)) / 2))
    case .objectId:
      return .objectId(ObjectId(high: UInt64.random(in: 0...2, using: &random), low: 1))
    case .UUID:
      return .uuid(
        UUID(
          uuid: (
            UInt8.random(in: 0...3, using: &random), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
          )))
    case .decimal128:
      return .decimal(Decimal128(Double(Int.random(in: -4...4, using: &random)) / 2))
    case .any:
      let types: [PropertyType] = [.int, .bool, .double, .string, .date]
      if Int.random(in: 0..<5, using: &random) == 0 { return .null }
      return value(of: types.randomElement(using: &random)!, using: &random)
    case .object, .linkingObjects: return .null
    }
  }

  private static func set(_ value: StoredValue, _ name: String, _ sample: Sample) {
    switch name {
    case "int": sample.int = Int(value.number)
    case "tiny": sample.tiny = Int8(value.number)
    case "code": sample.code = Int(value.number)
    case "intOptional": sample.intOptional = value == .null ? nil : Int(value.number)
    case "bool": if case .bool(let truth) = value { sample.bool = truth }
    case "double": if case .double(let number) = value { sample.double = number }
    case "doubleOptional":
      if case .double(let number) = value { sample.doubleOptional = number }
    case "float": if case .float(let number) = value { sample.float = number }
    case "string": sample.string = value.text!
    case "tag": sample.tag = value.text
    case "text": sample.text = value.text
    case "data": if case .data(let data) = value { sample.data = data }
    case "date": if case .date(let date) = value { sample.date = date }
    case "dateOptional": if case .date(let date) = value { sample.dateOptional = date }
    case "objectId": if case .objectId(let id) = value { sample.objectId = id }
    case "uuid": if case .uuid(let id) = value { sample.uuid = id }
    case "decimal": if case .decimal(let decimal) = value { sample.decimal = decimal }
    default: sample.any = AnyRealmValue._rlmDecode(_Stored(value))
    }
  }
}

extension StoredValue {
  var number: Int64 { if case .int(let number) = self { number } else { 0 } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
