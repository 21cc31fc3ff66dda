import Foundation

/// How much longer things take on this machine now than on one at rest: waits that must not be
/// taken for absences are made as much longer.
///
/// Measured by what waits consist of, and by nothing that depends on how this program was compiled:
/// threads that wake each other, and memory that is filled.
public enum Slowness {
  /// Seconds that both take on a machine at rest, generously: what is faster is not hurried.
  static let restingHandOvers = 0.02
  static let restingFill = 0.02
  /// Beyond that a machine is too busy to judge anything, however long one waits.
  static let most = 10.0

  /// From 1, for a machine at rest, to 10.
  public static func measured() -> Double {
    // The middle of three: one stumble is not the machine.
    factor(handOvers: middle(handOvers), fill: middle(fill))
  }

  static func factor(handOvers: Double, fill: Double) -> Double {
    let slowest = max(handOvers / restingHandOvers, fill / restingFill)
    return slowest.isFinite ? min(most, max(1, slowest)) : most
  }

  private static func middle(_ measure: () -> Double) -> Double {
    (0..<3).map { _ in measure() }.sorted()[1]
  }

  /// Two threads wake each other two hundred times.
  private static func handOvers() -> Double {
    let (ping, pong) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let count = 200
    let start = ContinuousClock.now
    let other = Thread {
      for _ in 0..<count {
        ping.wait()
        pong.signal()
      }
    }
    other.start()
    for _ in 0..<count {
      ping.signal()
      pong.wait()
    }
    return start.duration(to: .now).inSeconds
  }

  /// Sixteen megabytes, filled four times: new pages first.
  private static func fill() -> Double {
    let size = 16 << 20
    let start = ContinuousClock.now
    guard let bytes = malloc(size) else { return .infinity }
    defer { free(bytes) }
    for byte in 1...4 { memset(bytes, Int32(byte), size) }
    return start.duration(to: .now).inSeconds
  }
}
