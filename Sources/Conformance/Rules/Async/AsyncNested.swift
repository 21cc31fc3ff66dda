import EngineUnderTest
import Foundation
import Harness

/// Completions that others become due in: some commits are on their way, each by itself, and a
/// plain write in a completion waits for all of them.
private struct Nesting {
  let name: String
  /// How many commits there are.
  let count: Int
  /// In which completion something is done, and after how many plain writes there.
  let number: Int
  let writes: Int

  static let all = [
    Nesting(name: "in the first of two, after a write", count: 2, number: 0, writes: 1),
    Nesting(name: "in one that a write in the first makes due", count: 2, number: 1, writes: 0),
    Nesting(name: "in the first of three, after two writes", count: 3, number: 0, writes: 2),
    Nesting(name: "in the last of three, after a write", count: 3, number: 2, writes: 1),
    Nesting(name: "in the first of nine, after a write", count: 9, number: 0, writes: 1),
  ]

  /// Commits, and does something in one of the completions. Each of the others before it writes,
  /// too: so all are called within the first.
  func run(_ stage: Stage, _ kind: RealmHome.Kind, _ act: @escaping (Realm) -> Void) throws {
    try stage.elsewhere { _ = try stage.stocked() }
    let home = RealmHome(kind)
    var realm: Realm! = try home.open(stage)
    var told: [Int] = []
    home.work {
      for place in 0..<count {
        realm.beginWrite()
        realm.account(1).balance = place
        realm.commitAsyncWrite { [self, realm = realm!] _ in
          told.append(place)
          if place < number { try! realm.write { realm.account(2).balance = place } }
          guard place == number else { return }
          for round in 0..<writes { try! realm.write { realm.account(3).balance = round } }
          act(realm)
        }
      }
    }
    try stage.spin(until: { home.work { told.count >= count } }, "the completions")
    stage.equal(home.work { told }, Array(0..<count), "the order of the completions")
    // What is over is over: now everything may begin again.
    var isDone = false
    home.work {
      _ = realm.beginAsyncWrite { [realm = realm!] in
        realm.account(1).balance = 77
        realm.commitAsyncWrite { _ in isDone = true }
      }
    }
    try stage.spin(until: { home.work { isDone } }, "a write after all of them")
    stage.equal(try stage.seen { $0.account(1).balance }, 77, "what it wrote")
    home.work { realm = nil }
  }
}

extension Probe {
  private static let inside = "from inside a commit completion callback"

  private static func nested(
    _ name: String, saying words: String, _ act: @escaping @Sendable (Stage, Realm) -> Void
  ) -> [Probe] {
    RealmHome.Kind.allCases.flatMap { home in
      Nesting.all.indices.map { place in
        Probe.dies(
          "\(name) in a completion on \(home.rawValue), \(Nesting.all[place].name)", saying: words
        ) { stage in
          try Nesting.all[place].run(stage, home) { act(stage, $0) }
        }
      }
    }
  }

  /// Beginning is refused in all of them.
  static let beginsWithin: [Probe] =
    nested("beginAsyncWrite", saying: "Can't begin a write transaction \(inside)") {
      stage, realm in stage.act { realm.beginAsyncWrite {} }
    }
    + nested("writeAsync", saying: "Can't begin a write transaction \(inside)") { stage, realm in
      stage.act { realm.writeAsync {} }
    }

  /// And so are the ends; plain writes are not.
  static let endsWithin: [Probe] =
    nested("commitAsyncWrite", saying: "Can't commit a write transaction \(inside)") {
      stage, realm in
      realm.beginWrite()
      stage.act { realm.commitAsyncWrite() }
    }
    + nested("cancelWrite", saying: "Can't cancel a write transaction \(inside)") { stage, realm in
      realm.beginWrite()
      stage.act { realm.cancelWrite() }
    }
    + RealmHome.Kind.allCases.map { home in
      Probe("plain writes in completions that others become due in, on \(home.rawValue)") { stage in
        for nesting in Nesting.all {
          try nesting.run(stage, home) { realm in
            try! realm.write { realm.account(3).balance = 5 }
            stage.equal(realm.account(3).balance, 5, "what was written \(nesting.name)")
            stage.equal(realm.isInWriteTransaction, false, "whether it is in a write")
          }
          try stage.foreign { $0.deleteAll() }
        }
      }
    }

  /// Many that wait, of which some are taken back.
  static let crowdsOfBlocks: [Probe] = [1, 5, 63, 65, 130, 300].map { count in
    Probe("\(count) blocks wait: each is run and told once, in their order, but for cancelled ones")
    {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.stocked()
      for (round, step) in [3, 2, 7].enumerated() {
        var (ran, told, ids): ([Int], [Int], [AsyncTransactionId]) = ([], [], [])
        realm.beginWrite()
        for number in 0..<count {
          ids.append(
            realm.beginAsyncWrite {
              ran.append(number)
              realm.account(1).balance = number
              realm.commitAsyncWrite(allowGrouping: number % 5 != 4) { error in
                stage.expect(error == nil, "no error of \(number)", observed: "\(error!)")
                told.append(number)
              }
            })
        }
        stage.equal(Set(ids).count, count, "the ids")
        // From the first, from the last, and in the middle.
        var left = Array(0..<count)
        let taken = left.filter { $0 % step == 1 }
        for number in round == 1 ? taken.reversed() : taken {
          try realm.cancelAsyncWrite(ids[number])
        }
        left.removeAll(where: Set(taken).contains)
        realm.cancelWrite()
        try stage.spin(until: { told.count >= left.count }, "the completions of \(count)")
        stage.equal(ran, left, "which ran, of \(count)")
        stage.equal(told, left, "which were told, of \(count)")
        stage.equal(
          try stage.seen { $0.account(1).balance }, left.last, "what the last wrote, of \(count)")
      }
    }
  }
}
