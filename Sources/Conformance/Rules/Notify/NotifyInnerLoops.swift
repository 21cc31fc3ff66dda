import CoreFoundation
import EngineUnderTest
import Foundation
import Harness

/// What a callback does that shows a dialogue: it turns a loop, and goes on when that was stopped.
enum InnerLoops {
  // The loop of the home      The callback's loop      Another one in it
  // calls a completion
  //                           turns
  //                           does something
  //                                                    turns once, and ends
  //                           delivers what comes
  static let told = Probe("what comes in a loop that a callback turns, behind one that ended in it")
  { stage in
    let realms = try (0..<2).map { try stage.stocked("\($0)") }
    var heard: [String] = []
    var (isOver, isInTime) = (false, false)
    let token = realms[1].objects(Account.self).observe { change in
      guard case .update = change else { return }
      heard.append("the listener")
      if heard.count == 2 { CFRunLoopStop(CFRunLoopGetCurrent()) }
    }
    realms[0].writeAsync({ realms[0].account(1).balance = 1 }) { _ in
      CFRunLoopPerformBlock(CFRunLoopGetCurrent(), kCFRunLoopDefaultMode) {
        _ = RunLoop.current.run(mode: .default, before: Date())
        realms[1].writeAsync({ realms[1].account(1).balance = 1 }) { _ in
          heard.append("the completion")
          if heard.count == 2 { CFRunLoopStop(CFRunLoopGetCurrent()) }
        }
      }
      CFRunLoopRunInMode(kCFRunLoopDefaultMode, stage.patience.inSeconds, false)
      isInTime = heard.count == 2
      isOver = true
    }
    // Its own turn is as long as the loop in it may be.
    let limit = ContinuousClock.now + stage.patience * 2
    while !isOver, .now < limit {
      _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
    }
    stage.equal(isInTime, true, "whether both are told while the loop turns")
    stage.equal(heard.sorted(), ["the completion", "the listener"], "who was told")
    token.invalidate()
  }
}
