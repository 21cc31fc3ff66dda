// Reading and changing a managed collection, in stored values.

extension ManagedCollection {
  /// The column, once the file has one.
  var stored: StoredColumn? { table.column(column) }

  private func resolved(_ value: StoredValue, _ column: StoredColumn) -> StoredValue {
    column.type == .any ? placed(value) : session.resolved(value, column)
  }

  // MARK: - Reading

  var count: Int {
    verifyRead()
    if nested != nil { return content?.elements.count ?? 0 }
    if property.type == .linkingObjects { return linkers().keys.count }
    guard let stored, let number = table.table else { return 0 }
    return session.store.elements(key, stored, of: number).count
  }

  /// The element at a position, after looking whether there is one.
  func checkedElement(at position: Int) -> _Stored {
    verifyRead()
    if nested != nil { return nestedElement(at: position) }
    guard let stored, let number = table.table else {
      refuse(.outOfBounds(position, count: 0))
    }
    let tree = session.store.elements(key, stored, of: number)
    checkIndex(position, below: tree.count)
    let (column, index) = tree.place(at: position)
    let value = stored.value(column, index, session.store.space)
    return _Stored(resolved(value, stored), session)
  }

  /// All elements, of a map its values.
  func allValues() -> [StoredValue] {
    verifyRead()
    return values()
  }

  private func values() -> [StoredValue] {
    if nested != nil { return content?.elements.map(placed) ?? [] }
    guard let stored, let number = table.table else { return [] }
    let values = session.values(session.store.elements(key, stored, of: number), stored)
    return stored.type == .any ? values.map(placed) : values
  }

  /// All entries of a map, by key.
  func allEntries() -> [(key: StoredValue, value: StoredValue)] {
    verifyRead()
    if nested != nil { return nestedEntries }
    guard let stored, let number = table.table else { return [] }
    let keys = session.strings(session.store.keys(key, stored, of: number))
    return Array(zip(keys.map { StoredValue.string($0) }, values()))
  }

  /// The first position of a value; for an object, of its row.
  func index(of value: StoredValue) -> Int? {
    verifyRead()
    guard let stored else { return nil }
    let wanted: StoredValue
    if let object = value.object {
      guard object._header.pointee.session === session,
        let number = object._header.pointee.table?.table, session.isThere(object._header)
      else { return nil }
      wanted = .link(RowLink(table: number, key: object._header.pointee.key))
    } else {
      wanted = value
    }
    if nested != nil { return values().firstIndex(of: wanted) }
    if stored.shape == .set {
      let (position, isThere) = placeOfMember(stored.cell(wanted), stored)
      return isThere ? position : nil
    }
    guard stored.isComparedByBytes, let number = table.table else {
      return values().firstIndex(of: wanted)
    }
    return session.store.elements(key, stored, of: number).position(of: stored.cell(wanted))
  }

  /// A map's value for a key.
  func value(forKey name: StoredValue) -> StoredValue? {
    verifyRead()
    if nested != nil { return nestedValue(forKey: name) }
    guard let stored, let number = table.table else { return nil }
    let (position, isThere) = placeOfKey(name, stored, number)
    guard isThere else { return nil }
    let (column, index) = session.store.elements(key, stored, of: number).place(at: position)
    return resolved(stored.value(column, index, session.store.space), stored)
  }

  // MARK: - Order of sets and maps

  /// Where a value stands, or would, among the ascending ones of a set.
  private func placeOfMember(_ cell: Cell, _ stored: StoredColumn) -> (Int, Bool) {
    guard let number = table.table else { return (0, false) }
    return ManagedCollection.place(
      of: cell, in: session.store.elements(key, stored, of: number))
  }

  private func placeOfKey(
    _ name: StoredValue, _ stored: StoredColumn, _ number: Int
  ) -> (Int, Bool) {
    guard case .string(let name) = name else { return (0, false) }
    return ManagedCollection.place(
      of: .bytes(Array(name.utf8)), in: session.store.keys(key, stored, of: number))
  }

  static func place(of cell: Cell, in tree: ListTree) -> (Int, Bool) {
    var (low, high) = (0, tree.count)
    while low < high {
      let middle = (low + high) / 2
      if tree.cell(middle).isBelow(cell) { low = middle + 1 } else { high = middle }
    }
    return (low, low < tree.count && tree.cell(low) == cell)
  }

  // MARK: - Changing

  /// What every change begins with: the guards, the column, and the value with its object turned
  /// into a link.
  func prepared() -> (StoredColumn, Int)? {
    verifyWrite()
    session.prepare(table)
    guard let stored, let number = table.table else { return nil }
    return (stored, number)
  }

  private var row: RowLink { RowLink(table: table.table ?? -1, key: key) }

  /// - Parameter adopting: whether an embedded object was made for just this collection.
  private func linked(_ value: StoredValue, adopting: Bool = false) -> StoredValue {
    session.linked(value, owning: linksOwn, adopting: adopting)
  }

  /// Whether a value is the owned object that is there already: setting it changes nothing.
  private func owns(_ value: StoredValue, as old: StoredValue) -> Bool {
    linksOwn && session.stored(value) == old
  }

  private func note(_ value: StoredValue, _ stored: StoredColumn) {
    if case .link(let link) = value { return session.noteLink(row, stored, to: link) }
    for link in value.links { session.noteLink(row, stored, to: link) }
  }

  /// Takes backlinks away, unless the collection links to the same row elsewhere.
  private func forget(_ value: StoredValue, _ stored: StoredColumn) {
    if case .link(let link) = value { return forget(link, stored) }
    for link in Set(value.links) { forget(link, stored) }
  }

  private func forget(_ link: RowLink, _ stored: StoredColumn) {
    switch linksLeft(to: link, stored) {
    case 0: session.unlink(row, stored, from: link)
    case 1: setRepeated(false, link, stored)
    default: break
    }
  }

  /// How many elements still link to a row, up to two. What a set has and what is owned was there
  /// once.
  private func linksLeft(to link: RowLink, _ stored: StoredColumn) -> Int {
    guard stored.shape != .set, !linksOwn, let number = table.table else { return 0 }
    // Mixed values may have it in what they hold.
    if stored.type == .any { return values().contains { $0.links(to: link) } ? 2 : 0 }
    return session.store.elements(key, stored, of: number)
      .positions(of: stored.cell(.link(link)), most: 2).count
  }

  private func setRepeated(_ isRepeated: Bool, _ link: RowLink, _ stored: StoredColumn) {
    session.store.setRepeated(isRepeated, stored, of: row.table, from: key, to: link)
  }

  private func change(
    _ change: (inout ListWriter) -> Void, _ stored: StoredColumn, _ number: Int,
    isInPlace: Bool = false
  ) {
    session.store.changeElements(key, stored, of: number, isInPlace: isInPlace, change)
    session.contentChanged()
  }

  func append(_ value: StoredValue, adopting: Bool = false) {
    if nested != nil { return changeElements { $0.append(value) } }
    guard let (stored, number) = prepared() else { return }
    let value = linked(value, adopting: adopting)
    note(value, stored)
    change({ $0.append(stored.cell(value)) }, stored, number)
  }

  func insert(_ value: StoredValue, at index: Int) {
    if nested != nil {
      return changeElements {
        checkIndex(index, below: $0.count + 1)
        $0.insert(value, at: index)
      }
    }
    guard let (stored, number) = prepared() else { return }
    checkIndex(index, below: count + 1)
    let value = linked(value)
    note(value, stored)
    change({ $0.insert(stored.cell(value), at: index) }, stored, number)
  }

  func set(_ value: StoredValue, at index: Int) {
    if nested != nil {
      return changeElements(isInPlace: true) {
        checkIndex(index, below: $0.count)
        $0[index] = value
      }
    }
    guard let (stored, number) = prepared() else { return }
    let old = checkedElement(at: index).value
    if owns(value, as: old) { return }
    let value = linked(value)
    change({ $0.set(stored.cell(value), at: index) }, stored, number, isInPlace: true)
    if old != value {
      forget(old, stored)
      note(value, stored)
    }
  }

  func remove(at index: Int) {
    if nested != nil {
      return changeElements {
        checkIndex(index, below: $0.count)
        $0.remove(at: index)
      }
    }
    guard let (stored, number) = prepared() else { return }
    let old = checkedElement(at: index).value
    change({ $0.remove(at: index) }, stored, number)
    forget(old, stored)
  }

  func move(from: Int, to: Int) {
    if nested != nil {
      return changeElements {
        checkIndex(from, below: $0.count)
        checkIndex(to, below: $0.count)
        $0.insert($0.remove(at: from), at: to)
      }
    }
    guard let (stored, number) = prepared() else { return }
    let value = checkedElement(at: from).value
    checkIndex(to, below: count)
    change(
      {
        $0.remove(at: from)
        $0.insert(stored.cell(value), at: to)
      }, stored, number)
  }

  func swap(_ first: Int, _ second: Int) {
    if nested != nil {
      return changeElements {
        checkIndex(first, below: $0.count)
        checkIndex(second, below: $0.count)
        $0.swapAt(first, second)
      }
    }
    guard let (stored, number) = prepared() else { return }
    let (one, other) = (checkedElement(at: first).value, checkedElement(at: second).value)
    change(
      {
        $0.set(stored.cell(other), at: first)
        $0.set(stored.cell(one), at: second)
      }, stored, number)
  }

  func removeAll() {
    if nested != nil { return clearNested() }
    guard let (stored, number) = prepared() else { return }
    let old = stored.mayLink ? Set(values()) : []
    if stored.shape == .map {
      session.store.changeEntries(key, stored, of: number) { keys, values in
        keys.removeAll()
        values.removeAll()
      }
      session.contentChanged()
    } else {
      change({ $0.removeAll() }, stored, number)
    }
    for value in old { forget(value, stored) }
  }

  func replaceAll(with new: [StoredValue], adopting: Bool = false) {
    // Objects of the list itself stay, so they are turned into links before the list is emptied;
    // owned ones that leave are deleted with it.
    if nested != nil { return changeElements { $0 = new } }
    guard let (stored, number) = prepared() else { return }
    let isLinking = stored.mayLink
    let old = isLinking ? Set(values()) : []
    let links = new.map { linked($0, adopting: adopting) }
    change(
      { list in
        list.removeAll()
        for value in links { list.append(stored.cell(value)) }
      }, stored, number)
    if !isLinking { return }
    if stored.type == .any {
      let (before, after) = (Set(old.flatMap(\.links)), Set(links.flatMap(\.links)))
      for link in before.subtracting(after) { session.unlink(row, stored, from: link) }
      for link in after.subtracting(before) { session.noteLink(row, stored, to: link) }
      return
    }
    let kept = Set(links)
    for value in old.subtracting(kept) { forget(value, stored) }
    for value in kept.subtracting(old) { note(value, stored) }
    var seen: Set<StoredValue> = []
    let repeated = Set(links.filter { !seen.insert($0).inserted })
    for case .link(let link) in kept {
      setRepeated(repeated.contains(.link(link)), link, stored)
    }
  }

  // MARK: - Sets and maps

  func replaceMembers(with new: [StoredValue]) {
    removeAll()
    for value in new { insertMember(value) }
  }

  func replaceEntries(with new: [String: StoredValue], adopting: Bool = false) {
    removeAll()
    for (name, value) in new {
      checkMapKey(name)
      set(value, forKey: .string(name), adopting: adopting)
    }
  }

  func insertMember(_ value: StoredValue) {
    guard let (stored, number) = prepared() else { return }
    if case .nested = value { refuse(.nestedInSet, at: .writeCollection) }
    let value = linked(value)
    let cell = stored.cell(value)
    let (position, isThere) = placeOfMember(cell, stored)
    // What is there already is not written again, so that nobody is told: a set is not assigned to.
    if isThere { return }
    note(value, stored)
    change({ $0.insert(cell, at: position) }, stored, number)
  }

  func removeMember(_ value: StoredValue) {
    guard let (stored, number) = prepared() else { return }
    guard let position = index(of: value) else { return }
    let old = checkedElement(at: position).value
    change({ $0.remove(at: position) }, stored, number)
    forget(old, stored)
  }

  func set(_ value: StoredValue, forKey name: StoredValue, adopting: Bool = false) {
    if nested != nil { return setNested(value, forKey: name) }
    guard let (stored, number) = prepared(), case .string(let text) = name else { return }
    name.verifyLength()
    let (position, isThere) = placeOfKey(name, stored, number)
    let old = isThere ? self.value(forKey: name) : nil
    if let old, owns(value, as: old) { return }
    let value = linked(value, adopting: adopting)
    session.store.changeEntries(key, stored, of: number) { keys, values in
      if isThere {
        values.set(stored.cell(value), at: position)
      } else {
        keys.insert(.bytes(Array(text.utf8)), at: position)
        values.insert(stored.cell(value), at: position)
      }
    }
    session.contentChanged()
    if old != value {
      if let old { forget(old, stored) }
      note(value, stored)
    }
  }

  func remove(key name: StoredValue) {
    if nested != nil { return removeNested(key: name) }
    guard let (stored, number) = prepared() else { return }
    let (position, isThere) = placeOfKey(name, stored, number)
    guard isThere, let old = value(forKey: name) else { return }
    session.store.changeEntries(key, stored, of: number) { keys, values in
      keys.remove(at: position)
      values.remove(at: position)
    }
    session.contentChanged()
    forget(old, stored)
  }
}

extension Session {
  /// The values of a collection's tree.
  func values(_ tree: ListTree, _ stored: StoredColumn) -> [StoredValue] {
    var found: [StoredValue] = []
    tree.forEachColumn { column, _ in
      for index in 0..<column.count {
        found.append(resolved(stored.value(column, index, store.space), stored))
      }
      return true
    }
    return found
  }

  func strings(_ tree: ListTree) -> [String] {
    var found: [String] = []
    tree.forEachColumn { column, _ in
      for index in 0..<column.count {
        found.append(SmallString.make(column.bytes(index, in: store.space)))
      }
      return true
    }
    return found
  }

  /// The elements of a row's collection.
  func elements(of row: RowLink, _ column: StoredColumn) -> [StoredValue] {
    values(store.elements(row.key, column, of: row.table), column)
  }

  /// Takes a row out of a column of another row that links to it: the link becomes null, a list or
  /// set loses it, a map keeps its key.
  func removeLinks(from source: RowLink, _ column: StoredColumn, to target: RowLink) {
    if column.type == .any { return removeMixedLinks(from: source, column, to: target) }
    let link = column.cell(.link(target))
    func positions() -> [Int] {
      store.elements(source.key, column, of: source.table).positions(of: link)
    }
    switch column.shape {
    case .single: store.set(.null, source.key, column, of: source.table)
    case .list, .set:
      let positions = positions()
      store.changeElements(source.key, column, of: source.table) { list in
        for position in positions.reversed() { list.remove(at: position) }
      }
    case .map:
      let positions = positions()
      store.changeEntries(source.key, column, of: source.table) { _, values in
        for position in positions { values.set(column.cell(.null), at: position) }
      }
    }
    store.removeBacklink(column, of: source.table, from: source.key, to: target)
    contentChanged()
  }
}

extension Cell {
  /// The order of a set's values and of a map's keys.
  func isBelow(_ other: Cell) -> Bool {
    switch (self, other) {
    case (.null, .null): false
    case (.null, _): true
    case (_, .null): false
    case (.int(let one), .int(let two)): one < two
    case (.bytes(let one), .bytes(let two)), (.fixed(let one), .fixed(let two)):
      one.lexicographicallyPrecedes(two)
    default: false
    }
  }
}
