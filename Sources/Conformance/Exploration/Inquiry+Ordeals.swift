import EngineUnderTest
import Evidence
import Foundation
import Harness

extension Inquiry {
  /// What happens to engines beside their work: their process is killed, versions are held while
  /// others write on, the disk is full.
  static let ordeals = [killedWriters, heldVersions, fullDisk]

  /// Processes that write one file, and are killed at any moment.
  static let killedWriters = Inquiry(
    .ordeals, "killed-writers", "three processes write a file; one after another is killed",
    rules: ["WRITE-24", "WRITE-33", "COMMIT-04"],
    companions: [
      "writer": { task in
        let number = Int(task.words[0]) ?? 1
        let ledger = try task.sharedLedger(number)
        let pen = try Pen(ledger, session: number)
        var dice = SplitMix(seed: task.effort.seed)
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        while true { try pen.write((1...4).filter { _ in Bool.random(using: &dice) }) }
      }
    ]
  ) { inquiry, task in
    Backstage.hooks?.skipFlushes()
    var result = inquiry.blank(task.effort)
    var kills = 0
    repeat {
      let place = try Scratch("killed", in: task.directory)
      let seed = task.effort.seed &+ UInt64(kills)
      let scene = try KilledWriters(place.url, seed: seed)
      let found = try scene.run(task)
      result.count += found.acknowledged
      kills += found.kills
      if let complaint = found.complaint {
        var effort = task.effort
        effort.seed = seed
        result.failure = .init(sentence: complaint, repro: inquiry.repro(effort, replay: nil))
      }
    } while result.failure == nil && kills < task.effort.amount && .now < task.deadline
    result.detail = "acknowledged by processes of which \(kills) were killed, and all there"
    return result
  }
}

/// A file whose writers are killed.
private struct KilledWriters {
  /// So many for each file: reads grow with what was written.
  private static let kills = 10

  private let directory: URL
  private let ledger: Ledger
  private var dice: SplitMix

  init(_ directory: URL, seed: UInt64) throws {
    self.directory = directory
    dice = SplitMix(seed: seed)
    let stamps = try SharedStamps(directory.path + "/stamps")
    ledger = Ledger(
      directory.appendingPathComponent("shared.realm"), pages: 4, stamps: { stamps.draw() })
    try ledger.prepare()
  }

  func run(_ task: Inquiry.Task) throws -> (acknowledged: Int, kills: Int, complaint: String?) {
    var dice = dice
    var started = 0
    func start() throws -> RunningChild? {
      started += 1
      let child = try task.companion(
        "writer", in: directory, seed: dice.next(), words: ["\(started)"])
      return child.line(within: task.patience) == "ready" ? child : nil
    }
    var writers: [RunningChild] = []
    var complaint: String?
    for kill in 1...KilledWriters.kills {
      while writers.count < 3, let writer = try start() { writers.append(writer) }
      if writers.count < 3 {
        complaint = "a writer does not come to begin after \(kill - 1) kills"
        break
      }
      // Time is the subject here, and nothing waits for it: a kill may come at any moment, and this
      // is one of them.
      usleep(UInt32.random(in: 0...30_000, using: &dice))
      let victim = writers.remove(at: Int.random(in: 0..<3, using: &dice))
      victim.signal(SIGKILL)
      let ending = victim.remains().ending
      if ending != .signalled(SIGKILL) {
        complaint = complaint ?? "a writer had ended by itself: \(ending)"
      }
    }
    for writer in writers {
      writer.signal(SIGKILL)
      _ = writer.remains()
    }
    for number in 1...started {
      let journal = Journal.read(directory.path + "/journal-\(number)")
      complaint = complaint ?? journal.complaint
      ledger.merge(journal.transactions)
    }
    // Whoever comes then writes, and finds all that was acknowledged and nothing else.
    if complaint == nil {
      let start = ContinuousClock.now
      try Pen(ledger, session: -2).write(1)
      if start.duration(to: .now) > .seconds(5) {
        complaint = "the survivor was held up for \(start.duration(to: .now).formatted)"
      }
    }
    let acknowledged = ledger.transactions.count {
      if case .committed = $0.outcome { $0.session > 0 } else { false }
    }
    return (acknowledged, KilledWriters.kills, complaint ?? ledger.verdict())
  }
}

// MARK: - Versions that are held

extension Inquiry {
  /// Versions that are held, let go of, and what the file grows by.
  static let heldVersions = Inquiry(
    .ordeals, "held-versions", "blobs are overwritten while versions are held, and let go of",
    rules: ["GROW-01", "GROW-03", "READ-15"]
  ) { inquiry, task in
    Backstage.hooks?.skipFlushes()
    var result = inquiry.blank(task.effort)
    let shelf = try Shelf(task)
    var held: [(realm: Realm, content: [Int: Shelf.Blobs])] = []
    var most = 0
    var complaint: String?
    while complaint == nil, result.count < max(40, task.effort.amount), .now < task.deadline {
      switch Int.random(in: 0..<10, using: &shelf.dice) {
      case 0...1 where held.count < 8: held.append((shelf.realm.freeze(), shelf.content))
      case 2 where !held.isEmpty:
        held.remove(at: Int.random(in: 0..<held.count, using: &shelf.dice))
      default:
        try shelf.overwrite()
        result.count += 1
      }
      most = max(most, held.count)
      complaint = held.lazy.compactMap { shelf.difference($0.realm, $0.content) }.first
    }
    let heldSize = shelf.size
    held = []
    // What is free has to be found first.
    for _ in 0..<20 { try shelf.overwrite() }
    let before = (size: shelf.size, written: shelf.written)
    for _ in 0..<100 { try shelf.overwrite() }
    let (grown, written) = (shelf.size - before.size, shelf.written - before.written)
    let isLeaking = complaint == nil && grown > written / 4
    if isLeaking {
      complaint = "the file grew by \(grown) of \(written) bytes written, with nobody holding it"
    }
    result.count += 120
    result.failure = (complaint ?? shelf.difference(shelf.realm, shelf.content)).map {
      .init(
        sentence: $0, repro: inquiry.repro(task.effort, replay: nil),
        anomaly: isLeaking ? .versionLeak : nil)
    }
    result.detail =
      "with up to \(most) versions held in \(heldSize / 1024) KB, of which "
      + "\(shelf.live / 1024) KB are the newest"
    return result
  }

  /// A disk that is full now and then.
  static let fullDisk = Inquiry(
    .ordeals, "full-disk", "commits of many sizes to a file that may not grow, now and then",
    rules: ["COMMIT-01", "COMMIT-03"]
  ) { inquiry, task in
    var result = inquiry.blank(task.effort)
    let shelf = try Shelf(task)
    var refused = 0
    var complaint: String?
    while complaint == nil, result.count < max(1, task.effort.amount), .now < task.deadline {
      let room = Int.random(in: 0...200_000, using: &shelf.dice)
      do {
        try Stage.withFilesLimited(to: shelf.size + room) { try shelf.overwrite(upTo: 400_000) }
      } catch {
        refused += 1
        // An engine may leave it to its caller to end a write whose commit has failed.
        if shelf.realm.isInWriteTransaction { shelf.realm.cancelWrite() }
      }
      result.count += 1
      complaint = shelf.difference(shelf.realm, shelf.content) ?? shelf.differenceElsewhere()
    }
    if complaint == nil, refused == 0, result.count > 50 { complaint = "the disk was never full" }
    result.failure = complaint.map {
      .init(sentence: $0, repro: inquiry.repro(task.effort, replay: nil))
    }
    result.detail = "of which \(refused) found no room"
    return result
  }
}

/// A file of blobs that are overwritten, and what must be in it.
private final class Shelf {
  /// So many bytes, all alike.
  struct Blobs: Equatable {
    let byte: UInt8
    let count: Int
  }

  let realm: Realm
  var dice: SplitMix
  private(set) var content: [Int: Blobs] = [:]
  private(set) var written = 0
  private let configuration: Realm.Configuration
  private let place: Scratch

  init(_ task: Inquiry.Task) throws {
    place = try Scratch("shelf", in: task.directory)
    dice = SplitMix(seed: task.effort.seed)
    configuration = Realm.Configuration(
      fileURL: place.url.appendingPathComponent("shelf.realm"), objectTypes: [Blob.self])
    realm = try Realm(configuration: configuration)
  }

  var live: Int { content.values.reduce(0) { $0 + $1.count } }

  var size: Int {
    let path = configuration.fileURL?.path ?? ""
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Overwrites one; it counts as there when the commit has returned.
  func overwrite(upTo most: Int = 40_000) throws {
    let id = Int.random(in: 0..<8, using: &dice)
    let new = Blobs(
      byte: .random(in: 0...255, using: &dice), count: .random(in: 1...most, using: &dice))
    try realm.write {
      realm.add(
        Blob(id: id, bytes: Data(repeating: new.byte, count: new.count)), update: .all)
    }
    content[id] = new
    written += new.count
  }

  func difference(_ realm: Realm, _ content: [Int: Blobs]) -> String? {
    let blobs = realm.objects(Blob.self)
    if blobs.count != content.count {
      return "there are \(blobs.count) blobs instead of \(content.count)"
    }
    for (id, expected) in content {
      let bytes = realm.object(ofType: Blob.self, forPrimaryKey: id)?.bytes ?? Data()
      let seen = Blobs(byte: bytes.first ?? 0, count: bytes.count)
      if seen != expected || bytes.contains(where: { $0 != expected.byte }) {
        return "blob \(id) holds \(seen.count) bytes \(seen.byte) instead of \(expected.count) of "
          + "\(expected.byte)"
      }
    }
    return nil
  }

  /// The same, seen by another thread in a realm of its own.
  func differenceElsewhere() -> String? {
    let cast = Cast()
    let found = Found()
    cast.thread("another") { [self] in
      found.sentence = difference(try Realm(configuration: configuration), content)
    }
    do {
      let late = try cast.joinAll(.seconds(20))
      return late.isEmpty ? found.sentence : "another thread waits for ever"
    } catch {
      return "another thread cannot open the file: \(error)"
    }
  }

  private final class Found: @unchecked Sendable {
    // Sendable because it is read when the thread that writes it has ended.
    var sentence: String?
  }
}
