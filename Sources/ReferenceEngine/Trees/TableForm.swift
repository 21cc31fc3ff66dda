import CShims

/// What a table's own node says of its columns and trees, and where (`rb_table`).
struct TableForm {
  private let node: UnsafeRawPointer

  init(_ node: UnsafeRawPointer) { self.node = node }

  /// The levels of the row tree.
  var height: Int { Int(node.load(fromByteOffset: rb_table_height, as: UInt32.self)) }
  var columns: Int { Int(node.load(fromByteOffset: rb_table_columns, as: UInt16.self)) }
  var trees: Int { Int(node.load(fromByteOffset: rb_table_trees, as: UInt16.self)) }

  private func spec(at column: Int) -> UnsafeRawPointer {
    node + rb_table_specs + column * rb_spec_bytes
  }

  /// How a column keeps its values; nil if that is nothing known.
  func type(_ column: Int) -> ColumnType? {
    ColumnType(rawValue: spec(at: column).load(as: UInt8.self))
  }

  func size(_ column: Int) -> UInt8 {
    spec(at: column).load(fromByteOffset: rb_spec_size, as: UInt8.self)
  }

  func spec(_ column: Int) -> ColumnSpec {
    let flags = spec(at: column).load(fromByteOffset: rb_spec_flags, as: UInt8.self)
    return ColumnSpec(
      type: type(column) ?? .int, isNullable: flags & 1 != 0, size: size(column),
      isRemoved: flags & 2 != 0)
  }

  /// Where what is said of a tree stands, behind the columns.
  func treeOffset(_ tree: Int) -> Int { TableForm.bytes(columns, tree) }

  /// The bytes of the node of a table of so many columns and trees.
  static func bytes(_ columns: Int, _ trees: Int) -> Int {
    rb_table_specs + (columns * rb_spec_bytes + 7) & ~7 + trees * rb_root_bytes
  }
}
