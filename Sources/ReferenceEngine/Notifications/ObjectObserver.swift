/// A listener of an object.
final class ObjectObserver<Observed: ObjectBase>: Observer, @unchecked Sendable {
  // Sendable as every observer is.
  private let object: Observed
  private let row: RowLink
  private let bound: BoundClass
  private let reach: Reach
  private let block: (ObjectChange<Observed>) -> Void

  init?(
    _ object: Observed, in session: Session, told: Root, keyPaths: [String]?,
    _ block: @escaping (ObjectChange<Observed>) -> Void
  ) {
    let header = object._header
    guard let bound = header.pointee.table, let table = bound.table else { return nil }
    self.object = object
    row = RowLink(table: table, key: header.pointee.key)
    self.bound = bound
    reach = Reach(ofObjects: bound, keyPaths: keyPaths)
    self.block = block
    super.init(session: session, told: told)
  }

  override func news(since told: Root?) -> (() -> Void)? {
    guard let told else { return nil }
    guard session.hasRow(row.key, of: bound) else { return farewell() }
    guard let changes = session.listeners?.changes(since: told) else { return nil }
    if changes.kind(of: row) == .replaced { return farewell() }
    guard let columns = reach.touched(by: changes, since: told, in: session)[row.key] else {
      return nil
    }
    let properties = propertyChanges(columns, since: told)
    return { [self] in block(.change(object, properties)) }
  }

  private func farewell() -> (() -> Void)? {
    if keeps(.deletionIsToldOnce) { endHere() }
    return { [self] in block(.deleted) }
  }

  private func propertyChanges(_ columns: UInt64, since told: Root) -> [PropertyChange] {
    // What the session itself has overwritten it does not tell.
    let before =
      session.listeners?.isOwnWork(since: told) == true || !keeps(.changesTellTheOldValue)
      ? nil : session.listeners?.frozenSession(of: told)?.object(at: row)
    var changes: [PropertyChange] = []
    for field in bound.layout.fields {
      let (name, isSingle) = (field.property.name, field.property.shape == .single)
      guard let column = bound.column(named: name),
        columns & RowChange.bit(of: column.number) != 0
      else { continue }
      changes.append(
        PropertyChange(
          name: name, oldValue: isSingle ? before?.value(forKey: name) : nil,
          newValue: isSingle ? object.value(forKey: name) : nil))
    }
    return changes
  }
}

extension ChangeSet {
  /// What happened to a row; nil if nothing has.
  func kind(of row: RowLink) -> RowChange.Kind? {
    tables[UInt32(row.table)]?.first { $0.key <= row.key && row.key < $0.end }?.kind
  }
}
