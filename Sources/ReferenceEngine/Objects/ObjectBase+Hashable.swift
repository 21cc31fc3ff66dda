// Objects with a primary key, and frozen ones, are equal when they are the same row; others are
// equal to themselves alone: two live accessors of a row without key are two objects to a set.

extension ObjectBase: Hashable {
  public static func == (left: ObjectBase, right: ObjectBase) -> Bool {
    if left === right { return true }
    guard left.isComparedByRow else { return false }
    return left.isSameRow(as: right)
  }

  public func hash(into hasher: inout Hasher) {
    if let layout = keyedLayout, let key = layout.primaryKey {
      // The key is the identity, in or out of a realm, so a set finds an object after it was added.
      let field = layout.fields[key]
      let value = value(of: field, key)
      if let value = value as? any Hashable { value.hash(into: &hasher) }
    } else if isComparedByRow {
      hasher.combine(_header.pointee.key)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }

  private var keyedLayout: ClassLayout? {
    let layout = self.layout
    return layout.primaryKey == nil ? nil : layout
  }

  private var isComparedByRow: Bool {
    let header = _header
    guard let session = header.pointee.session else { return false }
    return session.isFrozen || header.pointee.table?.layout.primaryKey != nil
  }

  /// Whether both are views of one row of one file, through whichever realms.
  func isRow(of other: ObjectBase) -> Bool {
    let (one, two) = (_header, other._header)
    guard let session = one.pointee.session, let foreign = two.pointee.session,
      let table = one.pointee.table?.number
    else { return false }
    return session.coordinator === foreign.coordinator && table == two.pointee.table?.number
      && one.pointee.key == two.pointee.key
  }

  /// Whether both are the same row of the same realm, which is there: an object that was deleted,
  /// or is of an earlier life of the realm, is the same as itself alone.
  func isSameRow(as other: ObjectBase) -> Bool {
    let (one, two) = (_header, other._header)
    guard let session = one.pointee.session, session === two.pointee.session,
      one.pointee.key == two.pointee.key,
      one.pointee.table === two.pointee.table
        || one.pointee.table?.isSame(as: two.pointee.table) == true,
      one.pointee.epoch == two.pointee.epoch
    else { return false }
    // Objects may be compared on any thread, but only at home can the rows be looked for.
    if !session.isFrozen, !session.scheduler.isHere { return true }
    return session.isThere(one) && session.isThere(two)
  }
}
