/// Bitmaps of 256 nulls that shift with the values they belong to. What is behind the last value is
/// null.
enum NullBits {
  /// Moves the bits from an index on up by one; the bit at the index is set.
  static func insert(_ bits: UnsafeMutableRawPointer, at index: Int) {
    let words = bits.assumingMemoryBound(to: UInt64.self)
    let first = index >> 6
    for word in stride(from: 3, to: first, by: -1) {
      words[word] = words[word] << 1 | words[word - 1] >> 63
    }
    let bit = UInt64(1) << UInt64(index & 63)
    let below = bit - 1
    words[first] = words[first] & below | bit | (words[first] & ~below) << 1
  }

  /// Moves the bits above an index down by one; the last bit is set.
  static func remove(_ bits: UnsafeMutableRawPointer, at index: Int) {
    let words = bits.assumingMemoryBound(to: UInt64.self)
    let first = index >> 6
    let below = UInt64(1) << UInt64(index & 63) - 1
    words[first] = words[first] & below | (words[first] >> 1) & ~below
    for word in first..<3 {
      words[word] = words[word] & ~(1 << 63) | words[word + 1] << 63
      words[word + 1] >>= 1
    }
    words[3] |= 1 << 63
  }

  /// Moves the bits at some places, ascending, to the first ones; what stands behind them is not
  /// theirs then.
  static func keep(_ places: [UInt8], of bits: UnsafeMutableRawPointer) {
    let words = bits.assumingMemoryBound(to: UInt64.self)
    var kept: UInt64 = 0
    for (index, place) in places.enumerated() {
      kept |= (words[Int(place) >> 6] >> UInt64(place & 63) & 1) << UInt64(index & 63)
      // A word's own bits have been read by then, as none moves up.
      if index & 63 == 63 { (words[index >> 6], kept) = (kept, 0) }
    }
    if places.count & 63 != 0 { words[places.count >> 6] = kept }
  }

  /// Sets the bits from an index on.
  static func fill(_ bits: UnsafeMutableRawPointer, from index: Int) {
    let words = bits.assumingMemoryBound(to: UInt64.self)
    if index >= 256 { return }
    words[index >> 6] |= ~(UInt64(1) << UInt64(index & 63) - 1)
    for word in (index >> 6 + 1)..<4 { words[word] = .max }
  }
}
