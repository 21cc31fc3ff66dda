import Foundation
import Testing

@testable import ReferenceEngine

/// A realm whose loops and listeners go on beside a process that is killed in the middle of a
/// group: what that had not brought to the disk nobody has seen, and what comes after it is told.
@Suite(.serialized) struct KilledNeighbourTests {
  private static let classes: [ObjectBase.Type] = [Keyed.self, Dog.self, Person.self]

  /// Seals commits of a group, none of which is told, and dies in one of them, or while they are
  /// brought to the disk.
  private static func seal(_ path: String, _ seed: UInt64) {
    alarm(60)
    var dice = Dice(seed: seed)
    let desk = Desk(
      Realm.Configuration(
        fileURL: URL(fileURLWithPath: path + "/test.realm"), objectTypes: classes))
    let count = 2 + dice.below(4)
    let last = dice.below(count + 1)
    let done = Bell()
    desk.work { realm in
      for number in 0..<count {
        realm.beginAsyncWrite {
          for id in 0..<(1 + dice.below(400)) {
            realm.create(Keyed.self, value: ["id": id, "name": "dead"], update: .modified)
          }
          realm.delete(realm.objects(Keyed.self).filter("id > 900"))
          if number == last { kill(getpid(), SIGKILL) }
          realm.commitAsyncWrite(allowGrouping: number + 1 < count) { _ in
            kill(getpid(), SIGKILL)
            done.ring()
          }
          if dice.below(3) == 0 { _ = realm.objects(Keyed.self).freeze().count }
        }
      }
    }
    _ = done.wait()
  }

  // this process                     another
  // begins loops, and listens
  //                                  seals commits of a group, and is killed
  // writes
  // goes on with the loops, is told
  @Test func `COMMIT-04, NOTIFY-07, READ-12: loops and listeners outlive a killed group`()
    async throws
  {
    let seed = Wish.seed()
    let scratch = Scratch()
    let desk = Desk(scratch.configuration(Self.classes))
    desk.commit { realm in
      for id in 0..<600 { realm.create(Keyed.self, value: ["id": id, "name": "old"]) }
    }
    var names: [String] = []
    let token = desk.work { realm in
      realm.objects(Keyed.self).observe { change in
        switch change {
        case .initial(let now): names = now.map(\.name)
        case .update(let now, let deletions, let insertions, let modifications):
          let told = ToldPlaces(
            deletions: deletions, insertions: insertions, modifications: modifications)
          let faults = told.faults(from: names, to: now.map(\.name), isSame: ==)
          #expect(faults == [])
          names = now.map(\.name)
        case .error(let error): Issue.record(error)
        }
      }
    }
    let path = scratch.directory.path
    for round in 0..<Wish.number(orElse: 6) {
      let held = desk.work { realm in
        realm.refresh()
        let keyed = realm.objects(Keyed.self)
        return Smuggled((keyed.makeIterator(), keyed.map(\.id)))
      }
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, seed = (seed &+ UInt64(round)) as UInt64] in
        KilledNeighbourTests.seal(path, seed)
      }
      desk.work { realm in
        var (walk, expected) = held.value
        var seen: [Int] = [walk.next()!.id]
        try! realm.write {
          for id in 1000..<1300 {
            realm.create(Keyed.self, value: ["id": id, "name": "new"], update: .modified)
          }
        }
        while let one = walk.next() {
          seen.append(one.isInvalidated ? expected[seen.count] : one.id)
        }
        #expect(seen == expected, "seed \(seed) round \(round)")
        expected = []
        realm.refresh()
        #expect(names == Array(realm.objects(Keyed.self).map(\.name)))
        try! realm.write { realm.delete(realm.objects(Keyed.self).filter("id >= 1200")) }
        realm.refresh()
        #expect(names == Array(realm.objects(Keyed.self).map(\.name)))
      }
    }
    desk.work { realm in
      token.invalidate()
      _ = try? realm.session.coordinator.checkEverything()
    }
  }
}
