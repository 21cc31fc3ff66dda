import Foundation

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
        refuse(.invalidValue(given, for: field.property, of: layout.name))
      }
      if field.property.type == .any { field.wrapper.copyContent(at: raw + field.offset) }
    }
  }
}

/// Where `init(value:)` and `create(value:)` take a property's value from.
struct ValueSource {
  private enum Kind {
    case dictionary([String: Any])
    case array([Any])
    case object(ObjectBase)
  }
  private let kind: Kind
  /// Whether properties of the class are not persisted, and so have no place in an array.
  private let skips: [Bool]

  init(_ value: Any, for layout: ClassLayout) {
    skips = layout.fields.map { !$0.property.isStored }
    if let dictionary = value as? [String: Any] {
      // As Realm does, ignoring what the class does not have.
      kind = .dictionary(dictionary)
    } else if let array = value as? [Any] {
      let expected = skips.count { !$0 }
      if array.count > expected {
        refuse(.tooManyValues(layout.name, expected: expected, given: array.count))
      }
      kind = .array(array)
    } else if let object = value as? ObjectBase {
      kind = .object(object)
    } else {
      refuse(.noObjectValue(value, layout.name))
    }
  }

  var object: ObjectBase? { if case .object(let object) = kind { object } else { nil } }

  /// The value given for a property, nil if none was.
  func value(of index: Int, _ field: ClassLayout.Field) -> Any? {
    guard field.property.isStored else { return nil }
    switch kind {
    case .dictionary(let dictionary):
      return dictionary[field.property.name]
    case .array(let array):
      let place = index - skips[..<index].count { $0 }
      return place < array.count ? array[place] : nil
    case .object(let object):
      return object.dynamicValue(of: field.property.name)
    }
  }
}

extension ObjectBase {
  /// What describes the object: its realm's view of the class, or the class alone.
  var layout: ClassLayout { _header.pointee.table?.layout ?? ClassLayout.of(type(of: self)) }

  /// The value of a property now, managed or not.
  func value(of field: ClassLayout.Field, _ index: Int) -> Any {
    if let table = _header.pointee.table {
      return field.wrapper.managedValue(_Cell(_checked(), table.columns[index]))
    }
    let raw = Unmanaged.passUnretained(self).toOpaque()
    return field.wrapper.unmanagedValue(at: raw + field.offset)
  }

  /// The value of a property by name; nil if the class has no such property.
  func dynamicValue(of name: String) -> Any? {
    guard let index = layout.index(of: name) else { return nil }
    let field = layout.fields[index]
    return value(of: field, index)
  }
}

extension Violation {
  static func invalidValue(_ value: Any, for property: Property, of name: String) -> Violation {
    let kind: String
    switch property.shape {
    case .single: kind = ""
    case .list: kind = "array "
    case .set: kind = "set "
    case .map: kind = "dictionary "
    }
    let place = "'\(property.elementWords)' \(kind)property '\(name).\(property.name)'"
    if property.shape != .single, value is String || !(value is any Sequence) {
      return Violation("Invalid value (\(value)) for \(place): value is not enumerable.")
    }
    return Violation("Invalid value '\(value)' of type '\(type(of: value))' for \(place).")
  }
  static func noObjectValue(_ value: Any, _ name: String) -> Violation {
    Violation(
      "Invalid value '\(value)' to initialize object of type '\(name)': must be an array, "
        + "a dictionary or an object")
  }
  static func tooManyValues(_ name: String, expected: Int, given: Int) -> Violation {
    Violation(
      "Invalid array input: more values (\(given)) than properties (\(expected)).")
  }
}
