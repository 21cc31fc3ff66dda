/// A section's key as sections are told apart by it: by what would be stored, as `==` in a filter
/// and `distinct` tell values apart.
///
/// Swift sees it otherwise: two spellings of one text are equal, and NaN is not itself, so that a
/// section with this key could not be found again.
struct StoredKey<Key: _Persistable & Hashable>: Hashable {
  let key: Key
  /// Nil for a key that is not stored as one value.
  private let stored: DistinctValue?

  init(_ key: Key) {
    self.key = key
    stored = StoredKey.stored(key)
  }

  private static func stored(_ key: Key) -> DistinctValue? {
    Key._rlmStored(key).map { DistinctValue($0.value) }
  }

  static func == (left: StoredKey, right: StoredKey) -> Bool {
    if let one = left.stored, let other = right.stored { return one == other }
    return left.key == right.key
  }

  func hash(into hasher: inout Hasher) {
    if let stored { hasher.combine(stored) } else { hasher.combine(key) }
  }
}
