extension Realm {
  /// Whether the realm follows new versions by itself, at the beginning of a turn of its thread's
  /// run loop or as a block of its queue or actor. True unless set; shared by all that is the same
  /// instance. The work that would move it is a source of the thread's run loop
  /// (`ThreadScheduler.run`): where nobody runs one, a realm stays on its version until somebody
  /// calls `refresh` or begins a write.
  public var autorefresh: Bool {
    get {
      session.verify(at: .autorefresh)
      return session.isFrozen ? false : session.isAutorefreshing
    }
    nonmutating set {
      session.verify(at: .autorefresh)
      if session.isFrozen {
        if newValue { refuse(.frozenCannotAutorefresh, at: .autorefresh) }
        return
      }
      session.isAutorefreshing = newValue
    }
  }

  /// Brings the realm and all that came from it to the newest version; false if it already shows
  /// it, true where it has shown none since `invalidate`.
  ///
  /// News are delivered before it returns. Inside a write or a listener's call it does nothing.
  @discardableResult
  public func refresh() -> Bool {
    if session.isFrozen { return false }
    session.verify(at: .refresh)
    if session.isQuiet { return false }
    if session.configuration.readOnly { refuse(.readOnlyCannotRefresh, at: .refresh) }
    return session.refreshIfPossible()
  }

  /// Lets the version go: all objects and collections of the realm become invalid, the realm itself
  /// stays usable and begins anew, on the newest version, with the next read.
  ///
  /// A write is cancelled; what was committed asynchronously is waited for, what has not begun is
  /// dropped. Inside a listener's call it does nothing. A frozen realm is closed: it cannot be read
  /// any more.
  public func invalidate() {
    if !session.isFrozen { session.verify(at: .invalidate) }
    session.invalidate()
  }
}
