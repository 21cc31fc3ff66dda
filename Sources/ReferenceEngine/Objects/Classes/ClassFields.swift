import CShims
import Foundation
@_spi(Reflection) import Swift

/// The `@Persisted` properties of a class, as its image has them.
///
/// Reflection finds the type of each property by its name, and for that the runtime searches
/// everything that the process has loaded: for how the type is persisted, and for whether its
/// wrapper is one. These searches were most of what a fresh process waited for at its first realm.
/// So a name is read here, as far as it says that a property is plain; of others the runtime is
/// asked.
enum ClassFields {
  typealias Body = (
    _ label: UnsafePointer<CChar>, _ offset: Int, _ wrapper: any PersistedStorage.Type, PlainKind?
  ) -> Void

  /// Those that a class inherits come first.
  static func each(of type: ObjectBase.Type, _ body: Body) {
    if let parts = parts(of: type) {
      for (fields, index) in parts { each(fields, index, body) }
    } else {
      eachByReflection(of: type, body)
    }
  }

  private typealias Part = (fields: rb_fields, index: UInt32)

  /// All stored properties; nil if they can only be found by reflection.
  private static func parts(of type: ObjectBase.Type) -> [Part]? {
    var levels: [rb_fields] = []
    var level: UnsafeRawPointer? = unsafeBitCast(type, to: UnsafeRawPointer.self)
    while let metadata = level {
      var fields = rb_fields()
      guard rb_fields_of(metadata, &fields) != 0 else { return nil }
      levels.append(fields)
      level = rb_superclass(metadata)
    }
    return levels.reversed().flatMap { fields in (0..<fields.count).map { (fields, $0) } }
  }

  private static func each(_ fields: rb_fields, _ index: UInt32, _ body: Body) {
    let field = withUnsafePointer(to: fields) { rb_field_at($0, index) }
    guard let label = field.label, let name = field.type else { return }
    var rest: UnsafePointer<UInt8>?
    switch rb_names(name, persisted, &rest) {
    case rb_naming_other: return
    case rb_naming_structure:
      if let rest, let kind = plain(rest) {
        return body(label, Int(field.offset), kind.wrapper, kind)
      }
    default: break
    }
    let found = _getTypeByMangledNameInContext(
      name, UInt(field.type_bytes), genericContext: fields.descriptor, genericArguments: nil)
    guard let wrapper = found as? any PersistedStorage.Type else { return }
    body(label, Int(field.offset), wrapper, PlainKind(wrapper.valueType))
  }

  /// What a wrapper is of, whose name stands before, as far as it can be read.
  private static func plain(_ name: UnsafePointer<UInt8>) -> PlainKind? {
    guard name.pointee == UInt8(ascii: "y") else { return nil }
    var rest: UnsafePointer<UInt8>?
    if rb_names(name + 1, date, &rest) == rb_naming_structure, let rest {
      switch String(cString: rest) {
      case "G": return .date
      case "SgG": return .optionalDate
      default: return nil
      }
    }
    // References in it may be no text; a name that is known has none.
    let text = String(cString: name + 1)
    return text.hasSuffix("G") ? PlainKind(mangled: text.dropLast()) : nil
  }

  /// What tells the wrapper, and a date, from other structures.
  // Not counted as shared: what is loaded stays where it is, and nothing of it changes.
  private nonisolated(unsafe) static let persisted = descriptor(of: PlainKind.int.wrapper)
  private nonisolated(unsafe) static let date = descriptor(of: Date.self)

  private static func descriptor(of type: Any.Type) -> UnsafeRawPointer? {
    rb_descriptor_of_structure(unsafeBitCast(type, to: UnsafeRawPointer.self))
  }

  /// The same for any class, as the runtime has it.
  static func eachByReflection(of type: ObjectBase.Type, _ body: Body) {
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { label, offset, kind, _ in
      if let wrapper = kind as? any PersistedStorage.Type {
        body(label, offset, wrapper, PlainKind(wrapper.valueType))
      }
      return true
    }
  }
}
