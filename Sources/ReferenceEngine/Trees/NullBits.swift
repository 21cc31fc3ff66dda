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
  static func keep(_ places: PlaceRuns, of bits: UnsafeMutableRawPointer) {
    let words = bits.assumingMemoryBound(to: UInt64.self)
    var kept: UInt64 = 0
    var index = 0
    for run in places.runs {
      var place = run.lowerBound
      while place < run.upperBound {
        // As many as lie in one word, and come to lie in one.
        let width = min(run.upperBound - place, 64 - place & 63, 64 - index & 63)
        let mask = UInt64.max >> UInt64(64 - width)
        kept |= (words[place >> 6] >> UInt64(place & 63) & mask) << UInt64(index & 63)
        place += width
        index += width
        // A word's own bits have been read by then, as none moves up.
        if index & 63 == 0 { (words[index >> 6 - 1], kept) = (kept, 0) }
      }
    }
    if index & 63 != 0 { words[index >> 6] = kept }
  }

  /// Sets the bits from an index on.
  static func fill(_ bits: UnsafeMutableRawPointer, from index: Int) {
    let words = bits.assumingMemoryBound(to: UInt64.self)
    if index >= 256 { return }
    words[index >> 6] |= ~(UInt64(1) << UInt64(index & 63) - 1)
    for word in (index >> 6 + 1)..<4 { words[word] = .max }
  }
}
