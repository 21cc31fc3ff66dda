import EngineUnderTest
import Foundation
import Harness

/// What a power failure leaves of a recorded file at the worst: what was written before its last
/// flush, and nothing since.
final class Medium {
  private let hooks: any Hooks
  private var flushed: [UInt8] = []
  private var seen = 0

  init(_ hooks: any Hooks) { self.hooks = hooks }

  /// Makes a file of it.
  func leave(at url: URL) throws {
    let requests = hooks.requests
    if let last = requests.lastIndex(of: .flush), last >= seen {
      for request in requests[seen...last] { apply(request) }
      seen = last + 1
    }
    unlink(url.path)
    unlink(url.path + ".lock")
    try Data(flushed).write(to: url)
  }

  private func apply(_ request: DiskRequest) {
    switch request {
    case .write(let offset, let bytes):
      let end = Int(offset) + bytes.count
      if end > flushed.count { flushed += repeatElement(0, count: end - flushed.count) }
      flushed.replaceSubrange(Int(offset)..<end, with: bytes)
    case .resize(let size):
      if Int(size) < flushed.count {
        flushed.removeLast(flushed.count - Int(size))
      } else {
        flushed += repeatElement(0, count: Int(size) - flushed.count)
      }
    case .flush, .name, .flushName, .note: break
    }
  }
}
