import Dispatch
import Foundation
import XCTest

@testable import ReferenceEngine

/// Realms on the main thread and on threads that run a loop. Swift Testing leaves the main thread,
/// XCTest runs on it.
final class RunLoopRealmTests: XCTestCase {
  private let configuration = freshConfiguration()

  private func runLoop(until condition: () -> Bool) {
    let limit = Date(timeIntervalSinceNow: 20)
    while !condition(), Date() < limit {
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
    }
    XCTAssertTrue(condition())
  }

  func testREFRESH09_theMainRealmFollowsWhenItsLoopTurnsAndNotBefore() throws {
    let realm = try Realm(configuration: configuration)
    let people = realm.objects(Person.self)
    XCTAssertEqual(people.count, 0)
    Desk(configuration).commit { $0.add(Person(name: "Ada")) }
    XCTAssertEqual(people.count, 0)
    runLoop { people.count == 1 }
  }

  func testREFRESH11_withoutAutorefreshTheLoopChangesNothing() throws {
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    let people = realm.objects(Person.self)
    XCTAssertEqual(people.count, 0)
    var told: [Realm.Notification] = []
    let token = realm.observe { notification, _ in told.append(notification) }
    Desk(configuration).commit { $0.add(Person(name: "Ada")) }
    runLoop { told == [.refreshRequired] }
    XCTAssertEqual(people.count, 0)
    XCTAssertTrue(realm.refresh())
    XCTAssertEqual(people.count, 1)
    token.invalidate()
  }

  func testCONFINE12_mainThreadAndMainQueueShareARealm() throws {
    let realm = try Realm(configuration: configuration)
    XCTAssertEqual(realm, try Realm(configuration: configuration, queue: .main))
  }

  func testASYNC03_blockAndCompletionRunOnTheMainThread() throws {
    let realm = try Realm(configuration: configuration)
    var order: [String] = []
    realm.writeAsync {
      order.append("block \(Thread.isMainThread)")
      realm.add(Person(name: "Ada"))
    } onComplete: { _ in
      order.append("completion \(Thread.isMainThread)")
    }
    XCTAssertEqual(order, [])
    runLoop { order.count == 2 }
    XCTAssertEqual(order, ["block true", "completion true"])
    XCTAssertEqual(realm.objects(Person.self).count, 1)
  }

  func testNOTIFY21_aThreadThatRunsItsLoopIsCalledThere() {
    let configuration = configuration
    let (told, ready, ended) = (Noted<String>(), Bell(), Bell())
    Thread.detachNewThread {
      // The realm is opened before the loop runs; a listener may be added once it does.
      guard let realm = try? Realm(configuration: configuration) else { return }
      let home = Smuggled((realm: realm, thread: Thread.current))
      let tokens = Noted<NotificationToken>()
      let timer = Timer(timeInterval: 0, repeats: false) { _ in
        let token = home.value.realm.objects(Person.self).observe { change in
          let isHere = Thread.current == home.value.thread
          if case .update(let people, _, let insertions, _) = change {
            told.add("update \(isHere) \(insertions) \(people.count)")
          } else {
            told.add("initial \(isHere)")
            ready.ring()
          }
        }
        tokens.add(token)
      }
      RunLoop.current.add(timer, forMode: .default)
      while told.all.count < 2 {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 5))
      }
      for token in tokens.all { token.invalidate() }
      ended.ring()
    }
    ready.wait()
    Desk(configuration).commit { $0.add(Person(name: "Ada")) }
    XCTAssertTrue(ended.wait())
    XCTAssertEqual(told.all, ["initial true", "update true [0] 1"])
  }
}
