import Synchronization

/// The dotted name of the property that a key path of a model class leads to.
///
/// A key path describes itself as `<computed 0x…>`, so it is followed on an object whose getters
/// take notes, and what it said is remembered by the key path's identity.
func propertyName(of keyPath: AnyKeyPath, in type: ObjectBase.Type) -> String {
  guard let name = propertyNameIfAny(of: keyPath, in: type) else {
    refuseQuery("\(keyPath) names no persisted property of \(type).")
  }
  return name
}

/// The same; nil for a key path that passes no persisted property.
func propertyNameIfAny(of keyPath: AnyKeyPath, in type: ObjectBase.Type) -> String? {
  let id = ObjectIdentifier(keyPath)
  if let known = KeyPathNames.shared.names.withLock({ $0[id]?.name }) { return known }
  guard let name = KeyPathProbeObjects(type).name(of: keyPath) else { return nil }
  KeyPathNames.shared.names.withLock { $0[id] = KeyPathNames.Name(keyPath: keyPath, name: name) }
  return name
}

private final class KeyPathNames: Sendable {
  /// The key path is kept, so that its identity is not given to another.
  struct Name: @unchecked Sendable {
    // Key paths are immutable; only their type does not say so.
    let keyPath: AnyKeyPath
    let name: String
  }

  static let shared = KeyPathNames()
  let names = Mutex<[ObjectIdentifier: Name]>([:])
}

/// Unmanaged objects, one of each class that can be reached, whose wrappers believe to have
/// columns, so that their getters take notes.
///
/// Every link leads to an object and every collection of objects has one, so that no key path ends
/// on the way, be it forced or not.
private struct KeyPathProbeObjects {
  private let start: ObjectBase
  private var all: [ObjectIdentifier: ObjectBase] = [:]

  init(_ type: ObjectBase.Type) {
    start = KeyPathProbeObjects.noting(type)
    all[ObjectIdentifier(type)] = start
    var unlinked = [start]
    while let object = unlinked.popLast() {
      forEachLink(of: object) { field, place, linked in
        let id = ObjectIdentifier(linked)
        let next = all[id] ?? KeyPathProbeObjects.noting(linked)
        if all.updateValue(next, forKey: id) == nil { unlinked.append(next) }
        _ = field.wrapper.setUnmanagedValue(field.property.probed(next), at: place)
      }
    }
  }

  private static func noting(_ type: ObjectBase.Type) -> ObjectBase {
    let object = type.init()
    let raw = Unmanaged.passUnretained(object).toOpaque()
    for (index, field) in ClassLayout.of(type).fields.enumerated() {
      // A wrapper's first word is its column.
      raw.storeBytes(of: UInt32(index + 1), toByteOffset: field.offset, as: UInt32.self)
    }
    return object
  }

  private func forEachLink(
    of object: ObjectBase,
    _ body: (ClassLayout.Field, UnsafeMutableRawPointer, ObjectBase.Type) -> Void
  ) {
    let raw = Unmanaged.passUnretained(object).toOpaque()
    for field in ClassLayout.of(type(of: object)).fields {
      if let linked = field.linked { body(field, raw + field.offset, linked) }
    }
  }

  func name(of keyPath: AnyKeyPath) -> String? {
    // They link in circles.
    defer {
      for object in all.values {
        forEachLink(of: object) { field, place, _ in field.wrapper.clear(at: place) }
      }
    }
    let notes = KeyPathProbe.Notes()
    KeyPathProbe.$notes.withValue(notes) { _ = start[keyPath: keyPath] }
    var names: [String] = []
    var here: ClassLayout? = ClassLayout.of(type(of: start))
    for column in notes.columns {
      guard let layout = here, layout.fields.indices.contains(Int(column) - 1) else { return nil }
      let field = layout.fields[Int(column) - 1]
      names.append(field.property.name)
      here = field.linked.map(ClassLayout.of)
    }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }
}

extension Property {
  /// What a probe's property holds so that a key path can go on into it.
  fileprivate func probed(_ object: ObjectBase) -> Any {
    if type == .linkingObjects { return [object] }
    return switch shape {
    case .single: object
    case .list, .set: [object]
    case .map: ["": object]
    }
  }
}
