import EngineUnderTest
import Foundation

/// Processes that wait for the write lock, and die of it.
extension Stage {
  private func configurationOfWaiters() -> Realm.Configuration {
    var configuration = configuration()
    // Who begins a write then looks for the versions of the dead, and so for the dead.
    configuration.maximumNumberOfActiveVersions = 1000
    return configuration
  }

  /// Says that it is about to wait, waits, writes, and says so; until nobody listens.
  static let waiting: [String: Probe.Body] = [
    "waiter": { stage in
      let realm = try Realm(configuration: stage.configurationOfWaiters())
      while let word = stage.hear() {
        if word == "write" { stage.tell("waits") }
        try realm.write { realm.account(1).balance += 1 }
        stage.tell("wrote")
      }
    }
  ]

  /// A process writes; others wait for it, each of which knows that the ones before it wait. The
  /// victim is killed; all others must come to write.
  func survives(killing victims: [Int]) throws {
    let realm = try Realm(configuration: configurationOfWaiters())
    try realm.write { Stage.stock(realm) }
    var expected = 100
    for (round, victim) in victims.enumerated() {
      let waiters = try (0..<3).map { _ in try companion("waiter") }
      realm.beginWrite()
      for waiter in waiters {
        waiter.send("write")
        _ = try hear(waiter, "the word that it waits")
        // Gives it the time to wait; whether it has begun to decides nothing for a right engine.
        giveWay(2000)
      }
      waiters[victim].signal(SIGKILL)
      equal(waiters[victim].remains().ending, .signalled(SIGKILL), "the victim's end")
      realm.account(2).balance = round
      try realm.commitWrite()
      for (number, waiter) in waiters.enumerated() where number != victim {
        equal(try hear(waiter, "what waiter \(number) wrote"), "wrote", "waiter \(number)")
        expected += 1
      }
      // And again, now that nobody is in the way but the dead.
      try realm.write { realm.account(3).balance = round }
      for (number, waiter) in waiters.enumerated() where number != victim {
        waiter.send("again")
        equal(try hear(waiter, "what it wrote again"), "wrote", "waiter \(number) again")
        expected += 1
        waiter.closeInput()
        equal(waiter.remains().ending, .exited(0), "the end of waiter \(number)")
      }
      realm.refresh()
      equal(realm.account(1).balance, expected, "the balance after round \(round)")
    }
  }
}
