import EngineUnderTest
import Foundation
import Harness

/// Homes that wait for a thread that waits for the lock, while their own asynchronous writes have
/// asked for it, too: nobody may wait for one who cannot come.
enum Standstills {
  // MARK: ASYNC-52

  // busy queue           other home
  // asks for turns
  //                      asks for turns behind them
  // waits for the other  needs its turn at once
  static let urgent: [Probe] = RealmHome.Kind.allCases.flatMap { kind in
    [(1, 1), (1, 3), (4, 1), (3, 2)].map { before, behind in
      Probe(
        "a plain write on \(kind.rawValue) behind \(behind) asynchronous ones of its realm, and "
          + "\(before) of a queue that waits for it"
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let queue = DispatchQueue(label: "busy")
        let home = RealmHome(kind)
        var busy: Realm! = try queue.sync {
          try Realm(configuration: stage.configuration(), queue: queue)
        }
        var other: Realm! = try home.open(stage)
        // Each is counted at its home, and read there.
        var (completed, others, waited) = (0, 0, 0)
        let rounds = 6
        for round in 1...rounds {
          let asked = Latch("the requests of the busy queue")
          let wrote = Latch("the plain write of round \(round)")
          stage.later(on: queue) {
            for _ in 0..<before {
              busy.writeAsync { [realm = busy!] in
                realm.account(1).balance += 1
              } onComplete: { _ in
                completed += 1
              }
            }
            asked.open()
            if wrote.wait(stage.patience) { waited += 1 }
          }
          try stage.wait(for: asked)
          try home.work {
            for _ in 0..<behind {
              other.writeAsync { [realm = other!] in
                realm.account(2).balance += 1
              } onComplete: { _ in
                others += 1
              }
            }
            // Every second time those who wait for the lock get the time to come to it.
            if round % 2 == 0 { stage.letShow(wrote, within: .milliseconds(60)) }
            try other.write { other.account(3).balance += 1 }
            wrote.open()
          }
          stage.equal(queue.sync { waited }, round, "how often the queue has seen the plain write")
          try stage.spin(
            until: {
              queue.sync { completed } == round * before
                && home.work { others } == round * behind
            }, "the completions of round \(round)")
        }
        stage.equal(
          try stage.seen { [1, 2, 3].map($0.account).map(\.balance) },
          [100 + rounds * before, 200 + rounds * behind, 300 + rounds], "the increments")
        queue.sync { busy = nil }
        home.work { other = nil }
      }
    }
  }

  // MARK: ACTOR-12

  // holder          tasks of an actor   another job of the actor
  // holds the lock
  //                 ask for turns
  //                                     comes, and waits for a thread that writes
  // lets go         their turn has come
  static let busyActors: [Probe] = [true, false].flatMap { isHeld in
    [1, 2, 5].map { count in
      Probe.task(
        "an actor waits for a thread that writes, \(count) asyncWrites have asked for their turn"
          + (isHeld ? " behind another writer" : "")
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let keeper = try await Keeper(stage.configuration())
        let rounds = 6
        for round in 1...rounds {
          let release = Latch("the end of the write of the holder")
          let holder = isHeld ? try stage.holdingWrite(until: release) : nil
          var tasks: [Task<Void, any Error>] = []
          for number in 0..<count {
            let asked = Latch("request \(number) of round \(round)")
            tasks.append(
              Task {
                try await keeper.run { _, realm in
                  asked.open()
                  try await realm.asyncWrite { realm.account(1).balance += 1 }
                }
              })
            try await stage.arrival(of: asked)
          }
          try await keeper.with { _, _ in
            release.open()
            // Every second time those who wait for the lock get the time to come to it.
            if round % 2 == 0 {
              stage.letShow(Latch("nothing"), within: .milliseconds(60))
            }
            try stage.foreign { $0.account(2).balance += 1 }
          }
          for task in tasks { try await task.value }
          if let holder { try stage.join(holder) }
        }
        stage.equal(
          try stage.seen { [$0.account(1).balance, $0.account(2).balance] },
          [100 + rounds * count, 200 + rounds], "the increments")
        await keeper.close()
      }
    }
  }
}
