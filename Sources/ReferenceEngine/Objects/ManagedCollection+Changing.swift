// Changing a managed collection, in stored values.

extension ManagedCollection {
  /// What every change begins with: the guards, the column if there was none, and where the
  /// elements are.
  private func prepared() -> Elements {
    verifyWrite()
    if nested == nil { session.prepare(table) }
    return elements
  }

  private var row: RowLink { RowLink(table: table.number ?? -1, key: key) }

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
    guard stored.shape != .set, !linksOwn, let number = table.number else { return 0 }
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
    switch prepared() {
    case .inTrees(let stored, let number):
      let value = linked(value, adopting: adopting)
      note(value, stored)
      change({ $0.append(stored.cell(value)) }, stored, number)
    case .inValue(let content): change({ $0.append(value) }, content)
    case .nowhere: break
    }
  }

  func insert(_ value: StoredValue, at index: Int) {
    switch prepared() {
    case .inTrees(let stored, let number):
      checkIndex(index, below: count + 1)
      let value = linked(value)
      note(value, stored)
      change({ $0.insert(stored.cell(value), at: index) }, stored, number)
    case .inValue(let content):
      checkIndex(index, below: content.elements.count + 1)
      change({ $0.insert(value, at: index) }, content)
    case .nowhere: break
    }
  }

  func set(_ value: StoredValue, at index: Int) {
    switch prepared() {
    case .inTrees(let stored, let number):
      let old = checkedElement(at: index).value
      if owns(value, as: old) { return }
      let value = linked(value)
      change({ $0.set(stored.cell(value), at: index) }, stored, number, isInPlace: true)
      if old != value {
        forget(old, stored)
        note(value, stored)
      }
    case .inValue(let content):
      checkIndex(index, below: content.elements.count)
      change({ $0[index] = value }, content, isInPlace: true)
    case .nowhere: break
    }
  }

  func remove(at index: Int) {
    switch prepared() {
    case .inTrees(let stored, let number):
      let old = checkedElement(at: index).value
      change({ $0.remove(at: index) }, stored, number)
      forget(old, stored)
    case .inValue(let content):
      checkIndex(index, below: content.elements.count)
      change({ $0.remove(at: index) }, content)
    case .nowhere: break
    }
  }

  func move(from: Int, to: Int) {
    switch prepared() {
    case .inTrees(let stored, let number):
      let value = checkedElement(at: from).value
      checkIndex(to, below: count)
      change(
        {
          $0.remove(at: from)
          $0.insert(stored.cell(value), at: to)
        }, stored, number)
    case .inValue(let content):
      checkIndex(from, below: content.elements.count)
      checkIndex(to, below: content.elements.count)
      change({ $0.insert($0.remove(at: from), at: to) }, content)
    case .nowhere: break
    }
  }

  func swap(_ first: Int, _ second: Int) {
    switch prepared() {
    case .inTrees(let stored, let number):
      let (one, other) = (checkedElement(at: first).value, checkedElement(at: second).value)
      change(
        {
          $0.set(stored.cell(other), at: first)
          $0.set(stored.cell(one), at: second)
        }, stored, number)
    case .inValue(let content):
      checkIndex(first, below: content.elements.count)
      checkIndex(second, below: content.elements.count)
      change({ $0.swapAt(first, second) }, content)
    case .nowhere: break
    }
  }

  func removeAll() {
    switch prepared() {
    case .inTrees(let stored, let number):
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
    case .inValue(let content): clear(content)
    case .nowhere: break
    }
  }

  func replaceAll(with new: [StoredValue], adopting: Bool = false) {
    switch prepared() {
    case .inTrees(let stored, let number):
      replaceAll(with: new, adopting: adopting, stored, number)
    case .inValue(let content): change({ $0 = new }, content)
    case .nowhere: break
    }
  }

  /// Objects of the list itself stay, so they become links before the list is emptied; owned ones
  /// that leave are deleted with it.
  private func replaceAll(
    with new: [StoredValue], adopting: Bool, _ stored: StoredColumn, _ number: Int
  ) {
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
    guard case .inTrees(let stored, let number) = prepared() else { return }
    if case .nested = value { refuse(.nestedInSet, at: .writeCollection) }
    let value = linked(value)
    let cell = stored.cell(value)
    let (position, isThere) = placeOfMember(cell, stored, number)
    // What is there already is not written again, so that nobody is told: a set is not assigned to.
    if isThere || placeOfEqualNumber(value, stored, number) != nil { return }
    note(value, stored)
    change({ $0.insert(cell, at: position) }, stored, number)
  }

  func removeMember(_ value: StoredValue) {
    guard case .inTrees(let stored, let number) = prepared() else { return }
    guard let position = index(of: value) else { return }
    let old = checkedElement(at: position).value
    change({ $0.remove(at: position) }, stored, number)
    forget(old, stored)
  }

  func set(_ value: StoredValue, forKey name: StoredValue, adopting: Bool = false) {
    switch (prepared(), name) {
    case (.inTrees(let stored, let number), .string(let text)):
      set(value, forKey: text, adopting: adopting, stored, number)
    case (.inValue(let content), .string(let text)):
      if let changed = content.setting(value, for: text) { write(changed) }
    default: break
    }
  }

  private func set(
    _ value: StoredValue, forKey text: String, adopting: Bool, _ stored: StoredColumn,
    _ number: Int
  ) {
    let name = StoredValue.string(text)
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
    switch prepared() {
    case .inTrees(let stored, let number):
      let (position, isThere) = placeOfKey(name, stored, number)
      guard isThere, let old = value(forKey: name) else { return }
      session.store.changeEntries(key, stored, of: number) { keys, values in
        keys.remove(at: position)
        values.remove(at: position)
      }
      session.contentChanged()
      forget(old, stored)
    case .inValue(let content):
      guard case .string(let name) = name, let rest = content.removing(name) else { return }
      write(rest)
    case .nowhere: break
    }
  }
}

extension Session {
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
