/// Whole numbers, flags and links within bounds, or without them; then null does, too.
final class IntegerTest: ColumnTest {
  private let bounds: IntegerBounds

  init(_ place: Place, _ bounds: IntegerBounds, isNegated: Bool) {
    self.bounds = bounds
    super.init(place, isNegated: isNegated, acceptsNull: isNegated)
  }

  override var cost: Cost { .scan }

  override func matches(
    _ values: Column, _ candidates: RowMask, count: Int, in space: NodeSpace
  ) -> RowMask {
    values.rows(from: bounds.low, through: bounds.high, count: count)
  }

  override var matchesZero: Bool { bounds.low <= 0 && 0 <= bounds.high }
}

/// One of several whole numbers.
final class IntegerSetTest: ColumnTest {
  private let members: Set<Int64>
  private let least: Int64
  private let greatest: Int64

  init(_ place: Place, _ members: Set<Int64>, hasNull: Bool) {
    self.members = members
    least = members.min() ?? 0
    greatest = members.max() ?? 0
    super.init(place, acceptsNull: hasNull)
  }

  override func matches(
    _ values: Column, _ candidates: RowMask, count: Int, in space: NodeSpace
  ) -> RowMask {
    // A few scans of the whole are faster than a look at each.
    if members.count > 4 {
      return candidates.filter { row in
        let value = values.int(row)
        return least <= value && value <= greatest && members.contains(value)
      }
    }
    return members.reduce(.none) {
      $0.union(values.rows(from: $1, through: $1, count: count))
    }
  }

  override var matchesZero: Bool { members.contains(0) }
}

/// Null, or not.
final class NullTest: ColumnTest {
  init(_ place: Place, wantsNull: Bool) {
    // A value is never null, so no value passes a test for null, and every value its negation.
    super.init(place, isNegated: !wantsNull, acceptsNull: wantsNull)
  }

  override var cost: Cost { .scan }
}

/// Fractions and dates within bounds, or without them. NaN lies within none, so it satisfies `!=`
/// alone.
final class FractionTest: ColumnTest {
  private let bounds: FractionBounds
  private let isFloat: Bool

  init(_ place: Place, _ bounds: FractionBounds, isNegated: Bool, isFloat: Bool) {
    self.bounds = bounds
    self.isFloat = isFloat
    super.init(place, isNegated: isNegated, acceptsNull: isNegated)
  }

  override var cost: Cost { isFloat ? .look : .scan }

  override func matches(
    _ values: Column, _ candidates: RowMask, count: Int, in space: NodeSpace
  ) -> RowMask {
    guard isFloat else { return values.rows(from: bounds.low, through: bounds.high, count: count) }
    return candidates.filter {
      let value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: values.int($0))))
      return bounds.low <= value && value <= bounds.high
    }
  }

  override var matchesZero: Bool { bounds.low <= 0 && 0 <= bounds.high }
}

/// One of several fractions or dates.
final class FractionSetTest: ColumnTest {
  private let members: Set<Double>
  private let isFloat: Bool

  init(_ place: Place, _ members: Set<Double>, hasNull: Bool, isFloat: Bool) {
    self.members = members
    self.isFloat = isFloat
    super.init(place, acceptsNull: hasNull)
  }

  override func matches(
    _ values: Column, _ candidates: RowMask, count: Int, in space: NodeSpace
  ) -> RowMask {
    candidates.filter { row in
      let bits = UInt64(bitPattern: values.int(row))
      return members.contains(
        isFloat
          ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits))
    }
  }

  override var matchesZero: Bool { members.contains(0) }
}

/// One of several strings or data.
final class TextSetTest: ColumnTest {
  private let members: ValueSet
  private let isData: Bool

  init(_ place: Place, _ members: ValueSet, isData: Bool) {
    self.members = members
    self.isData = isData
    super.init(place, acceptsNull: members.hasNull)
  }

  override func matches(
    _ values: Column, _ candidates: RowMask, count: Int, in space: NodeSpace
  ) -> RowMask {
    candidates.filter { contains(values.bytes($0, in: space)) }
  }

  override var cost: Cost { .search }

  @inline(__always)
  private func contains(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isData ? members.contains(data: bytes) : members.contains(text: bytes)
  }

  override var matchesZero: Bool { contains(UnsafeRawBufferPointer(start: nil, count: 0)) }
}

/// Strings and data compared by their bytes.
final class TextTest: ColumnTest {
  private let matcher: StringMatcher
  /// The bytes that are looked for as they are, where that is all there is to it.
  private let exact: StringMatcher.Exact?

  init(_ place: Place, _ matcher: StringMatcher) {
    self.matcher = matcher
    exact = matcher.exact
    super.init(
      place, isNegated: exact != nil && matcher.operation == .notEqual,
      acceptsNull: matcher.matches(nil as UnsafeRawBufferPointer?))
  }

  override func matches(
    _ values: Column, _ candidates: RowMask, count: Int, in space: NodeSpace
  ) -> RowMask {
    switch exact {
    case .whole(let wanted):
      wanted.withUnsafeBytes { values.rows(equalTo: $0, count: count, in: space) }
    case .beginning(let wanted):
      wanted.withUnsafeBytes { wanted in
        candidates.filter { values.bytes($0, in: space).begins(with: wanted) }
      }
    case nil: candidates.filter { matcher.matches(values.bytes($0, in: space)) }
    }
  }

  override var cost: Cost {
    switch exact {
    case .whole: .scan
    case .beginning: .look
    case nil: .search
    }
  }

  override var matchesZero: Bool {
    if case .whole(let wanted) = exact { return wanted.isEmpty }
    return withUnsafeBytes(of: UInt8(0)) {
      matcher.matches(UnsafeRawBufferPointer(rebasing: $0.prefix(0)))
    }
  }
}

/// UUIDs and object ids that are equal to one, or to one of several.
final class IdentityTest: ColumnTest {
  private let members: ByteSet

  init(_ place: Place, _ members: [[UInt8]], hasNull: Bool, isNegated: Bool) {
    self.members = ByteSet(members)
    super.init(place, isNegated: isNegated, acceptsNull: hasNull != isNegated)
  }

  override func matches(
    _ values: Column, _ candidates: RowMask, count: Int, in space: NodeSpace
  ) -> RowMask {
    candidates.filter { members.contains(values.fixed($0)) }
  }

  override var matchesZero: Bool { members.containsZero }
}
