/// A property of a projection: what a key path of the projected object leads to.
///
///     final class PersonView: Projection<Person> {
///       @Projected(\Person.firstName) var firstName
///       @Projected(\Person.address?.city) var city
///       @Projected(\Person.friends.projectTo.firstName) var friends: ProjectedCollection<String>
///     }
///
/// Nothing is copied: reading and writing it is reading and writing the object.
@propertyWrapper
public struct Projected<Root: ObjectBase, Value> {
  fileprivate let keyPath: KeyPath<Root, Value>

  public init(_ keyPath: KeyPath<Root, Value>) { self.keyPath = keyPath }

  @available(*, unavailable, message: "@Projected can only be used in a class that is a Projection")
  public var wrappedValue: Value {
    get { fatalError("unreachable: the compiler goes through the subscript") }
    set { fatalError("unreachable: the compiler goes through the subscript") }
  }

  public static subscript<View: ProjectionObservable>(
    _enclosingInstance view: View,
    wrapped _: ReferenceWritableKeyPath<View, Value>,
    storage storage: ReferenceWritableKeyPath<View, Self>
  ) -> Value where View.Root == Root {
    get {
      let keyPath = view[keyPath: storage].keyPath
      ProjectionProbe.notes?.keyPaths.append(keyPath)
      return view.rootObject[keyPath: keyPath]
    }
    set {
      guard
        let keyPath = view[keyPath: storage].keyPath as? ReferenceWritableKeyPath<Root, Value>
      else { refuse(.projectedIsReadOnly(in: "\(View.self)")) }
      view.rootObject[keyPath: keyPath] = newValue
    }
  }
}

/// What reflection asks a projected property.
protocol AnyProjected {
  var rootKeyPath: AnyKeyPath { get }
  /// The value as a listener is told it: nil for nil and for collections.
  func told(of root: ObjectBase) -> Any?
}

extension Projected: AnyProjected {
  var rootKeyPath: AnyKeyPath { keyPath }

  func told(of root: ObjectBase) -> Any? {
    guard let root = root as? Root else { return nil }
    let value = root[keyPath: keyPath]
    if value is any AnyProjectedCollection || value is any Countable { return nil }
    if let optional = value as? any OptionalProtocol { return optional.anyValue }
    return value
  }
}

/// Finds out which projected property a key path of a projection names, by following it while the
/// properties take notes.
enum ProjectionProbe {
  @TaskLocal static var notes: Notes?
  /// Whether a projection is made to find out what its class shows.
  @TaskLocal static var isSampling = false

  final class Notes: Sendable {
    // Touched only by the thread that follows the key path.
    nonisolated(unsafe) var keyPaths: [AnyKeyPath] = []
  }
}

extension Violation {
  static func projectedIsReadOnly(in projection: String) -> Violation {
    Violation("Cannot set a projected property of \(projection) whose key path is read-only.")
  }
}
