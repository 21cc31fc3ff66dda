import Foundation

/// Who has let go of a file just now: the last background thread may be about to close it, and
/// nobody tells when it has. So it is looked for again, a moment long.
enum LastOnes {
  private static let patience = Duration.milliseconds(100)

  /// Whether something is true, or is when they have gone.
  static func leave(until isTrue: () -> Bool) -> Bool {
    if isTrue() { return true }
    let limit = ContinuousClock.now + patience
    while ContinuousClock.now < limit {
      usleep(1000)
      if isTrue() { return true }
    }
    return false
  }
}
