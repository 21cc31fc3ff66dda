/// Which changes concern a listener: of which properties, and how far away over links.
struct Reach {
  private enum Extent {
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
    let keyPaths = Reach.filter(keyPaths)
    hasKeyPaths = keyPaths != nil
    let all = keeps(.objectsLookAtThemselves) ? Extent.own : .deep
    extent = keyPaths.map { .paths(Reach.resolve($0, in: bound)) } ?? all
  }

  init(ofMembers bound: BoundClass?, keyPaths: [String]?) {
    self.bound = bound
    let keyPaths = Reach.filter(keyPaths)
    hasKeyPaths = keyPaths != nil
    extent =
      keyPaths.map { paths in .paths(bound.map { Reach.resolve(paths, in: $0) } ?? []) } ?? .deep
  }

  /// The key paths that count.
  private static func filter(_ keyPaths: [String]?) -> [String]? {
    if !keeps(.keyPathsFilter) { return nil }
    return keyPaths?.isEmpty == true && !keeps(.emptyKeyPathsAreShallow) ? nil : keyPaths
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

  /// The observed class's objects that changes concern, each with the bits of the columns by which they do.
  func touched(by changes: ChangeSet, in session: Session) -> [Int64: UInt64] {
    guard let bound, let table = bound.table else { return [:] }
    var touched: [Int64: UInt64] = [:]
    switch extent {
    case .own:
      for change in changes.tables[UInt32(table)] ?? [] where change.kind == .modified {
        for key in change.key..<change.end { touched[key, default: 0] |= change.columns }
      }
    case .deep:
      for row in climbed(from: changes, in: session) where row.table == table {
        touched[row.key] = .max
      }
    case .paths(let paths):
      for path in paths { follow(path, changes, session, &touched) }
    }
    return touched
  }

  /// All rows that were modified, and those that link to them over up to four links.
  private func climbed(from changes: ChangeSet, in session: Session) -> Set<RowLink> {
    var seen: Set<RowLink> = []
    for (table, runs) in changes.tables {
      for change in runs where change.kind == .modified || change.kind == .replaced {
        for key in change.key..<change.end { seen.insert(RowLink(table: Int(table), key: key)) }
      }
    }
    var front = Array(seen)
    let depth = keeps(.collectionsLookOverLinks) ? Reach.depth : 0
    for _ in 0..<depth where !front.isEmpty {
      var next: [RowLink] = []
      for row in front {
        session.forEachSource(of: row) { source, _ in
          if seen.insert(source).inserted { next.append(source) }
        }
      }
      front = next
    }
    return seen
  }

  /// Adds what changes of one key path's properties concern.
  private func follow(
    _ path: [String], _ changes: ChangeSet, _ session: Session, _ touched: inout [Int64: UInt64]
  ) {
    var links: [(table: Int, column: Int)] = []
    var current: BoundClass? = bound
    for step in path {
      guard let here = current, let table = here.table, let column = here.column(named: step)
      else { return }
      for change in changes.tables[UInt32(table)] ?? []
      where change.kind == .modified && change.columns & RowChange.bit(of: column.number) != 0 {
        for key in change.key..<change.end {
          let bit = RowChange.bit(of: links.first?.column ?? column.number)
          for origin in origins(of: RowLink(table: table, key: key), over: links, session) {
            touched[origin, default: 0] |= bit
          }
        }
      }
      links.append((table, column.number))
      current = here.layout.index(of: step)
        .flatMap { here.layout.fields[$0].linked }.map(session.bound)
    }
  }

  /// The observed objects from which a row is reached over those links.
  private func origins(
    of row: RowLink, over links: [(table: Int, column: Int)], _ session: Session
  ) -> Set<Int64> {
    var rows: Set<RowLink> = [row]
    for link in links.reversed() {
      var next: Set<RowLink> = []
      for row in rows {
        session.forEachSource(of: row) { source, column in
          if source.table == link.table, column == link.column { next.insert(source) }
        }
      }
      rows = next
    }
    return Set(rows.map(\.key))
  }
}
