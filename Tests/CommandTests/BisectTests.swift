import Foundation
import Testing

/// `bisect` over a repository whose commits are made for it: each holds a script that stands for
/// this program, slowed down from some commit on.
struct BisectTests {
  private let folder: URL

  init() throws {
    folder = try Tool.scratch()
    try git("init", "--quiet", "--initial-branch", "main")
  }

  private func git(_ words: String...) throws {
    let identity = [
      "-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c",
      "commit.gpgsign=false",
    ]
    let result = try Tool.run(
      ["git", "-C", folder.path] + identity + words,
      executable: URL(fileURLWithPath: "/usr/bin/env"))
    #expect(result.code == 0, "git \(words): \(result.err)")
  }

  /// Commits a build; `extra` is what each of its rounds is told besides.
  private func commit(_ subject: String, extra: String = "", builds: Bool = true) throws {
    let script = """
      #!/bin/sh
      # \(subject)
      if [ "$1" = measure ]; then shift; exec '\(Tool.executable.path)' measure "$@" \(extra); fi
      exec '\(Tool.executable.path)' "$@"
      """
    try script.write(
      to: folder.appendingPathComponent("tool"), atomically: true, encoding: .utf8)
    try (builds ? "" : "error: no such thing\n").write(
      to: folder.appendingPathComponent("faults"), atomically: true, encoding: .utf8)
    try git("add", ".")
    try git("commit", "--quiet", "-m", subject)
    try git("tag", subject)
  }

  private static let build = "cat faults; ! [ -s faults ] && cp tool built && chmod +x built"

  private func bisect(_ words: String...) throws -> Tool.Result {
    try Tool.run(command(words), in: folder, within: 900)
  }

  private func command(_ words: [String], build: String = BisectTests.build) -> [String] {
    [
      "bisect", "--filter", "floor.null", "--engine", "null", "--quick", "--round-length",
      "10ms", "--build", build, "--product", "built", "--repository", folder.path,
      "--out",
      folder.appendingPathComponent("sessions").path,
    ] + words
  }

  private var trees: [Substring] {
    get throws {
      try Tool.run(
        ["git", "-C", folder.path, "worktree", "list"],
        executable: URL(fileURLWithPath: "/usr/bin/env")
      ).out.split(separator: "\n")
    }
  }

  @Test func `finds the commit that is slower, past one that does not build`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try commit("good")
    try commit("harmless")
    try commit("broken", builds: false)
    try commit("slower", extra: "--handicap time=3")
    try commit("later", extra: "--handicap time=3")
    let found = try bisect("good", "later")
    #expect(found.code == 3, "\(found.err)")
    #expect(found.out.hasPrefix("floor.null (null), time +"), "\(found.out)")
    #expect(found.out.contains("one of 2") && found.out.contains(" slower\n"), "\(found.out)")
    #expect(found.out.contains(" broken\n") && !found.out.contains("harmless"), "\(found.out)")
    #expect(found.err.contains("does not build: error: no such thing"), "\(found.err)")
    let trees = try trees
    #expect(trees.count == 1, "a work tree is left: \(trees)")
  }

  // The search                    The one at the keyboard
  // knows that "later" is worse
  // builds "middle"
  //                               presses Ctrl-C
  // ends the build, says what it knows, ends with 6
  /// It ended with the build, an hour later perhaps, and without a word.
  @Test func `says what it knows when it is interrupted, and how to go on`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try commit("good")
    try commit("middle")
    try commit("later", extra: "--handicap time=3")
    let began = folder.appendingPathComponent("began").path
    let tool = try RunningTool(
      command(
        ["good", "later"],
        build: "grep -q middle tool && touch '\(began)' && sleep 600; cp tool built && "
          + "chmod +x built"), in: folder, within: 900)
    #expect(tool.runs { FileManager.default.fileExists(atPath: began) })
    tool.signal(SIGINT)
    let found = try tool.end()
    #expect(found.code == 6, "\(found.err)")
    #expect(found.out.contains("one of 2, which were not told apart when the search was inter"))
    #expect(found.out.contains(" middle\n") && found.out.contains(" later\n"), "\(found.out)")
    #expect(
      found.out.contains(#/\nto go on: realm-bench bisect [0-9a-f]{10} [0-9a-f]{10}, with /#),
      "\(found.out)")
    let trees = try trees
    #expect(trees.count == 1, "a work tree is left: \(trees)")
  }

  @Test func `keeps its time, builds too, and says what it had none for`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try commit("good")
    try commit("slower", extra: "--handicap time=3")
    try commit("later", extra: "--handicap time=3")
    let plan = try bisect("good", "later", "--budget", "90s", "--dry-run")
    #expect(plan.code == 0 && plan.out.contains("all of it within 90 s, builds too\n"), "\(plan)")
    let long = try Tool.run(
      [
        "bisect", "good", "later", "--filter", "floor.null", "--engine", "null", "--budget", "2s",
        "--build", "sleep 600", "--repository", folder.path,
      ], in: folder)
    #expect(long.code == 1 && long.err.contains("--budget 2 s was over before"), "\(long.err)")
    let small = try bisect("good", "later", "--budget", "3s")
    #expect(small.code == 1 && small.err.contains("is too small to judge any"), "\(small.err)")
    #expect(
      small.err.contains(
        #/--budget 3 s leaves [12] s for each of \d+ sessions, builds taken off/#),
      "\(small.err)")
  }

  @Test(arguments: [
    (["none", "good"], "'none' is no commit of"),
    (["--", "--help", "good"], "'--help' is no commit"),
    (["later", "good"], "does not come before"), (["good", "good"], "does not come before"),
  ])
  func `wants two commits, the good one first`(words: [String], sentence: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try commit("good")
    try commit("later")
    let refused = try Tool.run(
      ["bisect", "--filter", "floor.null", "--repository", folder.path] + words, in: folder)
    #expect(refused.code != 0 && refused.err.contains(sentence), "\(refused.err)")
    #expect(refused.err.split(separator: "\n").count == 1, "\(refused.err)")
  }

  @Test func `says where there is nothing to look for commits in`() throws {
    let empty = try Tool.scratch()
    defer { for one in [folder, empty] { try? FileManager.default.removeItem(at: one) } }
    let refused = try Tool.run(["bisect", "a", "b", "--repository", empty.path], in: empty)
    #expect(refused.code == 5 && refused.err.contains("not a git repository"), "\(refused.err)")
  }
}
