/// Orders rows by one 64-bit word each, stably.
///
/// Word and row number are packed into 64 bits and sorted by radix, which for a million rows costs
/// a few passes over 8 MB instead of twenty levels of comparisons. Where both do not fit, the word
/// loses its low bits, and the runs that then look alike are put right by comparison.
enum PackedSort {
  /// The row numbers in ascending order of their words; equal words keep the order of the rows.
  static func order(of words: UnsafeBufferPointer<UInt64>) -> [UInt32] {
    guard words.count > 1 else { return words.isEmpty ? [] : [0] }
    let rowBits = UInt64.bitWidth - UInt64(words.count - 1).leadingZeroBitCount
    let (least, range) = span(of: words)
    let wordBits = UInt64.bitWidth - range.leadingZeroBitCount
    let lost = max(0, wordBits + rowBits - UInt64.bitWidth)
    var packed = [UInt64](unsafeUninitializedCapacity: words.count) { buffer, count in
      for row in 0..<words.count {
        buffer[row] = (((words[row] &- least) &>> UInt64(lost)) &<< UInt64(rowBits)) | UInt64(row)
      }
      count = words.count
    }
    radixSort(&packed, from: rowBits, bits: wordBits - lost)
    let mask = (UInt64(1) << UInt64(rowBits)) - 1
    var rows = [UInt32](unsafeUninitializedCapacity: words.count) { buffer, count in
      for index in 0..<words.count {
        buffer[index] = UInt32(truncatingIfNeeded: packed[index] & mask)
      }
      count = words.count
    }
    if lost > 0 { settleRuns(&rows, packed, rowBits, words) }
    return rows
  }

  /// The places of numbers in ascending order; equal ones keep theirs.
  static func order(of numbers: [Int64]) -> [UInt32] {
    // The passes over few ones cost more than comparing them.
    if numbers.count < 256 {
      return (0..<UInt32(numbers.count)).sorted {
        (numbers[Int($0)], $0) < (numbers[Int($1)], $1)
      }
    }
    return numbers.map(word).withUnsafeBufferPointer(order)
  }

  /// The numbers themselves in ascending order.
  static func sorted(_ numbers: [Int64]) -> [Int64] {
    if zip(numbers, numbers.dropFirst()).allSatisfy(<=) { return numbers }
    if numbers.count < 256 { return numbers.sorted() }
    var words = numbers.map(word)
    let (least, range) = words.withUnsafeBufferPointer(span)
    for index in words.indices { words[index] &-= least }
    radixSort(&words, from: 0, bits: UInt64.bitWidth - range.leadingZeroBitCount)
    return words.map { integer($0 &+ least) }
  }

  private static func span(
    of words: UnsafeBufferPointer<UInt64>
  ) -> (least: UInt64, range: UInt64) {
    var (least, most) = (words[0], words[0])
    for word in words {
      least = min(least, word)
      most = max(most, word)
    }
    return (least, most - least)
  }

  /// Sorts by `bits` bits from bit `from` on: least digit first, so that each pass keeps what the
  /// last one did.
  private static func radixSort(_ values: inout [UInt64], from: Int, bits: Int) {
    guard bits > 0 else { return }
    let passes = (bits + 10) / 11
    let digit = (bits + passes - 1) / passes
    let buckets = 1 << digit
    let mask = UInt64(buckets - 1)
    var counts = [Int](repeating: 0, count: buckets * passes)
    counts.withUnsafeMutableBufferPointer { counts in
      for value in values {
        var rest = value &>> UInt64(from)
        for pass in 0..<passes {
          counts[pass &* buckets &+ Int(rest & mask)] &+= 1
          rest &>>= UInt64(digit)
        }
      }
    }
    var other = [UInt64](unsafeUninitializedCapacity: values.count) { _, count in
      count = values.count
    }
    for pass in 0..<passes {
      let isMoved = values.withUnsafeBufferPointer { source in
        other.withUnsafeMutableBufferPointer { target in
          counts.withUnsafeMutableBufferPointer { counts in
            scatter(
              source, into: target, shift: UInt64(from + pass * digit), mask: mask,
              counts: UnsafeMutableBufferPointer(
                rebasing: counts[pass * buckets..<(pass + 1) * buckets]))
          }
        }
      }
      if isMoved { swap(&values, &other) }
    }
  }

  /// One pass; false, with nothing done, if all values have the same digit.
  private static func scatter(
    _ source: UnsafeBufferPointer<UInt64>, into target: UnsafeMutableBufferPointer<UInt64>,
    shift: UInt64, mask: UInt64, counts: UnsafeMutableBufferPointer<Int>
  ) -> Bool {
    var place = 0
    for bucket in 0..<counts.count {
      let count = counts[bucket]
      if count == source.count { return false }
      counts[bucket] = place
      place &+= count
    }
    for value in source {
      let bucket = Int((value &>> shift) & mask)
      target[counts[bucket]] = value
      counts[bucket] &+= 1
    }
    return true
  }

  /// Puts the runs right that differ in bits which were lost alone.
  private static func settleRuns(
    _ rows: inout [UInt32], _ packed: [UInt64], _ rowBits: Int,
    _ words: UnsafeBufferPointer<UInt64>
  ) {
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count,
        packed[end] &>> UInt64(rowBits) == packed[start] &>> UInt64(rowBits)
      {
        end += 1
      }
      if end - start > 1 {
        let isBefore: (UInt32, UInt32) -> Bool = { left, right in
          let (a, b) = (words[Int(left)], words[Int(right)])
          return a == b ? left < right : a < b
        }
        // Runs of what is really equal are in order already, and often long.
        let isSorted = (start + 1..<end).allSatisfy { !isBefore(rows[$0], rows[$0 - 1]) }
        if !isSorted { rows[start..<end].sort(by: isBefore) }
      }
      start = end
    }
  }

  // MARK: Words

  // Each turns a value into a word that sorts as the value does.

  @inline(__always)
  static func word(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ (1 << 63) }

  /// The number of a word that was made of one.
  @inline(__always)
  static func integer(_ word: UInt64) -> Int64 { Int64(bitPattern: word ^ (1 << 63)) }

  /// NaN sorts before all numbers, and both zeros are the same.
  @inline(__always)
  static func word(_ value: Double) -> UInt64 {
    if value.isNaN { return 0 }
    let bits = (value + 0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | (1 << 63)
  }

  /// The first eight bytes; strings whose words are equal must still be compared.
  @inline(__always)
  static func word(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var word: UInt64 = 0
    if bytes.count >= 8 {
      word = bytes.loadUnaligned(as: UInt64.self)
    } else {
      withUnsafeMutableBytes(of: &word) { $0.copyMemory(from: bytes) }
    }
    return word.bigEndian
  }
}

/// Keeps the first few rows of an order while all rows pass by.
struct FirstRows {
  let limit: Int
  /// Rows whose word is not below this cannot be among the first.
  private(set) var threshold = UInt64.max
  private var found: [(word: UInt64, row: UInt32)] = []

  init(_ limit: Int) {
    self.limit = limit
    found.reserveCapacity(2 * limit)
  }

  @inline(__always)
  mutating func offer(_ word: UInt64, _ row: UInt32) {
    guard word < threshold || found.count < limit else { return }
    found.append((word, row))
    if found.count == 2 * limit { trim() }
  }

  private mutating func trim() {
    found.sort { ($0.word, $0.row) < ($1.word, $1.row) }
    if found.count > limit { found.removeLast(found.count - limit) }
    if found.count == limit { threshold = found.last!.word }
  }

  /// The rows, in order.
  mutating func rows() -> [UInt32] {
    trim()
    return found.map(\.row)
  }
}
