import Synchronization

/// Something that becomes so once, and stays so; any thread may look.
final class Raised: Sendable {
  private let word = Atomic(false)
  var isSo: Bool { word.load(ordering: .acquiring) }
  func raise() { word.store(true, ordering: .releasing) }
}
