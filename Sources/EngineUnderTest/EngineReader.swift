/// Begins and ends reads at the lowest level an engine offers.
package struct EngineReader {
  #if RealmSwift
  private let realm: Realm

  package init(beside realm: Realm) throws { self.realm = realm }

  /// Letting go of a version and refreshing is what there is of it in public.
  package func beginAndEnd() -> UInt64 {
    realm.invalidate()
    return realm.refresh() ? 1 : 0
  }
  #elseif RealmCore
  private let realm: Realm

  package init(beside realm: Realm) throws { self.realm = realm }

  /// A snapshot begins a read, and ends it when it goes.
  package func beginAndEnd() -> UInt64 { realm.freeze().isFrozen ? 1 : 0 }
  #else
  private let reader: VersionReader

  package init(beside realm: Realm) throws { reader = try VersionReader(beside: realm) }

  /// Which version was read, as a number.
  package func beginAndEnd() -> UInt64 { reader.beginAndEnd() }
  #endif
}
