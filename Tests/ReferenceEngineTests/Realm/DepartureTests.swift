import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// What a session remembers of rows that have gone.
struct DepartureTests {
  @Test func `rows of runs that meet have gone`() {
    let seed = UInt64.random(in: 0...1_000_000)
    var dice = Dice(seed: seed)
    for _ in 0..<100 {
      var departures = Departures()
      var gone: Set<Int64> = []
      for generation in 1...UInt32(20) {
        let first = Int64(dice.below(60))
        let keys = first...(first + Int64(dice.below(12)))
        departures.note(0, keys, at: generation)
        gone.formUnion(keys)
        for key in Int64(0)..<80 {
          #expect(
            departures.haveInWrite(RowLink(table: 0, key: key)) == gone.contains(key),
            "seed \(seed)")
        }
      }
      #expect(!departures.haveInWrite(RowLink(table: 1, key: gone.first ?? 0)))
    }
  }

  /// What a lost write had deleted stayed gone.
  @Test func `WRITE-27: what a sealed write deleted is gone until it is lost`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (scratch, disks) = (Scratch(), FailingDisks())
      disks.install()
      let desk = Desk(scratch.configuration([Keyed.self]))
      var held: [Keyed] = []
      desk.commit { realm in
        for id in 0..<6 { held.append(realm.create(Keyed.self, value: ["id": id])) }
      }
      func gone() -> [Int] { held.indices.filter { held[$0].isInvalidated } }
      let (done, failures) = (Bell(), Noted<Bool>())
      for isLost in [true, false] {
        if isLost { disks.fail(at: 0, .noSpace, sticky: true) }
        desk.work { realm in
          // Two of a group, and a third that deletes nothing.
          for number in 0..<3 {
            realm.writeAsync {
              if number < 2 { realm.delete(held[number * 2]) }
              if number == 2 { held[5].name = "written" }
            } onComplete: { error in
              failures.add(error != nil)
              if number == 2 { done.ring() }
            }
          }
        }
        #expect(done.wait())
        disks.heal()
        desk.work { realm in
          #expect(failures.all.suffix(3) == [isLost, isLost, isLost])
          #expect(gone() == (isLost ? [] : [0, 2]))
          #expect(realm.objects(Keyed.self).count == (isLost ? 6 : 4))
          // Who comes under their keys is somebody else.
          if !isLost { try! realm.write { _ = realm.create(Keyed.self, value: ["id": 0]) } }
          #expect(gone() == (isLost ? [] : [0, 2]))
        }
      }
      desk.work { _ in held = [] }
    }
  }

  @Test(.timeLimit(.minutes(1))) func `many runs are found as fast as few`() {
    var departures = Departures()
    for number in Int64(0)..<100_000 {
      departures.note(0, (number * 3)...(number * 3 + 1), at: UInt32(number))
    }
    var found = 0
    for key in Int64(0)..<300_000 where departures.haveInWrite(RowLink(table: 0, key: key)) {
      found += 1
    }
    #expect(found == 200_000)
  }

  /// Each key that was ever deleted was remembered as long as the realm.
  @Test func `what is remembered is bounded by what is there`() throws {
    let configuration = freshConfiguration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    desk.work { _ = $0.objects(Keyed.self).count }
    func turn(_ desk: Desk, _ round: Int) {
      desk.commit { realm in
        for id in 0..<500 { realm.create(Keyed.self, value: ["id": round * 500 + id]) }
        // Two of three, so that they are no runs.
        realm.delete(realm.objects(Keyed.self).filter { $0.id % 3 != 0 })
        if round % 20 == 19 { realm.delete(realm.objects(Keyed.self).filter { $0.id % 10 != 0 }) }
      }
    }
    for round in 0..<80 { turn(round % 2 == 0 ? desk : other, round) }
    desk.work { realm in
      realm.refresh()
      let there = realm.objects(Keyed.self).count
      #expect(there > 1000)
      #expect(realm.session.departures.count < 4096 + 3 * there + 2000)
    }
    // Runs of deleted rows in one commit: at most one for each row that is left.
    for round in 80..<120 { turn(other, round) }
    desk.work { realm in
      realm.refresh()
      #expect(realm.session.departures.count < 4096 + 3 * realm.objects(Keyed.self).count + 2000)
    }
  }

  @Test func `REF-05: what comes again under a key that was forgotten is another object`() throws {
    let configuration = freshConfiguration()
    let (desk, other) = (Desk(configuration), Desk(configuration))
    var held: [Keyed] = []
    var frozen: [Keyed] = []
    desk.commit { realm in
      for id in 0..<30 { held.append(realm.create(Keyed.self, value: ["id": id * 1_000])) }
    }
    desk.work { _ in
      for keyed in held { _ = keyed.id }
      frozen = held.map { $0.freeze() }
    }
    // All go, and every second one comes again.
    other.commit { $0.delete($0.objects(Keyed.self)) }
    desk.work { $0.refresh() }
    for round in 0..<30 {
      let desk = round % 2 == 0 ? desk : other
      desk.commit { realm in
        for id in 0..<400 { realm.create(Keyed.self, value: ["id": 1 + id * 2 + round * 1_000]) }
        realm.delete(realm.objects(Keyed.self).filter { $0.id % 5 != 0 })
      }
    }
    desk.work { $0.refresh() }
    other.commit { realm in
      for id in 0..<30 where id % 2 == 0 { realm.create(Keyed.self, value: ["id": id * 1_000]) }
    }
    desk.work { realm in
      realm.refresh()
      #expect(realm.session.departures.count < 10_000)
      #expect(held.allSatisfy { $0.isInvalidated })
      #expect(frozen.filter { $0.thaw() != nil }.isEmpty)
      let again = realm.object(ofType: Keyed.self, forPrimaryKey: 2_000)
      #expect(again?.isInvalidated == false && again?.id == 2_000)
      held = []
      frozen = []
    }
  }
}
