import EngineUnderTest
import Foundation

/// What is left if a single write stops in its middle: the old version or the new one, also where
/// that write was to say which of them counts.
enum CommitTorn {
  static let probe = Probe("a write that stops in its middle leaves the old or the new version") {
    stage in
    let hooks = try stage.hooks()
    hooks.record()
    let realm = try stage.open("recorded")
    try realm.write { realm.add(Account(id: 1, balance: 0)) }
    let created = hooks.requests.count
    for balance in 1...4 { try realm.write { realm.account(1).balance = balance } }
    hooks.stop()
    var file: [UInt8] = []
    var number = 0
    for (place, request) in hooks.requests.enumerated() {
      guard case .write(let offset, let bytes) = request, place >= created, bytes.count <= 4096
      else {
        apply(request, to: &file)
        continue
      }
      for (half, part) in [
        ("first", (Int(offset), bytes.prefix(bytes.count / 2))),
        ("second", (Int(offset) + bytes.count / 2, bytes.suffix(bytes.count - bytes.count / 2))),
      ] {
        var torn = file
        apply(.write(offset: UInt64(part.0), bytes: Array(part.1)), to: &torn)
        number += 1
        let name = "torn\(number)"
        try Data(torn).write(to: stage.directory.appendingPathComponent("\(name).realm"))
        let what = "the \(half) half of \(bytes.count) bytes at \(offset)"
        do {
          let balance = try stage.seen(name) { $0.account(1).balance }
          stage.expect(
            0...4 ~= balance, "a version that was committed, with \(what) alone",
            observed: "\(balance)")
        } catch {
          stage.fail(
            expected: "a file that opens, with \(what) alone",
            observed: error.localizedDescription)
        }
      }
      apply(request, to: &file)
    }
    stage.expect(number >= 8, "eight torn writes at least", observed: "\(number)")
  }

  private static func apply(_ request: DiskRequest, to file: inout [UInt8]) {
    switch request {
    case .write(let offset, let bytes):
      let end = Int(offset) + bytes.count
      if end > file.count { file += repeatElement(0, count: end - file.count) }
      file.replaceSubrange(Int(offset)..<end, with: bytes)
    case .resize(let size):
      if Int(size) < file.count {
        file.removeLast(file.count - Int(size))
      } else {
        file += repeatElement(0, count: Int(size) - file.count)
      }
    case .flush, .name, .flushName, .note: break
    }
  }
}
