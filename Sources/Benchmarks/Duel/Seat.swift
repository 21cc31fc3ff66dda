import Harness

/// Where a round meets the other side of its duel: a turnstile, and which of the two it is.
package struct Seat: Sendable {
  /// The variable of the environment that tells a child.
  package static let variable = "REALM_BENCH_SEAT"

  private let path: String
  private let place: Turnstile.Place
  private let turnstile: Turnstile

  package init(at path: String, _ place: Turnstile.Place) throws {
    (self.path, self.place) = (path, place)
    turnstile = try Turnstile(path)
  }

  /// Reads `0:/path` or `1:/path`; nil where nobody waits.
  package init?(_ text: String) {
    let words = text.split(separator: ":", maxSplits: 1)
    guard words.count == 2, let number = UInt32(words[0]),
      let place = Turnstile.Place(rawValue: number),
      let seat = try? Seat(at: String(words[1]), place)
    else { return nil }
    self = seat
  }

  var text: String { "\(place.rawValue):\(path)" }

  /// False where the other side has left.
  @discardableResult
  func giveWay() -> Bool { turnstile.giveWay(place) }
  func wait() { turnstile.wait(for: place) }
  func leave() { turnstile.leave(place) }
}
