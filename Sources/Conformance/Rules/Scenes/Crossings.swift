import EngineUnderTest
import Foundation
import Harness

/// Asynchronous writes whose way is crossed: by a process, by other files, by homes that wait for
/// somebody who writes. All get their turn, and whoever writes after them.
enum Crossings {
  /// Another process is in its write while some are asked for.
  static let processes: [Probe] = [1, 3].flatMap { count in
    RealmHome.Kind.allCases.map { kind in
      Probe(
        "\(count) asked for on \(kind.rawValue) while another process writes, "
          + "and others after that",
        companions: ["holder": hold]
      ) { stage in
        try stage.elsewhere {
          let realm = try stage.open()
          try realm.write { realm.add(Account(id: 1)) }
        }
        let home = RealmHome(kind)
        var realm: Realm! = try home.open(stage)
        let holder = try stage.companion("holder")
        _ = try stage.hear(holder, "ready")
        var completed = 0
        for round in 1...3 {
          holder.send("hold")
          _ = try stage.hear(holder, "inside")
          home.work {
            for _ in 0..<count {
              realm.writeAsync { [realm = realm!] in
                realm.account(1).balance += 1
              } onComplete: { _ in
                completed += 1
              }
            }
          }
          // In the second round somebody here waits for a thread's write meanwhile.
          let writer =
            round == 2
            ? stage.thread("writer") { try stage.foreign { $0.account(1).balance += 1 } } : nil
          holder.send("go")
          _ = try stage.hear(holder, "out")
          try stage.spin(until: { home.work { completed == round * count } }, "the completions")
          if let writer { try stage.join(writer) }
          try stage.foreign { $0.account(1).balance += 1 }
        }
        holder.send("end")
        stage.equal(
          try stage.seen { $0.account(1).balance }, 3 * count + 3 + 3 + 1, "the increments")
        home.work { realm = nil }
      }
    }
  }

  private static let hold: Probe.Body = { stage in
    let realm = try stage.open()
    stage.tell("ready")
    while stage.hear() == "hold" {
      realm.beginWrite()
      realm.account(1).balance += 1
      stage.tell("inside")
      _ = stage.hear()
      try realm.commitWrite()
      stage.tell("out")
    }
  }

  /// Writes of several files, all of which wait; one after the other comes free.
  static let files: [Probe] = [2, 4].map { count in
    Probe("asynchronous writes of \(count) files run as each comes free") { stage in
      for order in [Array(0..<count), Array((0..<count).reversed())] {
        let names = (0..<count).map { "\(order[0]) \($0)" }
        for name in names { try stage.elsewhere { _ = try stage.stocked(name) } }
        let releases = names.map { Latch("the end of the write of \($0)") }
        let writers = try zip(names, releases).map { try stage.holdingWrite($0, until: $1) }
        var realms: [Realm] = []
        var ran: [Int] = []
        for (number, name) in names.enumerated() {
          let realm = try stage.open(name)
          realms.append(realm)
          realm.writeAsync {
            realm.account(1).balance = 7
            ran.append(number)
          }
        }
        for (place, number) in order.enumerated() {
          releases[number].open()
          try stage.join(writers[number])
          try stage.spin(
            until: { ran.count > place }, "the block of file \(number), the others still written")
        }
        stage.equal(ran, order, "the order in which they ran")
        for realm in realms {
          try stage.spin(
            until: { !realm.isPerformingAsynchronousWriteOperations }, "the end of its commit")
        }
      }
    }
  }

  /// A home that waits for a thread that writes, in the block in which it has asked for some or
  /// right behind some.
  static let homes: [Probe] = [0, 1, 2, 5].map { before in
    Probe("a queue waits for a thread that writes, with \(before) asynchronous writes before") {
      stage in
      let queue = DispatchQueue(label: "home")
      try stage.elsewhere { _ = try stage.stocked() }
      var realm: Realm! = try queue.sync {
        try Realm(configuration: stage.configuration(), queue: queue)
      }
      var asked = 0
      var completed = 0
      func ask() {
        asked += 1
        realm.writeAsync { [realm = realm!] in
          realm.account(1).balance += 1
        } onComplete: { _ in
          completed += 1
        }
      }
      for round in 0..<12 {
        queue.sync { for _ in 0..<before { ask() } }
        if before > 0, round % 2 == 0 {
          try stage.spin(until: { queue.sync { completed == asked } }, "what was asked for before")
        }
        try queue.sync {
          for _ in 0..<(1 + round % 3) { ask() }
          try stage.foreign { $0.account(2).balance += 1 }
        }
      }
      try stage.spin(until: { queue.sync { completed == asked } }, "all that was asked for")
      let seen = try stage.seen { [$0.account(1).balance, $0.account(2).balance] }
      stage.equal(seen, [100 + asked, 200 + 12], "the increments")
      queue.sync { realm = nil }
    }
  }

  /// How often something was called at one home: it is counted and asked there.
  private final class Calls { var count = 0 }

  /// Homes that are busy when their commits have reached the disk, many at once.
  static let busyHomes: [Probe] = [2, 5, 9].map { count in
    Probe("\(count) queues that are busy when their commits end are told of it") { stage in
      let queues = (0..<count).map { DispatchQueue(label: "queue \($0)") }
      var realms: [Realm] = []
      let completed = queues.map { _ in Calls() }
      for (number, queue) in queues.enumerated() {
        realms.append(
          try queue.sync {
            let realm = try Realm(
              configuration: stage.configuration("file \(number)"), queue: queue)
            try realm.write { realm.add(Account(id: 1)) }
            return realm
          })
      }
      for round in 1...3 {
        let release = Latch("the end of all that is busy")
        for (number, queue) in queues.enumerated() {
          let realm = realms[number]
          queue.sync {
            realm.beginWrite()
            realm.account(1).balance = round
            realm.commitAsyncWrite { _ in completed[number].count += 1 }
          }
          let patience = stage.patience
          stage.later(on: queue) { _ = release.wait(patience) }
        }
        // No completion can run while its queue is busy; each commit gets to the disk without it.
        for number in 0..<count {
          try stage.spin(
            until: {
              (try? stage.seen("file \(number)") { $0.account(1).balance }) == round
            }, "the commit of file \(number)")
        }
        release.open()
        for (number, queue) in queues.enumerated() {
          try stage.spin(
            until: { queue.sync { completed[number].count == round } },
            "the completion of file \(number) of \(count)")
          stage.equal(
            queue.sync { realms[number].isPerformingAsynchronousWriteOperations }, false,
            "whether something of file \(number) is under way")
        }
      }
      for queue in queues.reversed() { queue.sync { use(realms.removeLast()) } }
    }
  }

  /// A queue that nobody keeps but the realm that is at home there.
  static let keptQueues: [Probe] = ["observed", "written to later"].map { what in
    Probe("a realm keeps its queue: \(what)") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let events = Latch("what is told on the queue")
      func open() throws -> (Realm, NotificationToken?) {
        let queue = DispatchQueue(label: "home")
        return try queue.sync {
          let realm = try Realm(configuration: stage.configuration(), queue: queue)
          guard what == "observed" else {
            // Its turn comes when nobody here has the queue any more.
            realm.beginAsyncWrite {
              realm.account(1).balance = 7
              realm.commitAsyncWrite { _ in events.open() }
            }
            return (realm, nil)
          }
          let token = realm.objects(Account.self).observe { change in
            if case .update = change { events.open() }
          }
          return (realm, token)
        }
      }
      let release = Latch("the other write")
      let writer = try stage.holdingWrite(until: release) { $0.account(2).balance = 1 }
      let kept = try open()
      release.open()
      try stage.join(writer)
      for round in 0..<200 where !events.isOpen {
        try stage.foreign { $0.account(2).balance = round }
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
      }
      stage.expect(events.isOpen, "something is told on the queue")
      use(kept)
    }
  }
}
