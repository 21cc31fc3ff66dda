/// A listener of one row: of an object, or of what a projection shows of it.
class RowObserver<Observed>: Observer, @unchecked Sendable {
  // Sendable as every observer is.
  let observed: Observed
  let object: ObjectBase
  let row: RowLink
  let bound: BoundClass
  private let block: (ObjectChange<Observed>) -> Void

  init?(
    _ observed: Observed, of object: ObjectBase, in session: Session, told: Root,
    _ block: @escaping (ObjectChange<Observed>) -> Void
  ) {
    let header = object._header
    guard let bound = header.pointee.table, let table = bound.number else { return nil }
    self.observed = observed
    self.object = object
    row = RowLink(table: table, key: header.pointee.key)
    self.bound = bound
    self.block = block
    super.init(session: session, told: told)
  }

  override final func news(since told: Root?) -> (() -> Void)? {
    guard let told else { return nil }
    // Another one may have its key: of what was lost before it had a place in the file no version
    // is left to be compared with.
    guard session.isThere(object._header) else { return farewell() }
    guard let changes = session.listeners?.changes(since: told) else { return nil }
    if changes.kind(of: row) == .replaced { return farewell() }
    guard let properties = propertyChanges(by: changes, since: told) else { return nil }
    return { [self] in block(.change(observed, properties)) }
  }

  /// Which of the observed properties were set; nil if nothing that concerns the listener has
  /// happened.
  func propertyChanges(by changes: ChangeSet, since told: Root) -> [PropertyChange]? {
    fatalError("every kind of listener knows its own properties")
  }

  /// The object as the listener knew it; nil for what the session itself has overwritten, which it
  /// does not tell.
  final func before(_ told: Root) -> ObjectBase? {
    session.listeners?.isOwnWork(since: told) == true
      ? nil : session.listeners?.frozenSession(of: told)?.object(at: row)
  }

  private func farewell() -> (() -> Void)? {
    endHere()
    return { [self] in block(.deleted) }
  }
}

extension ChangeSet {
  /// What happened to a row; nil if nothing has.
  func kind(of row: RowLink) -> RowChange.Kind? { change(of: row)?.kind }

  /// The run of changes that a row is in.
  func change(of row: RowLink) -> RowChange? { tables[UInt32(row.table)]?.run(with: row.key) }

  /// The objects of a class that were deleted, and others added under their keys.
  func replaced(of bound: BoundClass?) -> Set<Int64> {
    var keys: Set<Int64> = []
    for run in bound?.number.flatMap({ tables[UInt32($0)] }) ?? [] where run.kind == .replaced {
      keys.formUnion(run.keys)
    }
    return keys
  }
}
