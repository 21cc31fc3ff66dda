import Foundation
import StandIns

@testable import ReferenceEngine

/// Makes the states that a crash may leave, out of what a recording disk remembers, and opens each.
///
/// The model of the medium: what was flushed is there. Of what was written since, any part may be,
/// in units of 512 bytes and in any order; so may the file's length. A crash between two flushes
/// leaves a subset of what was written between them, so it is enough to look at each flush, just
/// before it, and at the end. A new file is made aside: what a crash leaves of it counts from the
/// moment on at which it gets its name, which may be on the medium before anything that is not
/// flushed. A flush that fails carries any part, and the system forgets the rest.
struct CrashStates {
  /// What the workload did: the content by version, and which version had been acknowledged at
  /// which note.
  struct Story {
    /// A checksum of each version's content.
    var contents: [VersionID: UInt32] = [:]
    /// Note n: before it, `acknowledged` had returned; until the next note, `inFlight` might become
    /// durable.
    var notes: [(acknowledged: VersionID, inFlight: VersionID)] = []
  }

  struct Outcome {
    var states = 0
    var epochs = 0
    var problems: [String] = []
  }

  private struct Piece {
    var offset: Int
    var bytes: [UInt8]
    /// A new length of the file, if this is one.
    var resize: Int?
  }

  /// The bytes of a file: plain memory, because thousands are made of each.
  private final class Image {
    private(set) var count = 0
    private let memory = UnsafeMutableRawBufferPointer(start: calloc(1 << 22, 1), count: 1 << 22)

    deinit { free(memory.baseAddress) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[0..<count]) }

    func become(_ other: Image) {
      if let base = memory.baseAddress, let from = other.memory.baseAddress {
        // Whatever was longer before must not shine through.
        if count > other.count { memset(base + other.count, 0, count - other.count) }
        memcpy(base, from, other.count)
      }
      count = other.count
    }

    func apply(_ piece: Piece) {
      if let size = piece.resize {
        if size < count, let base = memory.baseAddress { memset(base + size, 0, count - size) }
        count = size
        return
      }
      piece.bytes.withUnsafeBytes { bytes in
        guard let base = memory.baseAddress, let from = bytes.baseAddress else { return }
        memcpy(base + piece.offset, from, bytes.count)
      }
      count = max(count, piece.offset + piece.bytes.count)
    }
  }

  private let scratch = Image()
  let steps: [RecordingDisk.Step]
  let story: Story
  var dice: Dice
  init(steps: [RecordingDisk.Step], story: Story, dice: Dice, randomSubsets: Int) {
    self.steps = steps
    self.story = story
    self.dice = dice
    self.randomSubsets = randomSubsets
  }

  /// Of so many pieces all subsets are looked at.
  var mostEnumerated = 12
  /// Subsets drawn at random for each epoch with more pieces than can be enumerated.
  var randomSubsets = 200
  var problemLimit = 3

  /// How far the steps have been followed, and what is on the medium then.
  private struct Progress {
    var step = 0
    var durable = Image()
    var pending: [Piece] = []
    var note = 0
    var noteAtEpochStart = 0
    var isNamed = false
  }

  mutating func explore() -> Outcome {
    var outcome = Outcome()
    follow(Progress(), &outcome)
    return outcome
  }

  private mutating func follow(_ start: Progress, _ outcome: inout Outcome) {
    var now = start
    while now.step < steps.count {
      defer { now.step += 1 }
      switch steps[now.step] {
      case .write(let offset, let bytes): now.pending += CrashStates.pieces(offset, bytes)
      case .resize(let size): now.pending.append(Piece(offset: 0, bytes: [], resize: Int(size)))
      case .note(let number): now.note = number
      case .rename:
        now.isNamed = true
        crash(now, &outcome)
      case .syncName: break
      case .sync:
        if now.isNamed { crash(now, &outcome) }
        for piece in now.pending { now.durable.apply(piece) }
        now.pending = []
        now.noteAtEpochStart = now.note
      case .failedSync:
        if now.isNamed { crash(now, &outcome) }
        return followFailure(now, &outcome)
      }
      if outcome.problems.count >= problemLimit { return }
    }
    if now.isNamed { crash(now, &outcome) }
  }

  /// Behind a flush that failed: whatever of it has reached the medium, the rest never does unless
  /// it is written again. The file's length is kept by the file system, and goes with the next
  /// flush.
  private mutating func followFailure(_ failed: Progress, _ outcome: inout Outcome) {
    let pieces = failed.pending
    let whole = Image()
    whole.become(failed.durable)
    for piece in pieces { whole.apply(piece) }
    var next = failed
    next.step += 1
    next.pending = [Piece(offset: 0, bytes: [], resize: whole.count)]
    func follow(_ chosen: (Int) -> Bool) {
      next.durable = Image()
      next.durable.become(failed.durable)
      for index in pieces.indices where chosen(index) { next.durable.apply(pieces[index]) }
      self.follow(next, &outcome)
    }
    follow { _ in false }
    follow { _ in true }
    for one in pieces.indices {
      if outcome.problems.count >= problemLimit { return }
      follow { $0 == one }
      follow { $0 != one }
    }
  }

  /// A crash just before the next step.
  private mutating func crash(_ now: Progress, _ outcome: inout Outcome) {
    explore(now.durable, now.pending, from: now.noteAtEpochStart, to: now.note, &outcome)
  }

  /// Pieces of a sector; runs of zeros, which growth writes, in pages.
  private static func pieces(_ offset: UInt64, _ bytes: [UInt8]) -> [Piece] {
    let unit = bytes.count >= 8192 && bytes.allSatisfy { $0 == 0 } ? 16384 : 512
    var pieces: [Piece] = []
    var start = 0
    while start < bytes.count {
      let position = Int(offset) + start
      let end = min(bytes.count, start + unit - position % unit)
      pieces.append(Piece(offset: position, bytes: [UInt8](bytes[start..<end])))
      start = end
    }
    return pieces
  }

  private mutating func explore(
    _ durable: Image, _ pending: [Piece], from: Int, to: Int, _ outcome: inout Outcome
  ) {
    outcome.epochs += 1
    var allowed: Set<VersionID> = []
    if !story.notes.isEmpty {
      // A crash at the end of this epoch: what was acknowledged by then may not be lost.
      for note in from...max(from, to) where note < story.notes.count {
        allowed.insert(story.notes[note].acknowledged)
        allowed.insert(story.notes[note].inFlight)
      }
    }
    // Acknowledged before any of the pending writes were made.
    let least = story.notes.isEmpty ? VersionID(0) : story.notes[from].acknowledged
    let most =
      story.notes.isEmpty ? VersionID(0) : story.notes[min(to, story.notes.count - 1)].acknowledged

    let image = scratch
    func check(_ chosen: (Int) -> Bool, isLast: Bool) {
      image.become(durable)
      for index in 0..<pending.count where chosen(index) { image.apply(pending[index]) }
      outcome.states += 1
      let full = outcome.states % 64 == 0
      if let problem = problem(image, allowed, least: isLast ? most : least, opensFully: full),
        outcome.problems.count < problemLimit
      {
        outcome.problems.append("state \(outcome.states), epoch \(outcome.epochs): " + problem)
      }
    }

    // If a version was acknowledged during this epoch, no flush follows it: each subset must hold
    // it.
    let acknowledgedUnflushed = most > least
    let count = pending.count
    if count <= mostEnumerated {
      for subset in 0..<(1 << count) {
        check({ subset >> $0 & 1 == 1 }, isLast: acknowledgedUnflushed)
        if outcome.problems.count >= problemLimit { return }
      }
      return
    }
    for prefix in 0...count { check({ $0 < prefix }, isLast: acknowledgedUnflushed) }
    for omitted in 0..<count { check({ $0 != omitted }, isLast: acknowledgedUnflushed) }
    for only in 0..<count { check({ $0 == only }, isLast: acknowledgedUnflushed) }
    for _ in 0..<randomSubsets {
      let density = Double.random(in: 0.05...0.95, using: &dice)
      let subset = (0..<count).map { _ in Double.random(in: 0..<1, using: &dice) < density }
      check({ subset[$0] }, isLast: acknowledgedUnflushed)
      if outcome.problems.count >= problemLimit { return }
    }
  }

  /// Opens a state as the next session would; nil if it is one of the versions that may be there,
  /// whole.
  private func problem(
    _ image: Image, _ allowed: Set<VersionID>, least: VersionID, opensFully: Bool
  ) -> String? {
    let bytes = image.bytes
    do {
      if opensFully {
        let coordinator = try Coordinator(
          Toy.configuration(.memory(identifier: "image")), disk: try ImageDisk(bytes),
          lockPath: nil)
        let root = coordinator.board.newestRoot
        try coordinator.checkEverything()
        if let problem = problem(root, coordinator.space, allowed, least) { return problem }
        // It is not only readable: life goes on.
        let next = try coordinator.set([7: [42]])
        guard Toy.content(next, coordinator.space)[7] == [42] else { return "the next write" }
        try coordinator.checkEverything()
        return nil
      }
      let disk = BufferDisk(bytes)
      let root = try Opening.recover(disk, mayCreate: false, now: 0)
      guard let base = bytes.baseAddress else { return "nothing is there" }
      let space = NodeSpace(base: base)
      _ = try Verification(
        root, in: space, fileSize: try disk.size(), path: "image", tree: Toy.tree)
      return problem(root, space, allowed, least)
    } catch {
      return "\(error)"
    }
  }

  private func problem(
    _ root: Root, _ space: NodeSpace, _ allowed: Set<VersionID>, _ least: VersionID
  ) -> String? {
    if root.version < least {
      return "version \(root.version) is there, \(least) was acknowledged"
    }
    guard allowed.isEmpty || allowed.contains(root.version) else {
      return "version \(root.version) is there, one of \(allowed.map(\.number).sorted()) may be"
    }
    if let expected = story.contents[root.version], Toy.checksum(root, space) != expected {
      return "version \(root.version) is there with another content"
    }
    return nil
  }
}

/// A disk over bytes that are there already: reading costs no call, and nothing is written.
final class BufferDisk: Disk, @unchecked Sendable {
  // Sendable because a test uses it on one thread.
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private struct IsReadOnly: Error {}

  var path: String { "image" }
  var descriptor: Int32 { -1 }
  var isMemory: Bool { false }
  func size() throws -> UInt64 { UInt64(bytes.count) }
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    guard offset < bytes.count else { return 0 }
    let count = min(buffer.count, bytes.count - Int(offset))
    buffer.copyMemory(
      from: UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset) + count]))
    return count
  }
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws { throw IsReadOnly() }
  func grow(from oldSize: UInt64, to newSize: UInt64) throws { throw IsReadOnly() }
  func truncate(to size: UInt64) throws { throw IsReadOnly() }
  func sync() throws {}
  func rename(to path: String, replace: Bool) throws { throw IsReadOnly() }
  func close() {}
}
