// Rows by key: what everything that is not on the fastest path goes through.

extension Session {
  func object(at link: RowLink) -> ObjectBase? { refuse(.invalidated) }

  func load(_ key: Int64, of table: BoundClass, column: UInt32) -> StoredValue {
    refuse(.invalidated)
  }

  func store(_ value: StoredValue, _ key: Int64, of table: BoundClass, column: UInt32) {
    refuse(.invalidated)
  }
}
