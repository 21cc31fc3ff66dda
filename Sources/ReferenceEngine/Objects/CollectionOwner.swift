/// A collection of any kind, which lies in a row once a realm manages it.
protocol CollectionOwner: AnyObject {
  /// Where the collection lies; nil for a free one.
  var managed: ManagedCollection? { get set }
}

extension Map: CollectionOwner {}

extension _Cell {
  /// The collection that lies here: one and the same as long as its object lives.
  ///
  /// It is kept in the property's wrapper, where a free object has its values. An object without a
  /// Swift type has no wrappers, and a frozen one, which many threads read, is not written to.
  func kept<Collection: CollectionOwner & _Persistable>(
    _ make: (ManagedCollection) -> Collection
  ) -> Collection {
    guard let wrapper = wrapper(of: Collection.self) else { return make(collection) }
    // A loop's object is moved from row to row.
    if let known = wrapper.pointee.value, let place = known.managed,
      place.key == header.pointee.key, place.epoch == header.pointee.epoch,
      !session.departures.have(place.key, of: place.table, after: place.generation)
    {
      return known
    }
    let found = make(collection)
    wrapper.pointee.value = found
    return found
  }

  /// Keeps a collection that was free, and has become the one that lies here.
  func keep<Collection: CollectionOwner & _Persistable>(_ collection: Collection) {
    wrapper(of: Collection.self)?.pointee.value = collection
  }

  private func wrapper<Value>(of _: Value.Type) -> UnsafeMutablePointer<Persisted<Value>>? {
    if session.isFrozen { return nil }
    let offset = table.layout.offsets[table.field(ofColumn: column)]
    if offset < 0 { return nil }
    return (UnsafeMutableRawPointer(header) - 16 + offset)
      .assumingMemoryBound(to: Persisted<Value>.self)
  }
}

// What a collection is equal to changes with what is in it, so its hash says only where it lies.

extension List: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(managed?.key) }
}

extension MutableSet: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(managed?.key) }
}

extension Map: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(managed?.key) }
}
