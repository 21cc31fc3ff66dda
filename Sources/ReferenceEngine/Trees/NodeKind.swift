import CShims

/// What the payload of a node is, in the numbers of the file format (Layout.h).
@usableFromInline
enum NodeKind {
  /// The tables of a version and the schema they follow.
  @inlinable static var top: UInt8 { UInt8(rb_kind_top) }
  @inlinable static var table: UInt8 { UInt8(rb_kind_table) }
  /// An inner node of a row tree.
  @inlinable static var branch: UInt8 { UInt8(rb_kind_branch) }
  /// Up to 256 rows, as a reference for each column.
  @inlinable static var cluster: UInt8 { UInt8(rb_kind_cluster) }
  /// Whole numbers; also flags, dates, floating point numbers (by their bits) and links (by row
  /// key).
  @inlinable static var ints: UInt8 { UInt8(rb_kind_ints) }
  /// Strings and data.
  @inlinable static var bytes: UInt8 { UInt8(rb_kind_bytes) }
  /// Values of one size: object ids, UUIDs, decimals.
  @inlinable static var fixed: UInt8 { UInt8(rb_kind_fixed) }
  /// References: to the small tree of each row, or to the parts of one value.
  @inlinable static var refs: UInt8 { UInt8(rb_kind_refs) }
  /// One long string or data.
  @inlinable static var blob: UInt8 { UInt8(rb_kind_blob) }
  /// Sorted pairs: an index, or backlinks.
  @inlinable static var pairs: UInt8 { UInt8(rb_kind_pairs) }
  @inlinable static var pairBranch: UInt8 { UInt8(rb_kind_pair_branch) }
  /// An inner node of a list that has outgrown one column.
  @inlinable static var listBranch: UInt8 { UInt8(rb_kind_list_branch) }
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
