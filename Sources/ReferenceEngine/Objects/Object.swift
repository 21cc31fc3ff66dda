/// The base class of models: a live view of one row once it is in a realm, a plain object before.
open class Object: ObjectBase, RealmFetchable {
  @inlinable public required init() { super.init() }

  /// An unmanaged object with the values of a dictionary, an array in declaration order, or another
  /// object.
  public convenience init(value: Any) {
    self.init()
    initialize(from: value)
  }
}

/// An object that belongs to one parent and is deleted with it.
open class EmbeddedObject: ObjectBase, RealmCollectionValue {
  @inlinable public required init() { super.init() }

  public convenience init(value: Any) {
    self.init()
    initialize(from: value)
  }
}
