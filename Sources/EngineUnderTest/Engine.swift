/// Which engine the suites see, and what it is called in reports.
package enum Engine {
  #if RealmSwift || RealmCore
  package static let name = "realm"
  #else
  package static let name = "reference"
  #endif

  /// Whether the engine offers a choice of how far a commit comes.
  package static func offersDurability(_ word: String) -> Bool {
    var configuration = Realm.Configuration()
    return setDurability(word, of: &configuration)
  }

  /// Sets how far a commit comes before it returns; false where the engine offers no such choice.
  package static func setDurability(_ word: String, of configuration: inout Realm.Configuration)
    -> Bool
  {
    #if RealmSwift || RealmCore
    // What Realm always does: flushes the data, then what points at it.
    return word == "two-phase"
    #else
    switch word {
    case "two-phase": configuration.commitProtocol = .twoPhase
    case "single-flush": configuration.commitProtocol = .singleFlush
    case "none": configuration.commitProtocol = .none
    default: return false
    }
    return true
    #endif
  }

  /// Whether realms can be told to let go of their version or to stay on it, and asked what is
  /// under way. Programs that draw lots go without, where an engine's interface has nothing for it.
  package static var offersReins: Bool {
    #if RealmCore
    false
    #else
    true
    #endif
  }

  /// Asks for a look at all that is read, where an engine offers one; others look as they always
  /// do.
  @discardableResult
  package static func checkEverything(in configuration: inout Realm.Configuration) -> Bool {
    #if RealmSwift || RealmCore
    return false
    #else
    configuration.checksEverything = true
    return true
    #endif
  }

  #if RealmSwift
  package static func rowKey(of object: Object) -> Int64? { nil }

  package static func object<E: Object>(ofType type: E.Type, forRowKey key: Int64, in realm: Realm)
    -> E?
  { nil }
  #else
  /// The internal key of an object's row; nil where the engine tells nobody.
  package static func rowKey(of object: Object) -> Int64? { object.rowKey }

  /// The object of a row by its internal key.
  package static func object<E: Object>(ofType type: E.Type, forRowKey key: Int64, in realm: Realm)
    -> E?
  { realm.object(ofType: type, forRowKey: key) }
  #endif

  #if RealmSwift || RealmCore
  package static func bytesInUse(ofFileAt path: String) -> Int? { nil }
  #else
  /// How many bytes of a file are in use up to the last one, where the engine tells; a file may
  /// grow in steps.
  package static func bytesInUse(ofFileAt path: String) -> Int? {
    Inspection.end(ofFileAt: path).map { Int($0) }
  }
  #endif
}
