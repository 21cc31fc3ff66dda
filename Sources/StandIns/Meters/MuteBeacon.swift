import ReferenceEngine

/// Tells nobody and hears nobody.
package final class MuteBeacon: Beacon {
  package init() {}

  package func ring() {}
  package func listen(_ body: @escaping @Sendable () -> Void) {}
  package func stop() {}
}
