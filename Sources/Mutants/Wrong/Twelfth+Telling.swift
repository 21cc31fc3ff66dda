#if Mutants
@_private(sourceFile: "CollectionObserver.swift") import ReferenceEngine
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "Observer.swift") import ReferenceEngine
@_private(sourceFile: "Reach.swift") import ReferenceEngine
@_private(sourceFile: "Registration.swift") import ReferenceEngine

// The twelfth set: listeners.

extension Listeners {
  /// Tells of an own commit what is told in it, and lets nobody come for the rest.
  func tellOwnCommitAlone(from old: Root) {
    if ownSince == nil { ownSince = old.version }
    let skipped = self.skipped
    self.skipped = []
    for token in skipped { (token.observation as? Observer)?.skip() }
    tellRealm(.didChange, except: skipped, since: old.version)
    if observers.isEmpty { forget() }
  }
}

extension Registration {
  @_dynamicReplacement(for:here(_:in:_:))
  static func twelfthHere<Thing>(
    _ thing: Thing, in session: Session, _ make: Make<Thing>
  ) -> NotificationToken {
    let token = here(thing, in: session, make)
    if breaks(.firstCallsTakeInThePast), let observer = token.observation as? Observer,
      "\(type(of: observer))".hasPrefix("CollectionObserver"), observer.told == nil,
      !session.isInWrite, let root = session.root, !root.isWaiting,
      let snapshot = try? session.coordinator.snapshot(of: root, kind: .notifier)
    {
      observer.passOver()
      FirstKnown.note(observer, snapshot)
    }
    return token
  }
}

extension CollectionObserver {
  @_dynamicReplacement(for:passOver())
  func twelfthPassOver() {
    if breaks(.firstCallsTakeInThePast), FirstKnown.snapshot(of: self) != nil { return }
    passOver()
  }
}

extension Observer {
  /// After its first call a listener is taken to know what there was when it came.
  final func knows(only snapshot: Snapshot) {
    FirstKnown.forget(self)
    guard let told, told.version != snapshot.version else { return }
    session.listeners?.keep(snapshot)
    self.told = snapshot.root
  }
}

extension Reach {
  /// Looks for a path that leads nowhere, and names the class where it begins.
  static func nameTheRoot(of keyPaths: [String], in bound: BoundClass) {
    for path in keyPaths {
      guard let step = missingStep(of: path, in: bound) else { continue }
      refuse(.noSuchProperty(step, in: bound.layout.name), at: .observe)
    }
  }
}
#endif
