/// How long a value may be: Realm's limit for strings and data, refused where the value is set and
/// not where it would be committed.
///
/// Realm counts its own header into the 16 MB, and so refuses the last few bytes before them, too;
/// here everything below them is kept.
enum LongValues {
  static let limit = 1 << 24

  @inline(__always)
  static func verify(text bytes: Int) {
    if _slowPath(bytes >= limit) { refuse(.textTooLong, at: .writeProperty) }
  }

  @inline(__always)
  static func verify(data bytes: Int) {
    if _slowPath(bytes >= limit) { refuse(.dataTooLong, at: .writeProperty) }
  }
}

extension Violation {
  static let textTooLong = Violation("String too big")
  static let dataTooLong = Violation("Binary too big")
}

extension StoredValue {
  /// Stops whoever sets a value that no realm holds.
  @inline(__always)
  func verifyLength() {
    switch self {
    case .string(let text): LongValues.verify(text: text.utf8.count)
    case .data(let data): LongValues.verify(data: data.count)
    case .nested(let nested):
      nested.verifyLevels()
      LongValues.verify(data: nested.bytes.count)
    default: break
    }
  }
}
