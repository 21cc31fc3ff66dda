/// The rows that link to a row through one property, found at one state of a session.
struct Linkers {
  let generation: UInt32
  /// The row that is linked to, and the links' column.
  let target: Int64
  let table: Int
  let column: Int
  /// Each as often as it links; ascending as unsigned numbers: those below zero come last.
  let keys: [Int64]
}

extension ManagedCollection {
  /// The rows of links backwards. A live session remembers the last ones it found, so that asking
  /// for one position after the other finds them once.
  func linkers() -> Linkers {
    verifyRead()
    guard let name = property.objectClassName, let origin = property.linkOriginPropertyName,
      let source = session.bound(named: name), let number = source.number,
      let column = source.column(named: origin)
    else { return Linkers(generation: 0, target: key, table: 0, column: 0, keys: []) }
    let generation = session.generation
    if !session.isFrozen, let known = session.lastLinkers, known.generation == generation,
      known.target == key, known.table == number, known.column == column.number
    {
      return known
    }
    let found = Linkers(
      generation: generation, target: key, table: number, column: column.number,
      keys: session.store.linkers(
        to: RowLink(table: table.number ?? -1, key: key), from: number, column))
    // A frozen session is read by many threads, and remembers nothing here.
    if !session.isFrozen { session.lastLinkers = found }
    return found
  }
}

extension Linkers {
  /// A position's row.
  func row(at position: Int) -> RowLink { RowLink(table: table, key: keys[position]) }

  var rows: [RowLink] { keys.map { RowLink(table: table, key: $0) } }

  /// The position of a row's key.
  func position(of key: Int64) -> Int? {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if UInt64(bitPattern: keys[middle]) < UInt64(bitPattern: key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < keys.count && keys[low] == key ? low : nil
  }
}
