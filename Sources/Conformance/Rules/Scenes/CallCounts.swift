import Foundation

/// Who was told how often, from wherever.
final class CallCounts: @unchecked Sendable {
  // Sendable because of the lock.
  private let lock = NSLock()
  private var counts: [String: Int] = [:]

  func count(_ name: String) { lock.withLock { counts[name, default: 0] += 1 } }
  func of(_ name: String) -> Int { lock.withLock { counts[name] ?? 0 } }
  var all: [String: Int] { lock.withLock { counts } }
}

/// Who was called, in order, from wherever.
final class CallLog: @unchecked Sendable {
  // Sendable because of the lock.
  private let lock = NSLock()
  private var calls: [String] = []

  func mark(_ name: String) { lock.withLock { calls.append(name) } }
  var all: [String] { lock.withLock { calls } }
}
