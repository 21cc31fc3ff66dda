import Foundation
import Testing

@testable import ReferenceEngine

/// Realms of several homes that commit in groups, and begin to listen, to walk and to hold between
/// the commits of one. Each knows by itself what it has begun with: whatever the others write where
/// that waited, it goes on as it was.
@Suite struct WaitingStormTests {
  @Test(arguments: [false, true])
  func `READ-12, NOTIFY-07: what begins beside what waits goes on as it began`(isAlone: Bool) {
    let seed = Wish.seed()
    let rounds = Wish.number(orElse: 3)
    let scratch = Scratch()
    let configuration = scratch.configuration([Dog.self, Keyed.self, Person.self])
    let players = (0..<(isAlone ? 1 : 3)).map { number in
      WaitingPlayer(Desk(configuration), Dice(seed: seed &* 8 &+ UInt64(number)), number)
    }
    let group = DispatchGroup()
    for player in players {
      let thread = Thread {
        for _ in 0..<rounds where player.wrong.isEmpty { player.play() }
        group.leave()
      }
      group.enter()
      thread.start()
    }
    group.wait()
    for player in players { player.end() }
    for player in players { #expect(player.wrong == []) }
    _ = try? players[0].desk.work { try $0.session.coordinator.checkEverything() }
  }
}

/// One home of the storm.
private final class WaitingPlayer: @unchecked Sendable {
  // Sendable because it is only touched at its desk, but for its end.
  private struct Walk {
    var rest: RLMIterator<Dog>
    let expected: [Int]
    var at = 0
  }
  private final class Mirror {
    let name: String
    let results: Results<Dog>
    var ages: [Int] = []
    var token: NotificationToken?
    init(_ name: String, _ results: Results<Dog>) { (self.name, self.results) = (name, results) }
  }

  let desk: Desk
  private var dice: Dice
  private let number: Int
  private var serial: Int
  private var walks: [Walk] = []
  private var mirrors: [Mirror] = []
  private var frozen: [(Results<Dog>, [Int])] = []
  private(set) var wrong: [String] = []

  init(_ desk: Desk, _ dice: Dice, _ number: Int) {
    (self.desk, self.dice, self.number) = (desk, dice, number)
    serial = (number + 1) * 1_000_000
  }

  private func blame(_ what: String) { wrong.append("player \(number): \(what)") }

  /// A turn of several writes, and the wait for what they have committed.
  func play() {
    let done = Bell()
    desk.work { realm in
      let count = 2 + dice.below(4)
      for index in 0..<count {
        realm.beginAsyncWrite { [self] in
          if dice.below(4) == 0 { use(realm) }
          change(realm)
          switch dice.below(12) {
          case 0: realm.cancelWrite()
          case 1: try! realm.commitWrite()
          case 2: return
          default: realm.commitAsyncWrite(allowGrouping: dice.below(5) > 0)
          }
          for _ in 0..<dice.below(3) { use(realm) }
          if dice.below(8) == 0 {
            try! realm.write { change(realm) }
            use(realm)
          }
          // Long enough for the group to be placed before the next turn.
          if dice.below(8) == 0 { usleep(3000) }
        }
        if index + 1 == count {
          realm.writeAsync({ [self] in change(realm) }, onComplete: { _ in done.ring() })
        }
      }
    }
    if !done.wait() { return blame("a turn does not end") }
    desk.work { realm in
      if dice.below(2) == 0 { realm.refresh() }
      for _ in 0..<2 { use(realm) }
      if dice.below(6) == 0 { letGo() }
    }
  }

  private func change(_ realm: Realm) {
    let dogs = realm.objects(Dog.self)
    for _ in 0...dice.below(3) {
      switch dice.below(8) {
      case 0, 1, 2:
        for _ in 0..<[1, 10, 120, 400][dice.below(4)] where dogs.count < 3000 {
          serial += 1
          realm.create(Dog.self, value: ["name": "\(serial % 7)", "age": serial])
        }
      case 3, 4:
        for _ in 0..<min(dogs.count, [1, 5, 50][dice.below(3)]) {
          realm.delete(dogs[dice.below(dogs.count)])
        }
      case 5: if !dogs.isEmpty { dogs[dice.below(dogs.count)].name = "\(dice.below(7))" }
      case 6: for id in 0..<30 { realm.create(Person.self, value: ["name": "\(id)", "age": id]) }
      default: if dogs.count > 1500 { realm.delete(dogs.filter("name < '4'")) }
      }
    }
    if realm.objects(Person.self).count > 600 { realm.delete(realm.objects(Person.self)) }
  }

  private func results(_ realm: Realm) -> (String, Results<Dog>) {
    let all = realm.objects(Dog.self)
    switch dice.below(4) {
    case 0: return ("some", all.filter("name < '4'"))
    case 1: return ("sorted", all.sorted(byKeyPath: "age", ascending: false))
    default: return ("all", all)
    }
  }

  private func ages(_ results: Results<Dog>) -> [Int] {
    (0..<results.count).map { results[$0].age }
  }

  private func use(_ realm: Realm) {
    switch dice.below(10) {
    case 0...1 where mirrors.count < 6 && !realm.session.hasChangesInWrite:
      let (name, results) = results(realm)
      listen(Mirror(name, results))
    case 2...3 where walks.count < 6:
      let results = results(realm).1
      let expected = ages(results)
      walks.append(Walk(rest: results.makeIterator(), expected: expected))
    case 4 where frozen.count < 4 && !realm.isInWriteTransaction:
      let results = results(realm).1
      let expected = ages(results)
      frozen.append((results.freeze(), expected))
    case 5 where !realm.isInWriteTransaction: realm.refresh()
    case 6:
      let all = realm.objects(Dog.self)
      if all.filter("age > 0").count != all.count { blame("not all are counted") }
    case 7:
      for (results, expected) in frozen where ages(results) != expected { blame("frozen rows") }
    default: if !walks.isEmpty { goOn(dice.below(walks.count), dice.below(500)) }
    }
  }

  private func goOn(_ index: Int, _ steps: Int) {
    for _ in 0..<steps {
      guard let dog = walks[index].rest.next() else {
        if walks[index].at != walks[index].expected.count {
          blame("a walk ends at \(walks[index].at) of \(walks[index].expected.count)")
        }
        walks.remove(at: index)
        return
      }
      let at = walks[index].at
      walks[index].at += 1
      guard at < walks[index].expected.count else { return blame("a walk does not end") }
      if !dog.isInvalidated, dog.age != walks[index].expected[at] {
        return blame("a walk finds \(dog.age) at \(at), not \(walks[index].expected[at])")
      }
    }
  }

  private func listen(_ mirror: Mirror) {
    mirrors.append(mirror)
    mirror.token = mirror.results.observe { [unowned self, unowned mirror] change in
      switch change {
      case .initial(let now): mirror.ages = ages(now)
      case .update(let now, let deletions, let insertions, _):
        for index in deletions.reversed() {
          guard index < mirror.ages.count else { return blame("\(mirror.name): \(deletions)") }
          mirror.ages.remove(at: index)
        }
        for index in insertions {
          guard index <= mirror.ages.count, index < now.count else {
            return blame("\(mirror.name): \(insertions) into \(mirror.ages.count)")
          }
          mirror.ages.insert(now[index].age, at: index)
        }
        if mirror.ages != ages(now) { blame("\(mirror.name) is another one") }
      case .error(let error): blame("\(error)")
      }
    }
  }

  private func letGo() {
    for mirror in mirrors { mirror.token?.invalidate() }
    mirrors = []
    frozen = []
    while !walks.isEmpty, wrong.isEmpty { goOn(0, .max) }
  }

  func end() {
    desk.work { realm in
      realm.refresh()
      for mirror in mirrors where mirror.token != nil && mirror.ages != ages(mirror.results) {
        blame("\(mirror.name) is another one in the end")
      }
      letGo()
    }
  }
}
