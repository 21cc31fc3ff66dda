// Collections of a row. A list or a set is a tree of values, a set's in ascending order; a map is a
// tree of two references, to its keys in ascending order and to its values.

extension Store {
  private static let references = ColumnSpec.refs

  /// The tree that a row's column refers to.
  private func root(_ key: Int64, _ column: StoredColumn, of number: Int) -> NodeRef {
    locate(key, of: number)?.ref(column.number, in: space) ?? .none
  }

  /// The values of a list or a set, or of a map.
  func elements(_ key: Int64, _ column: StoredColumn, of number: Int) -> ListTree {
    let root = root(key, column, of: number)
    if column.shape != .map { return ListTree(space: space, root: root, element: column.element) }
    return ListTree(space: space, root: part(1, of: root), element: column.element)
  }

  /// The keys of a map.
  func keys(_ key: Int64, _ column: StoredColumn, of number: Int) -> ListTree {
    ListTree(
      space: space, root: part(0, of: root(key, column, of: number)), element: .bytes)
  }

  private func part(_ index: Int, of root: NodeRef) -> NodeRef {
    if root.isNone { return .none }
    let (column, place) = ListTree(space: space, root: root, element: Store.references)
      .place(at: index)
    return column.ref(place, in: space)
  }

  /// Changes a list or a set.
  ///
  /// - Parameter isInPlace: Whether elements are only replaced.
  func changeElements(
    _ key: Int64, _ column: StoredColumn, of number: Int, isInPlace: Bool = false,
    _ change: (inout ListWriter) -> Void
  ) {
    guard let table = writer(number), let trees, let place = open(key, of: number, table) else {
      return
    }
    var list = ListWriter(
      arena: trees.arena, root: place.ref(column.number, in: space), spec: column.element)
    change(&list)
    table.setRef(place, column.number, list.root)
    if isInPlace {
      touch(key, column.number, of: number, table)
    } else {
      touchShifted(key, column.number, of: number, table)
    }
  }

  /// Changes a map's keys and values.
  func changeEntries(
    _ key: Int64, _ column: StoredColumn, of number: Int,
    _ change: (_ keys: inout ListWriter, _ values: inout ListWriter) -> Void
  ) {
    guard let table = writer(number), let trees, let place = open(key, of: number, table) else {
      return
    }
    let old = place.ref(column.number, in: space)
    var keys = ListWriter(arena: trees.arena, root: part(0, of: old), spec: .bytes)
    var values = ListWriter(arena: trees.arena, root: part(1, of: old), spec: column.element)
    change(&keys, &values)
    var both = ListWriter(arena: trees.arena, root: old, spec: Store.references)
    if old.isNone {
      both.append(.ref(keys.root))
      both.append(.ref(values.root))
    } else {
      both.set(.ref(keys.root), at: 0)
      both.set(.ref(values.root), at: 1)
    }
    table.setRef(place, column.number, both.root)
    touch(key, column.number, of: number, table)
  }

  /// Makes a row's collection that of another row.
  func moveCollection(_ key: Int64, to other: Int64, _ column: StoredColumn, of number: Int) {
    let root = root(key, column, of: number)
    guard !root.isNone, let table = writer(number) else { return }
    guard let place = open(key, of: number, table) else { return }
    table.setRef(place, column.number, .none)
    guard let place = open(other, of: number, table) else { return }
    table.setRef(place, column.number, root)
    touchShifted(other, column.number, of: number, table)
  }

  /// Lets a row's collection go with all that is in it.
  func discardCollection(_ key: Int64, _ column: StoredColumn, of number: Int) {
    let root = root(key, column, of: number)
    guard !root.isNone, let table = writer(number), let trees,
      let place = open(key, of: number, table)
    else { return }
    discardTree(root, arena: trees.arena)
    table.setRef(place, column.number, .none)
  }
}
