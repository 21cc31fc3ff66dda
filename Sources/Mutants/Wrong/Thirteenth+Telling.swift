#if Mutants
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "MapObserver.swift") import ReferenceEngine
@_private(sourceFile: "ObjectObserver.swift") import ReferenceEngine

// The thirteenth set: listeners.

extension Listeners {
  /// Calls all of the realm's listeners, those that come meanwhile, too.
  func tellAll(
    _ notification: Realm.Notification, except skipped: [NotificationToken], since known: VersionID
  ) {
    guard !realmListeners.isEmpty else { return }
    telling {
      var place = 0
      while place < realmListeners.count {
        let listener = realmListeners[place]
        place += 1
        if listener.hasEnded(by: known) { continue }
        if skipped.contains(where: { $0.observation === listener }) { continue }
        listener.block(notification, Realm(session))
      }
    }
  }
}

extension MapObserver {
  @_dynamicReplacement(for:telling(_:_:_:))
  private func thirteenthTelling(
    _ deletions: [ToldValue], _ insertions: [ToldValue], _ modifications: [ToldValue]
  ) -> () -> Void {
    if breaks(.lostValuesAreTold) {
      let rest = withValues(modifications)
      if deletions.isEmpty, insertions.isEmpty, rest.isEmpty { return {} }
      return telling(deletions, insertions, rest)
    }
    guard breaks(.mapsTellOfChanges) else {
      return telling(deletions, insertions, modifications)
    }
    return telling(deletions + modifications, insertions + modifications, [])
  }
}

extension ObjectObserver {
  /// A change as a broken engine tells it.
  func retold(_ one: PropertyChange, since told: Root) -> PropertyChange {
    if breaks(.propertiesHaveTheirNames), let index = bound.layout.index(of: one.name) {
      return PropertyChange(
        name: bound.layout.fields[index].property.columnName, oldValue: one.oldValue,
        newValue: one.newValue)
    }
    if breaks(.nilIsAnOldValue), session.listeners?.isOwnWork(since: told) == false {
      return PropertyChange(
        name: one.name, oldValue: one.oldValue ?? one.newValue, newValue: one.newValue)
    }
    return one
  }
}
#endif
