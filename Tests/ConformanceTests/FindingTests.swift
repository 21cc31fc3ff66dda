import Foundation
import Harness
import Testing

@testable import Conformance

@Suite struct `A finding` {
  func said(_ testimonies: Testimony...) -> String { testimonies.map(\.line).joined() }

  func judge(
    _ ending: Remains.Ending, _ output: String, _ errors: String = "",
    stopped: Remains.Stopped? = nil, expecting: Probe.Expectation = .holds
  ) -> Finding.Outcome {
    Finding(
      Remains(ending: ending, stopped: stopped, stdout: output, stderr: errors),
      expecting: expecting
    ).outcome
  }

  @Test func `holds when something was asserted and the end was reached`() {
    #expect(judge(.exited(0), said(.held(3), .done)) == .holds)
  }

  @Test func `is vacuous when nothing was asserted or nothing overlapped`() {
    #expect(judge(.exited(0), said(.done)) == .vacuous("nothing was asserted"))
    #expect(
      judge(.exited(0), said(.held(1), .overlapped(0), .done))
        == .vacuous("what should have raced never overlapped"))
    #expect(judge(.exited(0), said(.held(1), .overlapped(0), .overlapped(2), .done)) == .holds)
  }

  @Test func `is a violation when an assertion fell, whatever came after`() {
    #expect(
      judge(.exited(0), said(.held(1), .violated(expected: "1", observed: "2"), .done))
        == .violated(expected: "1", observed: "2"))
  }

  @Test func `is no violation where the disk was full`() {
    let fallen = Finding(.violated(expected: "1", observed: "2"))
    let excused = fallen.excused(isDiskFull: true, at: "/work")
    #expect(
      excused.outcome == .error("the work disk is full (/work): expected 1, observed 2"))
    #expect(fallen.excused(isDiskFull: false, at: "/work") == fallen)
    #expect(Finding(.holds).excused(isDiskFull: true, at: "/work") == Finding(.holds))
  }

  @Test func `is a violation when a probe that must live dies`() {
    #expect(
      judge(.signalled(SIGILL), said(.held(1)), "x.swift:3: Fatal error: no\n")
        == .violated(
          expected: "the probe runs to its end",
          observed: "SIGILL: x.swift:3: Fatal error: no"))
  }

  let death = Probe.Expectation.dies(saying: ["wrong thread"])

  @Test func `of a death needs the signal, the words, and both sentinels`() {
    let words = "f.swift:1: Fatal error: accessed from wrong thread.\n"
    #expect(judge(.signalled(SIGILL), said(.before), words, expecting: death) == .holds)
    #expect(judge(.signalled(SIGABRT), said(.before), words, expecting: death) == .holds)
    // It died before the act: that proves nothing.
    if case .error = judge(.signalled(SIGILL), "", words, expecting: death) {
    } else {
      Issue.record("a death before the act is no evidence")
    }
    // Other words.
    if case .violated = judge(.signalled(SIGILL), said(.before), "other\n", expecting: death) {
    } else {
      Issue.record("other words are another death")
    }
    // A crash is no refusal.
    if case .violated = judge(.signalled(SIGSEGV), said(.before), words, expecting: death) {
    } else {
      Issue.record("a crash is no refusal")
    }
    #expect(
      judge(.exited(0), said(.before, .after, .done), words, expecting: death)
        == .violated(
          expected: "it dies saying 'wrong thread'", observed: "the act was allowed"))
  }

  @Test func `of a refusal accepts a throw with the words`() {
    let refusal = Probe.Expectation.refuses(saying: ["no"])
    #expect(judge(.exited(0), said(.before, .threw("oh no")), expecting: refusal) == .holds)
    #expect(
      judge(.exited(0), said(.before, .threw("oh no")), expecting: .dies(saying: ["no"]))
        == .violated(expected: "it dies saying 'no'", observed: "it threw: oh no"))
  }

  @Test func `of a hang is a violation, of a flood an error`() {
    #expect(
      judge(
        .signalled(SIGKILL), said(.held(1)), stopped: .deadline(.seconds(2)))
        == .violated(
          expected: "the probe runs to its end", observed: "it hung and was stopped after 2 s"))
    #expect(
      judge(
        .signalled(SIGKILL), said(.before), stopped: .deadline(.seconds(2)), expecting: death)
        == .violated(
          expected: "it dies saying 'wrong thread'", observed: "it hung and was stopped after 2 s"))
    #expect(
      judge(.signalled(SIGKILL), "", stopped: .flood(limit: 2048))
        == .error("stopped: it wrote more than 2 KiB of output"))
  }

  @Test func `survives tabs, line ends and foreign output`() {
    let odd = Testimony.violated(expected: "a\tb", observed: "c\nd")
    #expect(Testimony.read("noise" + odd.line) == [.violated(expected: "a b", observed: "c d")])
    #expect(Testimony.read("nothing\nof note\n").isEmpty)
  }
}
