import Foundation

extension StoredValue {
  /// The constant that a Swift value stands for in a predicate; nil for what no property can hold.
  init?(_ value: Any) {
    switch value {
    case let value as StoredValue: self = value
    case let value as Bool: self = .bool(value)
    case let value as Int: self = .int(Int64(value))
    case let value as String: self = .string(value)
    case let value as Double: self = .double(value)
    case let value as Float: self = .float(value)
    case let value as Date: self = .date(value)
    case let value as Data: self = .data(value)
    case let value as UUID: self = .uuid(value)
    case let value as ObjectId: self = .objectId(value)
    case let value as Decimal128: self = .decimal(value)
    case let value as ObjectBase: self = .object(value)
    case let value as any BinaryInteger:
      guard let exact = Int64(exactly: value) else { return nil }
      self = .int(exact)
    case is NSNull: self = .null
    case let value as NSNumber: self = .double(value.doubleValue)
    case let value as Substring: self = .string(String(value))
    case let value as any OptionalProtocol:
      guard let inner = value.anyValue else {
        self = .null
        return
      }
      self.init(inner)
    case let value as any RawRepresentable: self.init(value.rawValue)
    case let value as any _StoredConvertible: self = value.encoded
    default: return nil
    }
  }

  /// The constant that a Swift value stands for; anything else is the caller's mistake.
  init<Value>(expecting value: Value) {
    // What most constants are, without a cast to one kind after the other.
    if Value.self == String.self, let text = value as? String {
      self = .string(text)
      return
    }
    if Value.self == Int.self, let number = value as? Int {
      self = .int(Int64(number))
      return
    }
    guard let constant = StoredValue(value) else {
      refuseQuery("Cannot compare a property with a value of type \(type(of: value)).")
    }
    self = constant
  }

  /// The constants of a Swift collection; nil if the value is a single one.
  static func list(of value: Any) -> [StoredValue]? {
    switch value {
    case is String, is Substring, is Data, is ObjectBase: return nil
    case let values as any Sequence:
      var found: [StoredValue] = []
      for element in values {
        guard let constant = StoredValue(element as Any) else { return nil }
        found.append(constant)
      }
      return found
    default: return nil
    }
  }

  /// How the constant is written in a filter string; for those that have no literal, what they are.
  var literal: String {
    switch self {
    case .null: "nil"
    case .int(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): StoredValue.quoted(value)
    case .data(let value): "<data of \(value.count) bytes>"
    case .date(let value): "<date \(value.timeIntervalSince1970)>"
    case .objectId(let value): "<object id \(value)>"
    case .uuid(let value): "<uuid \(value)>"
    case .decimal(let value): "<decimal \(value)>"
    case .link(let link): "<object \(link.key)>"
    case .instance(let value): "<object of \(type(of: value.base))>"
    case .nested(let nested): "<collection of \(nested.elements.count) values>"
    }
  }

  /// A string with quotes, escaped so that the grammar reads it back.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text {
      switch character {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\0": quoted += "\\0"
      default: quoted.append(character)
      }
    }
    return quoted + "\""
  }
}

extension _StoredConvertible {
  var encoded: StoredValue { Self._rlmEncode(self).value }
}

// MARK: - Order

extension StoredValue {
  /// How two values of comparable kinds relate.
  enum Relation {
    case less, equal, greater
    /// Different and without order: NaN and anything, a number and a string.
    case unordered
  }

  /// Compares by value: numbers of all kinds with each other, strings and data byte by byte.
  func relation(to other: StoredValue) -> Relation {
    switch (self, other) {
    case (.null, .null): .equal
    case (.int(let left), .int(let right)): Self.order(left, right)
    case (.string(let left), .string(let right)): Self.bytewise(left.utf8, right.utf8)
    case (.bool(let left), .bool(let right)): Self.order(left ? 1 : 0, right ? 1 : 0)
    case (.double(let left), .double(let right)): Self.order(left, right)
    case (.float(let left), .float(let right)): Self.order(left, right)
    case (.date(let left), .date(let right)): Self.order(left, right)
    case (.data(let left), .data(let right)): Self.bytewise(left, right)
    case (.objectId(let left), .objectId(let right)): Self.order(left, right)
    case (.uuid(let left), .uuid(let right)):
      withUnsafeBytes(of: left.uuid) { a in
        withUnsafeBytes(of: right.uuid) { b in Self.bytewise(a, b) }
      }
    case (.link(let left), .link(let right)):
      left.table == right.table ? Self.order(left.key, right.key) : .unordered
    case (.instance(let left), .instance(let right)):
      left.object === right.object || left.base.isRow(of: right.base) ? .equal : .unordered
    case (.decimal(let left), .decimal(let right)): Self.decimal(left, right)
    case (.nested(let left), .nested(let right)): left == right ? .equal : .unordered
    default: mixedRelation(to: other)
    }
  }

  private func mixedRelation(to other: StoredValue) -> Relation {
    if let left = decimalOperand, let right = other.decimalOperand,
      isDecimal || other.isDecimal
    {
      return Self.decimal(left, right)
    }
    switch (self, other) {
    case (.int(let left), _):
      guard let right = other.doubleValue else { return .unordered }
      return Self.order(left, right)
    case (_, .int(let right)):
      guard let left = doubleValue else { return .unordered }
      switch Self.order(right, left) {
      case .less: return .greater
      case .greater: return .less
      case let same: return same
      }
    default:
      guard let left = doubleValue, let right = other.doubleValue else { return .unordered }
      return Self.order(left, right)
    }
  }

  private var isDecimal: Bool { if case .decimal = self { true } else { false } }

  private var decimalOperand: Decimal128? {
    switch self {
    case .decimal(let value): value
    case .int(let value): Decimal128(value)
    case .float(let value): Decimal128(Double(value))
    case .double(let value): Decimal128(value)
    default: nil
    }
  }

  /// The value as a binary fraction, for numbers.
  var doubleValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.doubleValue
    default: nil
    }
  }

  /// Whether it stands among numbers and is none.
  var isNaN: Bool {
    switch self {
    case .float(let value): value.isNaN
    case .double(let value): value.isNaN
    case .decimal(let value): value.isNaN
    default: false
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Relation {
    left < right ? .less : left > right ? .greater : left == right ? .equal : .unordered
  }

  /// Compares without rounding the integer: 2^53 + 1 is greater than the double 2^53.
  private static func order(_ left: Int64, _ right: Double) -> Relation {
    if right.isNaN { return .unordered }
    if right >= 9_223_372_036_854_775_808 { return .less }
    if right < -9_223_372_036_854_775_808 { return .greater }
    let whole = right.rounded(.down)
    switch order(left, Int64(whole)) {
    case .equal: return right == whole ? .equal : .less
    case let different: return different
    }
  }

  private static func decimal(_ left: Decimal128, _ right: Decimal128) -> Relation {
    left.isNaN || right.isNaN ? .unordered : order(left, right)
  }

  private static func bytewise<Left: Sequence, Right: Sequence>(
    _ left: Left, _ right: Right
  ) -> Relation where Left.Element == UInt8, Right.Element == UInt8 {
    var left = left.makeIterator()
    var right = right.makeIterator()
    while true {
      switch (left.next(), right.next()) {
      case (nil, nil): return .equal
      case (nil, _): return .less
      case (_, nil): return .greater
      case (let a?, let b?): if a != b { return a < b ? .less : .greater }
      }
    }
  }

  /// What a comparison says about two values. Null equals null and nothing else, and has no order.
  func satisfies(_ operation: Comparison.Operation, _ other: StoredValue) -> Bool {
    switch (operation, relation(to: other)) {
    case (.equal, let relation): relation == .equal
    case (.notEqual, let relation): relation != .equal
    case (.less, let relation): relation == .less
    case (.lessOrEqual, let relation): relation == .less || relation == .equal
    case (.greater, let relation): relation == .greater
    case (.greaterOrEqual, let relation): relation == .greater || relation == .equal
    default: false
    }
  }
}
