import CRealmCore
import Foundation

/// What everything with properties in a realm is.
open class ObjectBase {
  /// realm-core's object, once a realm manages this one.
  final var handle: Handle?
  final var session: Session?
  final var bound: BoundClass?

  public required init() {}

  deinit { if let handle { core.realm_release(handle) } }

  /// The class's name in the schema.
  public static func className() -> String { _realmObjectName() ?? String(describing: self) }

  /// The class's name in the schema where it is not the one in Swift.
  open class func _realmObjectName() -> String? { nil }
  /// Whether it is in the schema of a configuration that names no classes.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }

  /// Names in the file that differ from those in Swift.
  open class func propertiesMapping() -> [String: String] { [:] }
  open class func primaryKey() -> String? { nil }
  open class func ignoredProperties() -> [String] { [] }
  open class func indexedProperties() -> [String] { [] }

  final func cell(_ index: Int) -> _Cell? {
    guard let handle, let session, let bound else { return nil }
    return _Cell(object: self, handle: handle, session: session, bound: bound, index: index)
  }

  /// Becomes the view of a row.
  final func attach(_ handle: Handle, _ session: Session, _ bound: BoundClass) {
    self.handle = handle
    self.session = session
    self.bound = bound
    let raw = Unmanaged.passUnretained(self).toOpaque()
    for (index, field) in bound.layout.fields.enumerated() {
      // A wrapper's first word is its place.
      raw.storeBytes(of: UInt32(index + 1), toByteOffset: field.offset, as: UInt32.self)
    }
  }
}

/// The base class of models: a live view of one row once it is in a realm, a plain object before.
open class Object: ObjectBase, RealmFetchable {
  public required init() { super.init() }

  /// An unmanaged object with the values of a dictionary, an array in declaration order, or another
  /// object.
  public convenience init(value: Any) {
    self.init()
    initialize(from: value)
  }
}

/// An object that belongs to one parent and is deleted with it.
open class EmbeddedObject: ObjectBase, RealmCollectionValue {
  public required init() { super.init() }

  public convenience init(value: Any) {
    self.init()
    initialize(from: value)
  }
}

extension ObjectBase {
  /// The realm that manages the object; nil for a free one, and for one that is gone.
  public var realm: Realm? {
    guard let session, let handle, core.realm_object_is_valid(handle) else { return nil }
    return Realm(session)
  }

  /// Whether the object was deleted, or its realm invalidated.
  public final var isInvalidated: Bool {
    guard let handle else { return false }
    return !core.realm_object_is_valid(handle)
  }

  /// Whether the object is a snapshot.
  public var isFrozen: Bool { session?.isFrozen ?? false }

  /// What the object's class persists.
  public var objectSchema: ObjectSchema { ClassLayout.of(type(of: self)).schema }

  /// Whether both are views of the same row of the same realm.
  public func isSameObject(as other: ObjectBase?) -> Bool {
    guard let other else { return false }
    return self === other || isSameRow(as: other)
  }

  func isSameRow(as other: ObjectBase) -> Bool {
    guard let handle, let another = other.handle, let session, let elsewhere = other.session else {
      return false
    }
    return core.realm_equals(session.handle, elsewhere.handle)
      && core.realm_equals(handle, another)
  }
}

// Objects with a primary key, and frozen ones, are equal when they are the same row; others to
// themselves alone.
extension ObjectBase: Hashable {
  public static func == (left: ObjectBase, right: ObjectBase) -> Bool {
    if left === right { return true }
    guard left.isComparedByRow else { return false }
    return left.isSameRow(as: right)
  }

  public func hash(into hasher: inout Hasher) {
    if isComparedByRow, let handle {
      hasher.combine(core.realm_object_get_key(handle))
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }

  private var isComparedByRow: Bool {
    guard let session, let bound else { return false }
    return session.isFrozen || bound.layout.primaryKey != nil
  }
}

extension ObjectBase: CustomStringConvertible {
  public var description: String {
    if isInvalidated { return "[invalid object]" }
    let layout = ClassLayout.of(type(of: self))
    var lines = ["\(layout.name) {"]
    for (index, field) in layout.fields.enumerated() where field.property.shape == .single {
      if field.property.type == .object || field.property.type == .linkingObjects { continue }
      lines.append("\t\(field.property.name) = \(value(of: field, index));")
    }
    return lines.joined(separator: "\n") + "\n}"
  }

  /// The value of a property now, managed or not.
  func value(of field: ClassLayout.Field, _ index: Int) -> Any {
    if let cell = cell(index) { return field.wrapper.managedValue(cell) }
    return field.wrapper.unmanagedValue(
      at: Unmanaged.passUnretained(self).toOpaque() + field.offset)
  }
}

// MARK: - Links

extension ObjectBase: _OptionalPersistable {
  public class var _rlmType: PropertyType { .object }
  public class var _rlmLinkedClass: ObjectBase.Type? { self }

  public class func _rlmDecode(_ stored: _Stored) -> Self {
    guard let object = stored.object(as: self) else {
      Facade.refuse("Object has been deleted or invalidated.")
    }
    return unsafeDowncast(object, to: self)
  }

  public class func _rlmEncode(_ value: ObjectBase) -> _Stored { _Stored(.object(value)) }

  public class func _rlmCoerce(_ any: Any) -> Self? {
    if let object = any as? Self { return object }
    guard any is [String: Any] || any is [Any] else { return nil }
    let object = self.init()
    object.initialize(from: any)
    return object
  }
}

// MARK: - From values

extension ObjectBase {
  /// Takes the values of a dictionary, an array in declaration order, or another object of the
  /// class.
  func initialize(from value: Any) {
    let layout = ClassLayout.of(type(of: self))
    let source = ValueSource(value, for: layout)
    let raw = Unmanaged.passUnretained(self).toOpaque()
    for (index, field) in layout.fields.enumerated() {
      guard let given = source.value(of: index, field) else { continue }
      guard field.wrapper.setUnmanagedValue(given, at: raw + field.offset) else {
        Facade.refuse(invalidValue(given, field.property, layout.name))
      }
    }
  }
}

extension ObjectBase {
  /// A property by its name.
  public func value(forKey key: String) -> Any? {
    let layout = ClassLayout.of(type(of: self))
    let index = index(of: key, in: layout)
    let found = value(of: layout.fields[index], index)
    // An optional property's value is an optional within `Any`.
    let mirror = Mirror(reflecting: found)
    return mirror.displayStyle == .optional ? mirror.children.first?.value : found
  }

  private func index(of key: String, in layout: ClassLayout) -> Int {
    guard let index = layout.index(of: key) else {
      Facade.refuse("Invalid property name '\(key)' for class '\(layout.name)'.")
    }
    return index
  }

  /// Sets a property by its name.
  public func setValue(_ value: Any?, forKey key: String) {
    let layout = ClassLayout.of(type(of: self))
    let index = index(of: key, in: layout)
    let (field, given) = (layout.fields[index], value ?? NSNull())
    let isTaken =
      if let cell = cell(index) {
        field.wrapper.write(given, to: cell, onlyIfChanged: false)
      } else {
        field.wrapper.setUnmanagedValue(
          given, at: Unmanaged.passUnretained(self).toOpaque() + field.offset)
      }
    if !isTaken { Facade.refuse(invalidValue(given, field.property, layout.name)) }
  }
}

func invalidValue(_ value: Any, _ property: Property, _ name: String) -> String {
  "Invalid value '\(value)' of type '\(type(of: value))' for '\(property.typeWords)' property "
    + "'\(name).\(property.name)'."
}

/// Where `init(value:)` and `create(value:)` take a property's value from.
struct ValueSource {
  private enum Kind {
    case dictionary([String: Any])
    case array([Any])
    case object(ObjectBase)
  }
  private let kind: Kind

  init(_ value: Any, for layout: ClassLayout) {
    if let dictionary = value as? [String: Any] {
      kind = .dictionary(dictionary)
    } else if let array = value as? [Any] {
      if array.count > layout.fields.count {
        Facade.refuse(
          "Invalid array input: more values (\(array.count)) than properties "
            + "(\(layout.fields.count)).")
      }
      kind = .array(array)
    } else if let object = value as? ObjectBase {
      kind = .object(object)
    } else {
      Facade.refuse(
        "Invalid value '\(value)' to initialize object of type '\(layout.name)': must be an array, "
          + "a dictionary or an object")
    }
  }

  /// The value given for a property, nil if none was.
  func value(of index: Int, _ field: ClassLayout.Field) -> Any? {
    guard field.property.isStored else { return nil }
    switch kind {
    case .dictionary(let dictionary): return dictionary[field.property.name]
    case .array(let array): return index < array.count ? array[index] : nil
    case .object(let object):
      let layout = ClassLayout.of(type(of: object))
      return layout.index(of: field.property.name).map { object.value(of: layout.fields[$0], $0) }
    }
  }
}
