import Foundation
import Testing

@Suite struct `The command line` {
  @Test func `says its version in one line`() throws {
    let result = try Tool.run(["--version"])
    #expect(result.code == 0)
    #expect(result.out.hasPrefix("realm-bench "))
    #expect(result.out.contains("build\n"))
    #expect(result.out.split(separator: "\n").count == 1)
  }

  @Test func `lists its verbs and exit codes in help`() throws {
    let result = try Tool.run(["--help"])
    #expect(result.code == 0)
    for word in ["completions", "exit codes", "--version"] { #expect(result.out.contains(word)) }
  }

  @Test func `without a verb, helps on stderr and ends with 1`() throws {
    let result = try Tool.run([])
    #expect(result.code == 1)
    #expect(result.out.isEmpty)
    #expect(result.err.contains("usage: realm-bench"))
  }

  @Test(arguments: [
    (["complections", "bash"], "unknown verb 'complections'; did you mean 'completions'?"),
    (["--versoin"], "unknown option '--versoin'; did you mean '--version'?"),
    (["completions", "bash", "--hlep"], "unknown option '--hlep' for 'completions'"),
    (["list", "--realm-core"], "--realm-core wants the path of a realm-core library"),
    (["completions"], "'completions' was given 0 operands, expected 1"),
    (["completions", "bsh"], "unknown shell 'bsh'; did you mean 'bash'?"),
    (["completions", "a", "b"], "'completions' was given 2 operands (a, b), expected 1"),
    (["repro", "WRITE-01", "--amount", "-1"], "--amount '-1': expected a whole number from 0"),
    (["repro", "WRITE-01", "--amount", "3x"], "--amount '3x': expected a whole number from 0"),
    (["repro", "WRITE-01", "--patience", "long"], "--patience 'long': expected a time"),
    (
      ["repro", "WRITE-01", "--scenario", "two-writers", "--patience", "1s"],
      "--patience is of a rule's probes"
    ),
    (["repro", "WRITE-01", "--amount", "3"], "--amount is how much of a --scenario"),
    (
      ["repro", "WRITE-01", "--scenario", "two-writers", "--schedule", "%%%"],
      "--schedule: '%%%' is nothing that a failure of two-writers prints"
    ),
    (
      ["repro", "WRITE-01", "--scenario", "history-of-threads", "--schedule", "AB"],
      "--schedule: nothing of history-of-threads is replayed by a text"
    ),
    (["repro", "DATA-01", "--schedule", "AB"], "--schedule: no exploration is about DATA-01"),
    (
      ["conformance", "--filter", "READ-01", "--explore", "99999999999"],
      "--explore '99999999999': expected a whole number from 0 to 100000000"
    ),
    (
      ["calibrate", "--sessions", "0", "--handicapped", "0", "--dry-run"],
      "--sessions 0 and --handicapped 0: expected a session of either kind"
    ),
    (
      ["repro", "WRITE-01", "--schedule", ""],
      "--schedule '': expected what the failure printed behind its own --schedule"
    ),
    (["run", "--threads", "2,2", "--dry-run"], "--threads '2,2': expected numbers that differ"),
    (["run", "--threads", "-1", "--dry-run"], "--threads '-1': expected numbers from 1 to 1024"),
    (
      ["conformance", "--filter", "READ-01", "--timeout", "0.5ms"],
      "--timeout '0.5ms': expected a time such as 90s, 5m or 250ms, from 1ms to a year"
    ),
    (["run", "--budget", "nan", "--dry-run"], "--budget 'nan': expected a time"),
    (["run", "--budget", "-5m", "--dry-run"], "--budget '-5m': expected a time"),
    (["run", "--out=", "--dry-run"], "--out is empty, expected a directory"),
    (["run", "--workdir", "", "--dry-run"], "--workdir is empty, expected a directory"),
  ])
  func `answers a mistake with one sentence and exit code 1`(
    words: [String], sentence: String
  ) throws {
    let result = try Tool.run(words)
    #expect(result.code == 1)
    #expect(result.out.isEmpty)
    #expect(result.err.hasPrefix("realm-bench: \(sentence)"), "\(result.err)")
    #expect(result.err.split(separator: "\n").count == 1)
  }

  /// Kubernetes gives the index alone: every machine measured everything, and nobody knew.
  @Test(arguments: [
    ("JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"),
    ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT"),
  ])
  func `half of a shard in the environment is none`(index: String, count: String) throws {
    let plan = ["run", "--dry-run", "--filter", "floor.*"]
    let half = try Tool.run(plan, environment: [index: "1"])
    #expect(half.code == 1 && half.out.isEmpty)
    #expect(
      half.err == "realm-bench: \(index)=1 in the environment without \(count): expected both, or "
        + "--shard I/N (--shard 1/1 for everything)\n")
    let asked = try Tool.run(plan + ["--shard", "1/1"], environment: [index: "1"])
    #expect(asked.code == 0, "\(asked.err)")
    let whole = try Tool.run(plan, environment: [index: "1", count: "2"])
    #expect(whole.code == 0 && whole.out.count < asked.out.count, "\(whole.err)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `prints completions`(shell: String) throws {
    let result = try Tool.run(["completions", shell])
    #expect(result.code == 0)
    #expect(result.out.contains("realm-bench"))
  }
}
