/// A listener of an object.
final class ObjectObserver<Observed: ObjectBase>: RowObserver<Observed>, @unchecked Sendable {
  // Sendable as every observer is.
  private let reach: Reach

  init?(
    _ object: Observed, in session: Session, told: Root, keyPaths: [String]?,
    _ block: @escaping (ObjectChange<Observed>) -> Void
  ) {
    guard let bound = object._header.pointee.table else { return nil }
    reach = Reach(ofObjects: bound, keyPaths: keyPaths)
    super.init(object, of: object, in: session, told: told, block)
  }

  override func propertyChanges(by changes: ChangeSet, since told: Root) -> [PropertyChange]? {
    guard let columns = reach.columns(of: row, touchedBy: changes, since: told, in: session) else {
      return nil
    }
    let before = before(told)
    let linkers = reach.linkers(to: row, touchedBy: changes, since: told, in: session)
    var properties: [PropertyChange] = []
    for field in bound.layout.fields {
      let (name, isSingle) = (field.property.name, field.property.shape == .single)
      if linkers.contains(name) {
        properties.append(PropertyChange(name: name, oldValue: nil, newValue: nil))
      }
      guard let column = bound.column(named: name), columns.contains(column.number) else {
        continue
      }
      properties.append(
        PropertyChange(
          name: name, oldValue: isSingle ? before?.value(forKey: name) : nil,
          newValue: isSingle ? object.value(forKey: name) : nil))
    }
    return properties
  }
}
