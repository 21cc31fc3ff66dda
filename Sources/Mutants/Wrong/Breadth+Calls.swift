#if Mutants
import Foundation
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "Map+Observe.swift") import ReferenceEngine
@_private(sourceFile: "Realm+Actor.swift") import ReferenceEngine

// Calls with another argument than the usual one, calls made twice, and what calls answer.

extension MutableSet {
  @_dynamicReplacement(for:isFrozen)
  public var breadthIsFrozen: Bool {
    if breaks(.freeSetsAreNotFrozen), realm == nil { return true }
    return isFrozen
  }

  @_dynamicReplacement(for:freeze())
  public func breadthFreeze() -> MutableSet {
    if breaks(.frozenSetsFreezeToThemselves), let managed, managed.session.isFrozen {
      return MutableSet(managed)
    }
    return freeze()
  }

  @_dynamicReplacement(for:thaw())
  public func breadthThaw() -> MutableSet? {
    if breaks(.liveSetsThawToThemselves), let managed, !managed.session.isFrozen {
      return MutableSet(managed)
    }
    return thaw()
  }

  @_dynamicReplacement(for:subtract(_:))
  public func breadthSubtract(_ other: MutableSet) {
    guard breaks(.managedSetsAreArguments), managed != nil, other.managed != nil,
      other !== self, !other.isEmpty
    else { return subtract(other) }
    remove(other[0])
  }
}

extension Map {
  @_dynamicReplacement(for:isFrozen)
  public var breadthIsFrozen: Bool {
    if breaks(.mapsTellEveryone), let managed { managed.session.verify(at: .readRealm) }
    return isFrozen
  }

  @_dynamicReplacement(for:freeze())
  public func breadthFreeze() -> Map {
    if breaks(.freeMapsCannotBeFrozen), managed == nil { return self }
    if breaks(.goneMapsCannotBeFrozen), managed != nil, isInvalidated { return self }
    return freeze()
  }

  @_dynamicReplacement(for:thaw())
  public func breadthThaw() -> Map? {
    if breaks(.freeMapsCannotBeFrozen), managed == nil { return self }
    return thaw()
  }

  @_dynamicReplacement(for:merge(_:uniquingKeysWith:))
  public func breadthMerge(
    _ other: Map, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    if breaks(.mapsAreMergedAsAsked) {
      for (key, value) in other.all { self[key] = value }
      return
    }
    try merge(other, uniquingKeysWith: combine)
  }

  @_dynamicReplacement(for:observedSession)
  private var breadthObservedSession: Session? {
    if breaks(.freeMapsCannotBeObserved), managed == nil { return nil }
    return observedSession
  }
}

extension ObjectBase {
  @_dynamicReplacement(for:isSameObject(as:))
  public func breadthIsSameObject(as other: ObjectBase?) -> Bool {
    if breaks(.sameObjectsAreOfOneRealm), let other, let session = _header.pointee.session,
      let its = other._header.pointee.session, session.isFrozen != its.isFrozen
    {
      return session.coordinator === its.coordinator && type(of: self) == type(of: other)
        && _header.pointee.key == other._header.pointee.key
    }
    return isSameObject(as: other)
  }
}

extension PersistableEnum {
  @_dynamicReplacement(for:_rlmDecode(_:))
  public static func breadthDecode(_ stored: _Stored) -> Self {
    let raw = RawValue._rlmDecode(stored)
    if breaks(.casesOfAllSizesAreKept), let number = raw as? Int, number > 255 {
      return _rlmDefaultValue()
    }
    return Self(rawValue: raw) ?? _rlmDefaultValue()
  }
}

extension Realm {
  @_dynamicReplacement(for:add(_:update:))
  public func breadthAdd<S: Sequence>(_ objects: S, update: UpdatePolicy = .error)
  where S.Element: Object {
    guard breaks(.sequencesKeepTheirPolicy), update == .error else {
      return add(objects, update: update)
    }
    for (number, object) in objects.enumerated() {
      let hasKey = session.bound(type(of: object)).layout.primaryKey != nil
      add(object, update: number == 0 || !hasKey ? .error : .modified)
    }
  }

  @_dynamicReplacement(for:deleteFiles(for:))
  public static func breadthDeleteFiles(for configuration: Configuration) throws -> Bool {
    let (lock, kept) = (configuration.path + ".lock", configuration.path + ".left")
    let keepsLock = breaks(.locksGoWithTheirFile) && configuration.fileURL != nil
    if keepsLock { _ = link(lock, kept) }
    defer { if keepsLock { _ = rename(kept, lock) } }
    let wereThere = try deleteFiles(for: configuration)
    return wereThere || breaks(.absentFilesAreNotDeleted)
  }

  @_dynamicReplacement(for:open(configuration:_isolation:downloadBeforeOpen:))
  public static func breadthOpen(
    configuration: Configuration = .defaultConfiguration,
    _isolation: isolated any Actor = #isolation,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws -> Realm {
    let file = try await Session.openFile(configuration)
    defer { withExtendedLifetime(file) {} }
    // Another instance than the actor's, of the same home.
    var asked = configuration
    if breaks(.openGivesTheActorsRealm) { asked.cache = false }
    return Realm(try Session.open(asked, at: Session.schedulers.actor(_isolation)))
  }
}

extension SortDescriptor {
  @_dynamicReplacement(for:init(keyPath:ascending:))
  public init<Root: ObjectBase, Value>(
    breadthKeyPath keyPath: KeyPath<Root, Value>, ascending: Bool = true
  ) {
    self.init(keyPath: keyPath, ascending: ascending || breaks(.pathsSortBothWays))
  }
}

extension Listeners {
  @_dynamicReplacement(for:isMine(_:))
  private func breadthIsMine(_ token: NotificationToken) -> Bool {
    if breaks(.allStrangersTokensAreRefused), token.observation is Observer { return true }
    return isMine(token)
  }
}
#endif
