@testable import ReferenceEngine

extension RealmCollectionChange {
  /// What a listener of a collection was told, in short.
  var brief: String {
    switch self {
    case .initial: "initial"
    case .update(_, let deletions, let insertions, let modifications):
      "-\(deletions) +\(insertions) ~\(modifications)"
    case .error: "error"
    }
  }
}

extension ObjectChange {
  /// What a listener of an object was told, in short: the names of what has changed.
  var brief: String {
    switch self {
    case .change(_, let properties): "\(properties.map(\.name))"
    case .deleted: "deleted"
    case .error(let error): "\(error)"
    }
  }
}
