import EngineUnderTest
import Foundation

/// A value as a model has it, of whatever kind: what lies in a property, or in a collection.
indirect enum Worth: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case float(Float)
  case double(Double)
  case decimal(Decimal128)
  case date(Date)
  case text(String)
  case bytes(Data)
  case uuid(UUID)
  case objectId(ObjectId)
  /// An object, by the number of its birth.
  case row(Int)
  /// An embedded object, by what it holds.
  case box([Worth])
  /// A list or a dictionary in a mixed value.
  case many([Worth])
  case named([String: Worth])

  static func day(_ seconds: Double) -> Worth { .date(Date(timeIntervalSince1970: seconds)) }

  /// Whether one is before another in a sort; nulls come first.
  func precedes(_ other: Worth) -> Bool {
    switch (self, other) {
    case (.null, .null): false
    case (.null, _): true
    case (.int(let one), .int(let two)): one < two
    case (.float(let one), .float(let two)): one < two
    case (.double(let one), .double(let two)): one < two
    case (.decimal(let one), .decimal(let two)): one < two
    case (.date(let one), .date(let two)): one < two
    case (.text(let one), .text(let two)): Array(one.utf8).lexicographicallyPrecedes(two.utf8)
    case (.bool(let one), .bool(let two)): !one && two
    default: false
    }
  }

  /// The plain value, as users hand it over; nil for null, for an object and for a box.
  var scalar: Any? {
    switch self {
    case .bool(let value): value
    case .int(let value): value
    case .float(let value): value
    case .double(let value): value
    case .decimal(let value): value
    case .date(let value): value
    case .text(let value): value
    case .bytes(let value): value
    case .uuid(let value): value
    case .objectId(let value): value
    case .null, .row, .box, .many, .named: nil
    }
  }

  var words: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .date(let value): "\(value.timeIntervalSince1970) s"
    case .text(let value): value.utf8.count > 20 ? "\(value.utf8.count) letters" : "'\(value)'"
    case .bytes(let value): "\(value.count) bytes"
    case .uuid(let value): "\(value)"
    case .objectId(let value): "\(value)"
    case .row(let birth): "row \(birth)"
    case .box(let parts): "box of \(parts.map(\.words))"
    case .many(let all): "list of \(all.map(\.words))"
    case .named(let all): "map of \(all.map { "\($0.key): \($0.value.words)" }.sorted())"
    }
  }
}

/// What one property of an object holds.
enum Content: Equatable, Sendable {
  case single(Worth)
  case list([Worth])
  case set(Set<Worth>)
  case map([String: Worth])

  var words: String {
    switch self {
    case .single(let worth): worth.words
    case .list(let all): "list of \(all.prefix(12).map(\.words)), \(all.count)"
    case .set(let all): "set of \(all.map(\.words).sorted().prefix(12))"
    case .map(let all): "map of \(all.map { "\($0.key): \($0.value.words)" }.sorted())"
    }
  }

  /// How many members a collection has.
  var count: Int {
    switch self {
    case .single: 1
    case .list(let all): all.count
    case .set(let all): all.count
    case .map(let all): all.count
    }
  }

  var single: Worth { if case .single(let worth) = self { worth } else { .null } }

  /// All values in it.
  var values: [Worth] {
    switch self {
    case .single(let worth): [worth]
    case .list(let all): all
    case .set(let all): Array(all)
    case .map(let all): Array(all.values)
    }
  }

  /// The objects that it leads to, embedded ones looked through; as often as it does.
  var targets: [Int] {
    values.flatMap(\.targets)
  }
}

extension Worth {
  /// The objects that it leads to.
  fileprivate var targets: [Int] {
    switch self {
    case .row(let birth): [birth]
    case .box(let parts), .many(let parts): parts.flatMap(\.targets)
    case .named(let all): all.values.flatMap(\.targets)
    default: []
    }
  }

  /// Whether it is a collection in a mixed value.
  var isNested: Bool {
    switch self {
    case .many, .named: true
    default: false
    }
  }
}

/// A Swift type whose values a model knows.
protocol Worthy: SendableMetatype {
  static func made(of worth: Worth, _ finder: Finder) -> Self
  var worth: Worth { get }
}

extension Int: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> Int {
    if case .int(let value) = worth { value } else { 0 }
  }
  var worth: Worth { .int(self) }
}

extension Int8: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> Int8 {
    if case .int(let value) = worth { Int8(value) } else { 0 }
  }
  var worth: Worth { .int(Int(self)) }
}

extension Bool: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> Bool { worth == .bool(true) }
  var worth: Worth { .bool(self) }
}

extension Float: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> Float {
    if case .float(let value) = worth { value } else { 0 }
  }
  var worth: Worth { .float(self) }
}

extension Double: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> Double {
    if case .double(let value) = worth { value } else { 0 }
  }
  var worth: Worth { .double(self) }
}

extension Decimal128: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> Decimal128 {
    if case .decimal(let value) = worth { value } else { 0 }
  }
  var worth: Worth { .decimal(self) }
}

extension String: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> String {
    if case .text(let value) = worth { value } else { "" }
  }
  var worth: Worth { .text(self) }
}

extension Data: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> Data {
    if case .bytes(let value) = worth { value } else { Data() }
  }
  var worth: Worth { .bytes(self) }
}

extension Date: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> Date {
    if case .date(let value) = worth { value } else { Date(timeIntervalSince1970: 0) }
  }
  var worth: Worth { .date(self) }
}

extension UUID: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> UUID {
    if case .uuid(let value) = worth { value } else { UUID() }
  }
  var worth: Worth { .uuid(self) }
}

extension ObjectId: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> ObjectId {
    if case .objectId(let value) = worth { value } else { ObjectId.generate() }
  }
  var worth: Worth { .objectId(self) }
}

extension Optional: Worthy where Wrapped: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> Wrapped? {
    worth == .null ? nil : Wrapped.made(of: worth, finder)
  }
  var worth: Worth { map(\.worth) ?? .null }
}

extension AnyRealmValue: Worthy {
  static func made(of worth: Worth, _ finder: Finder) -> AnyRealmValue {
    switch worth {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal128(value)
    case .date(let value): .date(value)
    case .text(let value): .string(value)
    case .bytes(let value): .data(value)
    case .uuid(let value): .uuid(value)
    case .objectId(let value): .objectId(value)
    case .row(let birth): finder.object(birth).map { .object($0) } ?? .none
    case .many(let all): .fromArray(all.map { made(of: $0, finder) })
    case .named(let all): .fromDictionary(all.mapValues { made(of: $0, finder) })
    case .null, .box: .none
    }
  }

  var worth: Worth {
    if let listValue { return .many(listValue.map(\.worth)) }
    if let dictionaryValue {
      return .named(Dictionary(dictionaryValue.map { ($0.key, $0.value.worth) }) { $1 })
    }
    return switch self {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .decimal128(let value): .decimal(value)
    case .date(let value): .date(value)
    case .string(let value): .text(value)
    case .data(let value): .bytes(value)
    case .uuid(let value): .uuid(value)
    case .objectId(let value): .objectId(value)
    case .object(let object): (object as? any Wide)?.worth ?? .null
    default: .null
    }
  }
}
