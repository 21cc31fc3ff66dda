/// Compares collections of mixed values.
///
/// Free ones hold each other as deep as anybody likes, and may hold themselves. So nothing here
/// calls itself: what is inside waits in a list. And two that are being compared already are taken
/// to be the same: if they are not, it is found where that began.
private struct MixedComparison {
  private struct Pair: Hashable {
    let one: ObjectIdentifier
    let other: ObjectIdentifier
  }

  private var due: [(one: AnyRealmValue, other: AnyRealmValue)] = []
  private var known: Set<Pair> = []

  static func areSame(_ one: AnyRealmValue, _ other: AnyRealmValue) -> Bool {
    var comparison = MixedComparison()
    comparison.due = [(one, other)]
    while let (one, other) = comparison.due.popLast() {
      if !comparison.look(at: one, other) { return false }
    }
    return true
  }

  private mutating func look(at one: AnyRealmValue, _ other: AnyRealmValue) -> Bool {
    switch (one, other) {
    case (.list(let one), .list(let other)):
      if let isSame = isDecided(one, other) { return isSame }
      guard one.elements.count == other.elements.count else { return false }
      return zip(one.elements, other.elements).allSatisfy { agree($0, $1) }
    case (.dictionary(let one), .dictionary(let other)):
      if let isSame = isDecided(one, other) { return isSame }
      guard one.elements.count == other.elements.count else { return false }
      return one.elements.allSatisfy { key, value in
        other.elements[key].map { agree(value, $0) } ?? false
      }
    default: return false
    }
  }

  /// Whether two collections are the same; nil if that depends on what free ones hold.
  private mutating func isDecided<Collection: CollectionOwner>(
    _ one: Collection, _ other: Collection
  ) -> Bool? {
    if one === other { return true }
    if let place = one.managed, let otherPlace = other.managed {
      return place.isSame(as: otherPlace)
    }
    if one.managed != nil || other.managed != nil { return false }
    let pair = Pair(one: ObjectIdentifier(one), other: ObjectIdentifier(other))
    return known.insert(pair).inserted ? nil : true
  }

  /// Whether two members may be the same; of collections that is found out later.
  private mutating func agree(_ one: AnyRealmValue, _ other: AnyRealmValue) -> Bool {
    guard one.isCollection, other.isCollection else { return one == other }
    due.append((one, other))
    return true
  }
}

extension AnyRealmValue {
  public static func == (left: AnyRealmValue, right: AnyRealmValue) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (.int(let one), .int(let other)): one == other
    case (.bool(let one), .bool(let other)): one == other
    case (.float(let one), .float(let other)): one == other
    case (.double(let one), .double(let other)): one == other
    case (.string(let one), .string(let other)): one == other
    case (.data(let one), .data(let other)): one == other
    case (.date(let one), .date(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    case (.objectId(let one), .objectId(let other)): one == other
    case (.decimal128(let one), .decimal128(let other)): one == other
    case (.uuid(let one), .uuid(let other)): one == other
    case (.list, .list), (.dictionary, .dictionary): MixedComparison.areSame(left, right)
    default: false
    }
  }

  /// Whether a free set takes both for one member: as the file tells texts and dates apart, as `==`
  /// does, and numbers of equal value whatever their types. A decimal is another value than those
  /// until a realm has the set.
  func isSameMember(as other: AnyRealmValue) -> Bool {
    switch (self, other) {
    case (.string(let one), .string(let two)):
      return SetMember(.string(one)) == SetMember(.string(two))
    case (.date(let one), .date(let two)): return SetMember(.date(one)) == SetMember(.date(two))
    default:
      guard let one = binaryNumber, let two = other.binaryNumber else { return self == other }
      return one.isSameBinaryNumber(as: two)
    }
  }

  private var binaryNumber: StoredValue? {
    switch self {
    case .int(let value): .int(Int64(value))
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    default: nil
    }
  }

  fileprivate var isCollection: Bool {
    switch self {
    case .list, .dictionary: true
    default: false
    }
  }
}
