import Synchronization

/// Up to which version this process has read what became of rows: the records behind it stay, or
/// are summed up, whoever commits meanwhile and whether or not anybody here hears of it.
///
/// It is a place in the table of pins that keeps no version: space is used again as if it were not
/// there.
final class RecordMark: Sendable {
  private let pins: PinTable
  private let board: VersionBoard
  /// Lock "record mark" of docs/CONCURRENCY.md: guards the place, and that it is given up only
  /// while nobody remembers rows.
  private let place = Mutex<PinPlace?>(nil)
  /// Spares everybody the lock while there is none.
  private let isSet = Atomic(false)

  init(_ pins: PinTable, _ board: VersionBoard) { (self.pins, self.board) = (pins, board) }

  deinit { place.withLock { $0.map(pins.release) } }

  /// Begins with the newest version, unless it has begun, and lets somebody remember rows.
  ///
  /// - Parameter body: Is given the version, behind which the records are there.
  func set<Value>(_ body: (VersionID) -> Value) -> Value {
    place.withLock { place in
      // Where there is no room for another reader, rows are followed as far as is heard of them.
      if place == nil { place = try? pins.claim(.rows) }
      guard let place else { return body(board.newest) }
      if !isSet.load(ordering: .relaxed) {
        _ = board.pinNewest(in: place)
        isSet.store(true, ordering: .sequentiallyConsistent)
      }
      return body(place.version)
    }
  }

  /// Moves on.
  ///
  /// - Parameter read: Up to where everybody here has read; nil if nobody remembers anything.
  func move(_ read: () -> VersionID?) {
    guard isSet.load(ordering: .sequentiallyConsistent) else { return }
    place.withLock { place in
      guard let place, isSet.load(ordering: .relaxed) else { return }
      guard let version = read() else {
        place.clear()
        return isSet.store(false, ordering: .sequentiallyConsistent)
      }
      if version > place.version { place.store(.nowhere(version)) }
    }
  }
}
