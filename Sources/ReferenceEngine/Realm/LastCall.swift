/// The end of a listener on its way home.
///
/// The home may go before it arrives, and drop what waits for it: then whoever drops it ends the
/// listener. Listener and session keep each other, and their version, until that has happened.
final class LastCall: @unchecked Sendable {
  // Sendable because it is only touched at home, and by the last one who has it.
  private var end: (() -> Void)?

  init(_ end: @escaping () -> Void) { self.end = end }

  func arrive() {
    end?()
    end = nil
  }

  deinit { if let end { ListenerEnd.orphans.withLock { end() } } }
}
