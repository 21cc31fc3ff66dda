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

extension RealmCollectionChange {
  init(_ collection: CollectionType, _ difference: Difference) {
    self = .update(
      collection, deletions: difference.deletions, insertions: difference.insertions,
      modifications: difference.modifications)
  }
}

extension RealmCollectionChange {
  /// The same change of another view of the collection.
  func mapped<Other>(_ view: (CollectionType) -> Other) -> RealmCollectionChange<Other> {
    switch self {
    case .initial(let collection): .initial(view(collection))
    case .update(let collection, let deletions, let insertions, let modifications):
      .update(
        view(collection), deletions: deletions, insertions: insertions,
        modifications: modifications)
    case .error(let error): .error(error)
    }
  }
}
