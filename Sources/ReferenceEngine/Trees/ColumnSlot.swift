import CShims

/// A cluster's reference to a column, with the form of the column in the low four bits.
///
///     bits 0…2   the code of the column's width (see Column); 0 for values of one size
///     bit 3      a bitmap of nulls stands first
///
/// Nodes are aligned to 16 bytes, so a reference has four bits to spare. With the form here, and
/// not only in the column's header, a reader goes straight to the value: for one that lies in
/// another line of the cache than the header, that is one miss instead of two. A pending column
/// never changes its form.
@frozen @usableFromInline
struct ColumnSlot: Hashable, Sendable {
  @usableFromInline let word: UInt64

  @inlinable @inline(__always)
  init(word: UInt64) { self.word = word }

  /// The slot of a column, from the column's header.
  init(_ ref: NodeRef, in space: NodeSpace) {
    self.init(ref, space.header(ref))
  }

  init(_ ref: NodeRef, _ header: NodeHeader) {
    self.init(ref, kind: header.kind, width: header.width)
  }

  @inline(__always)
  init(_ ref: NodeRef, kind: UInt8, width: UInt8) {
    let code = kind == NodeKind.fixed ? 0 : UInt64(width) & UInt64(rb_slot_code)
    let nulls = width & Column.nullFlag == 0 ? 0 : UInt64(rb_slot_nulls)
    word = ref.isNone ? 0 : ref.raw | code | nulls
  }

  @inlinable @inline(__always)
  var isNone: Bool { word == 0 }
  @inlinable @inline(__always)
  var isPending: Bool { word >= NodeRef.reservation }
  /// What the width of the column's values is called; see Column.
  @inlinable @inline(__always)
  var code: Int { Int(truncatingIfNeeded: word) & rb_slot_code }
  @inlinable @inline(__always)
  var hasNulls: Bool { word & UInt64(rb_slot_nulls) != 0 }
  @inlinable @inline(__always)
  var ref: NodeRef { NodeRef(raw: word & ~UInt64(rb_slot_form)) }

  @inlinable @inline(__always)
  func node(_ base: UnsafeRawPointer) -> UnsafeRawPointer {
    UnsafeRawPointer(
      bitPattern: UInt(bitPattern: base) &+ UInt(truncatingIfNeeded: ref.raw)
    ).unsafelyUnwrapped
  }

  @inlinable @inline(__always)
  func values(_ base: UnsafeRawPointer) -> UnsafeRawPointer {
    rb_slot_values(word, base).unsafelyUnwrapped
  }

  /// Whether a value is null; all of a missing column are.
  @inlinable @inline(__always)
  func isNull(_ index: Int, in base: UnsafeRawPointer) -> Bool {
    rb_slot_is_null(word, base, index)
  }

  @inlinable @inline(__always)
  func int(_ index: Int, in base: UnsafeRawPointer) -> Int64 { rb_slot_int(word, base, index) }

  /// - Parameter count: the rows of the cluster, which are the values of a settled column.
  @inlinable @inline(__always)
  func bytes(_ index: Int, count: Int, in base: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    if _fastPath(code == 5) {
      let bytes = rb_slot_bytes(word, base, count, index)
      return UnsafeRawBufferPointer(start: bytes.start, count: bytes.count)
    }
    return Column(node(base)).bytes(index, in: NodeSpace(base: base))
  }
}
