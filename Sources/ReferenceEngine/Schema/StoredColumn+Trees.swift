// The trees that a table keeps for a column beside its cells.

extension StoredColumn {
  /// The numbers under which a table keeps what belongs to the column.
  var indexNumber: UInt32 { UInt32(number) << 1 }
  var backlinkNumber: UInt32 { UInt32(number) << 1 | 1 }
  /// Those of the backlinks that stand for more than one link.
  var repeatNumber: UInt32 { 1 << 31 | backlinkNumber }
  /// Whether a row can link to another one more than once by it. Mixed values can, too, but nobody
  /// asks how often.
  var mayRepeat: Bool { type == .object && (shape == .list || shape == .map) }

  /// By what the column's backlinks are found: the row's key, and where the column links to many
  /// tables its table's number above it. Who finds a row by that looks whether it is the one that
  /// is meant.
  func backlinkWord(_ target: RowLink) -> UInt64 {
    let key = UInt64(bitPattern: target.key)
    return type == .any ? key ^ UInt64(truncatingIfNeeded: target.table) << 40 : key
  }
  /// Whether the column says what the row's key says already.
  var isRowKey: Bool { isPrimaryKey && type == .int && !isOptional }
}
