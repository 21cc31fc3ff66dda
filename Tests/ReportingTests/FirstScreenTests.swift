import Evidence
import Foundation
import Testing

@testable import Reporting

/// What stands above everything else: whoever stops there must not think better of the engine than
/// who reads on.
struct FirstScreenTests {
  private func finding(
    _ benchmark: String, _ engine: String, _ metric: String, _ rounds: [Double],
    samples: Int = 5000
  ) -> Finding {
    let interval = Quantiles.medianInterval(rounds)
    return Finding(
      benchmark: benchmark, engine: engine, rounds: rounds.count, seed: 7,
      values: [
        .init(
          metric: metric, value: Quantiles.median(rounds), low: interval.low, high: interval.high,
          confidence: interval.confidence, rounds: rounds, samples: samples)
      ])
  }

  private var run: Run {
    var run = Run()
    run.state = .finished
    run.asked.seed = 7
    let near = [0.98, 0.99, 1.0, 1.0, 1.01, 1.02, 0.985, 1.015]
    func add(_ name: String, _ ours: Double, _ peer: String, _ theirs: Double) {
      run.results += [
        finding(name, "reference", "time", near.map { $0 * ours }),
        finding(name, peer, "time", near.map { $0 * theirs }),
      ]
    }
    add("reads.won/rows=10", 10, "lmdb", 270)
    add("reads.lost/rows=10", 30, "lmdb", 10)
    add("reads.lost-most/rows=10", 140, "sqlite", 10)
    add("reads.close/rows=10", 10.02, "sqlite", 10)
    run.results += [
      finding("reads.throughput", "reference", "rate", near.map { $0 * 50 }),
      finding("reads.throughput", "lmdb", "rate", near.map { $0 * 100 }),
      finding("floor.memory", "c", "time", near),
    ]
    return run
  }

  private func head(_ run: Run) throws -> String {
    try #require(Fixture.read(RunReport(run).html).components(separatedBy: "<nav").first)
  }

  @Test func `every lost comparison stands before the table of contents, the largest first`() throws
  {
    let losses = Rivalry(run: run).losses
    #expect(
      losses.map(\.benchmark) == [
        "reads.lost-most/rows=10", "reads.lost/rows=10", "reads.throughput", "reads.close/rows=10",
      ])
    #expect(losses.map { Figures.times($0.ratio) } == ["14×", "3.0×", "2.0×", "1.00×"])
    #expect(losses.map(\.isTold) == [true, true, true, false])
    let head = try head(run)
    let table = try #require(head.components(separatedBy: "id=\"losses\"").last)
    var rest = table[...]
    for loss in losses {
      let place = try #require(
        rest.range(of: "<tr><th scope=\"row\"><a href=\"#\(loss.benchmark)\""))
      rest = rest[place.upperBound...]
    }
    #expect(table.range(of: "id=\"wins\"") != nil, "wins come after the losses")
    #expect(
      head.contains(
        "of the reference engine with lmdb and sqlite are surely lost, and 1 more looks lost"))
    let cards = try #require(head.components(separatedBy: "<ul class=\"cards\">").last)
    let order = cards.components(separatedBy: "<li><a href").dropFirst().map {
      $0.contains("reads.close")
    }
    #expect(order.prefix(2) == [false, false], "what is sure comes first")
  }

  /// Three of four sure losses were listed, and nothing said that there was a fourth.
  @Test func `what is surely lost and has no room in the card is counted`() throws {
    var run = Run()
    for number in 1...5 {
      let name = "reads.lost-\(number)/rows=10"
      let ours = Double(number + 1) * 100
      run.results += [
        finding(name, "reference", "time", [ours, ours + 1, ours + 2]),
        finding(name, "lmdb", "time", [100, 101, 102]),
      ]
    }
    let cards = try #require(head(run).components(separatedBy: "<ul class=\"cards\">").last)
    #expect(cards.contains("are lost. Surely lost, the largest first:<ul>"))
    #expect(cards.contains("<a href=\"#losses\">2 more</a>"))
  }

  /// The card said that the surest came first, the table, the terminal and the summary the largest.
  @Test func `what was lost has one order and the same words over it, wherever it is told`() throws
  {
    var run = run
    // The largest ratio of all is the least sure.
    run.results += [
      finding("reads.restless", "reference", "time", [10, 4000, 90]),
      finding("reads.restless", "lmdb", "time", [2, 3, 400]),
    ]
    let groups = Rivalry(run: run).groups
    #expect(groups.map(\.matches.count) == [3, 2])
    let order = groups.flatMap(\.matches).map(\.benchmark)
    #expect(order.first == "reads.lost-most/rows=10" && order[3] == "reads.restless")
    for group in groups {
      #expect(group.matches.map(\.ratio) == group.matches.map(\.ratio).sorted(by: >))
    }
    let page = try head(run).components(separatedBy: "id=\"losses\"")
    try #require(page.count == 2)
    for (place, text) in [
      TextTable.run(run), SummaryMarkdown.text(run), page[1],
      try #require(page[0].components(separatedBy: "<ul class=\"cards\">").last),
    ].enumerated() {
      let parts = text.components(separatedBy: "ooks lost, though this run cannot be sure, the")
      #expect(parts.count > 1 && parts[0].contains("urely lost, the largest first"), "\(place)")
      let told = parts[0].components(separatedBy: "urely lost, the largest first").last ?? ""
      var rest = told[...]
      for name in order.prefix(3) {
        let found = try #require(rest.range(of: name), "\(name) in \(place)")
        rest = rest[found.upperBound...]
      }
      #expect(!rest.contains("reads.restless"), "\(place)")
    }
  }

  @Test func `terminal and summary say what the main loop felt at worst, as the page does`() throws
  {
    let worst = try #require(StallSection(run: Fixture.run).worst)
    #expect(worst.hasPrefix("The loop stood still for ") && worst.contains("with nothing to do"))
    for text in [TextTable.run(Fixture.run), SummaryMarkdown.text(Fixture.run)] {
      let said = text.replacing(/\s+/, with: " ")
      #expect(
        said.contains("What writes cost the main loop at worst: \(worst)"), "\(said.prefix(3000))")
    }
    #expect(
      !TextTable.run(run).contains("main loop") && !SummaryMarkdown.text(run).contains("loop"))
  }

  @Test func `three peers are a list`() throws {
    var run = run
    run.results.append(finding("reads.won/rows=10", "realm", "time", [270, 271, 272]))
    #expect(try #require(Rivalry(run: run).sentence).contains("with lmdb, realm and sqlite are"))
  }

  @Test func `whoever is compared is named with a version, where it is known`() throws {
    var run = run
    run.environment.engines = [
      Environment.Engine(name: "reference", version: "0.7", setting: ""),
      Environment.Engine(name: "lmdb", version: "0.9.24", setting: ""),
    ]
    run.results.append(finding("reads.won/rows=10", "realm", "time", [270, 271, 272]))
    #expect(
      try #require(Rivalry(run: run).sentence).contains(
        "of the reference engine 0.7 with lmdb 0.9.24, realm and "))
  }

  @Test func `what is not sure is not called lost`() throws {
    var run = Run()
    for (name, ours) in [("reads.a", [90.0, 110, 120]), ("reads.b", [90, 110, 121])] {
      run.results += [
        finding(name, "reference", "time", ours), finding(name, "lmdb", "time", [95, 105, 104]),
      ]
    }
    #expect(
      try #require(Rivalry(run: run).sentence)
        == "none of 2 comparisons of the reference engine with lmdb is surely lost, but 2 look "
        + "lost, though this run cannot be sure")
  }

  /// "None … is lost" was said of five comparisons none of which could be told.
  @Test func `what is not sure is not called won either`() throws {
    var run = Run()
    func add(_ name: String, _ ours: [Double]) {
      run.results += [
        finding(name, "reference", "time", ours), finding(name, "lmdb", "time", [95, 105, 104]),
      ]
    }
    add("reads.a", [90, 100, 120])
    let none = "none of 1 comparison of the reference engine with lmdb is surely lost, but "
    #expect(Rivalry(run: run).sentence == none + "1 cannot be told, though it does not look lost")
    add("reads.b", [90, 100, 121])
    let said = "2 cannot be told, though they do not look lost"
    for text in [SummaryMarkdown.text(run), TextTable.run(run), try head(run)] {
      let flat = text.replacing("\n", with: " ")
      #expect(flat.contains(said) && !flat.contains("is lost"), "\(text)")
    }
    add("reads.c", [90, 110, 120])
    #expect(
      try #require(Rivalry(run: run).sentence).hasSuffix(
        "is surely lost, but 1 looks lost, though this run cannot be sure, and " + said))
    add("reads.d", [900, 901, 902])
    #expect(
      try #require(Rivalry(run: run).sentence).hasPrefix(
        "1 of 4 comparisons of the reference engine with lmdb is surely lost, and 1 more looks"))
  }

  @Test func `a run with nothing to lose says so`() {
    var run = run
    run.results = run.results.filter { $0.benchmark.hasPrefix("reads.won") }
    #expect(
      Answer(run: run).sentence.contains(
        "none of 1 comparison of the reference engine with lmdb is lost"))
    #expect(Answer(run: run).sentence.hasPrefix("1 benchmark on 2 engines;"))
    // A loop in C is nothing that somebody would use instead.
    let name = run.results[0].benchmark
    run.results.append(finding(name, "c", "time", [1, 2, 3]))
    #expect(
      Answer(run: run).sentence.hasPrefix("1 benchmark on 2 engines, beside 1 yardstick (c);"))
  }

  @Test func `a single round has no interval, no third digit and tells nothing`() {
    var run = Run()
    run.results = [
      finding("reads.a", "reference", "time", [123.456]),
      finding("reads.a", "lmdb", "time", [61.7]),
    ]
    let loss = Rivalry(run: run).losses.first
    #expect(loss?.interval == nil && loss?.isTold == false)
    let answer = Answer(run: run).sentence
    #expect(
      answer.contains("1 round behind each number: no change could have been seen"), "\(answer)")
    for text in [RunReport(run).html, TextTable.run(run), SummaryMarkdown.text(run)] {
      let shown = text.components(separatedBy: "<script type=\"application/json\"")[0]
        .replacing(/<[^>]*>/, with: "")
      #expect(!shown.contains("123"), "a third digit")
      #expect(shown.contains("120 ns"))
    }
  }

  @Test func `what the run can see is said with its rounds`() throws {
    let seen = VisibleChange(run: run)
    let said = try #require(seen.sentence)
    #expect(
      said.hasPrefix(
        "8 rounds behind each number; against another run half of the benchmarks show"))
    // Eight rounds with a spread of 1.4 % are seen to 1.6 %; 3 % is what a reader cares about, and
    // so much further that four of five are seen: t(7) · s · √(2/8).
    let limit = try #require(seen.limits.first?.change)
    #expect(abs(limit - 0.0363) < 0.001, "\(limit)")
  }

  @Test(arguments: [
    (0.25, "25 %"), (1.5, "a factor of 2.5"), (64, "a factor of 65"),
    (3_919_892, "a factor of over 100"),
  ])
  func `a change that it sees is told in few digits`(change: Double, words: String) {
    #expect(VisibleChange.spelled(change) == words)
  }

  /// Of changes as large as it said, every second was told.
  @Test(arguments: [3, 5, 8, 12])
  func `of changes as small as a run can see four of five are told`(rounds: Int) throws {
    var lot = SeededGenerator(seed: UInt64(rounds))
    /// Normally distributed, by Box and Muller.
    func normal() -> Double {
      let length = (-2 * log(Double.random(in: 1e-12..<1, using: &lot))).squareRoot()
      return length * cos(2 * .pi * Double.random(in: 0..<1, using: &lot))
    }
    func times(_ change: Double) -> [Double] {
      (0..<rounds).map { _ in 100 * (1 + change) * exp(0.1 * normal()) }
    }
    var told = 0
    let tries = 400
    for _ in 0..<tries {
      var run = Run()
      run.results = [finding("reads.a", "reference", "time", times(0))]
      let limit = try #require(VisibleChange(run: run).limits.first?.change)
      let interval = try #require(Ratio.interval(times(limit), run.results[0].values[0].rounds))
      if interval.lowerBound > 1 { told += 1 }
    }
    // 0.8, without what may be chance.
    #expect((0.72...0.88).contains(Double(told) / Double(tries)), "\(told) of \(tries)")
  }

  @Test func `latencies that stand on fewer rounds than the time beside them are counted`() throws {
    var both = finding("reads.a", "reference", "time", [10, 11, 12])
    both.values += finding("reads.a", "reference", "p99", [90]).values
    var run = Run()
    run.results = [both]
    #expect(VisibleChange(run: run).spelledRounds == "1 to 3 rounds behind each number")
  }

  /// On a telephone the sentence above the cards said what they say, and the last of them fell off
  /// the first screen; what the machine hides stood far below.
  @Test func `cards say what was lost, felt and hidden, and the sentence above is short`() throws {
    var run = run
    run.environment.warnings = ["no counters", "a volatile disk", "steal", "much else"]
    let head = try head(run)
    let top = try #require(head.components(separatedBy: "<ul class=\"cards\">").first)
    #expect(
      top.contains(
        "8 rounds behind each number; against another run half of the benchmarks show"))
    #expect(!top.contains("comparisons") && !top.contains("reads.") && !top.contains("Linux"))
    let cards = try #require(head.components(separatedBy: "<ul class=\"cards\">").last)
    let hidden = try #require(cards.components(separatedBy: "What cannot be seen here").last)
    #expect(hidden.contains("changes below ") && hidden.contains("<li>a volatile disk</li>"))
    #expect(hidden.contains("<a href=\"#trust\">1 more</a>") && head.contains("id=\"trust\""))
    run.results = run.results.map { one in
      var one = one
      for place in one.values.indices { one.values[place].rounds = [1] }
      one.rounds = 1
      return one
    }
    #expect(try self.head(run).contains("Any change at all: a single round says nothing"))
  }

  @Test func `nothing is seen through what the run's own control drifted`() throws {
    var run = run
    run.control = RunControl(rows: [
      .init(benchmark: "floor.memory", engine: "c", metric: "time", first: [100], last: [110])
    ])
    // ln 1.1, half as much again: 15 %, and what the rounds alone would have shown on top of it.
    let limit = try #require(VisibleChange(run: run).limits.first?.change)
    #expect((0.175...0.185).contains(limit), "\(limit)")
  }

  /// "the worst only one of a factor of 36" stood first on a page, as if that were the machine.
  @Test func `what one odd control hides is said to be hidden by that`() throws {
    var run = Run()
    run.results = ["reads.a", "reads.b", "writes.c"].map {
      finding($0, "reference", "time", [100, 100.1, 100.2, 100.1])
    }
    run.control = RunControl(rows: [
      .init(benchmark: "floor.memory-sum", engine: "c", metric: "time", first: [10], last: [10.1]),
      .init(benchmark: "reads.a", engine: "reference", metric: "time", first: [10], last: [10.1]),
      .init(benchmark: "writes.c", engine: "reference", metric: "time", first: [10], last: [240]),
    ])
    let seen = VisibleChange(run: run)
    let (calm, worst) = try (#require(seen.limits.first), #require(seen.limits.last))
    #expect(calm.control == nil && calm.change < 0.05 && worst.benchmark == "writes.c")
    let why = "its control writes.c (reference) drifted by a factor of 24"
    #expect(worst.control == why, "\(worst)")
    for said in [seen.brief, seen.sentence, seen.hidden] {
      #expect(said?.contains(why) == true, "\(said ?? "")")
    }
    // Where the rounds themselves hide it there is nobody to name.
    run.control?.rows.removeLast()
    #expect(VisibleChange(run: run).limits.allSatisfy { $0.control == nil })
  }

  @Test func `of two that measure the same beginning the whole one speaks`() throws {
    let (old, heir) = try #require(Successors.all.first { $0.key == "frozen.thaw" })
    var run = Run()
    for (name, ours) in [(old, 10.0), (heir, 90)] {
      run.results += [
        finding("\(name)/rows=10", "reference", "time", [ours, ours * 1.01, ours * 1.02]),
        finding("\(name)/rows=10", "lmdb", "time", [30, 30.1, 30.2]),
      ]
    }
    let screen = Rivalry(run: run)
    #expect(screen.wins.isEmpty && screen.losses.map(\.benchmark) == ["\(heir)/rows=10"])
    let html = RunReport(run).html
    #expect(html.contains("Ends before the first use is paid for; the whole: <a href=\"#\(heir)/"))
  }

  @Test func `a single round is told in two digits`() throws {
    var run = Run()
    run.results = [
      finding("reads.x/rows=10", "reference", "time", [173.4]),
      finding("reads.x/rows=10", "lmdb", "time", [100]),
      finding("reads.y/rows=10", "reference", "time", [100]),
      finding("reads.y/rows=10", "lmdb", "time", [421.3]),
    ]
    let screen = Rivalry(run: run)
    #expect(screen.losses.map(\.told) == ["1.7×"] && screen.losses.map(\.rounds) == [1])
    #expect(screen.wins.map(\.toldTurned) == ["4.2×"])
    #expect(screen.losses.map(\.lackOfInterval) == ["one round"])
  }

  // The largest losses of a contended writer were none: no round had a thousand operations.
  @Test func `a tail that only all rounds together have is compared, and not sure`() throws {
    func contended(_ engine: String, slow: UInt64, of count: Int) -> Finding {
      let histogram = Histogram()
      for place in 0..<count { histogram.record(place % 50 == 0 ? slow : 1000) }
      var found = finding("writes.x/rows=10", engine, "time", [1000, 1001, 1002])
      (found.histogram, found.rounds) = (histogram.encoded, 3)
      return found
    }
    var run = Run()
    run.results = [
      contended("reference", slow: 600_000, of: 2000), contended("lmdb", slow: 100_000, of: 2000),
      contended("sqlite", slow: 100_000, of: 400),
    ]
    let tails = Rivalry(run: run).matches.filter { $0.metric == "p99" }
    let only = try #require(tails.first)
    #expect(tails.count == 1 && only.peer == "lmdb" && only.rounds == 3 && !only.isTold)
    #expect(abs(only.ratio - 6) < 0.5 && only.lackOfInterval == "all rounds as one")
  }

  @Test func `a chart's table has two digits of a single round, and no interval`() throws {
    var run = Run()
    for (group, time) in [(1, 853_600.0), (100, 12_340.0)] {
      run.results.append(finding("async.commit/group=\(group)/rows=1", "reference", "time", [time]))
    }
    let html = try #require(GroupingSection(run: run).section?.html)
    #expect(html.contains(">850 µs<") && html.contains(">12 µs<"), "\(html)")
    #expect(!html.contains("854 µs") && !html.contains("853.6") && !html.contains("12.3 µs"))
  }

  @Test func `the main loop is judged by its worst, beside the idle one of the same size`() throws {
    var run = Run()
    func add(_ mode: String, _ size: String, _ engine: String, _ stalls: [Double], frames: Double) {
      var one = finding(
        "writes.stall/megabytes=4/mode=\(mode)/transaction=\(size)", engine, "stall", stalls)
      one.values.append(
        .init(
          metric: "dropped60", value: frames, low: frames, high: frames, confidence: 0.9,
          rounds: [frames], samples: 1))
      run.results.append(one)
    }
    add("writeAsync", "64K", "reference", [1.1e6, 1.2e6, 1.3e6], frames: 0)
    add("writeAsync", "16M", "reference", [28e6, 29e6, 31e6], frames: 13)
    add("sync", "64K", "reference", [2e6, 2e6, 2e6], frames: 0)
    add("idle", "64K", "null", [1.05e6, 1.05e6, 1.05e6], frames: 0)
    add("idle", "16M", "null", [1.1e6, 1.1e6, 1.1e6], frames: 0)
    let worst = try #require(StallSection(run: run).worst)
    #expect(
      worst
        == "The loop stood still for 31 ms at most: writeAsync, writes of 16 MiB each, 13 frames "
        + "late at 60 Hz; the same loop with nothing to do: 1.10 ms. Writes of 64 KiB and 16 MiB "
        + "were measured, no others.")
    #expect(try head(run).contains(Markup.escape(worst)))
    // The frames of that very round, not of most rounds.
    let last = try #require(run.results.firstIndex { $0.benchmark.contains("writeAsync/tr") })
    run.results[last].values[1].rounds = [29, 0, 1]
    run.results[last].values[0].rounds = [40e6, 1e6, 2e6]
    let burst = try #require(StallSection(run: run).worst)
    #expect(burst.contains("for 40 ms at most: ") && burst.contains("29 frames late"), "\(burst)")
    run.results[last].values[0].rounds = [1.1e6, 1.2e6, 1.3e6]
    // Whatever watched a loop counts, not only what is about nothing else.
    run.results.append(
      finding("macro.import/observers=3/rows=1000000", "reference", "stall", [40e6, 44e6, 42e6]))
    let import3 = try #require(StallSection(run: run).worst)
    #expect(
      import3
        == "The loop stood still for 44 ms at most: macro.import/observers=3/rows=1000000; the "
        + "same loop with nothing to do: 1.10 ms. A write alone: 31 ms at most, writeAsync, "
        + "writes of 16 MiB each. Writes of 64 KiB and 16 MiB were measured, no others.")
    #expect(StallSection(run: run).section?.html.contains("macro.import/observers=3") == true)
    run.results.removeLast()
    // Each size is a sentence of its own, the worst way in front.
    let said = StallSection(run: run).findings
    #expect(said.count == 2 && said[0].contains("of 64K") && said[0].contains("most sync 2 ms"))
    // What a budget left out may be worse than all that was measured.
    run.leftOut = [
      LeftOut(
        benchmark: "writes.stall/megabytes=4/mode=sync/transaction=16M", engine: "reference",
        reason: "no time"),
      LeftOut(
        benchmark: "writes.stall/megabytes=4/mode=idle/transaction=16M", engine: "null",
        reason: "no time"),
    ]
    let part = try #require(StallSection(run: run).told)
    #expect(part.hasPrefix("What writes cost the main loop, as far as it was measured: "))
    #expect(part.hasSuffix(" Not measured, as the time did not hold it: sync, 16 MiB."), "\(part)")
    // Nor is it the most of its size.
    let bySize = StallSection(run: run).findings
    #expect(
      try #require(bySize.first { $0.contains("of 16M") })
        .hasSuffix("; not measured, as the time did not hold it: sync."), "\(bySize)")
    #expect(bySize.allSatisfy { $0.contains("not measured") == $0.contains("of 16M") })
    run.leftOut = nil
    // A first impression writes little at a time, and what it found was no worst case of all.
    run.results.removeAll { $0.benchmark.contains("16M") }
    let little = try #require(StallSection(run: run).worst)
    #expect(little.contains("sync, writes of 64 KiB each, other sizes were not measured"))
  }

  /// The worst that a run could not see was named of a loop in C, which is a yardstick.
  @Test func `what was hidden is told of engines, not of yardsticks`() throws {
    var run = run
    run.results += [
      finding("writes.stall/mode=disk", "c", "stall", [1, 9, 80]),
      finding("writes.stall/mode=idle", "null", "stall", [1, 9, 80]),
    ]
    let seen = VisibleChange(run: run)
    #expect(seen.limits.allSatisfy { $0.change < 0.1 }, "\(seen.limits)")
    run.results = run.results.filter { $0.engine == "c" }
    #expect(try #require(VisibleChange(run: run).limits.last).change > 1, "all there is")
  }

  /// Columns without a number pushed flushes off a wide screen, and a page fault that waited for a
  /// disk stood on no page.
  @Test func `what an operation uses has no empty column, and says what is zero and uncounted`()
    throws
  {
    var run = Run()
    run.results = [
      finding("reads.a", "reference", "allocations", [2, 2, 2]),
      finding("reads.b", "reference", "pageins", [0.5, 0.5, 0.5]),
      finding("reads.b", "lmdb", "fetched", [0, 0, 0]),
    ]
    let html = try #require(ResourcesSection(run: run).section?.html)
    let heads = html.matches(of: /<th scope="col"[^>]*>([^<]*)/).map { String($0.1) }
    #expect(heads == ["benchmark", "engine", "allocations", "pageins"])
    #expect(html.contains("Per operation, counted 3 times in processes of their own"))
    #expect(SummaryMarkdown.text(run).contains("Counts were taken 3 times,"))
    #expect(html.contains("Zero for every benchmark: fetched."))
    #expect(html.contains("Not counted in this run: allocated, instructions,"))
    #expect(html.contains("class=\"stack\""), "a telephone shows it row by row")
  }

  @Test func `titles of charts and names in cards end lines between parameters`() throws {
    let page = RunReport(Fixture.run).html
    #expect(page.contains("<figcaption>reads.by-primary-key/<wbr>rows=1000000"))
    #expect(page.contains("<span class=\"nowrap\">\(Fixture.run.started)</span>"))
  }

  @Test func `held versions by what was changed are two sentences`() {
    var run = Run()
    for change in ["1", "1%"] {
      for held in [0, 100] {
        run.results.append(
          finding(
            "frozen.growth/change=\(change)/held=\(held)/rows=10", "reference", "growth",
            [change == "1" ? 4096 : 409_600]))
      }
    }
    let said = GrowthSection(run: run).findings
    #expect(said.count == 2)
    #expect(said[0].contains("(change=1 rows=10): reference 4 KiB"), "\(said)")
    #expect(said[1].contains("(change=1% rows=10): reference 400 KiB"), "\(said)")
  }

  @Test func `a repeat command repeats what was run`() {
    var run = run
    run.asked.quick = true
    run.asked.rounds = 3
    run.results[0].rounds = 3
    #expect(
      run.reproduction(of: run.results[0])
        == "realm-bench run --filter 'reads.won/rows=10' --engine reference --quick --rounds 3 "
        + "--seed 7"
    )
    run.asked.quick = false
    #expect(!run.reproduction(of: run.results[0]).contains("--quick"))
    run.results[0].benchmark = "reads.it's"
    #expect(run.reproduction(of: run.results[0]).contains(#"--filter 'reads.it'\''s'"#))
    // As many rounds as it had, and the build that it was measured with.
    run.results[0].rounds = 11
    run.asked.command = "realm-bench run --engine-at 'reference=/a b/tool' --engine-at realm=/r"
    #expect(run.reproduction(of: run.results[0]).contains("--rounds 11"))
    #expect(
      run.reproduction(of: run.results[0]).contains("--engine-at 'reference=/a b/tool' --seed"))
    run.results[0].engine = "realm"
    #expect(run.reproduction(of: run.results[0]).contains("--engine-at realm=/r --seed"))
    run.asked.command = "realm-bench run --engine-at=realm=/r"
    #expect(run.reproduction(of: run.results[0]).contains("--engine-at realm=/r --seed"))
    run.asked.command = "realm-bench run '--engine-at=realm=/a b/tool'"
    #expect(run.reproduction(of: run.results[0]).contains("--engine-at 'realm=/a b/tool' --seed"))
    // And rounds as long as those were.
    run.asked.roundSeconds = 0.0125
    #expect(run.reproduction(of: run.results[0]).contains("--rounds 11 --round-length 12.5ms "))
    run.asked.roundSeconds = 0.25
    #expect(!run.reproduction(of: run.results[0]).contains("--round-length"))
  }
}

/// The interval of a ratio of two engines, whose rounds are not paired.
struct RatioTests {
  @Test func `few rounds give Welch's interval, more that of ranks`() throws {
    // SciPy: ttest_ind(log a, log b, equal_var=False).confidence_interval(0.95).
    let welch = try #require(Ratio.interval([10, 11], [20, 22, 21]))
    #expect(abs(welch.lowerBound - 0.3759) < 0.0005, "\(welch)")
    #expect(abs(welch.upperBound - 0.6645) < 0.0005, "\(welch)")
    // Four and four: only the whole range of the differences is sure enough, by 1 − 2/70.
    let ranks = try #require(Ratio.interval([1, 2, 3, 4], [10, 20, 30, 40]))
    #expect(abs(ranks.lowerBound - 1.0 / 40) < 1e-9 && abs(ranks.upperBound - 4.0 / 10) < 1e-9)
    #expect(Ratio.interval([1], [2, 3]) == nil)
    #expect(Ratio.interval([1, 0], [2, 3]) == nil)
  }

  @Test(arguments: [2, 3, 5, 8, 12])
  func `they hold the truth in 95 of 100 cases`(rounds: Int) {
    var generator = SeededGenerator(seed: UInt64(rounds))
    func draw(_ middle: Double) -> [Double] {
      (0..<rounds).map { _ in
        // The sum of twelve is close to normal, with a deviation of one.
        let normal = (0..<12).reduce(-6.0) { sum, _ in sum + generator.unit() }
        return middle * exp(0.05 * normal)
      }
    }
    let trials = 1500
    let held = (0..<trials).count { _ in
      Ratio.interval(draw(30), draw(10))?.contains(3) ?? false
    }
    #expect(Double(held) / Double(trials) > 0.935, "\(held) of \(trials)")
  }
}
