/// What the payload of a node is. The numbers are the file format's: none is used twice, none is
/// taken back.
@usableFromInline
enum NodeKind {
  /// The tables of a version and the schema they follow.
  @usableFromInline static let top: UInt8 = 1
  @usableFromInline static let table: UInt8 = 2
  /// An inner node of a row tree.
  @usableFromInline static let branch: UInt8 = 3
  /// Up to 256 rows, as a reference for each column.
  @usableFromInline static let cluster: UInt8 = 4
  /// Whole numbers; also flags, dates, floating point numbers (by their bits) and links (by row
  /// key).
  @usableFromInline static let ints: UInt8 = 5
  /// Strings and data.
  @usableFromInline static let bytes: UInt8 = 6
  /// Values of one size: object ids, UUIDs, decimals.
  @usableFromInline static let fixed: UInt8 = 7
  /// References: to the small tree of each row, or to the parts of one value.
  @usableFromInline static let refs: UInt8 = 8
  /// One long string or data.
  @usableFromInline static let blob: UInt8 = 9
  /// Sorted pairs: an index, or backlinks.
  @usableFromInline static let pairs: UInt8 = 10
  @usableFromInline static let pairBranch: UInt8 = 11
  /// An inner node of a list that has outgrown one column.
  @usableFromInline static let listBranch: UInt8 = 12
}

/// How a column keeps its values.
enum ColumnType: UInt8, Sendable {
  case int = 1
  case bytes = 2
  case fixed = 3
  case refs = 4
}

/// The physical side of a property: how its column keeps values.
struct ColumnSpec: Hashable, Sendable {
  var type: ColumnType
  var isNullable: Bool
  /// Bytes of a value of a fixed column; 0 otherwise.
  var size: UInt8 = 0
  /// A removed column keeps its place, so that the places of others stay.
  var isRemoved = false

  static let int = ColumnSpec(type: .int, isNullable: false)
  static let bytes = ColumnSpec(type: .bytes, isNullable: false)
  static let refs = ColumnSpec(type: .refs, isNullable: false)
  static func fixed(_ size: UInt8) -> ColumnSpec {
    ColumnSpec(type: .fixed, isNullable: false, size: size)
  }

  var nullable: ColumnSpec {
    var spec = self
    spec.isNullable = true
    return spec
  }
}

/// A value on its way into or out of a column of any type.
enum Cell: Hashable, Sendable {
  case null
  case int(Int64)
  case bytes([UInt8])
  case fixed([UInt8])
  case ref(NodeRef)
}
