extension Inspection {
  /// The class whose objects a table holds; nil where the file does not say.
  package func className(ofTable number: Int) -> String? {
    guard let stored = StoredSchema(bytes: schema), stored.tables.indices.contains(number) else {
      return nil
    }
    return stored.tables[number].name
  }
}
