/// A listener of what a projection shows of its object.
final class ProjectionObserver<View: ProjectionObservable>: RowObserver<View>, @unchecked Sendable {
  // Sendable as every observer is.
  private let properties: [(shown: ProjectionSchema.Property, reach: Reach)]
  /// What concerns the listener where it names properties of the object; nil where all that is
  /// shown does.
  private let named: Reach?

  /// - Parameter scope: What of the projection counts.
  init?(
    _ view: View, in session: Session, told: Root, scope: ProjectionScope,
    _ block: @escaping (ObjectChange<View>) -> Void
  ) {
    let root = view.rootObject
    guard let bound = root._header.pointee.table else { return nil }
    named =
      if case .paths(let paths) = scope { Reach(ofObjects: bound, keyPaths: paths) } else { nil }
    properties = ProjectionSchema.of(View.self).properties(in: scope, of: "\(View.self)").map {
      ($0, Reach(ofObjects: bound, keyPaths: [$0.path]))
    }
    super.init(view, of: root, in: session, told: told, block)
  }

  override func propertyChanges(by changes: ChangeSet, since told: Root) -> [PropertyChange]? {
    let touched = properties.filter {
      $0.reach.touched(by: changes, since: told, in: session)[row.key] != nil
    }
    if let named {
      if named.touched(by: changes, since: told, in: session)[row.key] == nil { return nil }
    } else if touched.isEmpty {
      return nil
    }
    let before = before(told)
    return touched.map { property in
      let projected = property.shown.projected
      return PropertyChange(
        name: property.shown.label, oldValue: before.flatMap(projected.told(of:)),
        newValue: projected.told(of: object))
    }
  }
}
