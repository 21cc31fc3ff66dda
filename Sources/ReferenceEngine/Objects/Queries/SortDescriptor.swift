/// A property to sort by, and which way.
public struct SortDescriptor: Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The dotted path of the property.
  public let keyPath: String
  public let ascending: Bool

  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  public init<Root: ObjectBase, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool = true) {
    self.init(keyPath: propertyName(of: keyPath, in: Root.self), ascending: ascending)
  }

  public init(stringLiteral value: String) { self.init(keyPath: value) }

  /// The same property the other way round.
  public func reversed() -> SortDescriptor {
    SortDescriptor(keyPath: keyPath, ascending: !ascending)
  }

  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }
}
