// A collection in a mixed value: read from the cell that it lies in, and written with all of it.

extension ManagedCollection {
  /// What it has in the state that the session shows; nil if it is not there any more.
  var content: NestedValue? {
    guard let nested else { return nil }
    let generation = session.generation
    if latest.generation == generation { return latest.content }
    let found = home(of: nested.number)?.root.find(nested.number)
    // A frozen session is read by many threads, and remembers nothing here.
    if !session.isFrozen { latest = (generation, found) }
    return found
  }

  /// The mixed value in which a collection lies: the property's own, or where among the members of
  /// the property's collection.
  private func home(of number: UInt64) -> (root: NestedValue, position: Int)? {
    guard let stored, let table = table.number else { return nil }
    if stored.shape == .single {
      guard case .nested(let root)? = session.store.value(key, stored, of: table),
        root.find(number) != nil
      else { return nil }
      return (root, 0)
    }
    let members = session.elements(of: RowLink(table: table, key: key), stored)
    for (position, member) in members.enumerated() {
      if case .nested(let root) = member, root.find(number) != nil { return (root, position) }
    }
    return nil
  }

  /// The property that it lies in.
  private var propertyPlace: ManagedCollection {
    ManagedCollection(session: session, table: table, key: key, column: column)
  }

  /// A value that was read here, as whoever asked gets it: a collection knows where it lies.
  func placed(_ value: StoredValue) -> StoredValue {
    guard case .nested(let inner) = value else { return value }
    return .nested(inner.placed(in: self))
  }

  /// A collection that lies in the property now, wherever it was found; nil if it does not.
  func found(_ nested: NestedValue) -> ManagedCollection? {
    guard let content = home(of: nested.number)?.root.find(nested.number) else { return nil }
    return ManagedCollection(content, of: self)
  }

  // MARK: Changing

  /// Changes a list.
  ///
  /// - Parameter isInPlace: Whether elements are only replaced.
  func change(
    _ change: (inout [StoredValue]) -> Void, _ content: NestedValue, isInPlace: Bool = false
  ) {
    var elements = content.elements
    change(&elements)
    write(content.having(elements))
    if !isInPlace { noteShift() }
  }

  func clear(_ content: NestedValue) {
    write(content.having([], keys: content.isList ? nil : []))
    noteShift()
  }

  /// Notes that elements of a list in the property came, went or moved.
  private func noteShift() {
    guard let stored, let number = table.number, let writer = session.store.writer(number) else {
      return
    }
    session.store.touchShifted(key, stored.number, of: number, writer)
  }

  /// Puts what the collection has become into the mixed value that it lies in.
  func write(_ changed: NestedValue) {
    // Adding objects, which the new content may name, may move what is there.
    guard case .nested(let changed) = session.linked(.nested(changed), owning: false),
      let (root, position) = home(of: changed.number),
      let whole = root.replacing(changed.number, with: changed)
    else { return }
    let place = propertyPlace
    switch property.shape {
    case .list: place.set(.nested(whole), at: position)
    case .map: place.set(.nested(whole), forKey: place.allEntries()[position].key)
    case .single, .set: session.store(.nested(whole), key, of: table, column: column)
    }
  }
}

extension Session {
  /// A value with its objects turned into links: free ones become the realm's.
  ///
  /// - Parameter owning: Whether it is an embedded object's place; asked only of an object, because
  ///   the class that a null could belong to need not be known here.
  func linked(
    _ value: StoredValue, owning: @autoclosure () -> Bool, adopting: Bool = false
  ) -> StoredValue {
    switch value {
    case .instance(let value):
      .link(link(to: value.base, owning: owning(), adopting: adopting))
    case .nested:
      value.replacingSingles { single in
        guard let object = single.object else { return single }
        return .link(link(to: object, owning: false))
      }
    default: value
    }
  }

  /// Takes a row out of mixed values that link to it: null takes its place, but for the members of
  /// a set.
  func removeMixedLinks(from source: RowLink, _ column: StoredColumn, to target: RowLink) {
    func without(_ value: StoredValue) -> StoredValue {
      value.replacingSingles { $0 == .link(target) ? .null : $0 }
    }
    // Whoever links back from mixed values may mean another table's row, if the keys are very
    // large.
    if column.shape == .single {
      guard let old = load(source.key, column, of: source.table), old.links(to: target) else {
        return
      }
      store.set(without(old), source.key, column, of: source.table)
    } else {
      let members = elements(of: source, column)
      let positions = members.indices.filter { members[$0].links(to: target) }
      if positions.isEmpty { return }
      switch column.shape {
      case .single: break
      case .list:
        store.changeElements(source.key, column, of: source.table, isInPlace: true) { list in
          for position in positions {
            list.set(column.cell(without(members[position])), at: position)
          }
        }
      case .set:
        store.changeElements(source.key, column, of: source.table) { list in
          for position in positions.reversed() { list.remove(at: position) }
        }
      case .map:
        store.changeEntries(source.key, column, of: source.table) { _, values in
          for position in positions {
            values.set(column.cell(without(members[position])), at: position)
          }
        }
      }
    }
    store.removeBacklink(column, of: source.table, from: source.key, to: target)
    contentChanged()
  }
}
