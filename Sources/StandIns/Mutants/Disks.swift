import Foundation
import ReferenceEngine
import Synchronization

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
  func close() { honest.close() }
}

/// Keeps the last commit slot in its memory until the next one comes: what was reported done dies with the process.
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

/// Tells nobody and hears nobody.
final class MuteBeacon: Beacon {
  func ring() {}
  func listen(_ body: @escaping @Sendable () -> Void) {}
  func stop() {}
}

/// Reuses space that a pinned version still needs.
struct ReusesPinnedNodes: Rulings {
  func mayReuse(born: VersionID, freed: VersionID, blocking: VersionID?) -> Bool { true }
}

/// Never reuses anything.
struct NeverReuses: Rulings {
  func mayReuse(born: VersionID, freed: VersionID, blocking: VersionID?) -> Bool { false }
}

/// Opens at the slot of the version before.
struct FollowsTheOldSlot: Rulings {
  func newer(_ first: VersionID, _ second: VersionID) -> Bool { first < second }
}

/// Knows no limit of versions.
struct CountsNoVersions: Rulings {
  func mayBegin(activeVersions: Int, limit: UInt) -> Bool { true }
}

/// Takes a limit for reached when it is not.
struct CountsTooManyVersions: Rulings {
  func mayBegin(activeVersions: Int, limit: UInt) -> Bool { activeVersions < 1 }
}

extension Mutant {
  static let storage: [Mutant] = [
    Mutant(
      "reports-before-the-slot", "a commit is reported before its slot is written",
      caughtBy: ["COMMIT-05", "COMMIT-12", "ASYNC-08"]
    ) { seams in
      let honest = seams.disk
      seams.disk = { LateSlotDisk(try honest($0, $1, $2)) }
    },
    Mutant(
      "ignores-a-full-disk", "what the system refuses to write is taken for written",
      caughtBy: ["WRITE-27", "COMMIT-07", "ASYNC-09"]
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
      caughtBy: [
        "READ-15", "COMMIT-09", "GROW-01", "GROW-02",
      ],
      rulings: ReusesPinnedNodes()),
    Mutant(
      "never-reuses", "the file only ever grows",
      caughtBy: ["COMMIT-11", "GROW-03", "GROW-04", "GROW-09", "GROW-10"],
      rulings: NeverReuses()),
    Mutant(
      "follows-the-old-slot", "an opener follows the slot of the version before",
      caughtBy: ["COMMIT-12", "COMMIT-05"], rulings: FollowsTheOldSlot()),
    Mutant(
      "no-version-limit", "maximumNumberOfActiveVersions is not looked at", caughtBy: ["GROW-07"],
      rulings: CountsNoVersions()),
    Mutant(
      "miscounts-versions", "a limit of versions bites too early", caughtBy: ["GROW-08"],
      rulings: CountsTooManyVersions()),
  ]
}
