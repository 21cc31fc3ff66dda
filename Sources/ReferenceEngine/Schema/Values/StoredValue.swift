import Foundation

/// A single value between Swift and the file: what every path that is not the fastest one speaks.
enum StoredValue: Hashable, @unchecked Sendable {
  // Sendable but for `instance`, which never leaves the thread that made it.
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  case objectId(ObjectId)
  case uuid(UUID)
  case decimal(Decimal128)
  /// A row of this realm.
  case link(RowLink)
  /// An object on its way into the realm: managed by it already, or to be added first.
  case instance(ObjectValue)
  /// A list or a dictionary among mixed values.
  case nested(NestedValue)
}

/// A row, named so that it stays the same row while others come and go.
struct RowLink: Hashable, Sendable {
  /// The class's number in the realm's file.
  let table: Int
  let key: Int64
}
