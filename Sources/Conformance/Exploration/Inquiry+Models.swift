import Evidence
import Foundation
import Harness

extension Inquiry {
  static let models = [versions, news]

  /// Random programs whose every version is known beforehand.
  static let versions = Inquiry(
    .models, "model-of-versions",
    "random work through two realms, all versions and objects compared with a model after each act",
    rules: [
      "READ-05", "READ-08", "READ-15", "WRITE-07", "WRITE-18", "WRITE-20", "FREEZE-37", "COMMIT-09",
    ],
    shortening: Shortening(tries: 300, runs: 1) {
      ModelProgram($0)?.acts.shorter.map { ModelProgram($0).text } ?? []
    },
    understands: ModelProgram.canRead
  ) { inquiry, task in
    Backstage.hooks?.skipFlushes()
    var result = inquiry.blank(task.effort)
    var programs = 0
    var comparisons = 0
    // One thread, no queue that decides anything: what is replayed needs no second time.
    let amount = task.effort.replay == nil ? max(1, task.effort.amount) : 1
    for number in 0..<amount where .now < task.deadline {
      let program =
        try task.effort.replay.map(ModelProgram.init(replaying:))
        ?? ModelProgram(seed: task.effort.seed &+ UInt64(number))
      task.begins(program.text)
      let (complaint, compared) = try inquiry.compare(program, in: task.directory)
      programs += 1
      comparisons += compared
      result.count += program.acts.count
      if let complaint {
        result.failure = .init(
          sentence: complaint, repro: inquiry.repro(task.effort, replay: program.text))
        break
      }
    }
    result.detail = "in \(programs) programs, \(comparisons) versions compared"
    return result
  }

  /// Steps of few rows and of thousands, for which an engine may find out what to tell elsewhere.
  static let news = Inquiry(
    .models, "model-of-news",
    "steps of one row to thousands, each listener's copy compared with its collection",
    rules: ["NOTIFY-06", "NOTIFY-07", "NOTIFY-20"],
    shortening: Shortening(tries: 60, runs: 2) {
      NewsProgram($0)?.acts.shorter.map { NewsProgram($0).text } ?? []
    },
    understands: NewsProgram.canRead
  ) { inquiry, task in
    Backstage.hooks?.skipFlushes()
    var result = inquiry.blank(task.effort)
    var (programs, steps) = (0, 0)
    // What is replayed is run some times: the home may be faster than the other realm, or slower.
    let replayed = try task.effort.replay.map(NewsProgram.init(replaying:))
    // They are long: a tenth of what others do takes as long.
    let amount = replayed == nil ? max(1, task.effort.amount / 10) : 3
    for number in 0..<amount where .now < task.deadline {
      let program = replayed ?? NewsProgram(seed: task.effort.seed &+ UInt64(number))
      task.begins(program.text)
      let place = try Scratch("news", in: task.directory)
      let run = try NewsRun(
        place.url.appendingPathComponent("news.realm"), patience: task.patience)
      let complaint = run.run(program)
      programs += 1
      steps += run.steps
      result.count += program.acts.count
      if let complaint {
        // An engine that is wrong may die of letting go: the finding comes first.
        _ = Unmanaged.passRetained(run)
        result.failure = .init(
          sentence: complaint, repro: inquiry.repro(task.effort, replay: program.text),
          anomaly: run.isTorn ? .tornNotification : nil)
        break
      }
      run.leave()
    }
    result.detail = "in \(programs) programs, copies compared \(steps) times"
    return result
  }

  private func compare(_ program: ModelProgram, in directory: URL) throws -> (String?, Int) {
    let place = try Scratch("model", in: directory)
    let file = place.url.appendingPathComponent("model.realm")
    let run = try ModelRun(file)
    if let complaint = run.run(program) {
      // An engine that is wrong may die of letting go: the finding comes first.
      _ = Unmanaged.passRetained(run)
      return (complaint, run.comparisons)
    }
    run.leave()
    do { try Backstage.hooks?.verify(file.path) } catch { return ("\(error)", run.comparisons) }
    return (nil, run.comparisons)
  }
}
