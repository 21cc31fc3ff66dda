extension Session {
  // MARK: - Accessors

  /// An object for a row that is there.
  func accessor(_ bound: BoundClass, _ key: Int64) -> ObjectBase {
    guard let spot = store.locate(key, of: bound.number ?? -1) else { refuseLost(key) }
    return accessor(bound, key, spot)
  }

  /// Ends the program because a row is not there that something in the same version leads to: it
  /// takes all that leads to it along when it is deleted. In a write somebody may still hold what
  /// led to it.
  ///
  /// - Parameter key: nil if not even that is there.
  @inline(never)
  func refuseLost(_ key: Int64? = nil) -> Never {
    if isInWrite { refuse(.invalidated) }
    refuse(.lost(coordinator.path, key))
  }

  /// An object for a row whose place is known.
  @inline(__always)
  func accessor(_ bound: BoundClass, _ key: Int64, _ spot: RowPlace) -> ObjectBase {
    let object = bound.layout.type.init()
    attach(object, to: bound, key, spot)
    return object
  }

  /// Makes an object the view of a row.
  @inline(__always)
  func attach(_ object: ObjectBase, to bound: BoundClass, _ key: Int64, _ spot: RowPlace) {
    ObjectHeader.show(object._header, self, bound, key, spot)
    bound.writeColumns(into: Unmanaged.passUnretained(object).toOpaque())
  }

  /// The object at the end of a link, nil if it is not there.
  func object(at link: RowLink) -> ObjectBase? {
    guard let bound = bound(table: link.table),
      let spot = store.locate(link.key, of: link.table)
    else { return nil }
    return accessor(bound, link.key, spot)
  }

  /// The class of a table.
  func bound(table: Int) -> BoundClass? {
    guard stored.tables.indices.contains(table) else { return nil }
    return bound(named: stored.tables[table].name)
  }

  /// Whether the row is there at the version that is shown.
  func hasRow(_ key: Int64, of bound: BoundClass) -> Bool {
    read()
    guard let table = bound.number else { return false }
    return store.locate(key, of: table) != nil
  }

  /// Whether an object's row can still be read.
  func isThere(_ header: UnsafeMutablePointer<ObjectHeader>) -> Bool {
    guard header.pointee.epoch == epoch, header.pointee.table != nil else { return false }
    // Found in the state that is shown now: nothing has gone since.
    if header.pointee.generation == generation, header.pointee.hot == hot { return true }
    guard let bound = header.pointee.table else { return false }
    let key = header.pointee.key
    return !writes.haveTakenBack(key, of: bound, since: header.pointee.birth)
      && hasRow(key, of: bound)
      && !departures.have(key, of: bound, after: header.pointee.generation)
  }

  // MARK: - Adding

  /// Stops whoever adds or removes objects where that cannot be.
  func verifyAdding(at entry: Entry) {
    verify(at: entry)
    if !isInWrite { refuse(.addedOutsideWrite, at: entry) }
  }

  /// Adds an object to the realm; one that is in it already stays as it is.
  func add(_ object: ObjectBase, update: Realm.UpdatePolicy) {
    let header = object._header
    if let owner = header.pointee.session {
      if owner !== self { refuse(.managedElsewhere, at: .add) }
      if !isThere(header) { refuse(.addedInvalidated, at: .add) }
      return
    }
    // The session has it, so it is not counted.
    Unmanaged.passUnretained(self.bound(type(of: object)))._withUnsafeGuaranteedRef {
      addFree(object, $0, update: update)
    }
  }

  private func addFree(_ object: ObjectBase, _ bound: BoundClass, update: Realm.UpdatePolicy) {
    if bound.isEmbedded { refuse(.addedEmbedded) }
    prepare(bound)
    let before = updatePolicy
    updatePolicy = update
    defer { updatePolicy = before }
    guard bound.layout.primaryKey != nil else {
      return fill(bound, newRow(bound), from: object)
    }
    let raw = Unmanaged.passUnretained(object).toOpaque()
    let value = bound.layout.primaryKeyValue(at: raw)
    // Looked for by inserting, where the key is the row's: one descent instead of two.
    if bound.layout.keyIsRow, case .int(let number) = value, let row = insertRow(bound, number) {
      return fill(bound, row, from: object)
    }
    if let key = find(bound, value) {
      if update == .error { refuse(.existingKey(bound.name, value.text)) }
      return self.update(bound, key, from: object, update)
    }
    fill(bound, newRow(bound, primaryKey: value), from: object)
  }

  /// A row that is new: its values are zeros and nulls.
  struct NewRow {
    let key: Int64
    let place: RowPlace
  }

  /// Writes the values of an unmanaged object to its new row, and makes it the row's view.
  private func fill(_ bound: BoundClass, _ row: NewRow, from object: ObjectBase) {
    let raw = Unmanaged.passUnretained(object).toOpaque()
    // First the view, then the values: an object that links back to itself finds itself managed.
    attach(object, to: bound, row.key, row.place)
    // The plain ones first: the others may add more rows, and the place is true until then.
    uncountedWriter(bound.number ?? -1)?._withUnsafeGuaranteedRef {
      bound.fillPlain(from: raw, $0, row.place)
    }
    if bound.otherFields.isEmpty { return }
    if descent.enter() {
      fillOthers(bound, from: object)
      comeBack()
    } else {
      putOff(object) { self.fillOthers(bound, from: object) }
    }
  }

  private func fillOthers(_ bound: BoundClass, from object: ObjectBase) {
    let raw = Unmanaged.passUnretained(object).toOpaque()
    for index in bound.otherFields {
      let field = bound.layout.fields[index]
      field.wrapper.persist(at: raw + field.offset, to: _Cell(object._header, bound.columns[index]))
    }
  }

  /// Writes the values of an unmanaged object over those of a row, and makes it the row's view.
  private func update(
    _ bound: BoundClass, _ key: Int64, from object: ObjectBase, _ policy: Realm.UpdatePolicy
  ) {
    guard let table = bound.number, let spot = store.locate(key, of: table) else {
      refuse(.invalidated)
    }
    attach(object, to: bound, key, spot)
    if descent.enter() {
      update(bound, with: object, policy)
      comeBack()
    } else {
      putOff(object) { self.update(bound, with: object, policy) }
    }
  }

  private func update(_ bound: BoundClass, with object: ObjectBase, _ policy: Realm.UpdatePolicy) {
    let raw = Unmanaged.passUnretained(object).toOpaque()
    for (index, field) in bound.layout.fields.enumerated() where index != bound.layout.primaryKey {
      let cell = _Cell(object._header, bound.columns[index])
      if policy == .modified, field.wrapper.isUnchanged(at: raw + field.offset, cell) { continue }
      field.wrapper.persist(at: raw + field.offset, to: cell)
    }
  }

  // MARK: - In chains

  /// Puts off what belongs to an object that has its row: it lies too deep in a chain of those that
  /// are added.
  @inline(never)
  func putOff(_ object: ObjectBase, _ work: @escaping () -> Void) {
    let policy = updatePolicy
    descent.putOff { [self] in
      // Another one may have come in its place.
      if !isThere(object._header) { return }
      updatePolicy = policy
      work()
    }
  }

  /// Ends one level of a chain; at its beginning, does what was put off.
  @inline(__always)
  func comeBack() {
    if _slowPath(descent.mustGoOn) { finishDescent() }
    descent.leave()
  }

  @inline(never)
  private func finishDescent() {
    let policy = updatePolicy
    while let work = descent.next() { work() }
    updatePolicy = policy
  }

  /// Makes a row of the next key, or of the one that its primary key asks for.
  func newRow(_ bound: BoundClass, primaryKey: StoredValue? = nil) -> NewRow {
    guard let table = bound.number else { refuse(.invalidated) }
    // While a migration runs, rows need not have the keys that their values ask for.
    if bound.layout.keyIsRow, case .int(let number) = primaryKey, !isMigrating {
      guard let row = insertRow(bound, number) else { refuse(.invalidated) }
      return row
    }
    let key = store.nextKey(of: table)
    guard let place = store.insertRow(key, of: table) else { refuse(.invalidated) }
    contentChanged()
    if let primaryKey, let column = bound.primaryKey {
      store.setNew(primaryKey, key, place, column, of: table)
    }
    return NewRow(key: key, place: place)
  }

  /// Makes the row of a whole number as primary key; nil if it is there.
  @inline(__always)
  private func insertRow(_ bound: BoundClass, _ key: Int64) -> NewRow? {
    guard let table = bound.number,
      let place = Unmanaged.passUnretained(store)._withUnsafeGuaranteedRef({
        $0.insertRow(key, of: table)
      })
    else { return nil }
    if !departures.isEmpty, departures.haveInWrite(RowLink(table: table, key: key)) {
      writes.comesAgain(RowLink(table: table, key: key))
    }
    contentChanged()
    uncountedWriter(table)?._withUnsafeGuaranteedRef { $0.setInt(place, bound.keyColumn, key) }
    return NewRow(key: key, place: place)
  }

  /// The row with a primary key.
  func find(_ bound: BoundClass, _ value: StoredValue) -> Int64? {
    guard let table = bound.number, let column = bound.primaryKey else { return nil }
    if bound.layout.keyIsRow, case .int(let number) = value {
      return store.locate(number, of: table) == nil ? nil : number
    }
    return store.firstKey(of: table, where: column, equals: value)
  }

  /// The object with a whole number as its primary key: what is asked for most, so without a
  /// detour.
  @usableFromInline
  func object(_ type: ObjectBase.Type, key: Int) -> ObjectBase? {
    verify(at: .readRealm)
    // Neither the class nor the trees are counted: they are there, and to count is to wait for all
    // memory that was asked for before.
    return Unmanaged.passUnretained(self.bound(type))._withUnsafeGuaranteedRef { bound in
      guard bound.layout.keyIsRow else { return object(bound, forPrimaryKey: key) }
      read()
      let row = Int64(key)
      guard let table = bound.number,
        let place = Unmanaged.passUnretained(store)._withUnsafeGuaranteedRef({
          $0.locateToRead(row, of: table)
        })
      else { return nil }
      return accessor(bound, row, place)
    }
  }

  /// The object with a string as its primary key.
  @usableFromInline
  func object(_ type: ObjectBase.Type, key: String) -> ObjectBase? {
    verify(at: .readRealm)
    // Nothing is counted, as above, and neither is the text.
    return Unmanaged.passUnretained(self.bound(type))._withUnsafeGuaranteedRef { bound in
      guard bound.layout.primaryKeyType == .string else {
        return object(bound, forPrimaryKey: key)
      }
      read()
      guard let table = bound.number, bound.keyColumn >= 0,
        let (row, place) = Unmanaged.passUnretained(store)._withUnsafeGuaranteedRef({
          $0.row(of: table, whereText: bound.keyColumn, equals: key)
        })
      else { return nil }
      return accessor(bound, row, place)
    }
  }

  /// The object with a primary key of any type.
  @usableFromInline
  func object(_ type: ObjectBase.Type, anyKey key: Any) -> ObjectBase? {
    verify(at: .readRealm)
    return object(bound(type), forPrimaryKey: key)
  }

  /// The object with a primary key, given as a caller gives it.
  func object(_ bound: BoundClass, forPrimaryKey value: Any) -> ObjectBase? {
    guard let index = bound.layout.primaryKey else { refuse(.noPrimaryKey(bound.name)) }
    read()
    let property = bound.layout.fields[index].property
    guard let wanted = StoredValue(value, for: property) else {
      refuse(.invalidKey(value, for: property, of: bound.name))
    }
    if bound.layout.keyIsRow, case .int(let key) = wanted {
      guard let table = bound.number, let place = store.locate(key, of: table) else { return nil }
      return accessor(bound, key, place)
    }
    return find(bound, wanted).map { accessor(bound, $0) }
  }

  // MARK: - Links

  /// The row that a link to an object leads to; an unmanaged object is added first. What `create`
  /// finds in mixed values may be another realm's and is copied, as what it finds in links.
  func link(to object: ObjectBase, owning: Bool, adopting: Bool = false) -> RowLink {
    let header = object._header
    if let owner = header.pointee.session {
      if owner !== self, copies != nil {
        let copy = create(self.bound(type(of: object)), from: object, update: updatePolicy)
        return link(to: copy, owning: owning, adopting: adopting)
      }
      if owner !== self { refuse(.managedElsewhere, at: .link) }
      if owner !== self { return RowLink(table: 0, key: 0) }
      if !isThere(header) { refuse(.invalidated) }
      if owning && !adopting { refuse(.linkedManagedEmbedded) }
    } else if owning {
      let bound = self.bound(type(of: object))
      prepare(bound)
      fill(bound, newRow(bound), from: object)
    } else {
      add(object, update: updatePolicy)
    }
    guard let table = header.pointee.table?.number else { refuse(.invalidated) }
    return RowLink(table: table, key: header.pointee.key)
  }

  // MARK: - Deleting

  func delete(_ object: ObjectBase) {
    let header = object._header
    let owner = header.pointee.session.map { Unmanaged.passUnretained($0).toOpaque() }
    guard owner == Unmanaged.passUnretained(self).toOpaque(),
      let table = header.pointee.table?.number
    else {
      refuse(.deletedElsewhere, at: .delete)
      return
    }
    // Deleting what somebody deleted already changes nothing, and so does deleting what was read
    // before the realm was invalidated.
    if !isThere(header) { return }
    deleteRow(RowLink(table: table, key: header.pointee.key))
  }

  /// Removes a row, the links to it, and what it owns: however deep that goes, one row after the
  /// other.
  func deleteRow(_ row: RowLink) {
    if deleteAlone(row) { return }
    let reusable = deleteTied(row)
    contentChanged()
    for row in reusable { departures.note(row.table, row.key...row.key, at: generation) }
  }

  /// Removes a row on which nothing hangs; false if something may.
  @inline(__always)
  private func deleteAlone(_ row: RowLink) -> Bool {
    // Neither what is known of the table nor the trees are counted, for each of many rows: they are
    // there as long as the write.
    Unmanaged.passUnretained(ties(of: row.table))._withUnsafeGuaranteedRef { ties in
      guard ties.isAlone else { return false }
      Unmanaged.passUnretained(store)._withUnsafeGuaranteedRef {
        $0.removeRow(row.key, of: row.table, ties)
      }
      contentChanged()
      if ties.givesKeysAgain {
        departures.note(row.table, row.key...row.key, at: generation)
      }
      return true
    }
  }

  /// - Returns: Those of the rows that are gone whose keys may be given again.
  private func deleteTied(_ row: RowLink) -> [RowLink] {
    var reusable: [RowLink] = []
    var due = [row]
    while let row = due.popLast() {
      let ties = ties(of: row.table)
      for column in ties.links {
        for target in links(from: row, column) {
          if takeLink(row, column, from: target) { due.append(target) }
        }
      }
      // All links to it, also those in mixed values.
      for (source, column) in ties.linking {
        for key in store.backlinks(to: row, from: source, column) {
          removeLinks(from: RowLink(table: source, key: key), column, to: row)
        }
      }
      store.removeRow(row.key, of: row.table, ties)
      if ties.givesKeysAgain { reusable.append(row) }
    }
    return reusable
  }

  /// Removes rows of a table, those of them that are there: together where nothing hangs on them.
  func deleteRows(_ keys: [Int64], of number: Int) {
    let ties = ties(of: number)
    if ties.isAlone, keys.count > 1 {
      store.removeRows(keys, of: number, ties)
      contentChanged()
      if ties.givesKeysAgain { noteDepartures(keys, of: number) }
      return
    }
    for key in keys where store.locate(key, of: number) != nil {
      deleteRow(RowLink(table: number, key: key))
    }
  }

  func deleteAll() {
    read()
    store.removeAllRows(stored)
    contentChanged()
    for (number, table) in stored.tables.enumerated() where !table.isDropped {
      guard table.primaryKey?.isRowKey == true else { continue }
      departures.note(number, .min ... .max, at: generation)
    }
  }

  /// Whether no class has any object.
  var isEmpty: Bool {
    read()
    return stored.tables.indices.allSatisfy {
      stored.tables[$0].isDropped || store.count(of: $0) == 0
    }
  }
}

extension Violation {
  static let addedInvalidated = Violation(
    "Adding a deleted or invalidated object to a Realm is not permitted")
  static let addedEmbedded = Violation("Embedded objects cannot be created directly")
  static let linkedManagedEmbedded = Violation(
    "Can't set link to existing managed embedded object")
  static func existingKey(_ name: String, _ key: String) -> Violation {
    Violation(
      "Attempting to create an object of type '\(name)' with an existing primary key value "
        + "'\(key)'."
    )
  }
  static func noPrimaryKey(_ name: String) -> Violation {
    Violation("'\(name)' does not have a primary key and can not be queried for one")
  }
  static func cannotUpdate(_ name: String) -> Violation {
    Violation("'\(name)' does not have a primary key and can not be updated")
  }
  static func invalidKey(_ value: Any, for property: Property, of name: String) -> Violation {
    Violation(
      "Invalid value '\(value)' of type '\(type(of: value))' for '\(property.typeWords)' property "
        + "'\(name).\(property.name)'.")
  }
  static func changedPrimaryKeyByName(_ value: Any) -> Violation {
    let text = Description.element(value, 1).replacing("<null>", with: "(null)")
    return Violation("Primary key can't be changed to '\(text)' after an object is inserted.")
  }
  static let changedPrimaryKey = Violation(
    "Primary key can't be changed after an object is inserted.")
}

extension Violation {
  fileprivate static func lost(_ path: String, _ key: Int64?) -> Violation {
    let what = key.map { "no row \($0), to which others lead" } ?? "no object where one must be"
    return Violation(
      "cannot read \(path): the file is damaged: it has \(what); "
        + "see 'realm-bench verify \(path)', and restore it from a copy")
  }
}
