import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// Three realms of a file, one of which commits in groups that are lost or kept, and what they hold
/// on to: objects, references, what is frozen, listeners. Each object has a name that no other ever
/// had, so it is there exactly where an object with its name is shown.
private final class LossProgram: @unchecked Sendable {
  // Sendable because everything happens where a test thread waits for it.

  /// An object that somebody holds.
  private final class Held {
    let desk: Int
    let name: String
    let keyed: Keyed?
    let dog: Dog?
    var told: [String] = []
    var token: NotificationToken?

    init(_ desk: Int, _ name: String, _ keyed: Keyed?, _ dog: Dog?) {
      (self.desk, self.name, self.keyed, self.dog) = (desk, name, keyed, dog)
    }

    var isGone: Bool { (keyed?.isInvalidated ?? dog?.isInvalidated) == true }
    var nameNow: String? { keyed?.name ?? dog?.name }

    func listen() {
      func note(_ isDeleted: Bool, _ isThere: Bool) {
        told.append(isDeleted ? "deleted" : isThere ? "changed" : "changed, and gone")
      }
      token =
        keyed?.observe { change in
          if case .change(let object, _) = change { return note(false, !object.isInvalidated) }
          note(true, false)
        }
        ?? dog?.observe { change in
          if case .change(let object, _) = change { return note(false, !object.isInvalidated) }
          note(true, false)
        }
    }
  }

  /// Keys that are given again and again.
  private static let keys = 7...9

  private let scene = LostVersionTests.Scene()
  private let desks: [Desk]
  private let ended = Bell()
  private var dice: Dice
  private var names = 0
  private var isPending = false
  private var held: [Held] = []
  private var references: [(name: String, find: (Realm) -> String?)] = []
  private var frozen: [(name: String, thaw: () -> String?)] = []
  /// What was done, and what was wrong then.
  private(set) var log: [String] = []
  private(set) var isBroken = false

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    let third = Desk(scene.configuration)
    third.work { realm in
      realm.autorefresh = false
      realm.refresh()
    }
    desks = [scene.desk, third, scene.other]
  }

  private func isLucky(_ sides: Int) -> Bool { dice.below(sides) == 0 }

  private func accuse(_ text: String) {
    log.append("WRONG: " + text)
    isBroken = true
  }

  private func name(_ place: String) -> String {
    names += 1
    log.append("  n\(names) at \(place)")
    return "n\(names)"
  }

  // MARK: In a realm

  private func keyed(_ realm: Realm) -> [Keyed] {
    LossProgram.keys.compactMap { realm.object(ofType: Keyed.self, forPrimaryKey: $0) }
  }

  private func shown(_ realm: Realm) -> Set<String> {
    Set(keyed(realm).map(\.name)).union(realm.objects(Dog.self).map(\.name))
  }

  private func change(_ realm: Realm) {
    for _ in 0...dice.below(2) {
      let id = LossProgram.keys.lowerBound + dice.below(LossProgram.keys.count)
      let old = realm.object(ofType: Keyed.self, forPrimaryKey: id)
      switch dice.below(6) {
      case 0:
        log.append("  delete \(id)")
        if let old { realm.delete(old) }
      case 1, 2, 3:
        if let old { realm.delete(old) }
        realm.create(Keyed.self, value: ["id": id, "name": name("\(id)")])
      case 4: realm.create(Dog.self, value: ["name": name("dogs")])
      default:
        log.append("  delete a dog")
        if let dog = realm.objects(Dog.self).last { realm.delete(dog) }
      }
    }
  }

  private func hold(_ realm: Realm, _ desk: Int) {
    log.append("  hold")
    let all =
      keyed(realm).map { Held(desk, $0.name, $0, nil) }
      + realm.objects(Dog.self).map { Held(desk, $0.name, nil, $0) }
    for one in all where !realm.isInWriteTransaction && isLucky(6) { one.listen() }
    held += all
  }

  private func refer(_ realm: Realm) {
    log.append("  refer")
    for one in keyed(realm) where isLucky(2) {
      for _ in 0..<3 {
        let reference = ThreadSafeReference(to: one)
        references.append((one.name, { $0.resolve(reference)?.name }))
      }
    }
    for dog in realm.objects(Dog.self) where isLucky(3) {
      for _ in 0..<3 {
        let reference = ThreadSafeReference(to: dog)
        references.append((dog.name, { $0.resolve(reference)?.name }))
      }
    }
  }

  private func freeze(_ realm: Realm) {
    if realm.isInWriteTransaction { return }
    log.append("  freeze")
    for one in keyed(realm).map({ $0.freeze() }) { frozen.append((one.name, { one.thaw()?.name })) }
    for dog in realm.objects(Dog.self).map({ $0.freeze() }) {
      frozen.append((dog.name, { dog.thaw()?.name }))
    }
  }

  private func check(_ realm: Realm, _ desk: Int) {
    let shown = shown(realm)
    for one in held where one.desk == desk {
      if one.isGone == shown.contains(one.name) {
        accuse("\(one.name) is \(one.isGone ? "gone" : "there") in \(desk)")
      } else if !one.isGone, one.nameNow != one.name {
        accuse("\(one.name) is \(one.nameNow ?? "") in \(desk)")
      }
      if one.told.contains("changed, and gone") { accuse("\(one.name) was told \(one.told)") }
    }
  }

  private func resolve(_ realm: Realm, _ desk: Int) {
    log.append("  resolve")
    for _ in 0..<min(6, references.count) {
      let (name, find) = references.remove(at: dice.below(references.count))
      let found = find(realm)
      let session = realm.session
      // Where a lost version is still shown, what is of it need not be found.
      let isLost = session.version.map { session.coordinator.lostVersions.group(of: $0) != nil }
      if found == nil, isLost == true { continue }
      if found != (shown(realm).contains(name) ? name : nil) {
        accuse("a reference to \(name) leads to \(found ?? "nothing") in \(desk)")
      }
    }
  }

  /// What is thawed is of another realm than the desk's, which shows what is newest.
  private func thaw(_ realm: Realm, _ desk: Int) {
    if realm.session.version != realm.session.coordinator.newestVersion { return }
    if realm.session.mayShowLost { return }
    log.append("  thaw")
    for (name, thaw) in frozen.suffix(6) {
      let found = thaw()
      if found != (shown(realm).contains(name) ? name : nil) {
        accuse("\(name) thaws to \(found ?? "nothing") in \(desk)")
      }
    }
  }

  // MARK: Acts

  private func look(_ desk: Int) {
    log.append("\(desk) looks")
    desks[desk].work { realm in
      check(realm, desk)
      switch dice.below(5) {
      case 0: hold(realm, desk)
      case 1: refer(realm)
      case 2: freeze(realm)
      case 3: resolve(realm, desk)
      default: thaw(realm, desk)
      }
      check(realm, desk)
    }
  }

  private func refresh(_ desk: Int) {
    log.append("\(desk) refreshes")
    desks[desk].work { realm in
      realm.refresh()
      check(realm, desk)
      for one in held where one.desk == desk && one.token != nil && one.isGone {
        if !one.told.contains("deleted") { accuse("\(one.name) is gone, and told \(one.told)") }
      }
    }
  }

  private func write(_ desk: Int) {
    log.append("\(desk) writes")
    desks[desk].work { realm in
      realm.beginWrite()
      check(realm, desk)
      for _ in 0..<2 {
        if isLucky(2) { hold(realm, desk) }
        change(realm)
        if isLucky(5) { refer(realm) }
      }
      check(realm, desk)
      if isLucky(4) {
        log.append("  cancel")
        realm.cancelWrite()
      } else if (try? realm.commitWrite()) == nil {
        log.append("  refused")
      }
      check(realm, desk)
    }
  }

  /// Seals a group of commits, and cancels some writes between them.
  private func seal() {
    log.append("0 seals")
    isPending = true
    let begun = Bell()
    desks[0].work { realm in
      realm.beginAsyncWrite { [self] in
        defer { begun.ring() }
        let last = dice.below(4)
        for number in 0...last {
          if number > 0 { realm.beginWrite() }
          if isLucky(2) { hold(realm, 0) }
          change(realm)
          if isLucky(3) { hold(realm, 0) }
          if isLucky(3) { refer(realm) }
          if isLucky(3) { change(realm) }
          if number < last, isLucky(4) {
            log.append("  cancel")
            realm.cancelWrite()
          } else {
            log.append("  seal")
            realm.commitAsyncWrite(allowGrouping: number < last) { [self] _ in
              if number == last { ended.ring() }
            }
          }
          lookBetween(realm)
        }
      }
    }
    #expect(begun.wait())
    desks[0].work { _ in }
  }

  private func lookBetween(_ realm: Realm) {
    check(realm, 0)
    if isLucky(3) { refer(realm) }
    if isLucky(4) { freeze(realm) }
    if isLucky(4) { resolve(realm, 0) }
    if isLucky(3) { hold(realm, 0) }
    guard isLucky(3) else { return }
    desks[1].work { realm in
      if isLucky(2) { resolve(realm, 1) } else { hold(realm, 1) }
      check(realm, 1)
    }
  }

  private func end(areLost: Bool) {
    log.append(areLost ? "0 loses them" : "0 keeps them")
    isPending = false
    if areLost {
      return scene.lose({ if isLucky(2) { write(2) } }, ended: ended)
    }
    let flushes = scene.flushes
    if isLucky(3) {
      DispatchQueue.global().async { flushes.work() }
      write(0)
    } else {
      flushes.work()
    }
    #expect(ended.wait())
  }

  func run(_ acts: Int) {
    for _ in 0..<acts where !isBroken {
      if isPending {
        if isLucky(4) { end(areLost: !isLucky(3)) } else { look(dice.below(3)) }
      } else {
        switch dice.below(8) {
        case 0, 1: seal()
        case 2: write(dice.below(3))
        case 3: refresh(dice.below(3))
        default: look(dice.below(3))
        }
      }
      if held.count > 60 { letGo { isLucky(2) } }
    }
    if isPending { end(areLost: false) }
    letGo { true }
    frozen = []
  }

  /// Lets go of what is held, where it is at home.
  private func letGo(where isMeant: () -> Bool) {
    for desk in desks.indices {
      desks[desk].work { _ in held.removeAll { $0.desk == desk && isMeant() } }
    }
  }
}

@Suite struct LossProgramTests {
  @Test func `LIFE-12, REF-09, NOTIFY-16: who is shown is there, whatever was lost meanwhile`()
    async
  {
    let seed = Wish.seed(orElse: 1)
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [seed = seed as UInt64] in
      for number in 0..<16 {
        let program = LossProgram(seed: seed &+ UInt64(number))
        program.run(60)
        if !program.isBroken { continue }
        return print("SEED=\(seed)\n" + program.log.joined(separator: "\n"))
      }
    }
    let told = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(!told.contains("WRONG"), "\(told)")
  }
}
