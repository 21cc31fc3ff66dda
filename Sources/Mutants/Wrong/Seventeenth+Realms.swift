#if Mutants
@_private(sourceFile: "Commit.swift") import ReferenceEngine
@_private(sourceFile: "Session+Migration.swift") import ReferenceEngine
@_private(sourceFile: "Session+Rows.swift") import ReferenceEngine
@_private(sourceFile: "Session+Schema.swift") import ReferenceEngine

// The seventeenth set: realms, what they write, and their files.

extension ClassLayout {
  /// Whether its objects are embedded, and none of some classes has one.
  func isLone(among classes: [ClassLayout]) -> Bool {
    guard isEmbedded else { return false }
    return !classes.contains { other in
      other !== self && other.fields.contains { $0.property.objectClassName == name }
    }
  }
}

extension Session {
  /// Whether the configuration lists classes of embedded objects that no other one has.
  var hasLoneClasses: Bool {
    let classes = configuration.classes ?? []
    return classes.contains { $0.isLone(among: classes) }
  }

  @_dynamicReplacement(for:isComplete(_:))
  private func seventeenthIsComplete(_ layout: ClassLayout) -> Bool {
    if breaks(.loneEmbeddedClassesAreKnown), layout.isLone(among: configuration.classes ?? []) {
      return false
    }
    return isComplete(layout)
  }

  @_dynamicReplacement(for:keep(_:))
  func seventeenthKeep(_ schema: StoredSchema) {
    NewClasses.note()
    keep(schema)
  }

  @_dynamicReplacement(for:replaceLink(_:_:of:_:adopting:))
  private func seventeenthReplaceLink(
    _ value: StoredValue, _ key: Int64, of table: Int, _ column: StoredColumn, adopting: Bool
  ) -> StoredValue {
    let old = load(key, column, of: table)
    let new = replaceLink(value, key, of: table, column, adopting: adopting)
    guard column.type == .any, case .link(let target)? = old else { return new }
    let row = RowLink(table: table, key: key)
    if case .link(target) = new {
      if breaks(.linksSetAgainStay) { unlink(row, column, from: target) }
    } else if breaks(.mixedLinksAreTakenBack), new.links.isEmpty {
      noteLink(row, column, to: target)
    }
    return new
  }

  /// A migration whose block is a commit of its own.
  func migrateInTwo(_ layouts: [ClassLayout], from snapshot: Snapshot) throws {
    isMigrating = true
    defer { isMigrating = false }
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
      try commitWrite()
      begin(try coordinator.beginWrite())
      let new = configuration.classes == nil ? self.schema : Schema(layouts.map(\.schema))
      let migration = Migration(old: before, new: self, newSchema: new)
      block(migration, before.stored.version ?? 0)
      try migration.verifyNames()
    }
    classes.retireDynamic()
    try settlePrimaryKeys()
  }

  /// Whether the first two commits since a version have changed nothing, and a later one has.
  func beganWithEmptyCommits(since before: Root) -> Bool {
    guard let root, !root.isWaiting, root.version > before.version,
      let logs = ChangeLog.chain(from: root, downTo: before.version, in: coordinator.space),
      logs.count > 2, logs.allSatisfy(\.knowsRows)
    else { return false }
    let changes = logs.reversed().map(\.changes)
    return changes.prefix(2).allSatisfy(\.isEmpty) && !changes.allSatisfy(\.isEmpty)
  }
}

extension Coordinator {
  @_dynamicReplacement(for:tell())
  func seventeenthTell() {
    if !NewClasses.areNotTold() { tell() }
  }
}

extension Commit {
  @_dynamicReplacement(for:flushNodes(_:))
  func seventeenthFlushNodes(_ plan: Plan) throws {
    if breaks(.longerFilesAreFlushedFirst), plan.how == .twoPhase,
      plan.root.end > file.board.newestRoot.end
    {
      return
    }
    try flushNodes(plan)
  }
}
#endif
