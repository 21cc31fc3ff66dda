import Foundation
import Harness
import Synchronization

/// A ledger's history in a file, line by line as it happens: what is left of it when its process is
/// killed.
final class Journal: Sendable {
  private enum Line: Codable {
    case added(place: Int, History.Transaction)
    case ended(place: Int, stamp: UInt64, History.Outcome?)
    case complaint(String)
  }

  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    if descriptor < 0 { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  deinit { close(descriptor) }

  func add(_ transaction: History.Transaction, at place: Int) {
    put(.added(place: place, transaction))
  }

  func end(_ place: Int, at stamp: UInt64, _ outcome: History.Outcome?) {
    put(.ended(place: place, stamp: stamp, outcome))
  }

  func complain(_ words: String) { put(.complaint(words)) }

  /// One call for each line: the system keeps lines whole, but for the last one of a process that
  /// is killed.
  private func put(_ line: Line) {
    guard var bytes = try? JSONEncoder().encode(line) else { return }
    bytes.append(UInt8(ascii: "\n"))
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress!, $0.count) }
  }

  /// What a process wrote, as far as it came.
  static func read(_ path: String) -> (transactions: [History.Transaction], complaint: String?) {
    guard let data = FileManager.default.contents(atPath: path) else { return ([], nil) }
    var found: [Int: History.Transaction] = [:]
    var complaint: String?
    for bytes in data.split(separator: UInt8(ascii: "\n")) {
      switch try? JSONDecoder().decode(Line.self, from: Data(bytes)) {
      case .added(let place, let transaction): found[place] = transaction
      case .ended(let place, let stamp, let outcome):
        found[place]?.ended = stamp
        if let outcome { found[place]?.outcome = outcome }
      case .complaint(let words): complaint = complaint ?? words
      case nil: continue
      }
    }
    return (found.sorted { $0.key < $1.key }.map(\.value), complaint)
  }
}
