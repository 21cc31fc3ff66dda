/// A read below the level of realms: it stands on no version until it begins, and lets go of it
/// when it ends. Not part of Realm's surface, where a realm stands on a version until it is
/// refreshed.
package struct VersionReader {
  private let pin: Pin

  /// A reader of the file that a realm has open.
  package init(beside realm: Realm) throws {
    pin = try Pin(coordinator: realm.session.coordinator, kind: .tool)
  }

  /// Pins the newest version, and lets it go; which one it was.
  package func beginAndEnd() -> UInt64 {
    pin.advance()
    defer { pin.release() }
    return pin.root?.version.number ?? 0
  }
}
