extension Predicate {
  /// The rows among which all that satisfy the predicate are found, by a primary key or an index;
  /// and whether they satisfy it for that alone. Nil where nothing leads to them directly.
  ///
  /// - Parameter most: how many are wanted, the first of them; there may be more.
  func lookup(
    in table: BoundClass, _ session: Session, atMost most: Int = .max
  ) -> (keys: [Int64], isWhole: Bool)? {
    switch self {
    case .comparison(let comparison):
      guard let keys = comparison.lookup(in: table, session, atMost: most) else { return nil }
      return (keys, true)
    case .all(let parts):
      for part in parts {
        if case .comparison(let comparison) = part,
          let keys = comparison.lookup(in: table, session, atMost: parts.count == 1 ? most : .max)
        {
          return (keys, parts.count == 1)
        }
      }
      return nil
    case .constant, .not, .any: return nil
    }
  }
}

extension Comparison {
  fileprivate func lookup(
    in table: BoundClass, _ session: Session, atMost most: Int
  ) -> [Int64]? {
    guard !isQuantified, options.isEmpty, case .path(let path) = left, path.steps.count == 1,
      case .property(let name) = path.steps[0], let field = table.layout.index(of: name)
    else { return nil }
    let property = table.layout.fields[field].property
    guard property.isIndexed, property.shape == .single else { return nil }
    let wanted: [StoredValue]
    switch (operation, right) {
    case (.equal, .value(let value)):
      return session.keys(of: table, where: property, equals: value, atMost: most)
    // Beside so many the rows are looked at faster than found one by one.
    case (.in, .values(let values))
    where values.count <= max(64, (session.rows(of: table)?.count ?? 0) / 16):
      wanted = values
    default: return nil
    }
    var found: Set<Int64> = []
    for value in wanted {
      guard let keys = session.keys(of: table, where: property, equals: value) else { return nil }
      found.formUnion(keys)
    }
    return Array(found)
  }
}
