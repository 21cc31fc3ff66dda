/// How far a long command is: one line drawn over itself on a terminal, nothing anywhere else.
final class Progress {
  private let total: Int
  private let what: String
  private let started = ContinuousClock.now
  private var done = 0
  private let isShown = Terminal.showsProgress

  init(total: Int, what: String) { (self.total, self.what) = (total, what) }

  func step() {
    done += 1
    let passed = ContinuousClock.now - started
    let left = passed / max(1, done) * max(0, total - done)
    if Terminal.progress == .ndjson {
      Terminal.tell(
        ProgressEvent(
          event: "progress", done: done, total: total, what: what,
          elapsed: passed / .seconds(1), remaining: left / .seconds(1)))
    }
    guard isShown else { return }
    Terminal.draw("\(done) of \(total) \(what), about \(left.components.seconds) s left")
  }

  func finish() {
    if Terminal.progress == .ndjson {
      Terminal.tell(ProgressEvent(event: "end", done: done, total: total, what: what))
    }
    if isShown { Terminal.draw("") }
  }
}
