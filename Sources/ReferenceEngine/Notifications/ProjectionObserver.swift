/// A listener of what a projection shows of its object.
final class ProjectionObserver<View: ProjectionObservable>: RowObserver<View>, @unchecked Sendable {
  // Sendable as every observer is.
  private let properties: [(shown: ProjectionSchema.Property, reach: Reach)]

  init?(
    _ view: View, in session: Session, told: Root, labels: [String]?,
    _ block: @escaping (ObjectChange<View>) -> Void
  ) {
    let root = view.rootObject
    guard let bound = root._header.pointee.table else { return nil }
    properties = ProjectionSchema.of(View.self).properties(named: labels, of: "\(View.self)").map {
      ($0, Reach(ofObjects: bound, keyPaths: [$0.path]))
    }
    super.init(view, of: root, in: session, told: told, block)
  }

  override func propertyChanges(by changes: ChangeSet, since told: Root) -> [PropertyChange]? {
    let touched = properties.filter {
      $0.reach.touched(by: changes, since: told, in: session)[row.key] != nil
    }
    if touched.isEmpty { return nil }
    let before = before(told)
    return touched.map { property in
      let projected = property.shown.projected
      return PropertyChange(
        name: property.shown.label, oldValue: before.flatMap(projected.told(of:)),
        newValue: projected.told(of: object))
    }
  }
}
