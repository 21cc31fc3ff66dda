/// The differences between a class and its table that only a migration can mend, or has made: it
/// takes more than new tables and columns.
struct SchemaDifference {
  /// What counts besides what has changed.
  enum Counting {
    case changes
    /// Properties, too, that the class has no more.
    case removals
    /// Properties, too, that the table has not, where nobody can add them.
    case additions
    /// Both, where nothing is migrated.
    case all
  }

  let problems: [String]

  init(_ layout: ClassLayout, _ schema: StoredSchema, _ counting: Counting = .changes) {
    guard let number = schema.index(of: layout.name) else {
      problems = []
      return
    }
    let table = schema.tables[number]
    var problems: [String] = []
    if table.isEmbedded != layout.isEmbedded {
      problems.append(
        SchemaDifference.move(of: layout.name, from: table.isEmbedded, to: layout.isEmbedded))
    }
    for field in layout.fields where field.property.isStored {
      let property = field.property
      guard let column = table.column(named: property.columnName) else {
        if counting == .additions || counting == .all {
          problems.append("- Property '\(layout.name).\(property.name)' has been added.")
        }
        continue
      }
      if column.isPrimaryKey != property.isPrimaryKey {
        problems.append(
          SchemaDifference.change(ofKeyOf: layout.name, isAdded: property.isPrimaryKey))
      } else if !column.holds(property) {
        problems.append(
          SchemaDifference.change(
            of: "\(layout.name).\(property.name)", from: column.property, to: property))
      }
    }
    if counting == .removals || counting == .all {
      let names = Set(layout.fields.map(\.property.columnName))
      for column in table.columns where !column.isDropped && !names.contains(column.name) {
        problems.append("- Property '\(layout.name).\(column.name)' has been removed.")
      }
    }
    self.problems = problems
  }

  /// What a class that had its table in one schema cannot find in another.
  init(of layout: ClassLayout, from before: StoredSchema, to schema: StoredSchema) {
    guard let old = before.index(of: layout.name).map({ before.tables[$0] }) else {
      problems = []
      return
    }
    guard let table = schema.index(of: layout.name).map({ schema.tables[$0] }) else {
      problems = ["- Class '\(layout.name)' has been removed."]
      return
    }
    var problems: [String] = []
    if old.isEmbedded != table.isEmbedded {
      problems.append(
        SchemaDifference.move(of: layout.name, from: old.isEmbedded, to: table.isEmbedded))
    }
    // Whoever does not know the key would add objects without one.
    if let key = table.primaryKey, old.column(named: key.name) == nil {
      problems.append(SchemaDifference.change(ofKeyOf: layout.name, isAdded: true))
    }
    for field in layout.fields {
      let property = field.property
      guard property.isStored, old.column(named: property.columnName) != nil else { continue }
      let path = "\(layout.name).\(property.name)"
      guard let column = table.column(named: property.columnName) else {
        problems.append("- Property '\(path)' has been removed.")
        continue
      }
      if column.isPrimaryKey != property.isPrimaryKey {
        problems.append(
          SchemaDifference.change(ofKeyOf: layout.name, isAdded: column.isPrimaryKey))
      } else if !column.holds(property) {
        problems.append(
          SchemaDifference.change(of: path, from: property, to: column.property))
      }
    }
    self.problems = problems
  }

  private static func move(
    of name: String, from wasEmbedded: Bool, to isEmbedded: Bool
  ) -> String {
    "- Class '\(name)' has been changed from \(wasEmbedded ? "embedded" : "top-level")"
      + " to \(isEmbedded ? "embedded" : "top-level")."
  }

  private static func change(ofKeyOf name: String, isAdded: Bool) -> String {
    "- Primary Key for class '\(name)' has been \(isAdded ? "added" : "removed")."
  }

  private static func change(of path: String, from old: Property, to new: Property) -> String {
    if old.type == new.type, old.shape == new.shape, old.objectClassName == new.objectClassName {
      return "- Property '\(path)' has been made \(new.isOptional ? "optional" : "required")."
    }
    return "- Property '\(path)' has been changed from '\(old.typeWords)' to '\(new.typeWords)'."
  }
}
