// Free objects are coded property by property, as the compiler synthesizes it.

extension Persisted: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try Value(from: decoder))
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// A copy of a wrapper does not know its object, so only the values of free ones can be had here.
  public func encode(to encoder: any Encoder) throws {
    if attributes & Self.managedBit != 0 {
      fatalError(
        "Only unmanaged Realm objects can be encoded using automatic Codable synthesis. You must "
          + "explicitly define encode(to:) on your model class to support managed Realm objects.")
    }
    try (value ?? Value._rlmDefaultValue()).encode(to: encoder)
  }
}

extension KeyedDecodingContainer {
  /// A property that may be nil may be missing, too.
  public func decode<Value: Decodable>(
    _: Persisted<Value?>.Type, forKey key: Key
  ) throws -> Persisted<Value?> {
    Persisted(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
  }
}
