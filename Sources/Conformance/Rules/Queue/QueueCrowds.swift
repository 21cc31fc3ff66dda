import EngineUnderTest
import Foundation
import Harness

/// Realms of several queues at once: one, some, and more than an engine may have threads for.
private final class Crowded {
  let stage: Stage
  let queues: [DispatchQueue]
  private let key = DispatchSpecificKey<Int>()
  // Each is used on its own queue only.
  private(set) var realms: [Realm?]
  private var tokens: [NotificationToken] = []
  private let log = NSLock()
  private var events: [(who: Int, what: String, at: Int)] = []
  /// Opened by whatever comes while its queue is not free for it.
  let tooEarly = Latch("something that comes too early")
  private var areHeld = false

  init(_ stage: Stage, _ count: Int, files: Int) throws {
    self.stage = stage
    queues = (0..<count).map { DispatchQueue(label: "queue \($0)") }
    realms = queues.map { _ in nil }
    for (number, queue) in queues.enumerated() {
      queue.setSpecific(key: key, value: number)
      realms[number] = try queue.sync {
        try Realm(configuration: stage.configuration("\(number % files)"), queue: queue)
      }
    }
  }

  /// Notes that something has come, where.
  func note(_ who: Int, _ what: String) {
    let place = DispatchQueue.getSpecific(key: key) ?? -1
    log.withLock {
      events.append((who, what, place))
      if areHeld || place != who { tooEarly.open() }
    }
  }

  func count(_ what: String) -> Int { log.withLock { events.count { $0.what == what } } }
  func clear() { log.withLock { events = [] } }
  func hold(_ isHeld: Bool) { log.withLock { areHeld = isHeld } }

  func each(_ body: (Int, Realm) throws -> Void) rethrows {
    for (number, queue) in queues.enumerated() {
      try queue.sync { try body(number, realms[number]!) }
    }
  }

  func listen() {
    each { number, realm in
      tokens += [
        realm.observe { _, _ in self.note(number, "realm") },
        realm.objects(Account.self).observe {
          if case .update = $0 { self.note(number, "update") } else { self.note(number, "initial") }
        },
      ]
    }
  }

  /// Asserts that each has had so many, and each of them on its own queue.
  func came(_ what: String, _ times: Int, _ when: String) {
    let some = log.withLock { events.filter { $0.what == what } }
    stage.equal(
      some.map(\.who).sorted(), queues.indices.flatMap { Array(repeating: $0, count: times) },
      "whose \(what) came \(when)")
    stage.equal(
      some.filter { $0.who != $0.at }.map { "\($0.who) at \($0.at)" }, [],
      "which \(what) came elsewhere \(when)")
  }

  func leave() {
    for token in tokens { token.invalidate() }
    for (number, queue) in queues.enumerated() { queue.sync { realms[number] = nil } }
  }
}

extension Probe {
  /// Commits that come to the disk while all their queues are busy.
  static let crowdsOfQueues: [Probe] = [1, 5, 9].flatMap { count in
    [1, count].prefix(count == 1 ? 1 : 2).map { files in
      Probe("\(count) busy queues, \(files) files: each gets what is its own, when it is free") {
        stage in
        let crowd = try Crowded(stage, count, files: files)
        for round in 0..<3 {
          crowd.clear()
          let release = Latch("the end of the other work of the queues")
          let asked = crowd.queues.map { _ in Latch("an asynchronous commit") }
          crowd.hold(true)
          for (number, queue) in crowd.queues.enumerated() {
            stage.later(on: queue) {
              let realm = crowd.realms[number]!
              realm.beginWrite()
              realm.create(Account.self, value: ["id": number, "balance": round], update: .all)
              realm.commitAsyncWrite { _ in crowd.note(number, "completion") }
              asked[number].open()
              _ = release.wait(stage.patience)
            }
            try stage.wait(for: asked[number])
          }
          // All of it is on the disk, as others see, and nobody may be told yet.
          for number in 0..<count {
            try stage.spin(
              until: {
                (try? stage.seen("\(number % files)") { realm in
                  realm.object(ofType: Account.self, forPrimaryKey: number)?.balance
                }) == round
              }, "commit \(number) of round \(round)")
          }
          stage.letShow(crowd.tooEarly)
          stage.equal(crowd.tooEarly.isOpen, false, "whether anything came too early")
          crowd.hold(false)
          release.open()
          try stage.spin(until: { crowd.count("completion") >= count }, "the completions")
          crowd.each { _, realm in
            stage.equal(
              realm.isPerformingAsynchronousWriteOperations, false, "whether work is left")
          }
          crowd.came("completion", 1, "in round \(round)")
        }
        crowd.leave()
      }
    }
  }

  /// The same of blocks that wait for their turn, and of news.
  static let crowdsOfListeners: [Probe] = [1, 5, 9].map { count in
    Probe("\(count) queues listen and write: blocks, completions and news come to each") { stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere { _ = try stage.stocked("0") }
      let crowd = try Crowded(stage, count, files: 1)
      crowd.listen()
      try stage.spin(until: { crowd.count("initial") == count }, "the first calls")
      crowd.came("initial", 1, "at first")
      for round in 0..<3 {
        crowd.clear()
        // What others commit, while all are busy.
        let release = Latch("the end of the other work of the queues")
        let busy = crowd.queues.map { _ in Latch("the other work of a queue") }
        for (number, queue) in crowd.queues.enumerated() {
          stage.later(on: queue) {
            busy[number].open()
            _ = release.wait(stage.patience)
          }
        }
        for latch in busy { try stage.wait(for: latch) }
        crowd.hold(true)
        try stage.foreign("0") { $0.account(1).balance = round }
        stage.letShow(crowd.tooEarly, within: .milliseconds(50))
        crowd.hold(false)
        release.open()
        try stage.spin(until: { crowd.count("update") >= count }, "the news of round \(round)")
        crowd.came("update", 1, "of a commit elsewhere, round \(round)")
        crowd.came("realm", 1, "of a commit elsewhere, round \(round)")
        // What each commits itself, in its turn.
        for (number, queue) in crowd.queues.enumerated() {
          queue.sync {
            let realm = crowd.realms[number]!
            realm.writeAsync {
              crowd.note(number, "block")
              realm.account(2).balance += 1
            } onComplete: { _ in
              crowd.note(number, "completion")
            }
          }
        }
        try stage.spin(until: { crowd.count("completion") >= count }, "the completions")
        crowd.came("block", 1, "in round \(round)")
        crowd.came("completion", 1, "in round \(round)")
        stage.equal(
          try stage.seen("0") { $0.account(2).balance }, 200 + (round + 1) * count,
          "the balance after round \(round)")
        try stage.spin(
          until: {
            var shown: [Int] = []
            crowd.each { _, realm in shown.append(realm.account(2).balance) }
            return Set(shown) == [200 + (round + 1) * count]
          }, "the balance that all show after round \(round)")
      }
      crowd.leave()
    }
  }
}
