import Foundation

/// A comparison of one column of the subject's own row with constants: what most queries are made of.
///
/// It works on a whole cluster at a time, on the bytes as the file keeps them, and makes no values of them.
class ColumnTest: BoundPredicate {
  let table: BoundClass
  let column: Int
  let session: Session

  init(_ table: BoundClass, _ column: Int, _ session: Session) {
    self.table = table
    self.column = column
    self.session = session
  }

  /// Which of a column's values satisfy the test; nil stands for a column of nulls, or of zeros.
  func select(_ values: Column?, count: Int, in space: NodeSpace) -> RowMask { .none }

  override final func select(
    _ cluster: Cluster, _ candidates: RowMask, in space: NodeSpace
  ) -> RowMask {
    let node = cluster.column(column)
    let values = node.isNone ? nil : Column(space.node(node))
    return select(values, count: cluster.count, in: space).intersection(candidates)
  }

  override final func test(_ subject: Subject) -> Bool {
    guard case .row(let key) = subject, let rows = session.rows(of: table),
      let place = rows.find(key)
    else { return false }
    var only = RowMask.none
    only.insert(place.index)
    return !select(place.cluster, only, in: rows.space).isEmpty
  }
}

/// Whole numbers, flags, links and dates within bounds, or without them.
final class IntegerTest: ColumnTest {
  private let low: Int64
  private let high: Int64
  private let isNegated: Bool
  private let isNullable: Bool

  /// - Parameter isNegated: whether what lies outside the bounds satisfies the test; then null does, too.
  init(
    _ table: BoundClass, _ column: Int, _ session: Session, low: Int64, high: Int64,
    isNegated: Bool, isNullable: Bool
  ) {
    self.low = low
    self.high = high
    self.isNegated = isNegated
    self.isNullable = isNullable
    super.init(table, column, session)
  }

  override func select(_ values: Column?, count: Int, in space: NodeSpace) -> RowMask {
    let all = RowMask(first: count)
    guard let values else {
      let holds = isNullable ? isNegated : (low <= 0 && 0 <= high) != isNegated
      return holds ? all : .none
    }
    var found = values.rows(from: low, through: high, count: count)
    if isNullable { found = found.subtracting(values.nulls) }
    return isNegated ? all.subtracting(found) : found
  }
}

/// One of several whole numbers.
final class IntegerSetTest: ColumnTest {
  private let members: Set<Int64>
  private let hasNull: Bool
  private let isNullable: Bool

  init(
    _ table: BoundClass, _ column: Int, _ session: Session, _ members: Set<Int64>,
    hasNull: Bool, isNullable: Bool
  ) {
    self.members = members
    self.hasNull = hasNull
    self.isNullable = isNullable
    super.init(table, column, session)
  }

  override func select(_ values: Column?, count: Int, in space: NodeSpace) -> RowMask {
    let all = RowMask(first: count)
    guard let values else {
      return (isNullable ? hasNull : members.contains(0)) ? all : .none
    }
    var found = RowMask.none
    if members.count <= 4 {
      for member in members {
        found = found.union(values.rows(from: member, through: member, count: count))
      }
    } else {
      for row in 0..<count where members.contains(values.int(row)) { found.insert(row) }
    }
    guard isNullable else { return found }
    let nulls = values.nulls.intersection(all)
    return hasNull ? found.union(nulls) : found.subtracting(nulls)
  }
}

/// Null, or not.
final class NullTest: ColumnTest {
  private let wantsNull: Bool
  private let isNullable: Bool

  init(
    _ table: BoundClass, _ column: Int, _ session: Session, wantsNull: Bool, isNullable: Bool
  ) {
    self.wantsNull = wantsNull
    self.isNullable = isNullable
    super.init(table, column, session)
  }

  override func select(_ values: Column?, count: Int, in space: NodeSpace) -> RowMask {
    let all = RowMask(first: count)
    let nulls: RowMask
    if !isNullable {
      nulls = .none
    } else if let values {
      nulls = values.nulls.intersection(all)
    } else {
      nulls = all
    }
    return wantsNull ? nulls : all.subtracting(nulls)
  }
}

/// Fractions compared with one fraction, or with the two ends of a range.
final class FractionTest: ColumnTest {
  private let low: Double
  private let high: Double
  private let isNegated: Bool
  private let isFloat: Bool
  private let isNullable: Bool

  init(
    _ table: BoundClass, _ column: Int, _ session: Session, low: Double, high: Double,
    isNegated: Bool, isFloat: Bool, isNullable: Bool
  ) {
    self.low = low
    self.high = high
    self.isNegated = isNegated
    self.isFloat = isFloat
    self.isNullable = isNullable
    super.init(table, column, session)
  }

  override func select(_ values: Column?, count: Int, in space: NodeSpace) -> RowMask {
    let all = RowMask(first: count)
    guard let values else {
      let holds = isNullable ? isNegated : (low <= 0 && 0 <= high) != isNegated
      return holds ? all : .none
    }
    var found = RowMask.none
    // NaN lies within no bounds, so that it satisfies `!=` alone.
    if isFloat {
      for row in 0..<count {
        let value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: values.int(row))))
        if low <= value && value <= high { found.insert(row) }
      }
    } else {
      found = values.rows(from: low, through: high, count: count)
    }
    if isNullable { found = found.subtracting(values.nulls) }
    return isNegated ? all.subtracting(found) : found
  }
}

/// Strings and data compared by their bytes.
final class TextTest: ColumnTest {
  private let matcher: StringMatcher
  private let isNullable: Bool

  init(
    _ table: BoundClass, _ column: Int, _ session: Session, _ matcher: StringMatcher,
    isNullable: Bool
  ) {
    self.matcher = matcher
    self.isNullable = isNullable
    super.init(table, column, session)
  }

  override func select(_ values: Column?, count: Int, in space: NodeSpace) -> RowMask {
    let all = RowMask(first: count)
    guard let values else {
      let holds =
        isNullable
        ? matcher.matches(nil as UnsafeRawBufferPointer?)
        : matcher.matches(UnsafeRawBufferPointer(start: space.base, count: 0))
      return holds ? all : .none
    }
    if let needle = matcher.exactBytes {
      var found = needle.withUnsafeBytes {
        values.rows(equalTo: $0, count: count, in: space)
      }
      if isNullable { found = found.subtracting(values.nulls) }
      return matcher.operation == .notEqual ? all.subtracting(found) : found
    }
    var found = RowMask.none
    for row in 0..<count {
      let isNull = isNullable && values.isNull(row)
      if matcher.matches(isNull ? nil : values.bytes(row, in: space)) { found.insert(row) }
    }
    return found
  }
}

/// UUIDs and object ids that are equal to one, or to one of several.
final class IdentityTest: ColumnTest {
  private let members: [[UInt8]]
  private let hasNull: Bool
  private let isNegated: Bool
  private let isNullable: Bool

  init(
    _ table: BoundClass, _ column: Int, _ session: Session, _ members: [[UInt8]],
    hasNull: Bool, isNegated: Bool, isNullable: Bool
  ) {
    self.members = members
    self.hasNull = hasNull
    self.isNegated = isNegated
    self.isNullable = isNullable
    super.init(table, column, session)
  }

  override func select(_ values: Column?, count: Int, in space: NodeSpace) -> RowMask {
    var found = RowMask.none
    for row in 0..<count {
      let holds: Bool
      if let values, !(isNullable && values.isNull(row)) {
        let bytes = values.fixed(row)
        holds = members.contains { $0.elementsEqual(bytes) }
      } else if isNullable {
        holds = hasNull
      } else {
        holds = members.contains { $0.allSatisfy { $0 == 0 } }
      }
      if holds != isNegated { found.insert(row) }
    }
    return found
  }
}

// MARK: - Choosing

extension PredicateBinding {
  /// The columnar form of a comparison, where there is one.
  func columnTest(
    _ path: BoundPath, _ operation: Comparison.Operation, _ values: [StoredValue], _ test: ValueTest
  ) -> ColumnTest? {
    // A mixed value says itself what it is, so it is asked one by one.
    guard let column = path.singleColumn?.number, let property = path.property,
      let table = path.owner, property.type != .any
    else { return nil }
    let isNullable = property.isOptional || property.type == .object
    if values.count == 1, values[0] == .null {
      switch operation {
      case .equal, .lessOrEqual, .greaterOrEqual:
        return NullTest(table, column, session, wantsNull: true, isNullable: isNullable)
      case .notEqual:
        return NullTest(table, column, session, wantsNull: false, isNullable: isNullable)
      default: break
      }
    }
    switch property.type {
    case .int, .bool, .object:
      return integerTest(table, column, operation, values, isNullable)
    case .float, .double, .date:
      guard let bounds = FractionBounds(operation, values) else { return nil }
      return FractionTest(
        table, column, session, low: bounds.low, high: bounds.high,
        isNegated: operation == .notEqual, isFloat: property.type == .float,
        isNullable: isNullable)
    case .string, .data:
      guard operation != .in, operation != .between, values.count == 1 else { return nil }
      let matcher: StringMatcher
      switch values[0] {
      case .string(let text): matcher = StringMatcher(operation, text, options: test.options)
      case .data(let data): matcher = StringMatcher(operation, bytes: data)
      case .null: matcher = StringMatcher(operation, nil, options: test.options)
      default: return nil
      }
      return TextTest(table, column, session, matcher, isNullable: isNullable)
    case .UUID, .objectId:
      guard operation == .equal || operation == .notEqual || operation == .in else { return nil }
      var members: [[UInt8]] = []
      for value in values {
        switch value {
        case .uuid(let id): members.append(id.fixedBytes)
        case .objectId(let id): members.append(id.fixedBytes)
        case .null: break
        default: return nil
        }
      }
      return IdentityTest(
        table, column, session, members, hasNull: values.contains(.null),
        isNegated: operation == .notEqual, isNullable: isNullable)
    default: return nil
    }
  }

  private func integerTest(
    _ table: BoundClass, _ column: Int, _ operation: Comparison.Operation,
    _ values: [StoredValue], _ isNullable: Bool
  ) -> ColumnTest? {
    if operation == .in {
      var members: Set<Int64> = []
      for value in values {
        guard value != .null else { continue }
        guard let bounds = IntegerBounds(.equal, [value]) else { return nil }
        if bounds.low == bounds.high { members.insert(bounds.low) }
      }
      return IntegerSetTest(
        table, column, session, members, hasNull: values.contains(.null), isNullable: isNullable)
    }
    guard let bounds = IntegerBounds(operation, values) else { return nil }
    return IntegerTest(
      table, column, session, low: bounds.low, high: bounds.high,
      isNegated: operation == .notEqual, isNullable: isNullable)
  }
}

/// The whole numbers that a comparison with constants allows, both ends included; empty if low > high.
struct IntegerBounds: Equatable {
  var low = Int64.min
  var high = Int64.max

  static let empty = IntegerBounds(low: 1, high: 0)

  private init(low: Int64, high: Int64) {
    self.low = low
    self.high = high
  }

  /// Nil for constants that are no numbers this can deal with.
  init?(_ operation: Comparison.Operation, _ values: [StoredValue]) {
    switch operation {
    case .between:
      guard values.count == 2, let from = IntegerBounds(.greaterOrEqual, [values[0]]),
        let to = IntegerBounds(.lessOrEqual, [values[1]])
      else { return nil }
      self = IntegerBounds(low: from.low, high: to.high)
      if from.low > from.high || to.low > to.high { self = .empty }
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard values.count == 1 else { return nil }
      switch values[0] {
      case .int(let value): self = IntegerBounds(operation, whole: value)
      case .bool(let value): self = IntegerBounds(operation, whole: value ? 1 : 0)
      case .link(let link): self = IntegerBounds(operation, whole: link.key)
      case .object, .null: self = .empty
      case .float(let value): self = IntegerBounds(operation, fraction: Double(value))
      case .double(let value): self = IntegerBounds(operation, fraction: value)
      default: return nil
      }
    default: return nil
    }
  }

  private init(_ operation: Comparison.Operation, whole value: Int64) {
    switch operation {
    case .less:
      self = value == .min ? .empty : IntegerBounds(low: .min, high: value - 1)
    case .lessOrEqual: self = IntegerBounds(low: .min, high: value)
    case .greater:
      self = value == .max ? .empty : IntegerBounds(low: value + 1, high: .max)
    case .greaterOrEqual: self = IntegerBounds(low: value, high: .max)
    default: self = IntegerBounds(low: value, high: value)
    }
  }

  private init(_ operation: Comparison.Operation, fraction value: Double) {
    let down = value.rounded(.down)
    if value.isNaN {
      self = .empty
    } else if down >= 9_223_372_036_854_775_808 {
      self =
        operation == .less || operation == .lessOrEqual
        ? IntegerBounds(low: .min, high: .max) : .empty
    } else if down < -9_223_372_036_854_775_808 {
      self =
        operation == .greater || operation == .greaterOrEqual
        ? IntegerBounds(low: .min, high: .max) : .empty
    } else if down == value {
      self = IntegerBounds(operation, whole: Int64(down))
    } else {
      // Between two whole numbers: none is equal, and "at least" means "above the lower one".
      switch operation {
      case .less, .lessOrEqual: self = IntegerBounds(.lessOrEqual, whole: Int64(down))
      case .greater, .greaterOrEqual: self = IntegerBounds(.greater, whole: Int64(down))
      default: self = .empty
      }
    }
  }
}

/// The fractions that a comparison with constants allows, both ends included; empty if low > high.
struct FractionBounds: Equatable {
  var low = -Double.infinity
  var high = Double.infinity

  init?(_ operation: Comparison.Operation, _ values: [StoredValue]) {
    if operation == .between {
      guard values.count == 2, let from = FractionBounds(.greaterOrEqual, [values[0]]),
        let to = FractionBounds(.lessOrEqual, [values[1]])
      else { return nil }
      (low, high) = (max(from.low, to.low), min(from.high, to.high))
      return
    }
    guard values.count == 1 else { return nil }
    let value: Double
    switch values[0] {
    case .int(let number):
      // One that a double cannot hold exactly is compared the slow way.
      guard let exact = Double(exactly: number) else { return nil }
      value = exact
    case .float(let number): value = Double(number)
    case .double(let number): value = number
    case .date(let date): value = date.timeIntervalSinceReferenceDate
    case .null: value = .nan
    default: return nil
    }
    if value.isNaN {
      (low, high) = (1, 0)
      return
    }
    switch operation {
    case .equal, .notEqual: (low, high) = (value, value)
    case .lessOrEqual: high = value
    case .greaterOrEqual: low = value
    case .less:
      if value == -.infinity { (low, high) = (1, 0) } else { high = value.nextDown }
    case .greater:
      if value == .infinity { (low, high) = (1, 0) } else { low = value.nextUp }
    default: return nil
    }
  }
}
