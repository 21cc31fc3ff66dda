import EngineUnderTest
import Foundation
import Harness

/// A file is read only, or may be written, by all realms of a process, wherever they live.
enum Permissions {
  private static let words = "already opened with different read permissions"

  private static func configuration(
    _ stage: Stage, isReadOnly: Bool, _ name: String = "probe"
  ) -> Realm.Configuration {
    var configuration = stage.configuration(name)
    configuration.readOnly = isReadOnly
    return configuration
  }

  /// The permissions that a file is open with, and those that are asked for beside them.
  private enum Order: String, CaseIterable {
    case writersFirst = "read-only beside read-write"
    case readersFirst = "read-write beside read-only"

    func first(_ stage: Stage) -> Realm.Configuration {
      configuration(stage, isReadOnly: self == .readersFirst)
    }
    func second(_ stage: Stage) -> Realm.Configuration {
      configuration(stage, isReadOnly: self == .writersFirst)
    }
  }

  // MARK: - Refused

  static let refused: [Probe] = Order.allCases.flatMap { order in
    places.map { elsewhere($0, order) }
      + [asynchronously(order), onAnActor(order), besideAFrozenOne(order)]
  }

  private static let places = ["on another thread", "on a queue", "here, beside a queue's"]

  private static func elsewhere(_ place: String, _ order: Order) -> Probe {
    Probe("\(order.rawValue), \(place)", refusing: [words]) { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let (first, second) = (order.first(stage), order.second(stage))
      let queue = DispatchQueue(label: "home")
      func open(_ configuration: Realm.Configuration, on queue: DispatchQueue? = nil) throws {
        use(try Realm(configuration: configuration, queue: queue).account(1).balance)
      }
      if place.hasPrefix("here") {
        var kept: Realm?
        try queue.sync { kept = try Realm(configuration: first, queue: queue) }
        stage.act { try open(second) }
        queue.sync { kept = nil }
        return use(kept)
      }
      let realm = try Realm(configuration: first)
      try stage.elsewhere {
        stage.act {
          if place == "on a queue" {
            try queue.sync { try open(second, on: queue) }
          } else {
            try open(second)
          }
        }
      }
      use(realm)
    }
  }

  private static func asynchronously(_ order: Order) -> Probe {
    Probe("\(order.rawValue), by asyncOpen", refusing: [words]) { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let realm = try Realm(configuration: order.first(stage))
      let answer = try stage.openedAsynchronously(
        order.second(stage), on: DispatchQueue(label: "callback")
      ) { $0.account(1).balance }
      stage.act { use(try answer.get()) }
      use(realm)
    }
  }

  private static func onAnActor(_ order: Order) -> Probe {
    .refusesInTask("\(order.rawValue), on another actor", saying: words) { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let keeper = try await Keeper(order.first(stage))
      await stage.act { use(try await Keeper(order.second(stage)).ids) }
      await keeper.close()
    }
  }

  /// What is frozen has its file open, too.
  private static func besideAFrozenOne(_ order: Order) -> Probe {
    Probe("\(order.rawValue), of which only a frozen one is left", refusing: [words]) { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let (first, second) = (order.first(stage), order.second(stage))
      let frozen = try stage.elsewhere { try Realm(configuration: first).freeze() }
      try stage.elsewhere {
        stage.act { use(try Realm(configuration: second).account(1).balance) }
      }
      use(frozen.account(1).balance)
    }
  }

  // MARK: - Allowed

  /// What is let go of is in nobody's way, nor are other files.
  static let afterwards = Probe(
    "a file that was written may be read only when its realms are gone, and the other way round"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let writing = configuration(stage, isReadOnly: false)
    let reading = configuration(stage, isReadOnly: true)
    try stage.elsewhere {
      _ = try stage.stocked()
      _ = try stage.stocked("other")
    }
    let other = try Realm(configuration: configuration(stage, isReadOnly: true, "other"))
    let queue = DispatchQueue(label: "home")
    for round in 1...4 {
      try stage.elsewhere {
        let realm = try Realm(configuration: writing)
        try realm.write { realm.account(1).balance = round }
        use(realm.freeze().account(1).balance)
      }
      try queue.sync {
        let realm = try Realm(configuration: reading, queue: queue)
        stage.equal(realm.account(1).balance, round, "the balance on a queue, round \(round)")
      }
      try stage.elsewhere {
        let realm = try Realm(configuration: reading)
        let frozen = realm.freeze()
        stage.equal(frozen.account(1).balance, round, "the frozen balance, round \(round)")
      }
      try write(on: queue, writing, stage)
    }
    stage.equal(other.account(1).balance, 100, "the balance in the other file")
    let again = try Realm(configuration: reading)
    stage.equal(again.account(2).balance, 204, "what was written asynchronously")
  }

  /// Adds one to an account in an asynchronous write, and lets the realm go.
  private static func write(
    on queue: DispatchQueue, _ configuration: Realm.Configuration, _ stage: Stage
  ) throws {
    let done = Latch("the completion")
    var realm: Realm?
    try queue.sync {
      let opened = try Realm(configuration: configuration, queue: queue)
      realm = opened
      opened.writeAsync({ opened.account(2).balance += 1 }, onComplete: { _ in done.open() })
    }
    try stage.wait(for: done)
    queue.sync { realm = nil }
    use(realm)
  }
}
