import EngineUnderTest
import Evidence
import Foundation
import Harness

extension Inquiry {
  static let programs = [asyncPrograms, killedPrograms]

  /// Random asynchronous programs, each to its end.
  static let asyncPrograms = Inquiry(
    .programs, "async-programs",
    "random asynchronous work over two files, three queues, two actors",
    rules: ["ASYNC-52", "ACTOR-20", "WRITE-08"],
    shortening: Shortening(tries: 40, runs: 20) {
      AsyncProgram($0)?.shorter.map(\.text) ?? []
    },
    understands: AsyncProgram.canRead
  ) { inquiry, task in
    Backstage.hooks?.skipFlushes()
    var result = inquiry.blank(task.effort)
    // A program that deadlocks keeps its threads, so the first one that fails is the last.
    for number in 0..<max(1, task.effort.amount) where .now < task.deadline {
      let program: AsyncProgram
      if let text = task.effort.replay {
        program = try AsyncProgram(replaying: text)
      } else {
        program = AsyncProgram(seed: task.effort.seed &+ UInt64(number))
      }
      task.begins(program.text)
      let place = try Scratch("program", in: task.directory)
      // A large file takes longer to make than a program to run: every eighth has one, and has it
      // again when it is replayed.
      let isLarge = program.acts.count % 8 == 0
      let complaint = try ProgramRun(in: place.url, isLarge: isLarge)
        .run(program, limit: task.patience)
      result.count += 1
      if let complaint {
        result.failure = .init(
          sentence: complaint, repro: inquiry.repro(task.effort, replay: program.text))
        break
      }
    }
    result.detail =
      task.effort.replay.map { "the program \($0), again and again" }
      ?? "of 6 to 28 acts, seeds from 0x\(String(task.effort.seed, radix: 16))"
    return result
  }

  /// Programs whose process is killed on the way; another one, which has the files open, goes on.
  static let killedPrograms = Inquiry(
    .programs, "killed-programs", "random asynchronous work whose process is killed at any time",
    rules: ["WRITE-24", "COMMIT-04", "ASYNC-44"],
    companions: [
      "victim": { task in
        guard let program = AsyncProgram(task.words.first ?? "") else { return }
        let run = try ProgramRun(in: task.directory, journal: true)
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        _ = run.run(program, limit: task.patience)
        // Whoever is not killed by now goes round until it is.
        while let again = AsyncProgram(task.words.first ?? "") {
          _ = run.run(again, limit: task.patience)
        }
      }
    ]
  ) { inquiry, task in
    Backstage.hooks?.skipFlushes()
    var result = inquiry.blank(task.effort)
    var acknowledged = 0
    for number in 0..<max(1, task.effort.amount) where .now < task.deadline {
      let seed = task.effort.seed &+ UInt64(number)
      let place = try Scratch("victim", in: task.directory)
      let found = try Victim(place.url, seed: seed).die(task)
      result.count += 1
      acknowledged += found.acknowledged
      if let complaint = found.complaint {
        var effort = task.effort
        effort.seed = seed
        result.failure = .init(
          sentence: complaint, repro: inquiry.repro(effort, replay: nil))
        break
      }
    }
    result.detail = "killed on the way, \(acknowledged) commits acknowledged before"
    return result
  }
}

/// A process that is killed in the middle of a program.
private struct Victim {
  let directory: URL
  let seed: UInt64

  init(_ directory: URL, seed: UInt64) { (self.directory, self.seed) = (directory, seed) }

  func die(_ task: Inquiry.Task) throws -> (complaint: String?, acknowledged: Int) {
    var dice = SplitMix(seed: seed)
    // Long enough that there is something under way when it ends.
    let text = (0..<8).map { AsyncProgram(seed: seed &* 31 &+ $0).text }.joined()
    let child = try task.companion("victim", in: directory, words: [text])
    guard child.line(within: task.patience) == "ready" else {
      return ("the victim did not begin: \(child.remains().stderr.suffix(200))", 0)
    }
    // Time is the subject here, and nothing waits for it: a kill may come at any moment, and this
    // is one of them. Where the victim is by then the verdict does not depend on.
    usleep(UInt32.random(in: 0...30_000, using: &dice))
    child.signal(SIGKILL)
    _ = child.remains()
    var acknowledged = 0
    for name in ["A", "B"] {
      let path = directory.appendingPathComponent(name).path
      let journal = Journal.read(path + ".journal")
      if let complaint = journal.complaint { return (complaint, acknowledged) }
      if let complaint = try judge(path + ".realm", journal.transactions) {
        return ("file \(name): \(complaint)", acknowledged)
      }
      acknowledged += journal.transactions.count { isAcknowledged($0) != nil }
    }
    return (nil, acknowledged)
  }

  /// The version of a commit whose writer was told that it is there.
  private func isAcknowledged(_ transaction: History.Transaction) -> UInt64? {
    guard case .committed(let version) = transaction.outcome, transaction.ended != .max else {
      return nil
    }
    return version
  }

  /// Looks what the dead one left, and writes on.
  private func judge(_ file: String, _ transactions: [History.Transaction]) throws -> String? {
    let ledger = Ledger(URL(fileURLWithPath: file), pages: 3, firstValue: 1 << 40)
    let start = ContinuousClock.now
    let pen = try Pen(ledger, session: -1)
    pen.look()
    try pen.write(1)
    if start.duration(to: .now) > .seconds(5) {
      return "the survivor was held up for \(start.duration(to: .now).formatted)"
    }
    guard let seen = ledger.transactions.first else { return "nothing can be read" }
    let least = transactions.compactMap(isAcknowledged).max() ?? 0
    if seen.snapshot < least {
      return "version \(seen.snapshot) is there, \(least) was acknowledged"
    }
    // One writer at a time: the numbers of what was committed, acknowledged or not, are in order.
    let writes = transactions.filter { !$0.appends.isEmpty && $0.outcome != .cancelled }
      .sorted { $0.snapshot < $1.snapshot }
    for read in seen.reads {
      let expected = writes.filter { $0.snapshot < seen.snapshot }
        .flatMap(\.appends).filter { $0.key == read.key }.map(\.value)
      if read.values != expected {
        return "version \(seen.snapshot) is there, but page \(read.key) holds \(read.values) "
          + "instead of \(expected)"
      }
    }
    if let complaint = ledger.complaint { return complaint }
    try Backstage.hooks?.verify(file)
    return nil
  }
}
