import CShims
import Foundation

/// Lets two processes run by turns: one works while the other waits, until it gives way.
///
/// Whoever comes first has the turn from the start and keeps it until it first gives way or ends;
/// only then need the second be started. A turn is handed over through a word that both map, and
/// waited for asleep. A process that has left, or whose parent is gone, holds nobody up.
public final class Turnstile: Sendable {
  /// One of the two.
  public enum Place: UInt32, Sendable {
    case first, second
    var other: Place { self == .first ? .second : .first }
  }

  private let page: SharedPage
  /// Whose turn it is.
  private var turn: UnsafeMutablePointer<UInt32> { page.words }
  /// A bit for each that has left; in a line of its own.
  private var left: UnsafeMutablePointer<UInt32> { page.words + 16 }

  /// Makes the turnstile in a file, or joins it there.
  public init(_ path: String) throws { page = try SharedPage(path) }

  /// Hands the turn to the other, and waits until it comes back. False where the other has left: it
  /// will not come any more.
  @discardableResult
  public func giveWay(_ place: Place) -> Bool {
    if hasLeft(place.other) { return false }
    hand(to: place.other)
    wait(for: place)
    return !hasLeft(place.other)
  }

  /// Waits for a turn, or until the other has left.
  public func wait(for place: Place) {
    while rb_load32(turn) != place.rawValue, !hasLeft(place.other) {
      // Short, as a parent that was killed wakes nobody.
      _ = rb_futex_wait(turn, place.other.rawValue, 200)
      if Lifeline.isCut { return }
    }
  }

  /// Never comes back: the other need not wait any more. Said by whoever started it, since a
  /// process that crashed says nothing.
  public func leave(_ place: Place) {
    _ = rb_or32(left, 1 << place.rawValue)
    hand(to: place.other)
  }

  private func hasLeft(_ place: Place) -> Bool { rb_load32(left) & (1 << place.rawValue) != 0 }

  private func hand(to place: Place) {
    rb_store32(turn, place.rawValue)
    rb_futex_wake(turn, Int32.max)
  }
}
