import Evidence
import Foundation
import Harness

/// What a loop feels on this machine when no engine is there: beside nothing, or beside a thread
/// that brings bytes to the disk.
struct StallFloor {
  let writes: Bool

  func run(_ track: Track) throws {
    guard track.pass == .time else { return track.check(true, "") }
    let cargo = try Cargo(track)
    let loop = LoopThread("main")
    defer { loop.stop() }
    let (account, took, arrived) = try Heartbeat.during(loop) {
      writes ? write(cargo, track) : rest(cargo)
    }
    cargo.report(account, took: took, on: track)
    track.check(arrived == cargo.transactions, "\(arrived) of \(cargo.transactions) were written")
  }

  /// About as long as a disk takes.
  private func rest(_ cargo: Cargo) -> Int {
    Thread.sleep(forTimeInterval: 0.001 * Double(cargo.transactions))
    return cargo.transactions
  }

  /// As an engine does that makes each transaction durable in two steps: the bytes, then a sector
  /// that names them.
  private func write(_ cargo: Cargo, _ track: Track) -> Int {
    let path = track.directory.appendingPathComponent("bytes").path
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    let bytes = [UInt8](repeating: 0x5A, count: cargo.peopleEach * Cargo.bytesEach)
    for turn in 0..<cargo.transactions {
      let place = off_t(4096 + turn * bytes.count)
      guard pwrite(file, bytes, bytes.count, place) == bytes.count, fdatasync(file) == 0,
        pwrite(file, bytes, 512, 0) == 512, fdatasync(file) == 0
      else { return turn }
    }
    return cargo.transactions
  }
}
