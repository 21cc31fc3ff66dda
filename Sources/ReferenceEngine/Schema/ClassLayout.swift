import Foundation
@_spi(Reflection) import Swift

/// A model class as Swift lays it out: which properties it persists, and where they lie in an instance.
///
/// Found once per class by reflection over the `@Persisted` storage of a fresh instance, inherited properties
/// first. Immutable afterwards, so shared by all threads.
final class ClassLayout: @unchecked Sendable {
  // Sendable because nothing changes after init; a metatype is safe to share.
  let type: ObjectBase.Type
  let name: String
  let fields: [Field]
  let schema: ObjectSchema
  /// The index of the primary key in `fields`.
  let primaryKey: Int?
  private let byName: [String: Int]

  /// One persisted property: its place in an instance, and how its wrapper is asked.
  struct Field {
    let property: Property
    let offset: Int
    let wrapper: any PersistedStorage.Type
    let linked: ObjectBase.Type?
  }

  var isEmbedded: Bool { schema.isEmbedded }

  /// The layout of a class; found on first demand.
  static func of(_ type: ObjectBase.Type) -> ClassLayout {
    let id = ObjectIdentifier(type)
    if let known = cache.lock.withLock({ cache.layouts[id] }) { return known }
    // Outside the lock: it makes an instance, and a model's init is user code.
    let found = ClassLayout(type)
    return cache.lock.withLock {
      if let known = cache.layouts[id] { return known }
      cache.layouts[id] = found
      return found
    }
  }

  func index(of property: String) -> Int? { byName[property] }

  private init(_ type: ObjectBase.Type) {
    self.type = type
    name = type.className()
    let sample = type.init()
    let raw = Unmanaged.passUnretained(sample).toOpaque()
    let mapping = type.propertiesMapping()
    let indexed = Set(type.indexedProperties())
    let legacyKey = type.primaryKey()
    var fields: [Field] = []
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { label, offset, kind, _ in
      guard let wrapper = kind as? any PersistedStorage.Type else { return true }
      // A wrapper is stored under its property's name with one underscore in front.
      let name = String(String(cString: label).dropFirst())
      let attributes = wrapper.attributes(at: raw + offset)
      let value = wrapper.valueType
      fields.append(
        Field(
          property: Property(
            name: name, columnName: mapping[name], type: value._rlmType,
            shape: PropertyShape(rawValue: value._rlmShape) ?? .single,
            isOptional: value._rlmIsOptional,
            isIndexed: attributes.isIndexed || attributes.isPrimaryKey || indexed.contains(name),
            isPrimaryKey: attributes.isPrimaryKey || legacyKey == name,
            objectClassName: value._rlmLinkedClass?.className(),
            linkOriginPropertyName: attributes.originProperty),
          offset: offset, wrapper: wrapper, linked: value._rlmLinkedClass))
      return true
    }
    withExtendedLifetime(sample) {}
    self.fields = fields
    primaryKey = fields.firstIndex { $0.property.isPrimaryKey }
    schema = ObjectSchema(
      className: name, properties: fields.map(\.property), isEmbedded: type is EmbeddedObject.Type)
    byName = Dictionary(
      fields.enumerated().map { ($1.property.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static let cache = LayoutCache()
}

private final class LayoutCache: Sendable {
  let lock = NSLock()  // guards `layouts`
  nonisolated(unsafe) var layouts: [ObjectIdentifier: ClassLayout] = [:]
}

/// The storage of a `@Persisted` property, asked without knowing its type.
protocol PersistedStorage {
  static var valueType: any _Persistable.Type { get }
  static func attributes(at raw: UnsafeMutableRawPointer) -> PersistedAttributes
  /// The value an unmanaged object holds.
  static func unmanagedValue(at raw: UnsafeMutableRawPointer) -> Any
  /// The value an object has now, managed or not.
  static func currentValue(of object: ObjectBase, at raw: UnsafeMutableRawPointer) -> Any
  static func setUnmanagedValue(_ value: Any, at raw: UnsafeMutableRawPointer) -> Bool
  /// Writes the value of an unmanaged object to its new row, and lets go of it.
  static func persist(at raw: UnsafeMutableRawPointer, to cell: _Cell)
  /// Forgets what the wrapper remembers for a managed object.
  static func forget(at raw: UnsafeMutableRawPointer)
}

/// What a model says about a property beside its type.
struct PersistedAttributes {
  let isPrimaryKey: Bool
  let isIndexed: Bool
  let originProperty: String?
}
