/// A cluster's reference to a column, with the form of the column in the low four bits.
///
///     bits 0…2   the code of the column's width (see Column); 0 for values of one size
///     bit 3      a bitmap of nulls stands first
///
/// Nodes are aligned to 16 bytes, so a reference has four bits to spare. With the form here, and not only in the column's
/// header, a reader goes straight to the value: for one that lies in another line of the cache than the header, that is one
/// miss instead of two. A pending column never changes its form.
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
    let code = kind == NodeKind.fixed ? 0 : UInt64(width & 7)
    word = ref.isNone ? 0 : ref.raw | code | UInt64(width & 0x80) >> 4
  }

  @inlinable @inline(__always)
  var isNone: Bool { word == 0 }
  @inlinable @inline(__always)
  var isPending: Bool { word >= NodeRef.reservation }
  @inlinable @inline(__always)
  var hasNulls: Bool { word & 8 != 0 }
  @inlinable @inline(__always)
  var ref: NodeRef { NodeRef(raw: word & ~15) }

  @inlinable @inline(__always)
  func node(_ base: UnsafeRawPointer) -> UnsafeRawPointer {
    UnsafeRawPointer(
      bitPattern: UInt(bitPattern: base) &+ UInt(truncatingIfNeeded: word & ~15)
    ).unsafelyUnwrapped
  }

  @inlinable @inline(__always)
  func values(_ base: UnsafeRawPointer) -> UnsafeRawPointer {
    node(base) + (16 &+ Int(truncatingIfNeeded: word & 8) &<< 2)
  }

  @inlinable @inline(__always)
  func isNull(_ index: Int, in base: UnsafeRawPointer) -> Bool {
    word & 8 != 0
      && node(base).load(fromByteOffset: 16 &+ index &>> 3, as: UInt8.self) &>> (index & 7) & 1 != 0
  }

  @inlinable @inline(__always)
  func int(_ index: Int, in base: UnsafeRawPointer) -> Int64 {
    let values = self.values(base)
    switch word & 7 {
    case 4: return Int64(values.load(fromByteOffset: index, as: Int8.self))
    case 5: return Int64(values.load(fromByteOffset: index &<< 1, as: Int16.self))
    case 6: return Int64(values.load(fromByteOffset: index &<< 2, as: Int32.self))
    case 7: return values.load(fromByteOffset: index &<< 3, as: Int64.self)
    case 0: return 0
    case 1:
      return Int64(values.load(fromByteOffset: index &>> 3, as: UInt8.self) &>> (index & 7) & 1)
    case 2:
      return Int64(
        values.load(fromByteOffset: index &>> 2, as: UInt8.self) &>> ((index & 3) &<< 1) & 3)
    default:
      return Int64(
        values.load(fromByteOffset: index &>> 1, as: UInt8.self) &>> ((index & 1) &<< 2) & 15)
    }
  }

  /// - Parameter count: the rows of the cluster, which are the values of a settled column.
  @inlinable @inline(__always)
  func bytes(_ index: Int, count: Int, in base: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    if _fastPath(word & 7 == 5) {
      let values = self.values(base)
      let end = Int(values.load(fromByteOffset: index &<< 1, as: UInt16.self))
      let start =
        index == 0 ? 0 : Int(values.load(fromByteOffset: (index &- 1) &<< 1, as: UInt16.self))
      return UnsafeRawBufferPointer(start: values + (count &<< 1 &+ start), count: end &- start)
    }
    return Column(node(base)).bytes(index, in: NodeSpace(base: base))
  }
}
