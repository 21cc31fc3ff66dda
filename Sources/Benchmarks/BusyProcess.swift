import Foundation
import Harness

/// Another process that wants a processor all the time: what a judge must not mistake for a change.
///
/// It ends with whoever started it, however that ends: its stdin closes.
final class BusyProcess {
  private let child: RunningChild

  init(_ executable: String) throws {
    child = try ChildProcess(
      executable, ["busy"], limits: .init(deadline: .seconds(86_400))
    ).start()
    // It says so when it works.
    guard child.line() == "busy" else {
      throw BenchmarkError("\(executable) cannot keep a processor busy: it is an older build")
    }
  }

  deinit {
    child.closeInput()
    _ = child.remains()
  }
}

/// The other side.
package enum Busy {
  /// Works until nobody holds its stdin any more; whoever calls then ends.
  package static func work() {
    let thread = Thread {
      var sum: UInt64 = 1
      while true { for _ in 0..<1_000_000 { sum = sink(sum &* 6_364_136_223_846_793_005 &+ 1) } }
    }
    thread.start()
    CompanionTalk.say("busy")
    while CompanionTalk.hear() != nil {}
  }
}
