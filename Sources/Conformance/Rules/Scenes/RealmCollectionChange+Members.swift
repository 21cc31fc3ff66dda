import EngineUnderTest

extension RealmCollectionChange {
  /// The collection as it is now, in the first call and in all that follow.
  var members: CollectionType? {
    switch self {
    case .initial(let members), .update(let members, _, _, _): members
    default: nil
    }
  }
}
