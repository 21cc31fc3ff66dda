import Foundation
import Testing

/// What exploration finds can be shown again by whoever reads the line it printed.
@Suite struct `Exploration` {
  private func line(_ name: String, in text: String) -> String? {
    text.split(separator: "\n").last { $0.hasPrefix("  \(name)") }
      .map { $0.dropFirst(12).trimmingCharacters(in: .whitespaces) }
  }

  @Test func `finds a planted race, and repro shows it again`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let found = try Tool.run(
      [
        "conformance", "--filter", "ASYNC-52", "--explore", "0", "--mutant",
        "forgets-while-it-fetches",
      ], in: folder)
    #expect(found.code == 4)
    let observed = try #require(line("observed", in: found.out))
    let again = try #require(line("again", in: found.out))
    #expect(observed.hasPrefix("deadlock: home"))
    let words = again.split(separator: " ").dropFirst().map(String.init)
    for _ in 0..<3 {
      let replayed = try Tool.run(words, in: folder)
      #expect(replayed.code == 4)
      #expect(line("observed", in: replayed.out) == observed)
      #expect(line("story", in: replayed.out) == line("story", in: found.out))
    }
  }

  @Test(arguments: [
    "history-of-processes", "killed-programs", "crash-of-groups", "model-of-versions",
    "model-of-news", "killed-writers", "held-versions", "full-disk",
  ])
  func `holds for a little of each kind`(scenario: String) throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let rule = [
      "history-of-processes": "WRITE-02", "killed-programs": "WRITE-24",
      "model-of-versions": "READ-05", "model-of-news": "NOTIFY-07",
    ]
    let found = try Tool.run(
      ["repro", rule[scenario] ?? "ASYNC-44", "--scenario", scenario, "--amount", "5"], in: folder)
    #expect(found.code == 0, "\(found.out)\(found.err)")
    #expect(found.out.contains("nothing broken"))
  }

  @Test(arguments: [
    "two-writers", "writer-and-reader", "grouped-commits", "invalidate-and-flush", "autorefresh",
  ])
  func `holds under all schedules with two preemptions, and under some beyond`(scenario: String)
    throws
  {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    // Ten seconds at rest, but a turn of threads for each of the many steps: as long as it takes.
    let found = try Tool.run(
      ["repro", "WRITE-01", "--scenario", scenario, "--amount", "10", "--timeout", "1h"],
      in: folder, within: 3600)
    #expect(found.code == 0, "\(found.out)\(found.err)")
    #expect(found.out.contains("schedules: all "), "\(found.out)")
  }

  /// In a process of their own: the other tests block threads that the programs' actors wait for.
  ///
  /// `PROGRAMS=10000` for the long run, `SEED` for another beginning.
  @Test func `ASYNC-52: random programs end, and leave what they were asked for`() throws {
    let environment = ProcessInfo.processInfo.environment
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let found = try Tool.run(
      [
        "repro", "ASYNC-52", "--scenario", "async-programs",
        "--amount", environment["PROGRAMS"] ?? "25", "--seed", environment["SEED"] ?? "20261121",
      ], in: folder, within: 3600)
    print(found.out)
    #expect(found.code == 0, "\(found.out)\(found.err)")
    #expect(found.out.contains("holds   \(environment["PROGRAMS"] ?? "25") programs"))
  }

  /// What broke: a write by a realm that was put away counted as news to the one that was opened
  /// after it.
  @Test func `A session that is opened again while its old one still writes goes on, not back`()
    throws
  {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let found = try Tool.run(
      [
        "repro", "ASYNC-52", "--scenario", "async-programs", "--schedule", "4b4c4x4c4c3l4r",
        "--amount", "40",
      ], in: folder)
    #expect(found.code == 0, "\(found.out)\(found.err)")
  }

  @Test func `sees two writers at once in a history`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let found = try Tool.run(
      [
        "repro", "WRITE-01", "--scenario", "history-of-threads", "--mutant", "lets-two-writers-in",
      ], in: folder)
    #expect(found.code == 4, "\(found.out)")
  }

  @Test func `says what it does not know`() throws {
    let one = try Tool.run(["repro", "READ-05", "--schedule", "ph000000sh000100"])
    #expect(one.code == 0 && one.out.contains("READ-05    holds"), "\(one.out)\(one.err)")
    let unknown = try Tool.run(["repro", "WRITE-01", "--scenario", "two-writer"])
    #expect(unknown.code == 1)
    #expect(unknown.err.contains("did you mean 'two-writers'?"))
    let several = try Tool.run(["repro", "WRITE-01", "--schedule", "AB"])
    #expect(several.code == 1)
    #expect(several.err.contains("two-writers"))
  }
}
