import RealmCore

// An engine that is a library of the user's: whether it is there, and what it says of itself.

extension Engine {
  /// Why the engine in the socket cannot be examined here; nil if it can.
  package static var absence: String? {
    #if RealmCore
    CoreLibrary.reason
    #else
    nil
    #endif
  }

  /// The engine's own version, where it tells one.
  package static var version: String? {
    #if RealmCore
    CoreLibrary.version
    #else
    nil
    #endif
  }

  /// Whether the engine is a library behind a façade, which takes part of the time of each access.
  package static var isBehindFacade: Bool {
    #if RealmCore
    true
    #else
    false
    #endif
  }

  /// What a realm-core library that the environment names is like: its version, or why it cannot be
  /// used; nil if none is named.
  package static var coreLibrary: (version: String?, reason: String?)? {
    CoreLibrary.isNamed ? (CoreLibrary.version, CoreLibrary.reason) : nil
  }

  /// The environment's name for that library.
  package static var coreLibraryVariable: String { CoreLibrary.variable }

  /// Listens to an engine that is two, a library and what stands before it: to which of them
  /// answers, and to what it cannot be asked, after which the process must end. Other engines say
  /// nothing.
  package static func listen(
    whoDecides: @escaping @Sendable (String) -> Void,
    notAskable: @escaping @Sendable (String) -> Never
  ) {
    #if RealmCore
    Facade.whenDeciding { whoDecides($0.rawValue) }
    Facade.whenNotAskable(notAskable)
    #endif
  }
}
