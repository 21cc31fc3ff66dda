import Evidence
import Foundation
import Synchronization
import Testing

@testable import Benchmarks

/// A child that answers at once, differently for each round, and keeps what it was asked.
final class FakeRounds: RoundRunner {
  let asked = Mutex<[RoundOrder]>([])
  let answer: @Sendable (RoundOrder, Int) -> RoundReport

  init(
    _ answer: @escaping @Sendable (RoundOrder, Int) -> RoundReport = { _, turn in
      .good(Double(turn))
    }
  ) {
    self.answer = answer
  }

  func run(_ order: RoundOrder) -> RoundReport {
    let turn = asked.withLock {
      $0.append(order)
      return $0.count
    }
    return answer(order, turn)
  }
}

extension RoundReport {
  static func good(_ time: Double) -> RoundReport {
    var report = RoundReport()
    report.values = [.init(metric: "time", value: 100 + time, count: 10)]
    report.checks = 1
    return report
  }
}

struct RunnerTests {
  private let catalogue = [
    Benchmark(
      "reads.a", "a", [.init("rows", ["10", "20"], quick: ["10"])], engines: ["x", "y"], quick: true
    ) {
      $0.check(true, "")
    },
    Benchmark("writes.b", "b", [.init("threads", ["1", "2"])], engines: ["x"]) {
      $0.check(true, "")
    },
  ]

  private func request(_ change: (inout RunRequest) -> Void = { _ in }) -> RunRequest {
    var request = RunRequest()
    request.seed = 11
    change(&request)
    return request
  }

  @Test(arguments: [true, false])
  func `only a run in its own place becomes the latest`(isNamed: Bool) throws {
    let parent = scratch()
    defer { try? FileManager.default.removeItem(at: parent) }
    let place = parent.appendingPathComponent("mine")
    let request = request { if isNamed { $0.out = place } }
    _ = try Runner(
      Plan(request, catalogue: catalogue), request, environment: Environment(), runner: FakeRounds()
    ).run(into: place, scratch: parent)
    let names = try FileManager.default.contentsOfDirectory(atPath: parent.path).sorted()
    #expect(names == (isNamed ? ["mine"] : ["latest", "mine"]))
  }

  private func scratch() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("runner-\(UUID().uuidString)")
  }

  @Test func `a plan holds every case once a round, in a new order each, and again for counting`()
    throws
  {
    let plan = try Plan(request { $0.rounds = 4 }, catalogue: catalogue)
    #expect(plan.cases.count == 6)
    #expect(plan.steps.count == 6 * 4 + 6 * 3)
    for round in 0..<3 {
      #expect(plan.steps.filter { $0.pass == .count && $0.round == round }.count == 6)
    }
    #expect(plan.controls.count == 3 && Set(plan.controls).isSubset(of: plan.cases))
    for round in 0..<4 {
      let steps = plan.steps.filter { $0.round == round && $0.pass == .time }
      #expect(Set(steps.map(\.case)) == Set(plan.cases))
    }
    let orders = (0..<4).map { round in
      plan.steps.filter { $0.round == round && $0.pass == .time }.map { "\($0.case)" }
    }
    #expect(Set(orders).count > 1)
    let again = try Plan(request { $0.rounds = 4 }, catalogue: catalogue)
    #expect(again.steps.map { "\($0)" } == plan.steps.map { "\($0)" })
  }

  // A first impression of everything counted once, however much time was left.
  @Test func `what there is time to count once is counted on while time is left`() throws {
    let many = (0..<120).map {
      Benchmark("reads.many\($0)", "a", [], engines: ["x"], quick: true) { $0.check(true, "") }
    }
    let plan = try Plan(request { $0.isQuick = true }, catalogue: many)
    #expect(plan.counts == 1 && plan.text.contains("counted once, and again while time is left"))
    let counts = plan.steps.filter { $0.pass == .count }
    #expect(counts.prefix(120).allSatisfy { $0.round == 0 })
    // Case by case: what is counted again is counted often enough.
    #expect(counts.dropFirst(120).map(\.round) == (0..<240).map { 1 + $0 % 2 })
    #expect(Set(counts.map { "\($0.case) \($0.round)" }).count == 360)
    #expect(plan.steps.last?.pass == .count)
  }

  @Test func `filters, engines, threads, quick and shards choose`() throws {
    func names(_ change: (inout RunRequest) -> Void) throws -> [String] {
      try Plan(request(change), catalogue: catalogue).cases.map { "\($0.name) \($0.engine)" }
    }
    #expect(
      try names { $0.filters = ["writes.*"] } == ["writes.b/threads=1 x", "writes.b/threads=2 x"])
    #expect(
      try names {
        $0.filters = ["reads.a", "!*rows=20"]
        $0.engines = ["y"]
      } == ["reads.a/rows=10 y"])
    #expect(try names { $0.isQuick = true } == ["reads.a/rows=10 x", "reads.a/rows=10 y"])
    #expect(
      try names {
        $0.filters = ["writes.b"]
        $0.threads = [3]
      } == ["writes.b/threads=3 x"])
    #expect(
      try names { $0.filters = ["reads.a/rows=7"] } == ["reads.a/rows=7 x", "reads.a/rows=7 y"])
    let parts = try (1...3).map { index in try names { $0.shard = (index, 3) } }
    #expect(parts.map(\.count).sorted() == [1, 2, 3])
    #expect(Set(parts.joined()).count == 6)
  }

  @Test func `what does not exist is refused in a sentence`() {
    for change: (inout RunRequest) -> Void in [
      { $0.filters = ["nothing.*"] }, { $0.engines = ["oracle"] },
      { $0.filters = ["reads.a", "!*"] },
      { $0.budget = 0.1 },
    ] {
      #expect(throws: BenchmarkError.self) {
        try Plan(request(change), catalogue: catalogue)
      }
    }
  }

  /// The first screen quoted how long the loop stands still while 64 KiB are written, the mildest
  /// there is.
  @Test func `a first impression sees what a large write does to the main loop`() throws {
    let plan = try Plan(
      request {
        $0.isQuick = true
        $0.filters = ["writes.stall"]
      })
    let sizes = Set(plan.cases.filter { $0.engine == "reference" }.map(\.name.description))
    for mode in ["sync", "background", "writeAsync", "asyncWrite"] {
      for size in ["64K", "4M"] {
        #expect(sizes.contains("writes.stall/megabytes=4/mode=\(mode)/transaction=\(size)"))
      }
    }
  }

  @Test func `a budget buys rounds`() throws {
    let small = try Plan(request { $0.budget = 10 }, catalogue: catalogue)
    let large = try Plan(request { $0.budget = 60 }, catalogue: catalogue)
    #expect(small.rounds < large.rounds)
    #expect(small.estimate <= 10 && large.estimate <= 60)
    // However large it is, and for a first impression, too.
    for isQuick in [false, true] {
      let rich = try Plan(
        request {
          $0.budget = 3600
          $0.isQuick = isQuick
        }, catalogue: catalogue)
      #expect(rich.estimate > 3500 && rich.estimate <= 3600, "\(rich.text)")
      #expect(rich.text.contains("s of 3600 s, and further rounds while time is left"))
    }
    let fixed = try Plan(
      request {
        $0.budget = 3600
        $0.rounds = 4
      }, catalogue: catalogue)
    #expect(fixed.rounds == 4 && !fixed.text.contains("further"))
  }

  @Test func `every report reaches the disk before the next child starts`() throws {
    let out = scratch()
    defer { try? FileManager.default.removeItem(at: out) }
    let plan = try Plan(request { $0.rounds = 3 }, catalogue: catalogue)
    let fake = FakeRounds { _, turn in
      if turn > 1 {
        let rows = (try? RunDirectory.samples(in: out)) ?? []
        #expect(rows.count == (turn - 1) * 2)
      }
      return .good(1)
    }
    let run = try Runner(plan, request(), environment: Environment(), runner: fake)
      .run(into: out, scratch: out)
    #expect(run.state == .finished)
    #expect(run.results.count == 6)
    #expect(run.results.allSatisfy { $0.valid && $0["time"]?.value == 101 })
    #expect(try RunDirectory.load(out.path).results.count == 6)
  }

  @Test func `an interrupted run keeps what it has and says so`() throws {
    let out = scratch()
    defer { try? FileManager.default.removeItem(at: out) }
    let plan = try Plan(request { $0.rounds = 3 }, catalogue: catalogue)
    var children = 0
    let run = try Runner(plan, request(), environment: Environment(), runner: FakeRounds())
      .run(
        into: out, scratch: out,
        isStopped: {
          children += 1
          return children > 5
        })
    #expect(run.state == .interrupted)
    #expect(try RunDirectory.load(out.path).state == .interrupted)
    #expect(try RunDirectory.samples(in: out).filter { $0.metric == "time" }.count == 5)
  }

  @Test func `a child that fails twice is left alone, and has no speed`() throws {
    let out = scratch()
    defer { try? FileManager.default.removeItem(at: out) }
    let plan = try Plan(
      request {
        $0.rounds = 8
        $0.filters = ["reads.a/rows=10"]
      }, catalogue: catalogue)
    let fake = FakeRounds { order, turn in
      guard order.case.engine == "y" else { return .good(1) }
      var report = RoundReport()
      report.failure = "the sum was wrong"
      return report
    }
    let run = try Runner(plan, request(), environment: Environment(), runner: fake)
      .run(into: out, scratch: out)
    let bad = try #require(run.results.first { $0.engine == "y" })
    #expect(!bad.valid && bad.reason == "the sum was wrong" && bad.values.isEmpty)
    // Once as a control, which it then is no longer.
    #expect(fake.asked.withLock { $0.filter { $0.case.engine == "y" }.count } == 3)
  }

  @Test func `a run measures its control at both ends, and counts three times`() throws {
    let out = scratch()
    defer { try? FileManager.default.removeItem(at: out) }
    let plan = try Plan(request { $0.rounds = 4 }, catalogue: catalogue)
    let fake = FakeRounds { order, turn in
      var report = RoundReport.good(Double(turn))
      if order.pass == .count { report.values[0].metric = "flushes" }
      return report
    }
    let run = try Runner(plan, request(), environment: Environment(), runner: fake)
      .run(into: out, scratch: out)
    let control = try #require(run.control)
    #expect(control.rows.count == 3)
    #expect(control.rows.allSatisfy { $0.first.count == 3 && $0.last.count == 3 })
    let asked = fake.asked.withLock { $0.map { "\($0.case) \($0.pass)" } }
    let controls = (0..<3).flatMap { _ in plan.controls.map { "\($0) time" } }
    #expect(Array(asked.prefix(9)) == controls && Array(asked.suffix(9)) == controls)
    #expect(run.results.count == 6)
    #expect(
      run.results.allSatisfy {
        $0["time"]?.rounds.count == 4 && $0["flushes"]?.rounds.count == 3
      })
    // What is on the disk says the same.
    let samples = try RunDirectory.samples(in: out)
    #expect(RunControl(samples) == control)
    #expect(Summary.results(samples).count == 6)
  }

  @Test(arguments: [1, 4, 9, 10, 17, 40])
  func `an interrupted run goes on, and measures each step once`(children: Int) throws {
    let out = scratch()
    defer { try? FileManager.default.removeItem(at: out) }
    let asked = request { $0.rounds = 4 }
    let plan = try Plan(asked, catalogue: catalogue)
    // A count leaves counts, as it does outside of tests.
    let fake = FakeRounds { order, turn in
      var report = RoundReport.good(Double(turn))
      if order.pass == .count { report.values[0].metric = "flushes" }
      return report
    }
    var asks = 0
    let first = try Runner(plan, asked, environment: Environment(), runner: fake).run(
      into: out, scratch: out,
      isStopped: {
        asks += 1
        return asks > children
      })
    #expect(first.state == .interrupted)
    // The writer was killed in the middle of a row.
    let file = try FileHandle(forWritingTo: out.appendingPathComponent("samples.csv"))
    try file.seekToEnd()
    try file.write(contentsOf: Data("2026-11-22T00:00:00Z,reads.a/rows=10,x,,3,0,ti".utf8))
    try file.close()
    let found = try Resumption.load(out.path, commit: "")
    let again = found.request(like: RunRequest())
    let rest = try Plan(again, catalogue: catalogue)
    #expect(rest.steps.map { "\($0)" } == plan.steps.map { "\($0)" })
    let run = try Runner(
      rest, again, environment: Environment(), runner: fake, resuming: found
    ).run(into: out, scratch: out)
    #expect(run.state == .finished && run.started == first.started)
    #expect(fake.asked.withLock { $0.count } == plan.steps.count + 2 * 3 * 3)
    #expect(run.results.count == 6)
    #expect(
      run.results.allSatisfy {
        $0.valid && $0["time"]?.rounds.count == 4 && $0["flushes"]?.rounds.count == 3
      })
    #expect(run.control?.rows.allSatisfy { $0.first.count == 3 && $0.last.count == 3 } == true)
    // What is on the disk is the same, and finished.
    #expect(Summary.results(try RunDirectory.samples(in: out)).count == 6)
    let error = #expect(throws: RecordError.self) { try Resumption.load(out.path, commit: "") }
    #expect(error?.description.contains("is finished") == true)
  }

  /// Two that went on with one run, or one while it was still going, wrote into each other's lines.
  @Test func `a run is gone on with by one alone, and not while it is going`() throws {
    let out = scratch()
    defer { try? FileManager.default.removeItem(at: out) }
    func refusal() -> String? {
      do { _ = try Resumption.load(out.path, commit: "") } catch { return "\(error)" }
      return nil
    }
    let words = "is being written by another process"
    do {
      let going = try RunDirectory.create(at: out, run: Run())
      #expect(refusal()?.contains(words) == true)
      withExtendedLifetime(going) {}
    }
    // A lock that goes with its holder leaves nothing to remove.
    do {
      let first = try Resumption.load(out.path, commit: "")
      #expect(refusal()?.contains(words) == true)
      let record = try RunDirectory.reopen(at: out, run: first.run, claim: first.claim)
      #expect(refusal()?.contains(words) == true)
      #expect(throws: RecordError.self) { try RunDirectory.reopen(at: out, run: first.run) }
      withExtendedLifetime((first, record)) {}
    }
    #expect(refusal() == nil)
  }

  // After kill -9 of a run elsewhere its scratch stayed there for good.
  @Test func `who goes on works where the run did, and removes what the dead left there`() throws {
    let place = scratch()
    defer { try? FileManager.default.removeItem(at: place) }
    let dead = place.appendingPathComponent("work-dead")
    try FileManager.default.createDirectory(at: dead, withIntermediateDirectories: true)
    try Data().write(to: dead.appendingPathComponent(".owner"))
    var run = Run()
    run.environment.storage.path = dead.path
    let again = Resumption(run, samples: [], latencies: []).request(like: RunRequest())
    #expect(again.workdir?.path == place.path)
    let own = try Session.workspace(again)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.path) == [own.url.lastPathComponent]
    )
    // Who names another place gets that, and what is gone is no place.
    var named = RunRequest()
    named.workdir = URL(fileURLWithPath: "/elsewhere")
    let other = Resumption(run, samples: [], latencies: []).request(like: named)
    #expect(other.workdir?.path == "/elsewhere")
    run.environment.storage.path = place.appendingPathComponent("gone/work-1").path
    #expect(
      Resumption(run, samples: [], latencies: []).request(like: RunRequest()).workdir == nil)
  }

  @Test func `a run of another build is not gone on with`() throws {
    let out = scratch()
    defer { try? FileManager.default.removeItem(at: out) }
    let plan = try Plan(request { $0.rounds = 3 }, catalogue: catalogue)
    _ = try Runner(plan, request(), environment: Environment(), runner: FakeRounds())
      .run(into: out, scratch: out, isStopped: { true })
    let error = #expect(throws: RecordError.self) {
      try Resumption.load(out.path, commit: "abc")
    }
    #expect(error?.description.contains("a run is of one build") == true)
  }

  @Test func `a run of another machine is not gone on with`() throws {
    var run = Run()
    run.environment.machineID = "mother"
    let found = Resumption(run, samples: [], latencies: [])
    #expect(throws: Never.self) { try found.requireMachine("mother") }
    let error = #expect(throws: RecordError.self) { try found.requireMachine("daughter") }
    #expect(error?.description.contains("a run is of one machine") == true)
  }

  @Test func `a full work disk is no wrong answer`() {
    let place = FileManager.default.temporaryDirectory
    for said in [
      "cannot write x: No space left on device", "sqlite: database or disk is full in INSERT",
    ] {
      let reason = WorkDisk.explained(said, at: place)
      #expect(reason.hasPrefix(Finding.outOfSpace) && reason.contains(said))
      #expect(WorkDisk.explained(reason, at: place) == reason)
    }
    #expect(WorkDisk.explained("the sum was wrong", at: place) == "the sum was wrong")
  }

  @Test func `a crash and a hang are reports too`() {
    let crash = ChildRounds.read(.init(ending: .signalled(11), stderr: "Fatal error: x\nmore"))
    #expect(crash.failure == "the child ended with SIGSEGV: Fatal error: x")
    let hang = ChildRounds.read(.init(ending: .signalled(9), stopped: .deadline(.seconds(3))))
    #expect(hang.failure?.contains("did not end") == true)
    let mute = ChildRounds.read(.init(ending: .exited(0), stdout: "chatter\n"))
    #expect(mute.failure == "the child said nothing")
    let good = ChildRounds.read(.init(ending: .exited(0), stdout: RoundReport.good(1).json + "\n"))
    #expect(good.failure == nil && good.values.count == 1)
  }

  @Test func `five level batches end the warm-up and a slope does not`() {
    #expect(Track.isLevel([100, 101, 99, 100, 100]))
    #expect(!Track.isLevel([140, 130, 120, 110, 100]))
  }
}
