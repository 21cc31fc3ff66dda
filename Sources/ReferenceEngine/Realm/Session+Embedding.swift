// A class that a migration makes embedded has objects that one may hold, or nobody, or several. An
// embedded object has one holder: whoever else showed it would lose it with that one, and what
// nobody holds could never be reached again.

extension Session {
  /// Makes classes embedded whose objects have a holder each. Throws if one of them has not.
  ///
  /// Done behind the block, which may delete and link as it likes until then.
  func settleEmbedding() throws {
    if becomeEmbedded.isEmpty { return }
    var schema = stored
    for name in becomeEmbedded.sorted() {
      // Its data may have been deleted, and it with them.
      guard let number = schema.index(of: name) else { continue }
      try verifyHolders(of: number, name)
      schema.tables[number].isEmbedded = true
    }
    becomeEmbedded = []
    keep(schema)
  }

  /// Throws unless each row of a table has one holder, which is no mixed value.
  private func verifyHolders(of number: Int, _ name: String) throws {
    func refuse(_ reason: String) -> Realm.Error {
      Realm.Error(
        .fail, "Cannot convert '\(name)' to embedded: \(reason)", configuration.path)
    }
    let mixed = store.mixedColumns(in: stored)
    let linking = store.linkingColumns(to: number, in: stored)
    let keys = store.allKeys(of: number)
    for key in keys {
      let row = RowLink(table: number, key: key)
      guard let (source, column) = mixed.first(where: { holds($0, row) }) else { continue }
      throw refuse(
        "there is an incoming link from the Mixed property "
          + "'\(stored.tables[source].name).\(column.name)', which does not support linking to "
          + "embedded objects.")
    }
    for key in keys {
      let row = RowLink(table: number, key: key)
      let count = linking.reduce(0) { $0 + store.linkers(to: row, from: $1.0, $1.1).count }
      if count == 0 {
        throw refuse("at least one object has no incoming links and would be deleted.")
      }
      if count > 1 { throw refuse("at least one object has more than one incoming link.") }
    }
  }

  private func holds(_ place: (Int, StoredColumn), _ row: RowLink) -> Bool {
    !store.backlinks(to: row, from: place.0, place.1).isEmpty
  }
}
