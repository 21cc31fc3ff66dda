import CShims

/// One column of many pending clusters, whose rows are taken in any order to make columns of new
/// clusters.
///
/// A row's number is its place in its cluster and, from bit 8 on, its cluster's in the list. Each
/// row lies in another line of memory, but none has to be known before the next is asked for, so
/// that the processor waits for many at once.
struct ScatteredColumn {
  let writer: ColumnWriter
  /// Where each cluster's values begin; nil where it has no such column.
  private let values: [UnsafeRawPointer?]
  /// Where what the cells of bytes point into begins.
  private let heaps: [UnsafeRawPointer?]

  /// Nil if no cluster has the column.
  init?(_ column: Int, of clusters: [Cluster], _ writer: ColumnWriter) {
    let base = writer.space.base
    let values = clusters.map { cluster in
      cluster.slot(column).isNone ? nil : Optional(cluster.slot(column).values(base))
    }
    if values.allSatisfy({ $0 == nil }) { return nil }
    self.values = values
    self.writer = writer
    heaps =
      writer.spec.type != .bytes
      ? [] : values.map { $0.map { $0 + (rb_cells_first + Int($0.load(as: UInt32.self)) << 3) } }
  }

  typealias Rows = UnsafeBufferPointer<UInt32>

  /// A column of up to 256 rows, with room for as many.
  func gathered(_ rows: Rows) -> NodeRef {
    let ref =
      switch writer.spec.type {
      case .int, .refs: words(rows)
      case .bytes: bytes(rows)
      case .fixed: fixed(rows)
      }
    if writer.spec.isNullable { takeNulls(rows, to: writer.space.pendingPayload(ref)) }
    return ref
  }

  private func words(_ rows: Rows) -> NodeRef {
    let ref = writer.make(count: rows.count, room: Column.most)
    let target = writer.values(ref)
    values.withUnsafeBufferPointer { values in
      for index in 0..<rows.count {
        let number = Int(rows[index])
        guard let source = values[number &>> 8] else { continue }
        target.storeBytes(
          of: source.load(fromByteOffset: (number & 255) &<< 3, as: UInt64.self),
          toByteOffset: index &<< 3, as: UInt64.self)
      }
    }
    return ref
  }

  private func fixed(_ rows: Rows) -> NodeRef {
    let ref = writer.make(count: rows.count, room: Column.most)
    let (target, size) = (writer.values(ref), writer.cellBytes)
    for index in 0..<rows.count {
      let number = Int(rows[index])
      guard let source = values[number >> 8] else { continue }
      (target + index * size).copyMemory(from: source + (number & 255) * size, byteCount: size)
    }
    return ref
  }

  /// A short value, or the reference to a long one.
  private struct Piece {
    let start: UnsafeRawPointer
    let count: Int
    /// As its cell has it.
    let length: UInt64
  }

  private func bytes(_ rows: Rows) -> NodeRef {
    withUnsafeTemporaryAllocation(of: Piece.self, capacity: rows.count) { pieces in
      let total = findPieces(rows, pieces)
      // Values are copied 16 bytes at a time, so the last one may write as many more.
      let ref = writer.make(count: rows.count, room: Column.most, heap: total + 16)
      let values = writer.values(ref)
      let heap = values + (rb_cells_first + Column.most << 3)
      var used = 0
      for index in 0..<rows.count {
        let piece = pieces[index]
        values.storeBytes(
          of: UInt64(truncatingIfNeeded: used) | piece.length &<< 32,
          toByteOffset: rb_cells_first &+ index &<< 3, as: UInt64.self)
        var done = 0
        while done < piece.count {
          (heap + (used &+ done)).storeBytes(
            of: (piece.start + done).loadUnaligned(as: SIMD2<UInt64>.self),
            as: SIMD2<UInt64>.self)
          done &+= 16
        }
        used &+= piece.count
      }
      values.storeBytes(
        of: UInt32(truncatingIfNeeded: used), toByteOffset: rb_cells_used, as: UInt32.self)
      return ref
    }
  }

  /// Looks up where the rows' bytes lie, and lets them come; returns how many there are.
  private func findPieces(_ rows: Rows, _ pieces: UnsafeMutableBufferPointer<Piece>) -> Int {
    var total = 0
    for index in 0..<rows.count {
      let number = Int(rows[index])
      guard let source = values[number &>> 8], let heap = heaps[number &>> 8] else {
        pieces.initializeElement(
          at: index, to: Piece(start: writer.space.base, count: 0, length: 0))
        continue
      }
      let cell = source.load(
        fromByteOffset: rb_cells_first &+ (number & 255) &<< 3, as: UInt64.self)
      let length = cell &>> 32
      let count =
        length & UInt64(Column.longFlag) != 0
        ? rb_long_value_bytes : Int(truncatingIfNeeded: length)
      let start = heap + Int(truncatingIfNeeded: cell & 0xFFFF_FFFF)
      rb_prefetch(start)
      pieces.initializeElement(at: index, to: Piece(start: start, count: count, length: length))
      total &+= count
    }
    return total
  }

  /// The rows' bits: the bitmap of nulls stands in front of the values.
  private func takeNulls(_ rows: Rows, to bits: UnsafeMutableRawPointer) {
    for start in stride(from: 0, to: rows.count, by: 64) {
      var word = UInt64.max
      for index in start..<min(start &+ 64, rows.count) {
        let number = Int(rows[index])
        guard let source = values[number &>> 8] else { continue }
        let byte = (source - Column.bitmapBytes)
          .load(fromByteOffset: (number & 255) &>> 3, as: UInt8.self)
        let isPresent = UInt64(~(byte &>> UInt8(truncatingIfNeeded: number & 7)) & 1)
        word &-= isPresent &<< UInt64(index &- start)
      }
      bits.storeBytes(of: word, toByteOffset: start &>> 3, as: UInt64.self)
    }
  }
}
