import Testing

@testable import Evidence

struct RunMergeTests {
  private func run(_ shard: String, _ machine: String, _ results: [(String, String)]) -> Run {
    var run = Run()
    run.id = "run \(shard)"
    run.state = .finished
    run.asked.shard = shard
    run.environment.machineID = machine
    run.results = results.map { Finding(benchmark: $0.0, engine: $0.1) }
    return run
  }

  @Test func `a merge says which shards are missing`() {
    let merged = RunMerge.merged([
      run("1/4", "m", [("a", "x")]), run("3/4", "m", [("b", "x")]),
    ])
    #expect(merged.missingShards == ["2/4", "4/4"])
    #expect(merged.results.map(\.benchmark) == ["a", "b"])
    let whole = RunMerge.merged([run("2/2", "m", [("b", "x")]), run("1/2", "m", [("a", "x")])])
    #expect(whole.missingShards == nil && whole.crossings == nil)
    // A single shard is not the whole, either; a run that is none misses nothing.
    #expect(RunMerge.merged([run("1/3", "m", [])]).missingShards == ["2/3", "3/3"])
    #expect(RunMerge.merged([run("", "m", []), run("", "n", [])]).missingShards == nil)
  }

  @Test func `a merge says what is compared over machines`() {
    let merged = RunMerge.merged([
      run("", "m", [("a/rows=1", "x"), ("c/threads=1", "x"), ("d", "x")]),
      run("", "n", [("a/rows=1", "y"), ("c/threads=2", "x"), ("e", "x")]),
    ])
    #expect(
      merged.crossings == [
        "a/rows=1: x on m, y on n", "c: its parameters were measured in several places",
      ])
    #expect(merged.results.first { $0.benchmark == "e" }?.machine == "n")
    // The text and the first screen list the crossings: a warning said the same twice.
    #expect(merged.environment.warnings.isEmpty, "\(merged.environment.warnings)")
    let alone = RunMerge.merged([run("", "m", [("a", "x")]), run("", "m", [("a", "y")])])
    #expect(alone.crossings == nil && alone.results.allSatisfy { $0.machine == nil })
  }

  /// Runs of two commits made one page, on which the one's engine was 45 times as dear as the peer
  /// of the other.
  @Test func `a merge says what is compared over commits`() {
    var (one, other) = (run("", "m", [("a", "x")]), run("", "m", [("a", "y"), ("b", "x")]))
    (one.environment.commit, other.environment.commit) = ("ea592ce31cce", "8c5e956e9b04")
    let merged = RunMerge.merged([one, other])
    #expect(merged.crossings == ["a: x on m at ea592ce31cce, y on m at 8c5e956e9b04"])
    #expect(
      merged.results.map(\.machine) == ["m at ea592ce31cce"]
        + Array(repeating: "m at 8c5e956e9b04", count: 2))
  }

  @Test func `what shards left out is left out of the whole, and an unfinished one shows`() {
    var half = run("1/2", "m", [("a", "x")])
    half.leftOut = [LeftOut(benchmark: "z", engine: "x", reason: "no time")]
    half.state = .interrupted
    let merged = RunMerge.merged([run("2/2", "m", []), half])
    #expect(merged.leftOut?.map(\.benchmark) == ["z"] && merged.state == .interrupted)
  }

  /// The whole had the id of its first part, and its page the command that measured that alone.
  @Test func `a merge has an id of its own, and the command of the whole`() {
    func part(_ index: Int, _ more: String = "") -> Run {
      var part = run("\(index)/3", "m", [("a\(index)", "x")])
      part.id = "p\(index)"
      part.asked.command =
        "realm-bench run --filter 'a b*' --shard \(index)/3 --quick --out=p\(index)\(more)"
      return part
    }
    let whole = RunMerge.merged((1...3).map { part($0) })
    #expect(whole.id == "p1+p2+p3" && RunMerge.parts(of: whole.id) == ["p1", "p2", "p3"])
    #expect(whole.asked.command == "realm-bench run --filter 'a b*' --quick")
    // Of runs that asked for different things all are named.
    let others = [part(1, " --seed 1"), part(2, " --seed 2")]
    #expect(
      RunMerge.merged(others).asked.command
        == others.map(\.asked.command).joined(separator: " && "))
    let alone = RunMerge.merged([part(1)])
    #expect(alone.id == "p1" && alone.asked.command == part(1).asked.command)
    let many = RunMerge.merged((1...20).map { part($0) }).id
    #expect(many == "p1+p2+p3+p4+p5+p6+p7+13 more" && RunMerge.parts(of: many).isEmpty)
    #expect(RunMerge.parts(of: "p1").isEmpty)
  }

  @Test func `what several runs measured is said to count once`() {
    let merged = RunMerge.merged([
      run("", "m", [("a", "x"), ("b", "x")]),
      run("", "m", [("a", "x"), ("a", "y"), ("b", "x")]),
    ])
    #expect(merged.results.count == 3)
    #expect(
      merged.environment.warnings == [
        "of what several of these runs measured the first counts, and the others are left out: "
          + "a (x), b (x)"
      ])
  }
}
