import CShims

/// CRC-32C: finds every error of up to three bits in a node, and all but one in four billion of the
/// others.
enum Checksum {
  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
    rb_crc32c(seed, bytes.baseAddress, bytes.count)
  }

  /// Of a whole node at its place in a file: everything but the field that holds it.
  ///
  /// The place and the file are part of it, so that a node that is whole and lies elsewhere than it
  /// should is found, too.
  static func ofNode(
    _ node: UnsafeRawPointer, bytes: Int, at ref: NodeRef, of file: FileNumber
  ) -> UInt32 {
    rb_crc32c_node(file.number, ref.raw, node, bytes)
  }
}

/// A checksum of all that a commit wrote, for a slot that is flushed together with it.
///
/// Of 64 bits, because it stands for a flush: a crash may leave any part of what was written, and
/// one that leaves the slot and not the rest must be told. That a torn commit passes for a whole
/// one is as likely as guessing 64 bits. It is computed differently from the nodes' checksums, so
/// that a torn commit which fools one does not fool the other.
struct RunsChecksum {
  private var even: UInt64 = 0
  private var odd: UInt64 = 0

  /// - Parameter bytes: a multiple of 16, as all that is written is.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    invariant(bytes.count % 16 == 0, "\(bytes.count) bytes are no nodes")
    var (even, odd) = (even, odd)
    // Two sums side by side: a multiplication takes longer than it keeps the next one waiting.
    for offset in stride(from: 0, to: bytes.count & ~15, by: 16) {
      even = RunsChecksum.next(even, base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      odd = RunsChecksum.next(odd, base.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    }
    (self.even, self.odd) = (even, odd)
  }

  var value: UInt64 { RunsChecksum.next(even, odd) }

  /// Nothing is lost on the way: two sums that differ stay different.
  @inline(__always)
  private static func next(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    return mixed ^ mixed >> 32
  }
}
