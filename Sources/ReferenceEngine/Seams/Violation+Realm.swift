extension Violation {
  // Confinement.
  package static let wrongThread = Violation("Realm accessed from incorrect thread.")
  package static let wrongQueue = Violation("Realm opened from incorrect dispatch queue.")
  package static func queueIsNotSerial(label: String, kind: String) -> Violation {
    Violation(
      "Invalid queue '\(label)' (\(kind)): "
        + "Realms can only be confined to serial queues or the main queue.")
  }

  // Writing.
  package static let alreadyInWrite = Violation("The Realm is already in a write transaction")
  package static let noWriteToCancel = Violation("Can't cancel a non-existing write transaction")
  package static let noWriteToCommit = Violation("Can't commit a non-existing write transaction")
  package static let modifiedOutsideWrite = Violation(
    "Attempting to modify object outside of a write transaction - call beginWriteTransaction "
      + "on an RLMRealm instance first.")
  package static func modifiedOutsideWrite(_ collection: String) -> Violation {
    Violation("Cannot modify managed \(collection) outside of a write transaction.")
  }
  package static let addedOutsideWrite = Violation(
    "Can only add, remove, or create objects in a Realm in a write transaction - call "
      + "beginWriteTransaction on an RLMRealm instance first.")
  package static let writeInReadOnly = Violation(
    "Can't perform transactions on read-only Realms.")
  package static let managedElsewhere = Violation(
    "Object is already managed by another Realm. Use create instead to copy it into this Realm.")
  package static let deletedElsewhere = Violation(
    "Can only delete an object from the Realm it belongs to.")
  package static func tooManyVersions(_ count: Int, limit: Int) -> Violation {
    Violation(
      "Number of active versions (\(count)) in the Realm exceeded the limit of \(limit)")
  }

  // Writing asynchronously.
  package static let noRunLoopForAsyncWrite = Violation(
    "Cannot schedule async transaction. Make sure you are running from inside a run loop.")
  package static let beginInCompletion = Violation(
    "Can't begin a write transaction from inside a commit completion callback.")
  package static let commitInCompletion = Violation(
    "Can't commit a write transaction from inside a commit completion callback.")
  package static let cancelInCompletion = Violation(
    "Can't cancel a write transaction from inside a commit completion callback.")
  package static func needsMainThreadOrActor(_ verb: String) -> Violation {
    Violation("\(verb)() can only be called on main thread or actor-isolated Realms")
  }

  // References.
  package static let resolvedTwice = Violation("Can only resolve a thread safe reference once.")
  package static let referenceToUnmanaged = Violation(
    "Cannot construct reference to unmanaged object, which can be passed across threads directly")
  package static let referenceToInvalidated = Violation(
    "Cannot construct reference to invalidated object")
  package static let referenceAfterChanges = Violation(
    "Can only duplicate a write transaction before any changes have been made.")
  package static let referenceToNewCollection = Violation(
    "Cannot create a ThreadSafeReference to Results backed by a collection of objects inside "
      + "the write transaction which created the collection.")
  package static let threadSafeNeedsManaged = Violation(
    "Only managed objects may be wrapped as thread safe.")

  // Refreshing, freezing, thawing.
  package static let readOnlyCannotRefresh = Violation(
    "Read-only Realms do not change and cannot be refreshed.")
  package static let frozenCannotAutorefresh = Violation(
    "Auto-refresh cannot be enabled for frozen Realms.")
  package static let invalidated = Violation("Object has been deleted or invalidated.")
  package static let writeInFrozen = Violation("Can't perform transactions on a frozen Realm")
  package static let modifiedFrozen = Violation(
    "Attempting to modify a frozen object - call thaw on the Object instance first.")
  package static let frozenHasNoNotifications = Violation(
    "Frozen Realms do not change and do not have change notifications.")
  package static let frozeUnmanaged = Violation("Unmanaged objects cannot be frozen.")
  package static let frozeNewObject = Violation(
    "Cannot freeze an object in the same write transaction as it was created in.")
  package static let thawedUnmanaged = Violation("Unmanaged objects cannot be thawed.")
  package static let frozenInvalidated = Violation(
    "Cannot read from a frozen Realm which has been invalidated.")

  // Notifications.
  package static func noSuchProperty(_ property: String, in type: String) -> Violation {
    Violation("property '\(property)' not found in object of type '\(type)'")
  }
  package static let observedUnmanagedObject = Violation(
    "Only objects which are managed by a Realm support change notifications")
  package static let observedUnmanagedObjectOnActor = Violation(
    "Change notifications are only supported for managed objects")
  package static let observedUnmanagedCollection = Violation(
    "Change notifications are only supported on managed collections.")
  package static let readOnlyHasNoNotifications = Violation(
    "Read-only Realms do not change and do not have change notifications.")
  package static let observedAfterChanges = Violation(
    "Cannot create asynchronous query after making changes in a write transaction.")
  package static let noRunLoopForNotifications = Violation(
    "Can only add notification blocks from within runloops.")
  package static let skippedForeignToken = Violation(
    "Incorrect Realm: only notifications for the Realm being modified can be skipped.")

  // Opening.
  package static let readOnlyIsNotDeleted = Violation(
    "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
  package static let readOnlyIsNotCompacted = Violation(
    "Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
  package static let placeless = Violation(
    "A Realm Configuration must specify a path or an in-memory identifier.")
  package static let emptyPath = Violation("Realm path must not be empty")
  package static let emptyIdentifier = Violation("In-memory identifier must not be empty")
  package static let noSchemaVersion = Violation(
    "Cannot set schema version to \(UInt64.max) (RLMNotVersioned)")
  package static let keyOfWrongLength = Violation(
    "Encryption key must be exactly 64 bytes long")
  package static func openedDifferently(_ path: String, _ what: String) -> Violation {
    Violation("Realm at path '\(path)' already opened with different \(what)")
  }
  package static let migratedWhileOpen = Violation(
    "Cannot migrate Realms that are already open.")
  /// Another process has migrated a file that this one has open.
  package static func migratedElsewhere(_ changes: [String]) -> Violation {
    Violation(
      "Unsupported schema changes were made by another client or process:\n"
        + changes.joined(separator: "\n"))
  }

  // Storage.
  package static let otherProcessCrashed = Violation(
    "Crash of other process detected, session restart required")
}
