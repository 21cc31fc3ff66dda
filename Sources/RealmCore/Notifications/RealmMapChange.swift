/// What a listener of a map is told, by keys.
@frozen public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The first call: the map can be used.
  case initial(Collection)
  /// Keys that were removed, added, or got another value.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key],
    modifications: [Collection.Key])
  /// Never delivered; kept because code that switches over changes names it.
  case error(Error)
}
