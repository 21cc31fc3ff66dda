/// Which changes concern a listener: of which properties, and how far away over links.
struct Reach {
  private enum Extent: Equatable {
    /// Whatever can be reached over up to four links: a collection's listener without key paths.
    case deep
    /// The object's own properties: an object's listener without key paths.
    case own
    /// Where the key paths lead, property by property.
    case paths([[String]])
  }

  /// How many links a listener without key paths looks over.
  static let depth = 4

  private let extent: Extent
  /// Whether key paths say what concerns the listener.
  let hasKeyPaths: Bool
  /// The class of the observed objects; nil for collections of plain values.
  private let bound: BoundClass?

  /// - Parameter keyPaths: Nil for all, empty for none.
  init(ofObjects bound: BoundClass, keyPaths: [String]?) {
    self.bound = bound
    hasKeyPaths = keyPaths != nil
    extent = keyPaths.map { .paths(Reach.resolve($0, in: bound)) } ?? .own
  }

  init(ofMembers bound: BoundClass?, keyPaths: [String]?) {
    self.bound = bound
    hasKeyPaths = keyPaths != nil
    extent =
      keyPaths.map { paths in .paths(bound.map { Reach.resolve(paths, in: $0) } ?? []) } ?? .deep
  }

  /// Splits key paths, and stops whoever names a property that is not there.
  private static func resolve(_ keyPaths: [String], in bound: BoundClass) -> [[String]] {
    keyPaths.map { path in
      var layout: ClassLayout? = bound.layout
      let steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      for step in steps {
        guard let current = layout, let index = current.index(of: step) else {
          refuse(.noSuchProperty(step, in: layout?.name ?? path), at: .observe)
          return []
        }
        layout = current.fields[index].linked.map(ClassLayout.of)
      }
      return steps
    }
  }

  /// The observed class's objects that changes concern, each with the columns by which they do.
  func touched(
    by changes: ChangeSet, since told: Root, in session: Session
  ) -> [Int64: ColumnSet] {
    guard let bound, let table = bound.number else { return [:] }
    switch extent {
    case .own:
      var touched: [Int64: ColumnSet] = [:]
      for change in changes.tables[UInt32(table)] ?? [] where change.kind == .modified {
        for key in change.keys {
          touched[key] = changes.columns(of: RowLink(table: table, key: key))
        }
      }
      return touched
    case .deep:
      var touched: [Int64: ColumnSet] = [:]
      for key in touchedRows(by: changes, since: told, in: session).keys { touched[key] = .all }
      return touched
    case .paths(let paths): return trace(paths, changes, told, session, bound).touched
    }
  }

  /// The same without the columns, and those that a collection's listener is told of without being
  /// listed.
  func touchedRows(
    by changes: ChangeSet, since told: Root, in session: Session
  ) -> TouchedRows {
    guard let bound, let table = bound.number else { return TouchedRows() }
    guard case .deep = extent else {
      return TouchedRows(others: Set(touched(by: changes, since: told, in: session).keys))
    }
    var others: Set<Int64> = []
    for row in climbed(from: changes, in: session) where row.table == table {
      others.insert(row.key)
    }
    return TouchedRows(
      modified: changes.tables[UInt32(table)]?.filter(\.modifies) ?? [], others: others)
  }

  /// By which of its columns changes concern an object; nil if they do not.
  func columns(
    of row: RowLink, touchedBy changes: ChangeSet, since told: Root, in session: Session
  ) -> ColumnSet? {
    guard case .own = extent else {
      return touched(by: changes, since: told, in: session)[row.key]
    }
    return changes.columns(of: row)
  }

  /// Whether what concerns the listener can be found out in a snapshot of the newer version alone.
  var looksAhead: Bool {
    guard case .paths(let paths) = extent else { return true }
    return paths.allSatisfy { path in
      var layout = bound?.layout
      return path.allSatisfy { step in
        guard let here = layout, let index = here.index(of: step) else { return false }
        layout = here.fields[index].linked.map(ClassLayout.of)
        return here.fields[index].property.isStored
      }
    }
  }

  /// Whether the same changes concern a listener of the same thing.
  func isSame(as other: Reach) -> Bool { extent == other.extent }

  /// The same reach, for another session, which knows the class by its own columns.
  func bound(to bound: BoundClass?) -> Reach { Reach(extent, of: bound, hasKeyPaths) }

  private init(_ extent: Extent, of bound: BoundClass?, _ hasKeyPaths: Bool) {
    (self.extent, self.bound, self.hasKeyPaths) = (extent, bound, hasKeyPaths)
  }

  /// The rows that changes concern, for a collection of mixed values that may link to them; none if
  /// key paths say what concerns its listener.
  func rows(touchedBy changes: ChangeSet, in session: Session) -> Set<RowLink> {
    if case .deep = extent { climbed(from: changes, in: session) } else { [] }
  }

  /// The names of the links backwards through which changes concern an object.
  func linkers(
    to row: RowLink, touchedBy changes: ChangeSet, since told: Root, in session: Session
  ) -> Set<String> {
    guard let bound, case .paths(let paths) = extent else { return [] }
    let backwards = paths.filter { path in
      bound.layout.index(of: path[0]).map { !bound.layout.fields[$0].property.isStored } ?? false
    }
    if backwards.isEmpty { return [] }
    return trace(backwards, changes, told, session, bound).linkers[row.key] ?? []
  }

  private func trace(
    _ paths: [[String]], _ changes: ChangeSet, _ told: Root, _ session: Session,
    _ bound: BoundClass
  ) -> PathTrace {
    var trace = PathTrace(changes: changes, told: told, session: session)
    for path in paths { trace.follow(path, from: bound) }
    return trace
  }

  /// The rows that link to modified ones over up to four links; of the modified ones those that
  /// somebody may link to.
  private func climbed(from changes: ChangeSet, in session: Session) -> Set<RowLink> {
    // Mixed values may link to rows of every table.
    let mixed = session.store.mixedColumns(in: session.stored)
    var known: [Int: [(source: Int, column: StoredColumn)]] = [:]
    func links(to table: Int) -> [(source: Int, column: StoredColumn)] {
      if let found = known[table] { return found }
      let found =
        session.stored.tables.indices.contains(table)
        ? session.store.linkingColumns(to: table, in: session.stored) + mixed : []
      known[table] = found
      return found
    }
    var seen: Set<RowLink> = []
    for (table, runs) in changes.tables where !links(to: Int(table)).isEmpty {
      for change in runs where change.modifies {
        for key in change.keys { seen.insert(RowLink(table: Int(table), key: key)) }
      }
    }
    var front = Array(seen)
    for _ in 0..<Reach.depth where !front.isEmpty {
      var next: [RowLink] = []
      for row in front {
        for (source, column) in links(to: row.table) {
          for key in session.store.backlinks(to: row, from: source, column) {
            let link = RowLink(table: source, key: key)
            if seen.insert(link).inserted { next.append(link) }
          }
        }
      }
      front = next
    }
    return seen
  }
}
