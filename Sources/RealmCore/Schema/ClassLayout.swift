import Foundation
@_spi(Reflection) import Swift
import Synchronization

/// A model class as Swift lays it out: which properties it persists, and where they lie in an
/// instance.
///
/// Found once per class by reflection over the `@Persisted` storage of a fresh instance. Immutable
/// afterwards.
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

  private static let known = Mutex<[ObjectIdentifier: ClassLayout]>([:])
  private static let named = Mutex<[String: ClassLayout]>([:])

  /// The layout of a class; found on first demand.
  static func of(_ type: ObjectBase.Type) -> ClassLayout {
    let id = ObjectIdentifier(type)
    if let found = known.withLock({ $0[id] }) { return found }
    // Outside the lock: it makes an instance, and a model's init is user code.
    let made = ClassLayout(type)
    let layout = known.withLock { known in
      if let found = known[id] { return found }
      known[id] = made
      return made
    }
    named.withLock { $0[layout.name] = layout }
    return layout
  }

  /// The class of that name, if it has been used.
  static func named(_ name: String) -> ClassLayout? { named.withLock { $0[name] } }

  /// The classes that a realm whose classes nobody lists begins with: those used so far, without
  /// who is to be listed.
  static var used: [ClassLayout] {
    named.withLock { Array($0.values) }.filter { $0.type.shouldIncludeInDefaultSchema() }
  }

  func index(of property: String) -> Int? { byName[property] }

  private init(_ type: ObjectBase.Type) {
    let name = type.className()
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
    self.type = type
    self.name = name
    self.fields = fields
    schema = ObjectSchema(
      className: name, properties: fields.map(\.property), isEmbedded: type is EmbeddedObject.Type)
    primaryKey = fields.firstIndex { $0.property.isPrimaryKey }
    byName = Dictionary(
      fields.enumerated().map { ($1.property.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
