import EngineUnderTest
import Foundation
import Harness

/// Makes the files that a crash may leave out of what a disk was asked, opens each, and looks what
/// is in it.
///
/// The model of the medium: what was flushed is there. Of what was written since, any part may be,
/// in units of 512 bytes and in any order; so may the file's length. What was acknowledged before
/// the crash must be there, whole, or a later version, whole.
final class CrashImages {
  let requests: [DiskRequest]
  /// Whose commits they were: its history tells what each version holds. Notes in the record are
  /// versions acknowledged.
  let ledger: Ledger
  let directory: URL
  /// Up to so many pieces all subsets are tried; of more, prefixes, omissions, single ones, and
  /// some at random.
  var enumerated = 8
  var random = 20
  /// Of the prefixes, omissions and single ones no more than so many each, evenly chosen.
  var atMost = Int.max
  var seed: UInt64 = 1
  var deadline: ContinuousClock.Instant?
  /// The only state to look at, when a failure is run again.
  var only: CrashState?
  /// Told of each state before it is opened, in case that this process dies of it.
  var begins: (CrashState) -> Void = { _ in }

  private(set) var states = 0
  /// Points between which the disk was free to choose.
  private(set) var epochs = 0
  private(set) var problem: String?
  /// The state that is wrong, and how many pieces there were to choose from.
  private(set) var wrong: (state: CrashState, of: Int)?
  private var dice = SplitMix(seed: 1)
  /// What a version may hold: of a failed commit that is there all the same, another than of the
  /// one that came after it.
  private var contents: [UInt64: [[Int: [Int]]]] = [:]

  init(_ requests: [DiskRequest], of ledger: Ledger, in directory: URL) {
    (self.requests, self.ledger, self.directory) = (requests, ledger, directory)
  }

  private struct Piece {
    var offset: Int
    var bytes: ArraySlice<UInt8>
    var resize: Int?
  }

  /// Goes through the record; stops at the first state that is wrong.
  func explore() {
    dice = SplitMix(seed: seed)
    contents = states(of: ledger.transactions)
    var durable: [UInt8] = []
    var pending: [Piece] = []
    var acknowledged: UInt64?
    for request in requests {
      switch request {
      case .write(let offset, let bytes):
        pending += pieces(Int(offset), bytes)
      case .resize(let size):
        pending.append(Piece(offset: 0, bytes: [], resize: Int(size)))
      case .note(let version):
        acknowledged = max(acknowledged ?? 0, UInt64(version))
        if !pending.isEmpty { enumerate(durable, pending, acknowledged) }
      case .flush:
        enumerate(durable, pending, acknowledged)
        for piece in pending { apply(piece, to: &durable) }
        pending = []
      case .name, .flushName: break
      }
      if problem != nil || isLate { return }
    }
    enumerate(durable, pending, acknowledged)
  }

  /// Something was wrong before any crash.
  func fail(_ problem: String) { self.problem = problem }

  private var isLate: Bool { deadline.map { .now >= $0 } ?? false }

  /// What each version of the ledger holds, by page.
  private func states(of transactions: [History.Transaction]) -> [UInt64: [[Int: [Int]]]] {
    var state: [Int: [Int]] = [:]
    var states: [UInt64: [[Int: [Int]]]] = [0: [[:]]]
    let commits = transactions.compactMap { transaction -> (UInt64, History.Transaction)? in
      guard case .committed(let version) = transaction.outcome else { return nil }
      return (version, transaction)
    }
    for (version, transaction) in commits.sorted(by: { $0.0 < $1.0 }) {
      for append in transaction.appends { state[append.key, default: []].append(append.value) }
      states[version] = [state]
    }
    // Commits that were reported as failed may be there all the same.
    for transaction in transactions where transaction.outcome == .unknown {
      guard var state = states[transaction.snapshot]?.first else { continue }
      for append in transaction.appends { state[append.key, default: []].append(append.value) }
      states[transaction.snapshot + 1, default: []].append(state)
    }
    return states
  }

  /// Pieces of a sector; runs of zeros, which growth writes, in larger ones.
  private func pieces(_ offset: Int, _ bytes: [UInt8]) -> [Piece] {
    let unit = bytes.count >= 8192 && bytes.allSatisfy { $0 == 0 } ? 65536 : 512
    var pieces: [Piece] = []
    var start = 0
    while start < bytes.count {
      let position = offset + start
      let end = min(bytes.count, start + unit - position % unit)
      pieces.append(Piece(offset: position, bytes: bytes[start..<end]))
      start = end
    }
    return pieces
  }

  private func apply(_ piece: Piece, to image: inout [UInt8]) {
    if let size = piece.resize {
      if size < image.count {
        image.removeLast(image.count - size)
      } else {
        image += repeatElement(0, count: size - image.count)
      }
      return
    }
    let end = piece.offset + piece.bytes.count
    if end > image.count { image += repeatElement(0, count: end - image.count) }
    image.replaceSubrange(piece.offset..<end, with: piece.bytes)
  }

  // MARK: One epoch

  private func enumerate(_ durable: [UInt8], _ pending: [Piece], _ least: UInt64?) {
    // Before anything was acknowledged there is nothing that could be lost.
    guard let least else { return }
    epochs += 1
    let count = pending.count
    if let only, only.point != epochs || only.pieces.last ?? 0 >= max(1, count) { return }
    func check(_ chosen: (Int) -> Bool) {
      guard problem == nil, !isLate else { return }
      let state = CrashState(point: epochs, pieces: (0..<count).filter(chosen))
      var image = durable
      for index in state.pieces { apply(pending[index], to: &image) }
      states += 1
      begins(state)
      problem = open(image, least)
      if problem != nil { wrong = (state, count) }
    }
    if let only {
      let there = Set(only.pieces)
      check { there.contains($0) }
      return
    }
    if count <= enumerated {
      for subset in 0..<(1 << count) { check { subset >> $0 & 1 == 1 } }
      return
    }
    let step = max(1, count / atMost)
    for prefix in stride(from: 0, through: count, by: step) { check { $0 < prefix } }
    for omitted in stride(from: 0, to: count, by: step) { check { $0 != omitted } }
    for only in stride(from: 0, to: count, by: step) { check { $0 == only } }
    for _ in 0..<random {
      let density = Double.random(in: 0.05...0.95, using: &dice)
      let subset = (0..<count).map { _ in Double.random(in: 0..<1, using: &dice) < density }
      check { subset[$0] }
    }
  }

  /// Opens a state as the next program would; nil if it is one of the versions that may be there,
  /// whole.
  private func open(_ image: [UInt8], _ least: UInt64) -> String? {
    let file = directory.appendingPathComponent("state-\(states).realm")
    let name = "crash state \(states), epoch \(epochs)"
    defer {
      unlink(file.path)
      unlink(file.path + ".lock")
    }
    do {
      try image.withUnsafeBytes { try Data($0).write(to: file) }
      let found = Ledger(file, pages: ledger.pages, firstValue: 1 << 40)
      let pen = try Pen(found, session: 0)
      pen.look()
      if let complaint = found.complaint { return "\(name): \(complaint)" }
      guard let seen = found.transactions.first else { return "\(name): nothing was read" }
      if seen.snapshot < least {
        return "\(name): version \(seen.snapshot) is there, \(least) was acknowledged"
      }
      guard let expected = contents[seen.snapshot] else {
        return "\(name): version \(seen.snapshot) is there, which nobody committed"
      }
      let isWhole = expected.contains { state in
        seen.reads.allSatisfy { $0.values == state[$0.key] ?? [] }
      }
      if !isWhole {
        let wrong = seen.reads.first { $0.values != expected[0][$0.key] ?? [] }
        return "\(name): version \(seen.snapshot) is there, but page \(wrong?.key ?? 0) holds "
          + "\(wrong?.values ?? []) instead of \(wrong.map { expected[0][$0.key] ?? [] } ?? [])"
      }
      // It is not only readable: life goes on.
      if states % 16 == 0 { try pen.write(1) }
      return found.complaint.map { "\(name): \($0)" }
    } catch {
      return "\(name): \(error)"
    }
  }
}
