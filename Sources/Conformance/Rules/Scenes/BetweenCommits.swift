import EngineUnderTest
import Foundation
import Harness

/// What begins where a group's commits wait for those behind them, and is used when the group is
/// over and others have been committed: whatever an engine knows of it lies where it stays.
enum BetweenCommits {
  /// A realm on a queue, and the writes of groups in it.
  private final class Writer {
    let queue: DispatchQueue
    private(set) var realm: Realm!

    init(_ name: String, _ stage: Stage) throws {
      queue = DispatchQueue(label: name)
      try stage.on(queue) {
        realm = try Realm(configuration: stage.configuration(), queue: queue)
      }
    }

    /// Commits writes as one group, each followed by `behind`; on the queue.
    func group(
      _ count: Int, _ ended: Latch, behind: @escaping (Int) -> Void = { _ in },
      _ change: @escaping (Int, Realm) -> Void
    ) {
      for number in 0..<count {
        realm.beginAsyncWrite { [realm = realm!] in
          change(number, realm)
          realm.commitAsyncWrite(allowGrouping: number + 1 < count) { _ in
            if number + 1 == count { ended.open() }
          }
          behind(number)
        }
      }
    }

    func close() { queue.sync { realm = nil } }
  }

  /// Commits a group of another realm, in the memory and the space that others have left.
  private static func goOn(_ other: Writer, _ stage: Stage) throws {
    let ended = Latch("the other's group")
    stage.on(other.queue) {
      other.group(5, ended) { number, realm in
        for age in 0..<150 { realm.add(Person(name: "\(number)", age: age)) }
      }
    }
    try stage.wait(for: ended)
  }

  private static func fill(_ realm: Realm, _ ids: Range<Int>) {
    let everything = realm.objects(Everything.self).first ?? realm.create(Everything.self)
    for id in ids {
      realm.add(Account(id: id, balance: id))
      let dog = Dog(name: "\(id)", age: id)
      realm.add(dog)
      everything.dogs.append(dog)
    }
  }

  /// Loops of each kind that go on by hand, each with the numbers that it has begun with.
  private static func loops(
    _ realm: Realm
  ) -> [(name: String, expected: [Int], next: () -> Int?)] {
    func loop<Members: Sequence>(
      _ name: String, _ members: Members, _ number: @escaping (Members.Element) -> Int
    ) -> (name: String, expected: [Int], next: () -> Int?) {
      var rest = members.makeIterator()
      return (name, members.map(number), { rest.next().map(number) })
    }
    let (accounts, dogs) = (realm.objects(Account.self), realm.objects(Dog.self))
    return [
      loop("all accounts", accounts) { $0.id },
      loop("all dogs", dogs) { $0.age },
      loop("filtered accounts", accounts.where { $0.balance >= 0 }) { $0.id },
      loop("sorted dogs", dogs.sorted(byKeyPath: "age", ascending: false)) { $0.age },
      loop("a list of dogs", realm.objects(Everything.self).first!.dogs) { $0.age },
    ]
  }

  static let loops: [Probe] = [20, 300, 600].map { size in
    Probe("loops that begin between the commits of a group go on as they began: \(size)") { stage in
      let (home, other) = (try Writer("home", stage), try Writer("other", stage))
      var begun: [(name: String, expected: [Int], next: () -> Int?)] = []
      var found: [[Int]] = []
      let ended = Latch("the group")
      stage.on(home.queue) {
        home.group(3, ended) { number in
          if number == 2 { return }
          for loop in loops(home.realm) {
            begun.append(loop)
            found.append((0..<3).compactMap { _ in loop.next() })
          }
        } _: { number, realm in
          fill(realm, (number * size)..<((number + 1) * size))
        }
      }
      try stage.wait(for: ended)
      try goOn(other, stage)
      stage.on(home.queue) {
        for (index, loop) in begun.enumerated() {
          while found[index].count <= loop.expected.count, let next = loop.next() {
            found[index].append(next)
          }
          stage.equal(found[index], loop.expected, "what a loop over \(loop.name) comes to")
        }
        stage.equal(begun.count, 10, "how many loops began")
        begun = []
      }
      home.close()
      other.close()
    }
  }

  static let listeners: [Probe] = [20, 600].map { size in
    Probe("who comes between the commits of a group is told what was there: \(size)") { stage in
      let (home, other) = (try Writer("home", stage), try Writer("other", stage))
      let mirror = CollectionMirror()
      var token: NotificationToken?
      let ended = Latch("the group")
      stage.on(home.queue) {
        // The second one is told when the home is not busy any more.
        home.group(2, ended) { number in
          if number == 0 {
            token = home.realm.objects(Account.self).observe { mirror.take($0) }
          }
        } _: { number, realm in
          fill(realm, (number * size)..<((number + 1) * size))
          if number > 0 { realm.delete(realm.account(size / 2 + number)) }
        }
        // Behind the turn of all of them, and before its news.
        stage.later(on: home.queue) {
          do { try goOn(other, stage) } catch {
            stage.fail(expected: "another's group", observed: "\(error)")
          }
        }
      }
      try stage.wait(for: ended)
      stage.on(home.queue) {
        home.realm.refresh()
        stage.equal(mirror.wrong, nil, "what is wrong with the index sets")
        stage.equal(
          mirror.rows, home.realm.objects(Account.self).map(CollectionMirror.row), "the mirror")
        token?.invalidate()
      }
      home.close()
      other.close()
    }
  }
}
