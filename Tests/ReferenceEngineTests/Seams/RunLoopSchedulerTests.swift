import CoreFoundation
import Dispatch
import Foundation
import XCTest

@testable import ReferenceEngine

/// The main thread as an app has it. Swift Testing leaves the main thread, XCTest runs on it.
final class RunLoopSchedulerTests: XCTestCase {
  func testCONFINE12_theMainThreadIsTheMainHome() {
    XCTAssertTrue(HonestSchedulers().here() === MainScheduler.shared)
    XCTAssertTrue(MainScheduler.shared.isHere)
    XCTAssertNotEqual(MainScheduler.shared.threadToken, .max)
  }

  func testQUEUE05_aQueueEnteredFromTheMainThreadLeavesItsRealmUsable() {
    let queue = DispatchQueue(label: "other")
    XCTAssertTrue(queue.sync { MainScheduler.shared.isHere })
  }

  func testWorkArrivesWhenTheLoopTurnsAndNotBefore() {
    let order = Noted<Int>()
    for i in 0..<10 { MainScheduler.shared.run { order.add(i) } }
    XCTAssertEqual(order.all, [])
    while order.all.count < 10 {
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 1))
    }
    XCTAssertEqual(order.all, Array(0..<10))
  }

  // A block of the main queue that turns the loop itself: the queue does not come to its next block
  // before this one has ended, the loop's sources do.
  func testWorkArrivesInALoopThatABlockOfTheMainQueueTurns() {
    let ended = expectation(description: "the block saw the work")
    DispatchQueue.main.async {
      let arrived = Noted<Bool>()
      MainScheduler.shared.run { arrived.add(true) }
      let deadline = Date(timeIntervalSinceNow: 10)
      while arrived.all.isEmpty, Date() < deadline {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 1))
      }
      XCTAssertEqual(arrived.all, [true])
      ended.fulfill()
    }
    wait(for: [ended], timeout: 20)
  }

  // Work that comes when the last of what had arrived runs already was told to nobody.
  func testWorkArrivesInALoopThatOtherWorkTurns() {
    let arrived = Noted<String>()
    MainScheduler.shared.run {
      MainScheduler.shared.run { arrived.add("inner") }
      let deadline = Date(timeIntervalSinceNow: 10)
      while arrived.all.isEmpty, Date() < deadline {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 1))
      }
      arrived.add("outer")
    }
    while arrived.all.count < 2 {
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 1))
    }
    XCTAssertEqual(arrived.all, ["inner", "outer"])
  }

  // Who adds from another thread has to wake a loop that sleeps in the middle of other work, and
  // need not do so once that loop has ended.
  func testWorkFromElsewhereArrivesInALoopThatOtherWorkTurns() {
    let arrived = Noted<String>()
    let isDone = Noted<Bool>()
    let elsewhere = DispatchQueue(label: "elsewhere")
    MainScheduler.shared.run {
      turnLoop(
        until: { arrived.all.count == 1 },
        { elsewhere.async { MainScheduler.shared.run { arrived.add("in the loop") } } })
      elsewhere.sync { MainScheduler.shared.run { arrived.add("behind it") } }
      arrived.add("outer")
      turnLoop(
        until: { arrived.all.count == 4 },
        { elsewhere.async { MainScheduler.shared.run { arrived.add("in the second loop") } } })
      isDone.add(true)
    }
    turnLoop(until: { !isDone.all.isEmpty })
    XCTAssertEqual(arrived.all, ["in the loop", "outer", "behind it", "in the second loop"])
  }

  func testWorkArrivesInALoopWithinALoopThatOtherWorkTurns() {
    let arrived = Noted<Int>()
    @Sendable func nest(_ level: Int) {
      if level < 5 {
        turnLoop(
          until: { arrived.all.count == 5 - level },
          { DispatchQueue.global().async { MainScheduler.shared.run { nest(level + 1) } } })
      }
      arrived.add(level)
    }
    MainScheduler.shared.run { nest(0) }
    turnLoop(until: { arrived.all.count == 6 })
    XCTAssertEqual(arrived.all, [5, 4, 3, 2, 1, 0])
  }
}

/// Turns the main loop, and does something as soon as it turns.
private func turnLoop(
  until isEnough: () -> Bool, _ first: @escaping @Sendable () -> Void = {}
) {
  CFRunLoopPerformBlock(CFRunLoopGetMain(), kCFRunLoopDefaultMode, first)
  let deadline = Date(timeIntervalSinceNow: 10)
  while !isEnough(), Date() < deadline {
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 1))
  }
}
