import Foundation

/// A model class as Swift lays it out: which properties it persists, and where they lie in an
/// instance.
///
/// Found once per class by reflection over the `@Persisted` storage of a fresh instance, inherited
/// properties first. Immutable afterwards, so shared by all threads.
final class ClassLayout: @unchecked Sendable {
  // Sendable because nothing changes after init; a metatype is safe to share.
  let type: ObjectBase.Type
  let name: String
  let fields: [Field]
  /// Where the wrappers lie in an instance, as in `fields`.
  let offsets: [Int]
  let schema: ObjectSchema
  /// The index of the primary key in `fields`.
  let primaryKey: Int?
  /// Its type; kept apart, because a property is many strings, each counted when it is looked at.
  let primaryKeyType: PropertyType?

  /// Whether the primary key is the key of the row: a whole number that is always there.
  var keyIsRow: Bool { primaryKeyType == .int }
  /// Whether it is an `Int`.
  private let hasPlainKey: Bool
  private let byName: [String: Int]
  /// What is wrong with the class alone.
  let ownMistakes: [String]

  /// One persisted property: its place in an instance, and how its wrapper is asked.
  struct Field {
    let property: Property
    /// Where the wrapper lies in an instance; -1 in a class without a Swift type.
    let offset: Int
    let wrapper: any PersistedStorage.Type
    let linked: ObjectBase.Type?
    /// How its values are stored, if they are plain ones.
    var plain: PlainKind?
    /// What the wrapper's attributes are in an object that a realm manages.
    var managedAttributes: UInt32 { wrapper.managedAttributes(of: property) }
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

  /// The primary key of a free object, as it is stored; null in a class that has none.
  func primaryKeyValue(at raw: UnsafeMutableRawPointer) -> StoredValue {
    guard let primaryKey else { return .null }
    if hasPlainKey {
      let wrapper = (raw + offsets[primaryKey]).assumingMemoryBound(to: Persisted<Int>.self)
      return .int(Int64(wrapper.pointee.value ?? 0))
    }
    return fields[primaryKey].storedValue(at: raw)
  }

  /// - Parameter legacyKey: What the class's `primaryKey()` says.
  init(
    type: ObjectBase.Type, name: String, schema: ObjectSchema, fields: [Field],
    legacyKey: String? = nil
  ) {
    self.type = type
    self.name = name
    self.schema = schema
    self.fields = fields
    offsets = fields.map(\.offset)
    // What a file says of a class was looked at when it was written.
    ownMistakes =
      type == DynamicObject.self
      ? []
      : ClassLayout.mistakes(
        of: name, isEmbedded: schema.isEmbedded, fields.map(\.property), legacyKey: legacyKey)
    primaryKey = fields.firstIndex { $0.property.isPrimaryKey }
    primaryKeyType = primaryKey.flatMap {
      fields[$0].property.isOptional ? nil : fields[$0].property.type
    }
    hasPlainKey = primaryKey.map { fields[$0].plain == .int } ?? false
    byName = Dictionary(
      fields.enumerated().map { ($1.property.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private convenience init(_ type: ObjectBase.Type) {
    let name = type.className()
    let sample = type.init()
    let raw = Unmanaged.passUnretained(sample).toOpaque()
    let mapping = type.propertiesMapping()
    let indexed = Set(type.indexedProperties())
    let legacyKey = type.primaryKey()
    var fields: [Field] = []
    ClassFields.each(of: type) { label, offset, wrapper, plain in
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
            isIndexed: attributes.isIndexed || attributes.isPrimaryKey || legacyKey == name
              || indexed.contains(name),
            isPrimaryKey: attributes.isPrimaryKey || legacyKey == name,
            objectClassName: value._rlmLinkedClass?.className(),
            linkOriginPropertyName: attributes.originProperty),
          offset: offset, wrapper: wrapper, linked: value._rlmLinkedClass, plain: plain))
    }
    Remains.know(type, fields)
    withExtendedLifetime(sample) {}
    self.init(
      type: type, name: name,
      schema: ObjectSchema(
        className: name, properties: fields.map(\.property),
        isEmbedded: type is EmbeddedObject.Type),
      fields: fields, legacyKey: legacyKey)
  }

  private static let cache = LayoutCache()
}

private final class LayoutCache: Sendable {
  let lock = NSLock()  // guards `layouts`
  nonisolated(unsafe) var layouts = ByClass<ClassLayout>()
}
