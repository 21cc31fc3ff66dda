#if Mutants
@_private(sourceFile: "Reach.swift") import ReferenceEngine

extension Reach {
  /// What a broken engine makes of a listener's key paths.
  private static func seen(_ keyPaths: [String]?) -> [String]? {
    if breaks(.keyPathsFilter) { return nil }
    if breaks(.allKeyPathsCount) { return keyPaths.map { Array($0.prefix(1)) } }
    if breaks(.pathsAreOfAnyLength) {
      return keyPaths?.map { $0.split(separator: ".").prefix(4).joined(separator: ".") }
    }
    return breaks(.emptyKeyPathsAreShallow) && keyPaths?.isEmpty == true ? nil : keyPaths
  }

  @_dynamicReplacement(for:init(ofObjects:keyPaths:))
  init(wrongOfObjects bound: BoundClass, keyPaths: [String]?) {
    let keyPaths = Reach.seen(keyPaths)
    if keyPaths == nil, breaks(.objectsLookAtThemselves) {
      self.init(ofMembers: bound, keyPaths: nil)
    } else {
      self.init(ofObjects: bound, keyPaths: keyPaths)
    }
  }

  @_dynamicReplacement(for:resolve(_:in:))
  private static func wrongResolve(_ keyPaths: [String], in bound: BoundClass) -> [[String]] {
    if breaks(.wrongPathsNameTheirClass) { nameTheRoot(of: keyPaths, in: bound) }
    guard breaks(.eachKeyPathIsLookedAt), let first = keyPaths.first else {
      return resolve(keyPaths, in: bound)
    }
    let rest = keyPaths.dropFirst().filter { missingStep(of: $0, in: bound) == nil }
    return resolve([first] + rest, in: bound)
  }

  /// The first step of a key path that names nothing.
  static func missingStep(of path: String, in bound: BoundClass) -> String? {
    var layout: ClassLayout? = bound.layout
    for step in path.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
      guard let here = layout, let index = here.index(of: step) else { return step }
      layout = here.fields[index].linked.map(ClassLayout.of)
    }
    return nil
  }

  @_dynamicReplacement(for:init(ofMembers:keyPaths:))
  init(wrongOfMembers bound: BoundClass?, keyPaths: [String]?) {
    self.init(ofMembers: bound, keyPaths: Reach.seen(keyPaths))
  }

  @_dynamicReplacement(for:linkers(to:touchedBy:since:in:))
  func wrongLinkers(
    to row: RowLink, touchedBy changes: ChangeSet, since told: Root, in session: Session
  ) -> Set<String> {
    if breaks(.linksBackwardsAreNamed) { return [] }
    return linkers(to: row, touchedBy: changes, since: told, in: session)
  }

  @_dynamicReplacement(for:climbed(from:in:))
  private func wrongClimbed(from changes: ChangeSet, in session: Session) -> Set<RowLink> {
    if breaks(.mixedLinksAreLookedOver) {
      Reach.passesMixedLinksBy = true
      defer { Reach.passesMixedLinksBy = false }
      return climbed(from: changes, in: session)
    }
    goRound(changes, in: session)
    if breaks(.fourLinksAreNear) { return climbed(2, from: changes, in: session) }
    if breaks(.fiveLinksAreFar) { return climbed(5, from: changes, in: session) }
    guard breaks(.collectionsLookOverLinks) else { return climbed(from: changes, in: session) }
    var modified: Set<RowLink> = []
    for (table, runs) in changes.tables {
      for change in runs where change.kind == .modified || change.kind == .replaced {
        for key in change.keys {
          modified.insert(RowLink(table: Int(table), key: key))
        }
      }
    }
    return modified
  }

  /// The same over another number of links.
  private func climbed(
    _ depth: Int, from changes: ChangeSet, in session: Session
  ) -> Set<RowLink> {
    let mixed = session.store.mixedColumns(in: session.stored)
    var seen: Set<RowLink> = []
    for (table, runs) in changes.tables {
      for change in runs where change.modifies {
        for key in change.keys { seen.insert(RowLink(table: Int(table), key: key)) }
      }
    }
    var front = Array(seen)
    for _ in 0..<depth {
      var next: [RowLink] = []
      for row in front where session.stored.tables.indices.contains(row.table) {
        let links = session.store.linkingColumns(to: row.table, in: session.stored) + mixed
        for (source, column) in links {
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

  /// Whether the links of a broken engine are being followed.
  nonisolated(unsafe) fileprivate static var passesMixedLinksBy = false
}

extension Store {
  @_dynamicReplacement(for:mixedColumns(in:))
  func wrongMixedColumns(in schema: StoredSchema) -> [(Int, StoredColumn)] {
    Reach.passesMixedLinksBy ? [] : mixedColumns(in: schema)
  }
}
#endif
