extension Session {
  // MARK: - Classes

  /// A class by its Swift type; known from the first use on.
  @inline(__always)
  func bound(_ type: ObjectBase.Type) -> BoundClass {
    shelf.find(ObjectIdentifier(type)) ?? boundSlowly(type)
  }

  @inline(never)
  private func boundSlowly(_ type: ObjectBase.Type) -> BoundClass {
    if let known = classes.byType[ObjectIdentifier(type)] { return known }
    let layout = ClassLayout.of(type)
    // What the listed ones link to is the realm's, too. A migration's session of how the file was
    // has none of them bound when it is asked.
    if let listed = configuration.classes,
      !Session.closure(listed).contains(where: { $0.name == layout.name })
    {
      refuse(.unknownClass(layout.name), at: .open)
    }
    read()
    return bind(layout)
  }

  /// Makes a class known to the session.
  func bind(_ layout: ClassLayout, isKnownToFit: Bool = false) -> BoundClass {
    classes.bind(layout) { connected(layout, isKnownToFit) }
  }

  private func connected(_ layout: ClassLayout, _ isKnownToFit: Bool) -> BoundClass {
    do {
      // One that becomes embedded fits when the migration's block is done.
      if !isKnownToFit, !becomeEmbedded.contains(layout.name) { try checkFits(layout, stored) }
    } catch {
      let advice =
        configuration.classes == nil && layout.mistakes.isEmpty
        ? "\nList '\(layout.name)' in objectTypes, raise schemaVersion, and set in migrationBlock "
          + "what cannot move by itself."
        : ""
      fatalError("\(error)" + advice)
    }
    let bound = BoundClass(layout)
    bound.connect(to: stored)
    return bound
  }

  /// The class of a name: one that was used, one of the configuration, or else what the file says
  /// of it.
  func bound(named name: String) -> BoundClass? {
    if let known = classes.byName[name] { return known }
    if becomeEmbedded.contains(name), stored.index(of: name) != nil { return dynamicClass(name) }
    if let layout = configuration.classes?.first(where: { $0.name == name }) { return bind(layout) }
    for bound in classes.byType.values {
      for field in bound.layout.fields {
        if let linked = field.linked, linked.className() == name { return self.bound(linked) }
      }
    }
    read()
    if let layout = loadedClass(named: name) { return bind(layout, isKnownToFit: true) }
    return stored.index(of: name) == nil ? nil : dynamicClass(name)
  }

  /// The loaded class of a name, if the realm is about those and its table fits.
  private func loadedClass(named name: String) -> ClassLayout? {
    guard configuration.classes == nil, let layout = LoadedClasses.all.layout(named: name),
      (try? checkFits(layout, stored)) != nil
    else { return nil }
    return layout
  }

  /// The class at the other end of a property; nil for values.
  func linkedClass(of field: ClassLayout.Field) -> BoundClass? {
    field.linked.map(bound) ?? field.property.objectClassName.map(dynamicClass)
  }

  /// A class by name alone, its objects without a Swift type.
  func dynamicClass(_ name: String) -> BoundClass {
    // Others may have made something else of it in a version that was come to and not looked at.
    lookIfArrived()
    if let known = classes.dynamic(name) { return known }
    read()
    guard let schema = dynamicSchema(name) else { refuse(.unknownClass(name)) }
    return bind(ClassLayout(dynamic: schema))
  }

  /// What is known of a class by its name, at the schema that is shown.
  private func dynamicSchema(_ name: String) -> ObjectSchema? {
    if let known = classes.byName[name] { return known.layout.schema }
    if let number = stored.index(of: name) { return stored.tables[number].schema }
    let layout = configuration.classes?.first { $0.name == name } ?? loadedClass(named: name)
    return layout?.schema
  }

  /// The class that another session of the file knows by a layout.
  func bound(like layout: ClassLayout) -> BoundClass {
    layout.type == DynamicObject.self ? dynamicClass(layout.name) : bound(layout.type)
  }

  /// Whether objects of a class belong to a parent.
  func isEmbedded(_ className: String?) -> Bool {
    guard let className else { return false }
    if let known = classes.byName[className] { return known.isEmbedded }
    return bound(named: className)?.isEmbedded ?? false
  }

  /// The classes of the configuration or, where it names none, the loaded ones, those in use, and
  /// those of the file that none of them is.
  var schema: Schema {
    read()
    var found = classes.byName.mapValues(\.layout.schema)
    for layout in configuration.classes ?? [] { found[layout.name] = layout.schema }
    if configuration.classes == nil {
      for layout in LoadedClasses.all.layouts where found[layout.name] == nil {
        found[layout.name] = layout.schema
      }
      for table in stored.tables where !table.isDropped && found[table.name] == nil {
        found[table.name] = table.schema
      }
    }
    return Schema(found.keys.sorted().compactMap { found[$0] })
  }

  // MARK: - The file's schema

  /// Reads the schema of the version that is shown, if it is another one than before.
  func readSchema() {
    // Not counted: every step asks.
    let ref = Unmanaged.passUnretained(store)._withUnsafeGuaranteedRef { $0.schemaRef }
    if ref == storedRef { return }
    storedRef = ref
    let known = isInWrite ? nil : knownSchema(at: ref)
    let form: SchemaForm
    do {
      form = try known?.form ?? store.schemaForm(path: coordinator.path)
    } catch {
      switch schemaFailure {
      case .stops:
        refuse(.damaged(coordinator.path, at: ref.raw, "does not hold its schema: \(error)"))
      case .isNoted: schemaFailure = .isNoted(error)
      }
      return
    }
    if known == nil { remember(form, at: ref) }
    if form.schema == stored { return }
    verifyKeeps(form.schema)
    stored = form.schema
    let before = isFrozen ? [] : classes.all.map { (bound: $0, number: $0.number) }
    classes.connect(to: form.schema)
    if !isFrozen { classes.renewDynamic(dynamicSchema) }
    for (bound, number) in before where number != nil && bound.number != number {
      departures.vanish(bound.name, at: generation)
    }
  }

  /// Stops a realm whose classes another process has migrated to another form: what it reads
  /// would be empty, and what it writes would go astray.
  private func verifyKeeps(_ schema: StoredSchema) {
    // Of what is shown nothing is asked that would look at the version, which may be under way.
    guard isInShape, let known = shownSchema.version, let version = schema.version, known < version
    else { return }
    var problems: [String] = []
    // Those by name alone, too: objects that were found so go on looking where they looked before.
    for bound in classes.kept {
      let found = SchemaDifference(of: bound.layout, from: shownSchema, to: schema).problems
      problems += found.filter { !problems.contains($0) }
    }
    if !problems.isEmpty { refuse(.migratedElsewhere(problems)) }
  }

  /// The same for a version that has been come to and is not looked at yet. A class that goes has
  /// lost its rows before: who heard of those first would only say that an object is gone.
  func verifyKeeps(at root: Root) {
    let top = Top(space: coordinator.space, ref: root.top)
    if top.schemaRef == storedRef { return }
    // One that cannot be read is refused by whoever looks.
    if let form = SchemaForm.of([UInt8](top.schema)) { verifyKeeps(form.schema) }
  }

  /// Throws if the file holds the class in another form.
  func checkFits(_ layout: ClassLayout, _ schema: StoredSchema) throws {
    let mistakes = layout.mistakes
    if !mistakes.isEmpty { throw Realm.Error.schemaIsInvalid(mistakes, configuration.path) }
    if configuration.readOnly {
      let problems = SchemaDifference(layout, schema, .additions).problems
      if !problems.isEmpty { throw Realm.Error.cannotBeRead(problems, configuration.path) }
      return
    }
    let problems = SchemaDifference(layout, schema).problems
    if !problems.isEmpty { throw Realm.Error.migrationIsRequired(problems, configuration.path) }
  }

  /// Makes the table and the columns that a class lacks. Only in a write.
  func prepare(_ bound: BoundClass) {
    if _fastPath(bound.isReady) { return }
    var schema = stored
    extend(&schema, with: bound.layout)
    keep(schema)
  }

  /// Adds to a schema, and to the tables, what a class lacks in it.
  func extend(_ schema: inout StoredSchema, with layout: ClassLayout) {
    if schema.version == nil { schema.version = configuration.schemaVersion }
    let number: Int
    if let known = schema.index(of: layout.name) {
      number = known
    } else {
      number = schema.tables.count
      if number >= NodeFlaw.mostTables { refuse(.tooManyClasses(layout.name)) }
      schema.tables.append(StoredTable(name: layout.name, isEmbedded: layout.isEmbedded))
      store.makeTable(number)
    }
    for field in layout.fields where field.property.isStored {
      let property = field.property
      if let column = schema.tables[number].column(named: property.columnName) {
        if column.isIndexed != property.isIndexed {
          schema.tables[number].columns[column.number].isIndexed = property.isIndexed
          store.setIndexed(property.isIndexed, column, of: number)
        }
        continue
      }
      let column = StoredColumn(property, number: schema.tables[number].columns.count)
      if column.number >= NodeFlaw.mostColumns {
        refuse(.tooManyProperties(layout.name, property.name))
      }
      schema.tables[number].columns.append(column)
      store.makeColumn(column, of: number)
    }
  }

  /// Writes the schema, and connects the classes to it.
  func keep(_ schema: StoredSchema) {
    store.setSchema(schema.bytes)
    // Of no node: whether the write is committed or cancelled, the schema is read again.
    storedRef = NodeRef(raw: .max)
    stored = schema
    classes.connect(to: schema)
    contentChanged()
  }
}

extension Store {
  /// The schema of what is shown.
  func schemaForm(path: String) throws -> SchemaForm {
    guard let form = SchemaForm.of(schemaBytes) else {
      throw StorageError.damaged(path: path, reason: "its schema cannot be read")
    }
    if let flaw = form.schema.flaw(among: tableCount, specs: { table($0)?.specs }) {
      throw StorageError.damaged(path: path, reason: flaw)
    }
    return form
  }
}

extension StoredTable {
  /// The table as a class for code that knows none.
  var schema: ObjectSchema {
    ObjectSchema(
      className: name, properties: columns.filter { !$0.isDropped }.map(\.property),
      isEmbedded: isEmbedded)
  }
}

extension Realm.Error {
  static func migrationIsRequired(_ problems: [String], _ path: String) -> Realm.Error {
    Realm.Error(
      .schemaMismatch,
      "Migration is required due to the following errors:\n" + problems.joined(separator: "\n"),
      path)
  }

  /// What nobody can bring into shape, as it is only read.
  static func cannotBeRead(_ problems: [String], _ path: String) -> Realm.Error {
    Realm.Error(
      .fail,
      "The following changes cannot be made in read-only schema mode:\n"
        + problems.joined(separator: "\n"),
      path)
  }

  var needsMigration: Bool { code == .schemaMismatch }
}

extension Violation {
  static func tooManyClasses(_ name: String) -> Violation {
    Violation(
      "Cannot add class '\(name)': the Realm has had \(NodeFlaw.mostTables) classes, those removed "
        + "by migrations included, and can have no more. Copy what is left to a new file.")
  }
  static func tooManyProperties(_ name: String, _ property: String) -> Violation {
    Violation(
      "Cannot add property '\(name).\(property)': the class has had \(NodeFlaw.mostColumns) "
        + "properties, those removed by migrations included, and can have no more.")
  }
  static func unknownClass(_ name: String) -> Violation {
    Violation(
      "Object type '\(name)' is not managed by the Realm. If using a custom `objectClasses` / "
        + "`objectTypes` array in your configuration, add `\(name)` to the list of `objectTypes`.")
  }
}
