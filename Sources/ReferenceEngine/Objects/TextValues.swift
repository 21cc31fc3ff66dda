// Values that are written as text: what is no such value is told in Realm's error.

extension Decimal128 {
  /// A number written in decimal digits, with a point and an exponent if need be.
  public init(string: String) throws {
    guard let parsed = Decimal128(parsing: string) else {
      throw Realm.Error(.invalidInput, "'\(string)' is not a valid Decimal128 string")
    }
    self = parsed
  }
}

extension ObjectId {
  /// The id written as 24 hexadecimal digits; throws for anything else.
  public convenience init(string: String) throws {
    let digits = Array(string.utf8)
    guard let (high, low) = ObjectId.parse(digits) else {
      throw Realm.Error(
        .invalidInput,
        "Invalid Object ID string '\(string)': must be 24 hex digits")
    }
    self.init(high: high, low: low)
  }
}
