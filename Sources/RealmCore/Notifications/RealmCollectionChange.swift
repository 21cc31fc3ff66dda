/// What a listener of a collection is told.
///
/// Deletions and modifications are positions in the collection as the listener last knew it,
/// insertions are positions in the collection as it is now; all ascending, and none both deleted
/// and modified. To follow with an array: take the modified elements anew, remove the deletions
/// from the highest down, then insert.
@frozen public enum RealmCollectionChange<CollectionType> {
  /// The first call: the collection can be used.
  case initial(CollectionType)
  /// The collection, or an object in it, has changed.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Never delivered; kept because code that switches over changes names it.
  case error(Error)
}
