import Synchronization

/// The dotted name of the property that a key path of a model class leads to.
///
/// A key path describes itself as `<computed 0x…>`, so it is followed on an object whose getters
/// take notes, and what it said is remembered by the key path's identity. An optional link on the
/// way is nil in a fresh object and would end the walk: it is given an object, and the walk begins
/// again.
func propertyName(of keyPath: AnyKeyPath, in type: ObjectBase.Type) -> String {
  let id = ObjectIdentifier(keyPath)
  if let known = KeyPathNames.shared.names.withLock({ $0[id]?.name }) { return known }
  var probe = KeyPathProbeObject(type)
  guard let name = probe.name(of: keyPath) else {
    Facade.refuse("\(keyPath) names no persisted property of \(type).")
  }
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

/// An unmanaged object whose wrappers believe to have columns, so that their getters take notes.
private struct KeyPathProbeObject {
  private let layout: ClassLayout
  private let object: ObjectBase
  private var links: [Int: ObjectBase] = [:]

  init(_ type: ObjectBase.Type) {
    layout = ClassLayout.of(type)
    object = KeyPathProbeObject.noting(layout)
  }

  private static func noting(_ layout: ClassLayout) -> ObjectBase {
    let object = layout.type.init()
    let raw = Unmanaged.passUnretained(object).toOpaque()
    for (index, field) in layout.fields.enumerated() {
      // A wrapper's first word is its column.
      raw.storeBytes(of: UInt32(index + 1), toByteOffset: field.offset, as: UInt32.self)
    }
    return object
  }

  mutating func name(of keyPath: AnyKeyPath) -> String? {
    for _ in 0..<8 {
      guard let walked = walk(keyPath), let last = walked.last else { return nil }
      let field = last.layout.fields[last.field]
      let isWhole = type(of: keyPath).valueType == field.wrapper.valueType
      guard !isWhole, field.property.type == .object, field.property.shape == .single,
        let linked = field.linked
      else { return walked.map { $0.layout.fields[$0.field].property.name }.joined(separator: ".") }
      let raw = Unmanaged.passUnretained(last.object).toOpaque()
      let next = KeyPathProbeObject.noting(ClassLayout.of(linked))
      guard field.wrapper.setUnmanagedValue(next, at: raw + field.offset) else { return nil }
    }
    return nil
  }

  private struct Step {
    let object: ObjectBase
    let layout: ClassLayout
    let field: Int
  }

  /// The properties passed on the way, each with the object it was asked of.
  private func walk(_ keyPath: AnyKeyPath) -> [Step]? {
    let notes = KeyPathProbe.Notes()
    KeyPathProbe.$notes.withValue(notes) { _ = object[keyPath: keyPath] }
    var steps: [Step] = []
    var at: ObjectBase? = object
    for column in notes.columns {
      guard let here = at else { return nil }
      let layout = ClassLayout.of(type(of: here))
      let field = Int(column) - 1
      guard layout.fields.indices.contains(field) else { return nil }
      steps.append(Step(object: here, layout: layout, field: field))
      let raw = Unmanaged.passUnretained(here).toOpaque()
      let value = layout.fields[field].wrapper.unmanagedValue(
        at: raw + layout.fields[field].offset)
      at = (value as? any OptionalProtocol)?.anyValue as? ObjectBase
    }
    return steps
  }
}
