import Foundation

// The short way of a plain value into the file: no key, no link, no index.

extension _Cell {
  /// Opens the row to be written if its column is a plain one; nil means the long way.
  ///
  /// The header keeps the row's new place, so that the same object is read next without a search.
  @inline(__always)
  fileprivate func opened() -> (Store, Int, TableWriter, RowPlace)? {
    guard let session = header.pointee.session, let table = header.pointee.table else { return nil }
    session.verifyWriting(header)
    let column = Int(column)
    guard table.isReady, column < table.isPlain.count, table.isPlain[column],
      let number = table.number
    else { return nil }
    let store = session.store
    guard let writer = store.writer(number),
      let place = store.open(header.pointee.key, of: number, writer)
    else { return nil }
    return (store, number, writer, place)
  }

  @inline(__always)
  fileprivate func close(
    _ store: Store, _ number: Int, _ writer: TableWriter, _ place: RowPlace
  ) {
    guard let session = header.pointee.session else { return }
    store.touch(header.pointee.key, Int(column), of: number, writer)
    session.contentChanged()
    ObjectHeader.notePlace(header, header.pointee.key, place)
  }

  @inline(__always)
  func setInt(_ value: Int64) -> Bool {
    guard let (store, number, writer, place) = opened() else { return false }
    writer.setInt(place, Int(column), value)
    close(store, number, writer, place)
    return true
  }

  @inline(__always)
  func setString(_ value: String) -> Bool {
    guard let (store, number, writer, place) = opened() else { return false }
    var value = value
    value.withUTF8 { text in
      LongValues.verify(text: text.count)
      writer.setBytes(place, Int(column), UnsafeRawBufferPointer(text))
    }
    close(store, number, writer, place)
    return true
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
