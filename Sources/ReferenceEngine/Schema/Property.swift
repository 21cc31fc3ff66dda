/// One property of a class as the schema knows it.
public struct Property: Equatable, Sendable, CustomStringConvertible {
  /// The name in Swift.
  public let name: String
  /// The name in the file; differs from `name` where the class maps it.
  public let columnName: String
  /// What it holds; for a collection, what the elements are.
  public let type: PropertyType
  public let isArray: Bool
  public let isSet: Bool
  public let isMap: Bool
  public let isOptional: Bool
  public let isIndexed: Bool
  public let isPrimaryKey: Bool
  /// The class that is linked to, for objects and linking objects.
  public let objectClassName: String?
  /// The property whose links are followed backwards, for linking objects.
  public let linkOriginPropertyName: String?

  init(
    name: String, columnName: String? = nil, type: PropertyType, shape: PropertyShape = .single,
    isOptional: Bool = false, isIndexed: Bool = false, isPrimaryKey: Bool = false,
    objectClassName: String? = nil, linkOriginPropertyName: String? = nil
  ) {
    self.name = name
    self.columnName = columnName ?? name
    self.type = type
    isArray = shape == .list
    isSet = shape == .set
    isMap = shape == .map
    self.isOptional = isOptional
    self.isIndexed = isIndexed
    self.isPrimaryKey = isPrimaryKey
    self.objectClassName = objectClassName
    self.linkOriginPropertyName = linkOriginPropertyName
  }

  var shape: PropertyShape { isArray ? .list : isSet ? .set : isMap ? .map : .single }

  /// Whether a value is kept in the row; linking objects are computed from the links of others.
  var isStored: Bool { type != .linkingObjects }

  /// The type in Realm's words, as diagnostics name it: `string?`, `array<Dog>`.
  var typeWords: String {
    let element = elementWords
    switch shape {
    case .single where type == .object: return "<\(objectClassName ?? "")>"
    case .single: return element
    case .list: return "array<\(element)>"
    case .set: return "set<\(element)>"
    case .map: return "dictionary<string, \(element)>"
    }
  }

  /// The type of one value, as it is named where a value is not of it: `string?`, `Dog?`.
  var elementWords: String {
    (type == .object ? objectClassName ?? "" : type.word) + (isOptional ? "?" : "")
  }

  public var description: String {
    func word(_ truth: Bool) -> String { truth ? "YES" : "NO" }
    var lines = ["\(name) {", "\ttype = \(type.word);"]
    if type == .object || type == .linkingObjects {
      lines.append("\tobjectClassName = \(objectClassName ?? "(null)");")
      lines.append("\tlinkOriginPropertyName = \(linkOriginPropertyName ?? "(null)");")
    }
    lines += [
      "\tcolumnName = \(columnName);", "\tindexed = \(word(isIndexed));",
      "\tisPrimary = \(word(isPrimaryKey));", "\tarray = \(word(isArray));",
      "\tset = \(word(isSet));", "\tdictionary = \(word(isMap));",
      "\toptional = \(word(isOptional));", "}",
    ]
    return lines.joined(separator: "\n")
  }
}

/// How many values a property holds, and in what order.
@usableFromInline enum PropertyShape: UInt8, Sendable {
  case single = 0
  case list = 1
  case set = 2
  case map = 3
}
