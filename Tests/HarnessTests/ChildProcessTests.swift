import Foundation
import Harness
import Testing

@Suite struct `A child` {
  func shell(_ script: String, limits: ChildProcess.Limits = .init()) -> ChildProcess {
    ChildProcess("/bin/sh", ["-c", script], limits: limits)
  }

  @Test func `hands over what it said and how it ended`() throws {
    let remains = try shell("echo out; echo err >&2; exit 3").run()
    #expect(remains.ending == .exited(3))
    #expect(remains.stdout == "out\n")
    #expect(remains.stderr == "err\n")
    #expect(remains.stopped == nil)
  }

  @Test func `shows the signal it died of`() throws {
    let remains = try shell("kill -ABRT $$").run()
    #expect(remains.ending == .signalled(SIGABRT))
    #expect("\(remains.ending)" == "SIGABRT")
  }

  @Test func `is stopped at its deadline`() throws {
    let remains = try shell("sleep 60", limits: .init(deadline: .milliseconds(200))).run()
    #expect(remains.stopped == .deadline(.milliseconds(200)))
    #expect(remains.ending == .signalled(SIGKILL))
    #expect(remains.elapsed < .seconds(10))
  }

  @Test func `is stopped when it floods its output`() throws {
    let remains = try shell("while :; do echo flood; done", limits: .init(output: 10_000)).run()
    #expect(remains.stopped == .flood(limit: 10_000))
  }

  @Test func `is stopped when it eats memory`() throws {
    // The shell keeps doubling a string.
    let remains = try shell(
      "x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done",
      limits: .init(deadline: .seconds(20), memory: 64 << 20)
    ).run()
    #expect(remains.stopped == .memory(limit: 64 << 20))
  }

  @Test func `takes the processes it left behind with it`() throws {
    let remains = try shell("sleep 61 & echo $!").run()
    #expect(remains.stopped == .leftProcesses)
    let left = try #require(pid_t(remains.stdout.trimmingCharacters(in: .whitespacesAndNewlines)))
    // A killed process whose parent is gone stays a zombie until its new parent notices.
    var gone = false
    for _ in 0..<2000 where !gone {
      let state = try? String(contentsOfFile: "/proc/\(left)/stat", encoding: .utf8)
      gone = state == nil || state!.contains(") Z ")
      if !gone { usleep(1000) }
    }
    #expect(gone)
  }

  @Test func `that cannot be started says so in a sentence`() {
    #expect {
      try ChildProcess("/nowhere/at/all").run()
    } throws: { error in
      "\(error)" == "cannot start /nowhere/at/all: No such file or directory"
    }
  }

  @Test func `can be talked with`() throws {
    let child = try shell("read word; echo got $word; read more; echo end").start()
    child.send("hello")
    #expect(child.line() == "got hello")
    child.send("on")
    #expect(child.line() == "end")
    #expect(child.remains().ending == .exited(0))
    #expect(child.line() == nil)
  }

  @Test func `gets the variables it is given`() throws {
    let child = ChildProcess("/bin/sh", ["-c", "echo $WORD"], environment: ["WORD": "heard"])
    #expect(try child.run().stdout == "heard\n")
  }
}
