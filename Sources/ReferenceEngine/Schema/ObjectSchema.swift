/// A class as the schema knows it: its name, its properties in declaration order, its primary key.
public struct ObjectSchema: Equatable, Sendable, CustomStringConvertible {
  public let className: String
  /// What is persisted; linking objects, which are computed, are found by name.
  public let properties: [Property]
  public let isEmbedded: Bool
  /// Never: there is no server that such objects would be for.
  public var isAsymmetric: Bool { false }
  /// All properties, the computed ones among them.
  let all: [Property]

  init(className: String, properties: [Property], isEmbedded: Bool = false) {
    self.className = className
    all = properties
    self.properties = properties.filter(\.isStored)
    self.isEmbedded = isEmbedded
  }

  /// The property that identifies an object, if the class has one.
  public var primaryKeyProperty: Property? { properties.first { $0.isPrimaryKey } }

  /// The property of that name in Swift.
  public subscript(propertyName: String) -> Property? {
    all.first { $0.name == propertyName }
  }

  public var description: String {
    let computed = all.filter { !$0.isStored }
    let body = (properties + computed).map { "\t\(Description.indented($0.description))\n" }
    return "\(className) \(isEmbedded ? "(embedded) " : ""){\n" + body.joined() + "}"
  }
}

/// The classes a realm knows.
public struct Schema: Equatable, Sendable, CustomStringConvertible {
  public let objectSchema: [ObjectSchema]

  init(_ objectSchema: [ObjectSchema]) { self.objectSchema = objectSchema }

  public subscript(className: String) -> ObjectSchema? {
    objectSchema.first { $0.className == className }
  }

  public var description: String {
    let classes = objectSchema.sorted { $0.className < $1.className }
    return "Schema {\n" + classes.map { "\t\(Description.indented($0.description))\n" }.joined()
      + "}"
  }
}
