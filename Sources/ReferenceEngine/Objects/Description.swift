import Foundation

/// How Realm prints objects and what is in them: in Objective-C's words.
enum Description {
  /// Objects may link in circles.
  static let mostLevels = 5
  static let tooDeep = "<Maximum depth exceeded>"
  private static let mostElements = 100
  private static let mostBytes = 24
  private static let mostGiven = 100

  /// A collection: its kind, its address, an element a line.
  static func collection(
    _ name: String, at address: String, _ count: Int, isNumbered: Bool = true,
    _ elements: some Sequence<String>
  ) -> String {
    let lines = elements.prefix(mostElements).enumerated().map { position, element in
      (isNumbered ? "\t[\(position)] " : "") + indented(element)
    }
    let skipped =
      count > mostElements ? "\n\t... \(count - mostElements) objects skipped." : ""
    return "\(name) <\(address)> (\n" + lines.joined(separator: ",\n") + skipped + "\n)"
  }

  /// A collection whose elements stand at positions, unless it lies too deep or cannot be read any
  /// more.
  static func collection<Elements: Collection>(
    _ word: String, at address: String, _ elements: Elements, depth: Int, isInvalidated: Bool
  ) -> String where Elements.Element: RealmCollectionValue {
    if depth == 0 { return tooDeep }
    let name = "\(word)<\(Elements.Element.elementWord)>"
    if isInvalidated { return invalidated(name, at: address) }
    return collection(
      name, at: address, elements.count, elements.lazy.map { element($0, depth - 1) })
  }

  /// What can only be looked at: printing it ends nobody's process.
  static func invalidated(_ name: String, at address: String) -> String {
    "\(name) <\(address)> (invalidated)"
  }

  /// An element of a collection.
  static func element(_ value: Any, _ level: Int) -> String { text(value, level) ?? "<null>" }

  /// The value of a property.
  static func property(_ value: Any, _ level: Int) -> String {
    if let data = plain(value) as? Data {
      return "<\(digits(data.prefix(mostBytes))) — \(data.count) total bytes>"
    }
    return text(value, level) ?? "(null)"
  }

  /// A value as a caller gave it; Swift prints what lies in itself by calling itself.
  static func given(_ value: Any) -> String {
    var due = [(value: value, level: 0)]
    while let (value, level) = due.popLast() {
      if level > mostGiven { return tooDeep }
      if let elements = value as? [Any] {
        due += elements.map { ($0, level + 1) }
      } else if let entries = value as? [String: Any] {
        due += entries.values.map { ($0, level + 1) }
      }
    }
    return "\(value)"
  }

  static func indented(_ text: String) -> String { text.replacing("\n", with: "\n\t") }

  /// Nil for what is not there.
  private static func text(_ value: Any, _ level: Int) -> String? {
    guard let value = plain(value) else { return nil }
    switch value {
    case let described as any DescribedInDepth: return described.describe(depth: level)
    case let value as Bool: return value ? "1" : "0"
    case let value as Double: return String(format: "%0.16g", value)
    case let value as Float: return String(format: "%0.7g", Double(value))
    case let data as Data: return "{length = \(data.count), bytes = 0x\(digits(data))}"
    default: return "\(value)"
    }
  }

  private static func digits(_ bytes: Data) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  /// The value as it is stored, without what is around it.
  private static func plain(_ value: Any) -> Any? {
    switch value {
    case let optional as any OptionalProtocol: optional.anyValue.flatMap(plain)
    case let mixed as AnyRealmValue: mixed.content.flatMap(plain)
    case let custom as any _CustomPersistable: plain(custom.persisted)
    case let constant as any PersistableEnum: plain(constant.rawValue)
    default: value
    }
  }
}

extension RealmCollectionValue {
  /// What a collection of such elements is called after.
  static var elementWord: String {
    _rlmLinkedClass.map { ClassLayout.of($0).name } ?? _rlmType.word
  }
}

/// What prints itself to a given depth, because objects may link in circles.
protocol DescribedInDepth {
  func describe(depth: Int) -> String
}

extension List: DescribedInDepth {
  func describe(depth: Int) -> String {
    Description.collection(
      "List", at: address(of: self), self, depth: depth, isInvalidated: isInvalidated)
  }
}

extension MutableSet: DescribedInDepth {
  func describe(depth: Int) -> String {
    Description.collection(
      "MutableSet", at: address(of: self), self, depth: depth, isInvalidated: isInvalidated)
  }
}

extension Map: DescribedInDepth {
  func describe(depth: Int) -> String {
    if depth == 0 { return Description.tooDeep }
    let name = "Map<\(Key._rlmType.word), \(Value.elementWord)>"
    if isInvalidated { return Description.invalidated(name, at: address(of: self)) }
    let all = self.all
    return Description.collection(
      name, at: address(of: self), all.count, isNumbered: false,
      all.lazy.map { "[\($0.key)]: \(Description.element($0.value, depth - 1))" })
  }
}

extension LinkingObjects: DescribedInDepth {
  func describe(depth: Int) -> String {
    Description.collection(
      "LinkingObjects", at: managed.map(address) ?? "0x0", self, depth: depth,
      isInvalidated: isInvalidated)
  }
}

extension ObjectBase: DescribedInDepth {
  func describe(depth: Int) -> String {
    let header = _header
    if let session = header.pointee.session, !session.isThere(header) { return "[invalid object]" }
    if depth == 0 { return Description.tooDeep }
    let layout = self.layout
    var lines = ["\(layout.name) {"]
    for (index, field) in layout.fields.enumerated() where field.property.isStored {
      let text = Description.property(value(of: field, index), depth - 1)
      lines.append("\t\(field.property.name) = \(Description.indented(text));")
    }
    return lines.joined(separator: "\n") + "\n}"
  }
}

/// Where an object lies, as addresses are written.
func address(of object: AnyObject) -> String {
  "0x" + String(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), radix: 16)
}
