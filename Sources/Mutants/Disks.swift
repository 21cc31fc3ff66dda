import Foundation
import ReferenceEngine
import StandIns
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An honest disk, to be wrong about one thing.
class WrongDisk: Disk, @unchecked Sendable {
  // The honest disk is safe to use from any thread; subclasses guard what they add.
  let honest: any Disk

  init(_ honest: any Disk) { self.honest = honest }

  var path: String { honest.path }
  var descriptor: Int32 { honest.descriptor }
  var isMemory: Bool { honest.isMemory }
  func size() throws -> UInt64 { try honest.size() }
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    try honest.read(into: buffer, at: offset)
  }
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    try honest.write(bytes, at: offset)
  }
  func grow(from oldSize: UInt64, to newSize: UInt64) throws {
    try honest.grow(from: oldSize, to: newSize)
  }
  func truncate(to size: UInt64) throws { try honest.truncate(to: size) }
  func sync() throws { try honest.sync() }
  func rename(to path: String, replace: Bool) throws {
    try honest.rename(to: path, replace: replace)
  }
  func syncName() throws { try honest.syncName() }
  func close() { honest.close() }
}

/// Keeps the last commit slot in its memory until the next one comes: what was reported done dies
/// with the process.
final class LateSlotDisk: WrongDisk, @unchecked Sendable {
  private let waiting = Mutex<(bytes: [UInt8], offset: UInt64)?>(nil)

  override func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    // Behind the header lie the nodes; they are read through the mapping and cannot be late.
    guard offset >= 512, offset < 4096 else { return try honest.write(bytes, at: offset) }
    let before = waiting.withLock { waiting in
      defer { waiting = (Array(bytes), offset) }
      return waiting
    }
    if let before { try before.bytes.withUnsafeBytes { try honest.write($0, at: before.offset) } }
  }
}

/// Says nothing when the system refuses.
final class QuietDisk: WrongDisk, @unchecked Sendable {
  override func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    try? honest.write(bytes, at: offset)
  }
  override func grow(from oldSize: UInt64, to newSize: UInt64) throws {
    try? honest.grow(from: oldSize, to: newSize)
  }
  override func sync() throws { try? honest.sync() }
}

/// Lets everybody read what is put in place.
final class OpenHandedDisk: WrongDisk, @unchecked Sendable {
  override func rename(to path: String, replace: Bool) throws {
    try honest.rename(to: path, replace: replace)
    chmod(path, 0o644)
  }
}

extension Mutant {
  static let storage: [Mutant] = [
    Mutant(
      "opens-to-all", "what a compaction or a copy puts in place may be read by everybody",
      caughtBy: ["LIFE-23"]
    ) { seams in
      let honest = seams.disk
      seams.disk = { OpenHandedDisk(try honest($0, $1, $2)) }
    },
    Mutant(
      "makes-anew", "a file that does not begin as a Realm is emptied and made anew",
      caughtBy: ["COMMIT-20"]
    ) { seams in
      let honest = seams.disk
      seams.disk = { path, writable, create in
        let file = FileManager.default.contents(atPath: path)
        if let file, !file.starts(with: Array("RLMBENCH".utf8)) { truncate(path, 0) }
        return try honest(path, writable, create)
      }
    },
    Mutant(
      "reads-with-room-only", "who opens a file to read it first writes a page beside it",
      caughtBy: ["LIFE-25"]
    ) { seams in
      let honest = seams.disk
      seams.disk = { path, writable, create in
        let disk = try honest(path, writable, create)
        if writable { return disk }
        let beside = path + ".room"
        let file = open(beside, O_RDWR | O_CREAT, 0o600)
        let page = [UInt8](repeating: 1, count: 4096)
        let count = page.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        close(file)
        unlink(beside)
        if count == 4096 { return disk }
        disk.close()
        throw StorageError.outOfSpace(path: path, reason: "No space left on device")
      }
    },
    Mutant(
      "reports-before-the-slot", "a commit is reported before its slot is written",
      caughtBy: ["COMMIT-05", "COMMIT-12", "ASYNC-08", "ASYNC-44"]
    ) { seams in
      let honest = seams.disk
      seams.disk = { LateSlotDisk(try honest($0, $1, $2)) }
    },
    Mutant(
      "ignores-a-full-disk", "what the system refuses to write is taken for written",
      caughtBy: ["WRITE-27", "COMMIT-07", "ASYNC-09", "COMMIT-18"]
    ) { seams in
      let honest = seams.disk
      seams.disk = { QuietDisk(try honest($0, $1, $2)) }
    },
    Mutant(
      "mute-beacon", "other processes are not told of commits",
      caughtBy: ["NOTIFY-01", "NOTIFY-34"]
    ) { $0.beacon = { _ in MuteBeacon() } },
    Mutant(
      "reuses-pinned-nodes", "space is reused that a pinned version still needs",
      breaking: .pinnedNodesStay, caughtBy: ["READ-15", "COMMIT-09", "GROW-01", "GROW-02"]),
    Mutant(
      "never-reuses", "the file only ever grows",
      breaking: .freedNodesAreReused,
      caughtBy: ["COMMIT-11", "GROW-03", "GROW-04", "GROW-09", "GROW-10"]),
    Mutant(
      "follows-the-old-slot", "an opener follows the slot of the version before",
      breaking: .openersFollowTheNewerSlot, caughtBy: ["COMMIT-12", "COMMIT-05"]),
    Mutant(
      "no-version-limit", "maximumNumberOfActiveVersions is not looked at",
      breaking: .versionLimitsBite, caughtBy: ["GROW-07"]),
    Mutant(
      "miscounts-versions", "a limit of versions bites too early",
      breaking: .versionLimitsBiteInTime, caughtBy: ["GROW-08"]),
  ]
}

/// Flushes only when it feels like it.
final class LazyDisk: WrongDisk, @unchecked Sendable {
  // Sendable because the count is atomic.
  private let count = Atomic(0)
  private let flushes: @Sendable (Int) -> Bool

  init(_ honest: any Disk, flushes: @escaping @Sendable (Int) -> Bool) {
    self.flushes = flushes
    super.init(honest)
  }

  override func sync() throws {
    if flushes(count.wrappingAdd(1, ordering: .relaxed).oldValue) { try honest.sync() }
  }
}

/// Takes the gate with it when its process dies inside.
final class MortalGate: Gate {
  private let honest: any Gate
  private let left: String

  init(_ honest: any Gate, path: String) {
    self.honest = honest
    left = path + ".inside"
  }

  private func entered(_ otherDied: Bool) -> Bool {
    // Whoever finds this file waits for one who never comes back.
    while open(left, O_CREAT | O_EXCL | O_RDWR, 0o600) < 0 { rest() }
    return otherDied
  }

  func enter() -> Bool { entered(honest.enter()) }
  func tryEnter() -> Bool? { honest.tryEnter().map(entered) }

  func leave() {
    unlink(left)
    honest.leave()
  }
}

extension Mutant {
  private static func lazy(
    _ name: String, _ story: String, caughtBy: [String],
    flushes: @escaping @Sendable (Int) -> Bool
  ) -> Mutant {
    Mutant(name, story, caughtBy: caughtBy) { seams in
      let honest = seams.disk
      seams.disk = { LazyDisk(try honest($0, $1, $2), flushes: flushes) }
    }
  }

  /// Broken only as one sees who listens at the disk, or who dies inside the gate.
  static let durability: [Mutant] = [
    // Flushes 0 and 1 make the file; then each commit has an even one for its nodes and an odd one
    // for its slot, until a group has but one.
    lazy(
      "points-before-it-flushes",
      "no flush between the nodes of a commit and the slot that names them",
      caughtBy: ["COMMIT-02", "COMMIT-03", "COMMIT-17"]
    ) { $0 < 2 || $0 % 2 == 1 },
    lazy(
      "returns-before-it-flushes", "no flush after the slot of a commit",
      caughtBy: ["COMMIT-08"]
    ) { $0 < 2 || $0 % 2 == 0 },
    lazy(
      "groups-without-end", "dozens of commits share one flush",
      caughtBy: ["ASYNC-45"]
    ) { $0 < 2 || $0 % 12 == 0 },
    Mutant(
      "dies-with-the-gate", "the gate of a writer that died stays shut",
      caughtBy: ["COMMIT-15"]
    ) { seams in
      let honest = seams.gate
      seams.gate = { MortalGate(honest($0), path: $0.path) }
    },
  ]
}
