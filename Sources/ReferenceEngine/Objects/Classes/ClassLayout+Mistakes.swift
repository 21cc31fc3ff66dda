// What a class must not say of itself. Realm tells it when the class is first used, and so do we.

extension ClassLayout {
  /// What is wrong with the class, a sentence each.
  var mistakes: [String] { ownMistakes + fields.compactMap(mistakenOrigin) }

  /// What is wrong with the class alone.
  static func mistakes(
    of name: String, isEmbedded: Bool, _ properties: [Property], legacyKey: String? = nil
  ) -> [String] {
    var found: [String] = []
    if let legacyKey, !properties.contains(where: { $0.name == legacyKey }) {
      found.append("- Primary key property '\(legacyKey)' does not exist on object '\(name)'.")
    }
    let keys = properties.filter(\.isPrimaryKey)
    if isEmbedded, !keys.isEmpty {
      found.append("- Embedded object type '\(name)' cannot have a primary key.")
    } else if keys.count > 1 {
      found.append(
        "- Properties '\(keys[1].name)' and '\(keys[0].name)' are both marked as the primary key "
          + "of '\(name)'.")
    }
    for property in properties {
      let words = "- Property '\(name).\(property.name)' of type '\(property.typeWords)' cannot be"
      if property.isPrimaryKey {
        if !property.canBePrimaryKey { found.append(words + " made the primary key.") }
      } else if property.isIndexed, !property.canBeIndexed {
        found.append(words + " indexed.")
      }
    }
    var columns: Set<String> = []
    for property in properties where !columns.insert(property.columnName).inserted {
      found.append(
        "- Alias '\(property.columnName)' appears more than once in the schema for type '\(name)'.")
    }
    return found
  }

  private func mistakenOrigin(_ field: Field) -> String? {
    guard let origin = field.property.linkOriginPropertyName, let linked = field.linked,
      linked != DynamicObject.self
    else { return nil }
    let source = ClassLayout.of(linked)
    let words =
      "- Property '\(source.name).\(origin)' declared as origin of linking objects property "
      + "'\(name).\(field.property.name)'"
    guard let index = source.index(of: origin) else { return words + " does not exist." }
    let property = source.fields[index].property
    if property.type != .object { return words + " is not a link." }
    let target = property.objectClassName ?? ""
    return target == name ? nil : words + " links to type '\(target)'."
  }
}

extension Property {
  fileprivate var canBePrimaryKey: Bool {
    guard shape == .single else { return false }
    switch type {
    case .int, .string, .objectId, .UUID: return true
    default: return false
    }
  }

  fileprivate var canBeIndexed: Bool {
    guard shape == .single else { return false }
    switch type {
    case .int, .bool, .string, .date, .objectId, .UUID, .any: return true
    case .float, .double, .data, .decimal128, .object, .linkingObjects: return false
    }
  }
}

extension Realm.Error {
  static func schemaIsInvalid(_ mistakes: [String], _ path: String) -> Realm.Error {
    Realm.Error(
      .fail,
      "Schema validation failed due to the following errors:\n"
        + mistakes.joined(separator: "\n"), path)
  }
}
