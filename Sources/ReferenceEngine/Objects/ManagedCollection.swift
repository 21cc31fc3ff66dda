/// A collection property of a managed row: what a managed `List`, `MutableSet` or `Map` works on.
///
/// Named by row key and column, so it stays the same collection whatever happens around it.
final class ManagedCollection {
  let session: Session
  let table: BoundClass
  let key: Int64
  let column: UInt32

  init(session: Session, table: BoundClass, key: Int64, column: UInt32) {
    self.session = session
    self.table = table
    self.key = key
    self.column = column
  }
}

extension ManagedCollection {
  func replaceAll(with values: [StoredValue]) { refuse(.invalidated) }
  func replaceAll(withEntries entries: [(key: StoredValue, value: StoredValue)]) {
    refuse(.invalidated)
  }
}
