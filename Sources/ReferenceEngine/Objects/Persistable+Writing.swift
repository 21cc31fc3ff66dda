import Foundation

// The short way of a plain value into the file: no key, no link, no index.

extension _Cell {
  /// Opens the row to be written if its column is a plain one, and lets `put` set the value there;
  /// false means the long way.
  ///
  /// The header keeps the row's new place, so that the same object is read next without a search.
  /// Nothing on the way is counted: the header keeps its session, and that the class and the trees
  /// of the write. To count what leads to a value took as long as to write it.
  @inline(__always)
  private func write(_ put: (TableWriter, RowPlace) -> Bool) -> Bool {
    guard let session = header.pointee.session.map(Unmanaged.passUnretained) else { return false }
    return session._withUnsafeGuaranteedRef { session in
      session.verifyWriting(header)
      guard let number = numberOfPlain else { return false }
      return Unmanaged.passUnretained(session.store)._withUnsafeGuaranteedRef { store in
        guard let writer = store.uncountedWriter(number) else { return false }
        return writer._withUnsafeGuaranteedRef { writer in
          let key = header.pointee.key
          guard let place = store.open(key, of: number, writer), put(writer, place) else {
            return false
          }
          store.touch(key, Int(column), of: number, writer)
          session.contentChanged()
          ObjectHeader.notePlace(header, key, place)
          return true
        }
      }
    }
  }

  /// The number of the table, if the column is a plain one of it.
  @inline(__always)
  private var numberOfPlain: Int? {
    guard let table = header.pointee.table.map(Unmanaged.passUnretained) else { return nil }
    return table._withUnsafeGuaranteedRef { $0.number(ofPlain: Int(column)) }
  }

  @inline(__always)
  func setInt(_ value: Int64) -> Bool {
    write { writer, place in
      writer.setInt(place, Int(column), value)
      return true
    }
  }

  @inline(__always)
  func setString(_ value: String) -> Bool {
    write { writer, place in
      // A text whose bytes do not lie in a row, as only one from elsewhere may, takes the long way.
      value.utf8.withContiguousStorageIfAvailable { text -> Bool in
        LongValues.verify(text: text.count)
        writer.setBytes(place, Int(column), UnsafeRawBufferPointer(text))
        return true
      } ?? false
    }
  }
}

extension _IntegerPersistable {
  public static func _rlmWrite(_ value: Self, _ cell: _Cell) {
    if !cell.setInt(Int64(truncatingIfNeeded: value)) { cell.store(_rlmEncode(value)) }
  }
}

extension Bool {
  public static func _rlmWrite(_ value: Bool, _ cell: _Cell) {
    if !cell.setInt(value ? 1 : 0) { cell.store(_rlmEncode(value)) }
  }
}

extension Double {
  public static func _rlmWrite(_ value: Double, _ cell: _Cell) {
    if !cell.setInt(Int64(bitPattern: value.bitPattern)) { cell.store(_rlmEncode(value)) }
  }
}

extension Float {
  public static func _rlmWrite(_ value: Float, _ cell: _Cell) {
    if !cell.setInt(Int64(value.bitPattern)) { cell.store(_rlmEncode(value)) }
  }
}

extension Date {
  public static func _rlmWrite(_ value: Date, _ cell: _Cell) {
    let bits = value.timeIntervalSinceReferenceDate.bitPattern
    if !cell.setInt(Int64(bitPattern: bits)) { cell.store(_rlmEncode(value)) }
  }
}

extension String {
  public static func _rlmWrite(_ value: String, _ cell: _Cell) {
    if !cell.setString(value) { cell.store(_rlmEncode(value)) }
  }
}
