import CShims

/// CRC-32C: finds every error of up to three bits in a node, and all but one in four billion of the others.
enum Checksum {
  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
    rb_crc32c(seed, bytes.baseAddress, bytes.count)
  }

  /// Of a whole node: everything but the field that holds it.
  static func ofNode(_ node: UnsafeRawPointer, bytes: Int) -> UInt32 {
    rb_crc32c(rb_crc32c(0, node, 4), node + 8, bytes - 8)
  }
}
