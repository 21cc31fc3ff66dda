import Foundation
import Testing

/// `scripts/setup` on a machine that has the libraries, of which a folder stands for all that is on
/// the PATH.
struct SetupTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../scripts/setup").standardizedFileURL

  /// Runs it with these programs, of which each says what is given, and what the system has.
  private func run(_ programs: [String: String]) throws -> (result: Tool.Result, apt: String) {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let asked = folder.appendingPathComponent("asked")
    var all = [
      "swift": "", "dpkg-query": "printf 'install ok installed'",
      "apt-get": "echo \"$*\" >>'\(asked.path)'", "sudo": "exit 1",
    ]
    all.merge(programs) { $1 }
    for (name, body) in all {
      let file = folder.appendingPathComponent(name)
      try Data("#!/bin/sh\n\(body)\n".utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
    for name in ["env", "mktemp", "rm", "tail"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appendingPathComponent(name).path,
        withDestinationPath: try #require(Completions.program(name)).path)
    }
    let result = try Tool.run(
      [SetupTests.script.path], in: folder, environment: ["PATH": folder.path],
      executable: try #require(Completions.program("bash")))
    return (result, (try? String(contentsOf: asked, encoding: .utf8)) ?? "")
  }

  /// Nobody installed them, and the tests of completions were passed over without a word.
  @Test func `the shells that completions are tested in are installed`() throws {
    let (result, apt) = try run(["id": "echo 0"])
    #expect(result.code == 0 && result.out.isEmpty, "\(result.err)")
    #expect(apt == "install -y --no-install-recommends zsh fish\n", "\(apt)")
    #expect(result.err == "setup: installing zsh fish\n")
  }

  @Test func `where all is there nothing is said or done`() throws {
    let (result, apt) = try run(["id": "echo 0", "zsh": "", "fish": ""])
    #expect(result.code == 0 && apt.isEmpty && result.out.isEmpty && result.err.isEmpty)
  }

  @Test func `without a shell people can build all the same`() throws {
    let nobody = try run(["id": "echo 1000", "zsh": ""]).result
    #expect(nobody.code == 0, "\(nobody.err)")
    #expect(nobody.err == "setup: missing fish; type: sudo apt-get install -y fish\n")
    let broken = try run(["id": "echo 0", "apt-get": "echo no such package; exit 100"]).result
    #expect(broken.code == 0, "\(broken.err)")
    #expect(broken.err.contains("no such package\nsetup: apt could not install zsh fish"))
    let bare = try run(["id": "echo 1000", "zsh": "", "fish": "", "dpkg-query": "exit 1"]).result
    #expect(bare.code == 1, "\(bare.err)")
    #expect(bare.err.contains("type: sudo apt-get install -y libjemalloc-dev"), "\(bare.err)")
  }
}
