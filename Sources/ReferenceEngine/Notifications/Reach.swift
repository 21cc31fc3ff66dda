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

  /// The observed class's objects that changes concern, each with the bits of the columns by which
  /// they do.
  func touched(by changes: ChangeSet, since told: Root, in session: Session) -> [Int64: UInt64] {
    guard let bound, let table = bound.table else { return [:] }
    switch extent {
    case .own:
      var touched: [Int64: UInt64] = [:]
      for change in changes.tables[UInt32(table)] ?? [] where change.kind == .modified {
        for key in change.keys { touched[key, default: 0] |= change.columns }
      }
      return touched
    case .deep:
      var touched: [Int64: UInt64] = [:]
      for row in climbed(from: changes, in: session) where row.table == table {
        touched[row.key] = .max
      }
      return touched
    case .paths(let paths): return trace(paths, changes, told, session, bound).touched
    }
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

  /// All rows that were modified, and those that link to them over up to four links.
  private func climbed(from changes: ChangeSet, in session: Session) -> Set<RowLink> {
    var seen: Set<RowLink> = []
    for (table, runs) in changes.tables {
      for change in runs where change.kind == .modified || change.kind == .replaced {
        for key in change.keys { seen.insert(RowLink(table: Int(table), key: key)) }
      }
    }
    let mixed = session.store.mixedColumns(in: session.stored)
    var front = Array(seen)
    for _ in 0..<Reach.depth where !front.isEmpty {
      var next: [RowLink] = []
      for row in front {
        session.forEachSource(of: row, mixed: mixed) { source, _ in
          if seen.insert(source).inserted { next.append(source) }
        }
      }
      front = next
    }
    return seen
  }
}
