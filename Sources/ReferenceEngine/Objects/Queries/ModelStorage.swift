@_spi(Reflection) import Swift
import Synchronization

/// What a model class keeps beside its persisted properties.
enum ModelStorage {
  private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

  /// Whether all that an instance stores is persisted: then it may be moved to another row unseen.
  static func isPersistedOnly(_ type: ObjectBase.Type) -> Bool {
    known.withLock { known in
      let id = ObjectIdentifier(type)
      if let answer = known[id] { return answer }
      var others = 0
      _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { _, _, kind, _ in
        if !(kind is any PersistedStorage.Type) && kind != HeaderWords.self { others += 1 }
        return true
      }
      known[id] = others == 0
      return others == 0
    }
  }
}
