/// What of a projection concerns a listener.
enum ProjectionScope: Sendable {
  /// All that it shows.
  case all
  /// Some of its properties, by their names in it.
  case labels([String])
  /// What some key paths of the object lead to.
  case paths([String])

  static func ofObject(_ keyPaths: [String]?) -> ProjectionScope {
    keyPaths.map { .paths($0) } ?? .all
  }
}
