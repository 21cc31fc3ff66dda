import Foundation
import Testing

@testable import ReferenceEngine

/// Listeners of every kind that come between the commits of groups, in homes that are busy while
/// the groups of others are written over what waited, and that act in their calls.
@Suite struct WaitingMirrorTests {
  private final class Player: @unchecked Sendable {
    // Sendable because it is only touched at its desk, but for its end.
    let desk: Desk
    var dice: Dice
    var mirrors: [StormMirror] = []
    var faults: [String] = []
    private var acts = 0
    private var isActing = false

    init(_ desk: Desk, seed: UInt64) {
      self.desk = desk
      dice = Dice(seed: seed)
    }

    private func change(_ realm: Realm, _ size: Int) {
      func grain(_ id: Int) -> Grain? { realm.object(ofType: Grain.self, forPrimaryKey: id) }
      let first = dice.below(900)
      for _ in 0...dice.below(3) {
        switch dice.below(8) {
        case 0, 1:
          for id in first..<(first + size) {
            realm.create(
              Grain.self, value: ["id": id, "weight": dice.below(9)], update: .modified)
          }
        case 2: for id in first..<(first + size) { grain(id)?.weight = dice.below(9) }
        case 3:
          for id in first..<(first + size / 2) {
            guard let old = grain(id) else { continue }
            realm.delete(old)
            if dice.below(3) == 0 { realm.create(Grain.self, value: ["id": id, "weight": 5]) }
          }
        case 4:
          guard let dune = realm.objects(Dune.self).first else { break }
          for id in first..<(first + size) { if let one = grain(id) { dune.grains.append(one) } }
          while dune.grains.count > 900 { dune.grains.removeLast(dune.grains.count - 500) }
          dune.numbers.append(dice.below(99))
        case 5:
          let seven = grain(7) ?? realm.create(Grain.self, value: ["id": 7])
          seven.tags["k\(dice.below(6))"] = dice.below(3) == 0 ? nil : dice.below(99)
          if let one = grain(first) { seven.list.append(one) }
        case 6:
          for id in [3, 5] {
            let one = grain(id) ?? realm.create(Grain.self, value: ["id": id])
            one.next = grain(first)
            one.weight = dice.below(9)
          }
        default:
          for number in 0..<size { realm.create(Person.self, value: ["name": "\(number)"]) }
          if realm.objects(Person.self).count > 900 { realm.delete(realm.objects(Person.self)) }
        }
      }
    }

    private var size: Int { [3, 30, 300][dice.below(3)] }

    func begin(_ realm: Realm) {
      let all: [StormMirror] = [
        CollectionMirror("all") { $0.objects(Grain.self) },
        CollectionMirror("all again") { $0.objects(Grain.self) },
        CollectionMirror("heavy") { $0.objects(Grain.self).where { $0.weight > 4 } },
        CollectionMirror("paths", ["weight"]) { $0.objects(Grain.self) },
        CollectionMirror("sorted") { $0.objects(Grain.self).sorted(by: ["weight", "id"]) },
        CollectionMirror("next") { $0.objects(Grain.self).filter("next.weight > 4") },
        CollectionMirror("list") { $0.objects(Dune.self).first?.grains },
        CollectionMirror("inner list") { $0.object(ofType: Grain.self, forPrimaryKey: 7)?.list },
        NumbersMirror("numbers"), MapMirror("map"), SectionsMirror("sections"), ObjectMirror(3),
        ObjectMirror(5, ["weight"]),
      ]
      for mirror in all where dice.below(4) == 0 && mirrors.count < 24 {
        mirror.afterwards = { [unowned self] in act(realm) }
        mirror.begin(realm)
        mirrors.append(mirror)
      }
    }

    /// What a listener does in its call.
    private func act(_ realm: Realm) {
      guard acts > 0, !isActing, dice.below(6) == 0 else { return }
      acts -= 1
      isActing = true
      defer { isActing = false }
      if realm.isInWriteTransaction {
        switch dice.below(3) {
        case 0: change(realm, 3)
        case 1 where !realm.session.hasChangesInWrite: begin(realm)
        default: if let mirror = mirrors.randomElement(using: &dice) { mirror.end() }
        }
        return
      }
      switch dice.below(9) {
      case 0: try! realm.write { change(realm, 20) }
      case 1:
        realm.beginWrite()
        change(realm, 20)
        realm.cancelWrite()
      case 2:
        realm.beginWrite()
        change(realm, 20)
        realm.commitAsyncWrite(allowGrouping: dice.below(2) == 0)
      case 3: realm.writeAsync { [unowned self] in change(realm, 20) }
      case 4: realm.refresh()
      case 5: realm.invalidate()
      case 6: begin(realm)
      case 7: if let mirror = mirrors.randomElement(using: &dice) { mirror.end() }
      default: realm.beginAsyncWrite { realm.commitAsyncWrite(allowGrouping: true) }
      }
    }

    /// A turn of several writes; rings when the last of them is through.
    func play(_ done: Bell) {
      desk.work { realm in
        acts = 6
        if dice.below(3) == 0 { realm.autorefresh.toggle() }
        let count = 2 + dice.below(4)
        for index in 0..<count {
          realm.beginAsyncWrite { [self] in
            guard realm.isInWriteTransaction else { return }
            change(realm, size)
            switch dice.below(10) {
            case 0: realm.cancelWrite()
            case 1: try! realm.commitWrite()
            default: realm.commitAsyncWrite(allowGrouping: dice.below(5) > 0)
            }
            if dice.below(2) == 0, !realm.isInWriteTransaction { begin(realm) }
            if dice.below(5) == 0, !realm.isInWriteTransaction {
              realm.beginWrite()
              if !realm.session.hasChangesInWrite, dice.below(2) == 0 { begin(realm) }
              change(realm, 10)
              if dice.below(2) == 0 { try! realm.commitWrite() } else { realm.cancelWrite() }
            }
          }
          if index + 1 == count { realm.writeAsync({}, onComplete: { _ in done.ring() }) }
        }
      }
    }

    func check() {
      desk.work { realm in
        acts = 0
        for _ in 0..<3 { realm.refresh() }
        for mirror in mirrors where mirror.token != nil {
          faults += mirror.faults.prefix(2).map { "\(mirror.name): \($0)" }
          if let fault = mirror.check(realm) { faults.append("\(mirror.name): \(fault)") }
        }
        for mirror in mirrors where dice.below(2) == 0 { mirror.end() }
        mirrors.removeAll { $0.token == nil }
      }
    }

    func end() {
      desk.work { _ in
        for mirror in mirrors { mirror.end() }
        mirrors = []
      }
    }
  }

  @Test func `NOTIFY-07: who listens between commits of groups is told what is there`() {
    let seed = Wish.seed()
    let scratch = Scratch()
    let configuration = scratch.configuration([Grain.self, Dune.self, Person.self, Dog.self])
    let players = (0..<3).map { Player(Desk(configuration), seed: seed &* 8 &+ UInt64($0)) }
    players[0].desk.commit { realm in
      realm.create(Dune.self)
      for id in 0..<400 { realm.create(Grain.self, value: ["id": id, "weight": id % 9]) }
    }
    for round in 0..<Wish.number(orElse: 12) {
      let bells = players.map { _ in Bell() }
      DispatchQueue.concurrentPerform(iterations: players.count) { index in
        players[index].play(bells[index])
      }
      for bell in bells { #expect(bell.wait(), "round \(round)") }
      for player in players {
        player.check()
        #expect(player.faults == [], "round \(round)")
      }
      if players.contains(where: { !$0.faults.isEmpty }) { break }
    }
    for player in players { player.end() }
    players[0].desk.work { _ = try? $0.session.coordinator.checkEverything() }
  }
}
