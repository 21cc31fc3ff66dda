import Foundation
import Testing

/// `ab` as a script uses it: by its exit code.
struct DuelVerbTests {
  /// Both ended with 0: nothing was measured, so nothing was worse.
  @Test(arguments: ["base", "candidate"])
  func `a side that yields nothing ends with 5 and leaves what it said`(side: String) throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let other = side == "base" ? "candidate" : "base"
    let result = try Tool.run(
      [
        "ab", "--\(side)", "/bin/true", "--\(other)", Tool.executable.path, "--filter",
        "floor.null", "--engine", "null", "--out", "out",
      ], in: folder)
    #expect(result.code == 5)
    #expect(
      result.err.contains("the \(side) /bin/true yields nothing to compare"), "\(result.err)")
    #expect(result.err.contains("floor.null (null): the child said nothing"), "\(result.err)")
    #expect(result.err.split(separator: "\n").count == 1, "\(result.err)")
    // Nothing told afterwards what it had said.
    let out = folder.appendingPathComponent("out")
    #expect(result.err.contains("; what it said is kept in "), "\(result.err)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"],
      "an empty .realm-bench was left")
    for file in ["run.json", "samples.csv", "report.html", "summary.md"] {
      let text = try String(contentsOf: out.appendingPathComponent(file), encoding: .utf8)
      #expect(text.contains("the child said nothing"), "\(file)")
      // Another program's version was taken for a commit.
      #expect(!text.contains("GNU coreutil"), "\(file)")
    }
    let again = try Tool.run(["report", out.path], in: folder)
    #expect(again.code == 0, "\(again.err)")
  }

  @Test(arguments: [
    (["--resolution", "0%"], "--resolution '0%': expected a share from 0.1% to 1000%"),
    (["--blind", "many"], "--blind 'many': expected a share from 0% to 100%, such as 5% or 0.05"),
    (["--blind", "nan"], "--blind 'nan': expected a share"),
    (["--resolution", "inf"], "--resolution 'inf': expected a share"),
    // It was taken for 500 %, and nothing could get worse.
    (
      ["--resolution", "5"],
      "--resolution '5' is more than the whole and has no sign: expected 5% or 0.05, or 500% if so "
        + "much is meant\n"
    ),
    (
      ["--blind", "25"],
      "--blind '25' is more than the whole and has no sign: expected 25% or 0.25\n"
    ),
  ])
  func `what may be hidden is a share`(words: [String], sentence: String) throws {
    let result = try Tool.run(["ab", "--base", Tool.executable.path, "--dry-run"] + words)
    #expect(result.code == 1)
    #expect(result.err.contains(sentence), "\(result.err)")
  }

  @Test(arguments: ["5%", "0.05", "1", "500%", "1000%"])
  func `a share beyond the whole has its sign, and others have their choice`(share: String) throws {
    let result = try Tool.run(
      [
        "ab", "--base", Tool.executable.path, "--dry-run", "--filter", "floor.null", "--engine",
        "null", "--resolution", share,
      ])
    #expect(result.code == 0, "\(result.err)")
  }

  @Test func `a busy process works until nobody holds it`() throws {
    // Its stdin is nobody's from the start.
    let result = try Tool.run(["busy"])
    #expect(result.code == 0 && result.out == "busy\n")
  }
}
