// The rows by what they link to.

extension Store {
  /// The rows of a table whose column links to a row, ascending.
  func backlinks(to target: RowLink, from number: Int, _ column: StoredColumn) -> [Int64] {
    guard let root = root(column.backlinkNumber, of: number) else { return [] }
    var keys: [Int64] = []
    PairTree(space: space, root: root).forEach(first: column.backlinkWord(target)) {
      keys.append(Int64(bitPattern: $0))
      return true
    }
    return keys
  }

  /// The same, each as often as it links.
  func linkers(to target: RowLink, from number: Int, _ column: StoredColumn) -> [Int64] {
    let keys = backlinks(to: target, from: number, column)
    guard column.mayRepeat, let root = repeatRoot(column, of: number) else { return keys }
    let repeats = PairTree(space: space, root: root)
    let link = column.cell(.link(target))
    return keys.flatMap { key in
      let pair = Pair(first: column.backlinkWord(target), second: UInt64(bitPattern: key))
      guard repeats.contains(pair) else { return [key] }
      return [Int64](
        repeating: key, count: elements(key, column, of: number).positions(of: link).count)
    }
  }

  func addBacklink(
    _ column: StoredColumn, of number: Int, from source: Int64, to target: RowLink
  ) {
    let pair = Pair(first: column.backlinkWord(target), second: UInt64(bitPattern: source))
    var isNew = true
    changePairs(column.backlinkNumber, of: number) { isNew = $0.insert(pair) }
    if !isNew, column.mayRepeat { changePairs(column.repeatNumber, of: number) { $0.insert(pair) } }
  }

  func removeBacklink(
    _ column: StoredColumn, of number: Int, from source: Int64, to target: RowLink
  ) {
    changePairs(column.backlinkNumber, of: number) {
      $0.remove(Pair(first: column.backlinkWord(target), second: UInt64(bitPattern: source)))
    }
    setRepeated(false, column, of: number, from: source, to: target)
  }

  /// Notes whether a row's list or map links to a row more than once.
  func setRepeated(
    _ isRepeated: Bool, _ column: StoredColumn, of number: Int, from source: Int64,
    to target: RowLink
  ) {
    guard column.mayRepeat, isRepeated || writer(number)?.trees[column.repeatNumber] != nil else {
      return
    }
    let pair = Pair(first: column.backlinkWord(target), second: UInt64(bitPattern: source))
    changePairs(column.repeatNumber, of: number) {
      _ = isRepeated ? $0.insert(pair) : $0.remove(pair)
    }
  }

  /// Apart from the tree that was asked last, which is another one.
  private func repeatRoot(_ column: StoredColumn, of number: Int) -> NodeRef? {
    if trees != nil { return writer(number)?.trees[column.repeatNumber] }
    return table(number)?.trees[column.repeatNumber]
  }

  /// The columns whose values may link to rows of any table.
  func mixedColumns(in schema: StoredSchema) -> [(Int, StoredColumn)] {
    schema.tables.enumerated().flatMap { source, table in
      table.isDropped
        ? [] : table.columns.filter { !$0.isDropped && $0.type == .any }.map { (source, $0) }
    }
  }

  /// The columns that may link to rows of a table.
  func linkingColumns(to number: Int, in schema: StoredSchema) -> [(Int, StoredColumn)] {
    let name = schema.tables[number].name
    return schema.tables.enumerated().flatMap { source, table in
      table.isDropped
        ? []
        : table.columns.filter { !$0.isDropped && $0.type == .object && $0.target == name }
          .map { (source, $0) }
    }
  }
}
