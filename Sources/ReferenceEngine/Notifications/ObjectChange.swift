import Foundation

/// What a listener of an object is told.
@frozen public enum ObjectChange<T> {
  /// Never delivered; kept because code that switches over changes names it.
  case error(_: NSError)
  /// Properties of the object have been set, be it to the value they had.
  case change(_: T, _: [PropertyChange])
  /// The object is gone, and this was the last call.
  case deleted
}

/// A property that was set.
public struct PropertyChange {
  /// The property's name.
  public let name: String
  /// The value before; nil if it was nil, for collections, and if the listener's own realm made the
  /// change.
  public let oldValue: Any?
  /// The value now; nil if it is nil, and for collections.
  public let newValue: Any?
}
