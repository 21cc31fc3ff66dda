import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// What ends a command from outside: what it had found by then is there, and says that it is not
/// all.
@Suite struct `Interrupted` {
  private func state(of run: URL) throws -> String? {
    let text = try Data(contentsOf: run.appendingPathComponent("run.json"))
    return (try JSONSerialization.jsonObject(with: text) as? [String: Any])?["state"] as? String
  }

  // The command                     The one at the keyboard
  // examines READ-01 again and again
  // has told of the first pass
  //                                 presses Ctrl-C, or closes the terminal
  // writes what it has, ends with 6
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `conformance keeps its verdicts, marks them as partial and ends with 6`(signal: Int32)
    throws
  {
    // Who runs the tests may be meant to outlive a terminal, and its children would be, too.
    #if canImport(Glibc)
    Glibc.signal(SIGHUP, SIG_DFL)
    #endif
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let tool = try RunningTool(
      [
        "conformance", "--filter", "READ-01", "--repeat", "1000", "--out", "run", "--json",
        "verdicts.json",
      ], in: folder)
    #expect(tool.says("pass 1 of 1000"))
    tool.signal(signal)
    let result = try tool.end()
    #expect(result.code == 6, "\(result.err)")
    #expect(result.out.contains("1 rule: 1 holds"))
    #expect(result.out.contains("interrupted, the rest was not asked"))
    let run = folder.appendingPathComponent("run")
    #expect(try state(of: run) == "interrupted")
    let page = try String(
      contentsOf: run.appendingPathComponent("report.html"), encoding: .utf8)
    #expect(page.contains("interrupted"))
    let json = try String(
      contentsOf: folder.appendingPathComponent("verdicts.json"), encoding: .utf8)
    #expect(json.contains("\"partial\" : true"))
    // A partial run is a run: it is read again as it stands.
    #expect(try Tool.run(["report", run.path], in: folder).code == 0)
  }

  // ab                      Somebody          A round
  // starts a round
  //                                           measures, for a minute
  //                         kills ab
  //                                           is gone
  /// It measured on beside whatever was measured next.
  @Test func `a round does not outlive a command that is killed`() throws {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let tool = Tool.executable.path
    let duel = try RunningTool(
      [
        "ab", "--base", tool, "--candidate", tool, "--filter", "floor.null", "--engine", "null",
        "--round-length", "60s", "--out", "out",
      ], in: folder)
    func rounds() -> [pid_t] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { pid_t($0) }.filter { process in
        let words = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
        return words.contains("\0measure\0") && words.contains("\060.0\0")
          && words.contains(folder.path)
      }
    }
    #expect(duel.runs { !rounds().isEmpty })
    duel.signal(SIGKILL)
    // A kernel's word takes no time; a round would have taken its minute, and Foundation would have
    // waited for it, too, as it holds what tells of the end.
    let until = Date(timeIntervalSinceNow: 20)
    while !rounds().isEmpty, Date() < until { usleep(10_000) }
    let left = rounds()
    for process in left { kill(process, SIGKILL) }
    _ = try duel.end()
    #expect(left.isEmpty)
  }
}
