import Foundation

// The rows by the values that they have: what a column keeps of them beside its cells.

extension Store {
  /// The row whose value equals one; of several the one with the least key.
  func firstKey(of number: Int, where column: StoredColumn, equals value: StoredValue) -> Int64? {
    var found: Int64?
    forEachKey(of: number, where: column, equals: value) {
      found = $0
      return false
    }
    return found
  }

  /// The row whose indexed, required text equals one.
  func row(
    of number: Int, whereText column: Int, equals text: String
  ) -> (key: Int64, place: RowPlace)? {
    // Read where it lies: a copy would be counted.
    let found = text.utf8.withContiguousStorageIfAvailable {
      row(of: number, whereText: column, equals: UnsafeRawBufferPointer($0))
    }
    if let found { return found }
    var text = text
    return text.withUTF8 {
      row(of: number, whereText: column, equals: UnsafeRawBufferPointer($0))
    }
  }

  // What is captured below are plain values: nothing is counted on the way.
  @inline(__always)
  private func row(
    of number: Int, whereText column: Int, equals wanted: UnsafeRawBufferPointer
  ) -> (key: Int64, place: RowPlace)? {
    // The rows first: those that are leaving leave the index with them.
    guard let rows = rows(of: number), let root = root(UInt32(column) << 1, of: number) else {
      return nil
    }
    let space = space
    let posts = signposts(toRowsOf: number, rows)
    let lengths = textLengths(of: number, rows)
    let length = column < 5 ? lengths &>> UInt64(column &* 12) & 0xFFF : 0
    var found: (Int64, RowPlace)?
    PairTree(space: space, root: root).forEach(
      first: StoredValue.hash(wanted), by: signposts(toKeysOf: number, column, rows)
    ) { second in
      let key = Int64(bitPattern: second)
      guard let place = rows.find(key, by: posts, text: (column, length)) else { return true }
      if rows.isLarge { rows.prefetchValues(of: place, textLengths: lengths) }
      // Different texts may share a hash.
      guard place.bytes(column, in: space).isEqual(to: wanted) else { return true }
      found = (key, place)
      return false
    }
    return found
  }

  /// Calls the body with the rows whose indexed value equals one, until it returns false.
  func forEachKey(
    of number: Int, where column: StoredColumn, equals value: StoredValue,
    _ body: (Int64) -> Bool
  ) {
    // The rows first: those that are leaving leave the index with them.
    guard let rows = rows(of: number), let root = root(column.indexNumber, of: number) else {
      return
    }
    PairTree(space: space, root: root).forEach(first: value.indexWord) { second in
      let key = Int64(bitPattern: second)
      // Different values may share a word.
      guard let place = rows.find(key), column.value(place, space) == value else { return true }
      return body(key)
    }
  }

  func setIndexed(_ isIndexed: Bool, _ column: StoredColumn, of number: Int) {
    guard let table = writer(number), let trees else { return }
    if let old = table.trees.removeValue(forKey: column.indexNumber) {
      discardTree(old, arena: trees.arena)
    }
    // An integer primary key is the row key, and needs no index.
    guard isIndexed, !column.isRowKey else { return }
    for key in allKeys(of: number) {
      guard let place = locate(key, of: number) else { continue }
      addIndex(column, of: number, column.value(place, space), key)
    }
  }

  func addIndex(
    _ column: StoredColumn, of number: Int, _ value: StoredValue, _ key: Int64
  ) {
    if column.isRowKey { return }
    changePairs(column.indexNumber, of: number) {
      $0.insert(Pair(first: value.indexWord, second: UInt64(bitPattern: key)))
    }
  }

  func removeIndex(
    _ column: StoredColumn, of number: Int, _ place: RowPlace, _ key: Int64
  ) {
    if column.isRowKey { return }
    let word = column.indexWord(at: place, space)
    changePairs(column.indexNumber, of: number) {
      $0.remove(Pair(first: word, second: UInt64(bitPattern: key)))
    }
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let one = baseAddress, let two = other.baseAddress, count > 0 else { return true }
    // Of most keys two words are all.
    if _fastPath(count >= 8 && count <= 16) {
      let last = count &- 8
      let first = one.loadUnaligned(as: UInt64.self) ^ two.loadUnaligned(as: UInt64.self)
      let second =
        one.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        ^ two.loadUnaligned(fromByteOffset: last, as: UInt64.self)
      return first | second == 0
    }
    return memcmp(one, two, count) == 0
  }
}
