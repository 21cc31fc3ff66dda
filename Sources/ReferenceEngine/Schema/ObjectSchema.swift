/// A class as the schema knows it: its name, its properties in declaration order, its primary key.
public struct ObjectSchema: Equatable, Sendable, CustomStringConvertible {
  public let className: String
  /// What is persisted; linking objects, which are computed, are found by name.
  public let properties: [Property]
  public let isEmbedded: Bool
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
    let body = properties.map { $0.description.replacing("\n", with: "\n\t") }
    return "\(className) {\n\t" + body.joined(separator: "\n\t") + "\n}"
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
    "Schema {\n\t"
      + objectSchema.map { $0.description.replacing("\n", with: "\n\t") }.joined(separator: "\n\t")
      + "\n}"
  }
}
