/// Finds the objects that changes at the far end of key paths concern, by walking the paths
/// backwards.
struct PathTrace {
  /// How one step of a path comes from an object to others.
  private enum Edge {
    /// The object's row links through a column of its table.
    case link(table: Int, column: Int)
    /// Rows of another table link to it through a column: links backwards.
    case linkers(table: Int, column: StoredColumn)
  }

  /// What a path begins with, at the observed object.
  private enum Step {
    case column(Int)
    /// Links backwards, by name.
    case linkers(String)
  }

  let changes: ChangeSet
  /// The version that the listener knows.
  let told: Root
  let session: Session
  /// The objects, each with its own columns through which it is concerned; links backwards have
  /// none.
  private(set) var touched: [Int64: ColumnSet] = [:]
  /// The names of the links backwards through which an object is concerned.
  private(set) var linkers: [Int64: Set<String>] = [:]

  init(changes: ChangeSet, told: Root, session: Session) {
    (self.changes, self.told, self.session) = (changes, told, session)
  }

  /// Adds what changes of a path's properties concern.
  mutating func follow(_ path: [String], from bound: BoundClass) {
    var edges: [Edge] = []
    var first: Step?
    var current: BoundClass? = bound
    for step in path {
      guard let here = current, let index = here.layout.index(of: step) else { return }
      let field = here.layout.fields[index]
      current = field.linked.map(session.bound)
      if field.property.type == .linkingObjects {
        guard let source = current, let table = source.number,
          let column = source.column(named: field.property.linkOriginPropertyName ?? "")
        else { return }
        let own = first ?? .linkers(step)
        first = own
        touch(relinked(by: column, of: table), over: edges, own)
        edges.append(.linkers(table: table, column: column))
      } else {
        guard let table = here.number, let column = here.column(named: step) else { return }
        let own = first ?? .column(column.number)
        first = own
        touch(modified(column.number, of: table), over: edges, own)
        edges.append(.link(table: table, column: column.number))
      }
    }
  }

  /// The rows of a table whose column was written.
  private func modified(_ column: Int, of table: Int) -> Set<RowLink> {
    var rows: Set<RowLink> = []
    for change in changes.tables[UInt32(table)] ?? [] where change.kind == .modified {
      rows.formUnion(changes.rows(of: change, modifiedIn: column))
    }
    return rows
  }

  /// The rows to which some row links through a column more often, or less often, than before.
  private func relinked(by column: StoredColumn, of table: Int) -> Set<RowLink> {
    var relinked: Set<RowLink> = []
    var old: Session?
    for change in changes.tables[UInt32(table)] ?? [] {
      let rows =
        change.kind == .modified
        ? changes.rows(of: change, modifiedIn: column.number)
        : change.keys.map { RowLink(table: table, key: $0) }
      if rows.isEmpty { continue }
      if change.kind != .inserted, old == nil {
        old = session.listeners?.frozenSession(of: told)
      }
      for row in rows {
        let before = change.kind == .inserted ? [] : old?.links(from: row, column) ?? []
        let after = change.kind == .deleted ? [] : session.links(from: row, column)
        if change.kind == .replaced {
          relinked.formUnion(before + after)
          continue
        }
        // What one row no longer links to, another may link to from now on.
        var balance: [RowLink: Int] = [:]
        for link in before { balance[link, default: 0] -= 1 }
        for link in after { balance[link, default: 0] += 1 }
        for (link, count) in balance where count != 0 { relinked.insert(link) }
      }
    }
    return relinked
  }

  /// Notes the observed objects from which rows are reached.
  private mutating func touch(
    _ rows: Set<RowLink>, over edges: [Edge], _ first: Step
  ) {
    var rows = rows
    for edge in edges.reversed() where !rows.isEmpty { rows = origins(of: rows, over: edge) }
    for row in rows {
      switch first {
      case .column(let column): touched[row.key, default: ColumnSet()].insert(column)
      case .linkers(let name):
        if touched[row.key] == nil { touched[row.key] = ColumnSet() }
        linkers[row.key, default: []].insert(name)
      }
    }
  }

  private func origins(of rows: Set<RowLink>, over edge: Edge) -> Set<RowLink> {
    var origins: Set<RowLink> = []
    for row in rows {
      switch edge {
      case .link(let table, let number):
        session.forEachSource(of: row) { source, column in
          if source.table == table, column == number { origins.insert(source) }
        }
      case .linkers(let table, let column):
        if row.table == table { origins.formUnion(session.links(from: row, column)) }
      }
    }
    return origins
  }
}
