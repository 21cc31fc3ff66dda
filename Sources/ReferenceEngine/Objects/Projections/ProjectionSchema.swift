import Synchronization

/// What a class of projections shows: its projected properties, each with the path it takes from
/// the object.
struct ProjectionSchema {
  struct Property {
    /// Its name in the projection.
    let label: String
    /// The dotted path in the object, as key paths of listeners have it.
    let path: String
    let projected: any AnyProjected

    var keyPath: AnyKeyPath { projected.rootKeyPath }
  }

  let properties: [Property]

  static func of<View: ProjectionObservable>(_: View.Type) -> ProjectionSchema {
    let id = ObjectIdentifier(View.self)
    if let known = shelf.schemas.withLock({ $0[id]?.value }) { return known }
    let schema = ProjectionSchema(reflecting: sample(of: View.self))
    shelf.schemas.withLock { $0[id] = Handed(schema) }
    return schema
  }

  /// A projection of a fresh object, which does not ask for the schema that is made of it.
  static func sample<View: ProjectionObservable>(of _: View.Type) -> View {
    ProjectionProbe.$isSampling.withValue(true) { View(projecting: View.Root()) }
  }

  private static let shelf = Shelf()

  private final class Shelf: Sendable {
    // Handed, because key paths are immutable and only their type does not say so.
    let schemas = Mutex<[ObjectIdentifier: Handed<ProjectionSchema>]>([:])
  }

  private init<View: ProjectionObservable>(reflecting view: View) {
    var found: [Property] = []
    var mirror: Mirror? = Mirror(reflecting: view)
    while let here = mirror {
      // A superclass' properties stand before its subclass' own.
      found.insert(
        contentsOf: here.children.compactMap { child in
          guard let label = child.label, let projected = child.value as? any AnyProjected else {
            return nil
          }
          let keyPath = projected.rootKeyPath
          let name = String(label.drop { $0 == "_" })
          return Property(
            label: name,
            path: ProjectionSchema.path(of: keyPath, in: View.Root.self, label: name),
            projected: projected)
        }, at: 0)
      mirror = here.superclassMirror
    }
    properties = found
  }

  /// A property of the members of a collection is the collection's path and theirs.
  private static func path(
    of keyPath: AnyKeyPath, in root: ObjectBase.Type, label: String
  ) -> String {
    guard let name = propertyNameIfAny(of: keyPath, in: root) else {
      refuseQuery("@Projected property '\(label)' must be a part of Realm object")
    }
    guard type(of: keyPath).valueType is any AnyProjectedCollection.Type,
      let members = root.init()[keyPath: keyPath] as? any AnyProjectedCollection
    else { return name }
    return name + "." + members.memberPath
  }

  /// The properties that concern a listener; stops whoever names one that is not there.
  func properties(in scope: ProjectionScope, of projection: String) -> [Property] {
    switch scope {
    case .all: properties
    case .labels(let labels):
      labels.compactMap { label in
        if let property = properties.first(where: { $0.label == label }) { return property }
        refuse(.noSuchProperty(label, in: projection), at: .observe)
        return nil
      }
    case .paths(let paths):
      properties.filter { property in paths.contains { property.shows($0) } }
    }
  }
}

extension ProjectionSchema.Property {
  /// Whether what a key path of the object leads to is what the property shows, a part of it, or
  /// has it as a part.
  fileprivate func shows(_ keyPath: String) -> Bool {
    let (own, other) = (path.split(separator: "."), keyPath.split(separator: "."))
    let count = min(own.count, other.count)
    return own.prefix(count) == other.prefix(count)
  }
}

extension ProjectionObservable {
  /// The name of the projected property that a key path leads to.
  static func label(of keyPath: PartialKeyPath<Self>) -> String { property(of: keyPath).label }

  /// The projected property that a key path leads to, found by following it while the properties
  /// take notes.
  static func property(of keyPath: PartialKeyPath<Self>) -> ProjectionSchema.Property {
    let notes = ProjectionProbe.Notes()
    let view = ProjectionSchema.sample(of: Self.self)
    ProjectionProbe.$notes.withValue(notes) { _ = view[keyPath: keyPath] }
    guard let noted = notes.keyPaths.first,
      let property = ProjectionSchema.of(Self.self).properties.first(where: { $0.keyPath == noted })
    else { refuseQuery("\(keyPath) names no projected property of \(Self.self).") }
    return property
  }
}

extension Query where T: ProjectionObservable {
  /// What a projected property shows. What is computed from a property cannot be asked for: the
  /// file does not hold it.
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> {
    let property = T.property(of: member)
    // A path may pass several properties, and a collection, as it may in the object's own queries.
    if let keyPath = property.keyPath as? KeyPath<T.Root, V>,
      !(V.self is any AnyProjectedCollection.Type)
    {
      return following(keyPath, of: T.Root.self)
    }
    return appending(.property(property.path))
  }
}
