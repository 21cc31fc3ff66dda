import Foundation
import Testing

@Suite struct `A build` {
  private func hash(_ digit: String) -> String { String(repeating: digit, count: 40) }

  /// A checkout whose head has moved twice, with the tool built in it at a time.
  private func version(builtAt time: Int, log: String?) throws -> String {
    let checkout = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: checkout) }
    let (git, bin) = (checkout.appending(path: ".git"), checkout.appending(path: "bin"))
    for folder in [git.appending(path: "logs"), bin] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try hash("c").write(
      to: git.appending(path: "HEAD"), atomically: true, encoding: .utf8)
    try log?.write(to: git.appending(path: "logs/HEAD"), atomically: true, encoding: .utf8)
    let tool = bin.appending(path: "realm-bench")
    try FileManager.default.copyItem(at: Tool.executable, to: tool)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: TimeInterval(time))],
      ofItemAtPath: tool.path)
    return try Tool.run(
      ["--version"], environment: ["REALM_BENCH_COMMIT": ""], executable: tool
    ).out
  }

  @Test func `is of the commit its checkout was at when it was linked`() throws {
    let (a, b, c) = (hash("a"), hash("b"), hash("c"))
    let log = """
      \(hash("0")) \(a) A. N. Author <author@example.org> 1000 +0000\tclone: from elsewhere
      \(a) \(b) A. N. Author <author@example.org> 2000 +0100\tpull: Fast-forward 3000
      \(b) \(c) A. N. Author <author@example.org> 3000 +0000\tcommit: something

      """
    #expect(try version(builtAt: 1500, log: log).contains("(aaaaaaaaaaaa)"))
    #expect(try version(builtAt: 2000, log: log).contains("(bbbbbbbbbbbb)"))
    #expect(try version(builtAt: 9000, log: log).contains("(cccccccccccc)"))
  }

  @Test func `is of the head where git has kept no log, or a shorter one`() throws {
    #expect(try version(builtAt: 1500, log: nil).contains("(cccccccccccc)"))
    let late = "\(hash("a")) \(hash("b")) A <a@example.org> 2000 +0000\tcommit\n"
    #expect(try version(builtAt: 1500, log: late).contains("(cccccccccccc)"))
  }
}
