import Testing

@testable import Evidence

/// What a run says of itself as a whole.
struct RunTests {
  private func run(_ reasons: [String]) -> Run {
    var run = Run()
    run.results = reasons.enumerated().map { place, reason in
      Finding(benchmark: "reads.a\(place)", engine: "x", valid: reason.isEmpty, reason: reason)
    }
    return run
  }

  @Test func `a run in which no answer is valid is no success`() {
    #expect(run(["", ""]).failure == nil)
    #expect(run(["the sum was wrong", ""]).failure == nil)
    #expect(
      run(["the sum was wrong"]).failure
        == "no answer is valid: reads.a0 (x): the sum was wrong")
    #expect(
      run(["the sum was wrong", "it crashed"]).failure?.hasSuffix("wrong, and 1 more") == true)
  }

  @Test func `a full disk is told as such, even where some got through`() {
    let full = "\(Finding.outOfSpace) (/work): No space left on device"
    let said = run(["", full, ""]).failure
    #expect(said?.hasPrefix("the work disk is full (/work)") == true)
    #expect(said?.contains("1 of 3 measurements have no number") == true)
  }

  /// Whoever went on with a run without naming its guests again measured less than was asked.
  @Test func `a run knows the guests and flags that it was asked with`() {
    var run = Run()
    run.asked.command =
      "realm-bench run --engine-at 'realm=/my builds/it'\\''s' '--engine-at=other=/b c' "
      + "--with-conformance --seed 3"
    #expect(run.guests == ["realm=/my builds/it's", "other=/b c"])
    #expect(run.asks(for: "with-conformance") && !run.asks(for: "quick"))
    run.asked.command = "realm-bench run --quick"
    #expect(run.guests.isEmpty && run.asks(for: "quick"))
  }

  @Test func `reports speak of the successor where both were measured`() {
    var run = Run()
    run.results = [
      Finding(benchmark: "frozen.thaw/rows=1", engine: "x"),
      Finding(benchmark: "frozen.thaw-and-read/rows=1", engine: "x"),
      Finding(benchmark: "reads.open-cached/rows=1", engine: "x"),
    ]
    #expect(
      run.current.map(\.name.family) == ["frozen.thaw-and-read", "reads.open-cached"])
    for (old, new) in Successors.all { #expect(Successors.successor(of: new) == nil, "\(old)") }
  }
}
