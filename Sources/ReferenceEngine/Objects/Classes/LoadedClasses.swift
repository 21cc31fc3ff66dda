import CShims

/// The model classes that the process has: what a realm is about whose configuration names none.
///
/// A name that several classes have stands for none of them: which one is meant, only who uses it
/// knows. So it is with classes that say that they do not belong to every realm, and with those
/// that are loaded later: they are known from their first use on.
final class LoadedClasses: @unchecked Sendable {
  // Sendable because nothing changes after init; metatypes are safe to share.
  private let types: [String: ObjectBase.Type]

  /// Found when the first such realm opens.
  static let all = LoadedClasses()

  private init() {
    let found = Found()
    rb_each_subclass(
      unsafeBitCast(ObjectBase.self, to: UnsafeRawPointer.self),
      { metadata, context in
        guard let metadata, let context else { return }
        Unmanaged<Found>.fromOpaque(context).takeUnretainedValue().types.append(
          unsafeBitCast(metadata, to: ObjectBase.Type.self))
      }, Unmanaged.passUnretained(found).toOpaque())
    let own: [ObjectBase.Type] = [Object.self, EmbeddedObject.self, DynamicObject.self]
    var types: [String: ObjectBase.Type] = [:]
    var shared: Set<String> = []
    for type in found.types where !own.contains(where: { $0 == type }) {
      if !type.shouldIncludeInDefaultSchema() || type._realmIgnoreClass() { continue }
      let name = type.className()
      if types.updateValue(type, forKey: name) != nil { shared.insert(name) }
    }
    for name in shared { types[name] = nil }
    self.types = types
  }

  /// The class of a name, unless it contradicts itself: then it is refused when it is used.
  func layout(named name: String) -> ClassLayout? {
    guard let layout = types[name].map(ClassLayout.of), layout.mistakes.isEmpty else { return nil }
    return layout
  }

  /// All that do not contradict themselves.
  var layouts: [ClassLayout] { types.keys.compactMap(layout(named:)) }

  /// What the search has come upon; a class, because C carries it as a pointer.
  private final class Found {
    var types: [ObjectBase.Type] = []
  }
}
