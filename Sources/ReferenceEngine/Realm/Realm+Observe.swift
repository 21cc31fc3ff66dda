extension Realm {
  /// What a listener of a realm is told.
  public enum Notification: String, Sendable {
    /// The realm has moved to another version, or has been written to.
    case didChange = "RLMRealmDidChangeNotification"
    /// There is a newer version, which the realm, whose autorefresh is off, does not show yet.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }

  /// A listener of a realm.
  public typealias NotificationBlock = (_ notification: Notification, _ realm: Realm) -> Void

  /// Calls a block after every write to the realm, in whatever thread or process, until the token
  /// is dropped.
  ///
  /// For writes of this instance it is called before the write returns, for others where the realm
  /// is at home, when it moves to the new version.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    session.verifyObservable()
    let listener = RealmListener(session: session, block: block)
    session.listeners?.add(listener)
    return NotificationToken(listener)
  }
}

extension Session {
  /// Stops whoever listens where nothing can ever be heard.
  func verifyObservable() {
    verify(at: .observe)
    if isFrozen { refuse(.frozenHasNoNotifications, at: .observe) }
    if configuration.readOnly { refuse(.readOnlyHasNoNotifications, at: .observe) }
    if !scheduler.canDeliver { refuse(.noRunLoopForNotifications, at: .observe) }
  }
}
