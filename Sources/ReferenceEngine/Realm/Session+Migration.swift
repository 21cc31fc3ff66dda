extension Session {
  /// Makes the file fit the configuration: adds what is new, and migrates what has changed.
  func bringSchemaIntoShape() throws {
    schemaFailure = .isNoted(nil)
    read()
    let failure = schemaFailure
    schemaFailure = .stops
    if case .isNoted(let problem?) = failure { throw problem }
    // Of what is only read less is asked in one way, and more in another; of what is made anew if
    // it differs, more.
    if !configuration.readOnly, !configuration.deleteRealmIfMigrationNeeded,
      let known = classesKnownToFit
    {
      for layout in known { _ = bind(layout, isKnownToFit: true) }
      return
    }
    if let change = try schemaChange() { try carryOut(change) }
  }

  /// What is to be done to a file so that it fits.
  private enum SchemaChange {
    case extend([ClassLayout])
    case migrate([ClassLayout])
  }

  /// What the version that is shown lacks; nil, and all classes bound, if it fits.
  private func schemaChange() throws -> SchemaChange? {
    let wanted = configuration.schemaVersion
    // Of a realm in memory there is no file that could be deleted.
    let isMadeAnew =
      configuration.deleteRealmIfMigrationNeeded && configuration.inMemoryIdentifier == nil
    if let version = stored.version, !isMadeAnew { try verify(wanted, canFollow: version) }
    let layouts = configuration.classes.map(Session.closure) ?? loadedClasses
    let mistakes = layouts.flatMap(\.mistakes)
    if !mistakes.isEmpty { throw Realm.Error.schemaIsInvalid(mistakes, configuration.path) }
    if configuration.readOnly {
      for layout in layouts { try checkFits(layout, stored) }
      // Loaded classes are bound when they are used.
      if configuration.classes != nil {
        for layout in layouts { _ = bind(layout, isKnownToFit: true) }
      }
      return nil
    }
    if isMadeAnew { try verifyNothingDiffers(in: layouts) }
    let problems = layouts.flatMap { SchemaDifference($0, stored, .removals).problems }
    let mustMigrate = stored.version.map { wanted > $0 } ?? false
    if !problems.isEmpty && !mustMigrate {
      throw Realm.Error.migrationIsRequired(problems, configuration.path)
    }
    // Loaded classes get what the file lacks by the first write that needs it.
    let lacks = configuration.classes != nil && layouts.contains { !isComplete($0) }
    guard mustMigrate || lacks else {
      if configuration.classes == nil {
        rememberThatFit([])
      } else {
        bindAll(layouts)
        rememberThatFit(layouts)
      }
      return nil
    }
    return mustMigrate ? .migrate(layouts) : .extend(layouts)
  }

  /// Throws if a file that is made anew where it would be migrated has to go. In Realm it may
  /// differ in whole classes and in indexes, and in nothing else: it goes for any other schema
  /// version, be it a higher one, and for a property more as for one less. No block is asked.
  private func verifyNothingDiffers(in layouts: [ClassLayout]) throws {
    guard let version = stored.version else { return }
    let wanted = configuration.schemaVersion
    var problems = layouts.flatMap { SchemaDifference($0, stored, .all).problems }
    if version != wanted {
      problems.append("- The schema version has been changed from \(version) to \(wanted).")
    }
    if !problems.isEmpty {
      throw Realm.Error.migrationIsRequired(problems, configuration.path)
    }
  }

  /// Throws if a file of one schema version cannot be opened with another: a lower one never, and
  /// of what is only read no other, as nothing brings it there.
  private func verify(_ wanted: UInt64, canFollow version: UInt64) throws {
    let isReadOnly = configuration.readOnly
    guard isReadOnly ? wanted != version : wanted < version else { return }
    throw Realm.Error(
      .invalidSchemaVersion,
      "Provided schema version \(wanted) \(isReadOnly ? "does not equal" : "is less than") "
        + "last set version \(version).", configuration.path)
  }

  /// Enters a write and does there what is still to be done: whoever wrote while this one waited
  /// may have done it, and a migration that ran once more would run on what is migrated already.
  private func carryOut(_ change: SchemaChange) throws {
    let decided = root?.version
    // Before it waits for its turn, which may be long, and once more when it has it: others may
    // have come meanwhile.
    if case .migrate = change { try verifyOthersAgree() }
    begin(try admitted(coordinator.beginWrite()))
    do {
      var change: SchemaChange? = change
      if write?.base.version != decided { change = try schemaChange() }
      switch change {
      case nil: return cancelWrite()
      case .extend(let layouts)?:
        extendStored(layouts)
        bindAll(layouts)
      case .migrate(let layouts)?:
        try verifyOthersAgree()
        // Inside the gate the newest version is the one that the write begins with.
        try migrate(layouts, from: coordinator.newestSnapshot(kind: .frozen))
        bindAll(layouts)
      }
    } catch {
      if isInWrite { cancelWrite() }
      throw error
    }
    try commitWrite()
  }

  /// Throws if the file is open here with another schema version, and stays so: whoever has it so
  /// would find its classes in another form. Inside the gate those count that are still being
  /// opened, and from then on none comes with another version.
  private func verifyOthersAgree() throws {
    let (path, version) = (configuration.path, configuration.schemaVersion)
    let agree = LastOnes.leave {
      guard sessionsAgree else { return false }
      if !isInWrite { return true }
      // Who was being opened may be found since.
      return Openings.migrates(path, to: version) && sessionsAgree
    }
    if !agree { throw Realm.Error.openedDifferently(path, "schema version") }
  }

  private var sessionsAgree: Bool {
    SessionCache.sessions(of: configuration.path).allSatisfy {
      $0 === self || $0.configuration.schemaVersion == configuration.schemaVersion
    }
  }

  /// The classes and all that they link to.
  static func closure(_ classes: [ClassLayout]) -> [ClassLayout] {
    var found: [ClassLayout] = []
    var waiting = classes
    while let next = waiting.popLast() {
      if found.contains(where: { $0 === next }) { continue }
      found.append(next)
      for field in next.fields where field.property.isStored {
        if let linked = field.linked, linked != DynamicObject.self {
          waiting.append(ClassLayout.of(linked))
        }
      }
    }
    return found
  }

  /// The loaded classes that the file has objects of, or had.
  private var loadedClasses: [ClassLayout] {
    stored.tables.filter { !$0.isDropped }.compactMap { LoadedClasses.all.layout(named: $0.name) }
  }

  private func isComplete(_ layout: ClassLayout) -> Bool {
    guard let table = stored.index(of: layout.name) else { return false }
    return layout.fields.allSatisfy { field in
      guard field.property.isStored else { return true }
      let column = stored.tables[table].column(named: field.property.columnName)
      return column.map { $0.isIndexed == field.property.isIndexed } ?? false
    }
  }

  private func bindAll(_ layouts: [ClassLayout]) {
    for layout in layouts { _ = bind(layout) }
  }

  private func extendStored(_ layouts: [ClassLayout]) {
    var schema = stored
    for layout in layouts { extend(&schema, with: layout) }
    keep(schema)
  }

  /// Makes a session that is open know more classes.
  func adopt(_ classes: [ClassLayout]) throws {
    guard !isFrozen else { return }
    for layout in Session.closure(classes)
    where self.classes.byType[ObjectIdentifier(layout.type)] == nil {
      read()
      try checkFits(layout, stored)
      _ = bind(layout)
      // It does not know the class, and what is frozen of one is to be found in it.
      lastFrozen = nil
    }
  }

  // MARK: -

  /// Drops the columns that have changed, adds the new ones, and lets the block move the values
  /// over.
  private func migrate(_ layouts: [ClassLayout], from snapshot: Snapshot) throws {
    Logger.shared.log(
      level: .detail,
      message: "Migrate from schema version \(stored.version ?? 0) to "
        + "\(configuration.schemaVersion): \(configuration.path)")
    isMigrating = true
    defer {
      isMigrating = false
      becomeEmbedded = []
    }
    let before = frozenSession(at: snapshot)
    var schema = stored
    for layout in layouts { replaceChanged(&schema, layout) }
    for layout in layouts { extend(&schema, with: layout) }
    schema.version = configuration.schemaVersion
    keep(schema)
    carryOver(from: before)
    for (number, table) in stored.tables.enumerated() where !table.isDropped {
      store.makeRoom(of: number)
    }
    if let block = configuration.migrationBlock {
      let new = configuration.classes == nil ? self.schema : Schema(layouts.map(\.schema))
      let migration = Migration(old: before, new: self, newSchema: new)
      block(migration, before.stored.version ?? 0)
      try migration.verifyNames()
    }
    try settleEmbedding()
    classes.retireDynamic()
    try settlePrimaryKeys()
  }

  private func replaceChanged(_ schema: inout StoredSchema, _ layout: ClassLayout) {
    guard let table = schema.index(of: layout.name) else { return }
    if layout.isEmbedded, !schema.tables[table].isEmbedded {
      becomeEmbedded.insert(layout.name)
    } else {
      schema.tables[table].isEmbedded = layout.isEmbedded
    }
    let wanted = Dictionary(
      layout.fields.map { ($0.property.columnName, $0.property) }, uniquingKeysWith: { $1 })
    for column in schema.tables[table].columns where !column.isDropped {
      if let property = wanted[column.name], column.holds(property) { continue }
      schema.tables[table].columns[column.number].isDropped = true
      store.dropColumn(column, of: table)
    }
  }

  /// Takes a class out of the file, whose rows are gone. Its number stays unused: links and records
  /// of what was changed name a table by it.
  func dropTable(_ number: Int) {
    var schema = stored
    for column in schema.tables[number].columns where !column.isDropped {
      schema.tables[number].columns[column.number].isDropped = true
      store.dropColumn(column, of: number)
    }
    schema.tables[number].isDropped = true
    keep(schema)
    classes.retireDynamic(stored.tables[number].name)
  }

  /// Moves values that only became optional or required.
  private func carryOver(from before: Session) {
    for (number, table) in stored.tables.enumerated() where !table.isDropped {
      guard let oldNumber = before.stored.index(of: table.name) else { continue }
      let old = before.stored.tables[oldNumber]
      for column in table.columns where !column.isDropped {
        guard let source = old.column(named: column.name), source.number != column.number,
          source.type == column.type, source.shape == column.shape, source.target == column.target
        else { continue }
        for key in before.store.allKeys(of: oldNumber) {
          store.copyValue(
            key, of: oldNumber, source, from: before.store, to: key, of: number, column)
        }
      }
    }
  }
}
