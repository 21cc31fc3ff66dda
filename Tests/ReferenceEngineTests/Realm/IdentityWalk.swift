import CShims
import Dispatch
import Foundation
import StandIns
import Synchronization
import Testing

@testable import ReferenceEngine

class Lodger: Object {
  @Persisted(primaryKey: true) var id: Int?
  @Persisted var name: String
}

/// A random program of three realms of one file. Objects go, and others come under their keys, in
/// commits that are kept, cancelled, grouped or lost, while somebody holds them or has named them
/// for another realm.
///
/// Each object says who it is. So it is known what is right: what a realm shows is found in it by
/// whatever name, what it does not show is lost in it, and nobody is ever taken for another.
final class IdentityWalk: @unchecked Sendable {
  // Sendable because one thing happens after the other: `turn` says where, and the walk waits
  // until that is over, but for what one flush does beside one desk.

  /// Something that a realm holds: an object, or a collection of one.
  private struct Held {
    let kind: String
    let who: String
    let isThere: () -> Bool
    let says: () -> String?
  }

  /// Something by which an object is found again, in whatever realm.
  private struct Name {
    let kind: String
    let who: String
    /// The write in which it was given.
    let write: Int?
    /// Whether it is looked up in the realm of the thread.
    let isOfThread: Bool
    let find: (Realm) -> String?
  }

  private final class Place {
    var desk: Desk
    var held: [Held] = []
    init(_ configuration: Realm.Configuration) {
      desk = Desk(configuration)
      desk.work { $0.autorefresh = false }
    }
  }

  private let seed: UInt64
  private var dice: Dice
  private let scratch = Scratch()
  private let disks = FailingDisks()
  private let flushes = HeldErrands()
  private let configuration: Realm.Configuration
  private var places: [Place] = []
  /// The realm of the thread on which the walk is.
  private var here: Realm
  private var names: [Name] = []
  /// What each write has deleted.
  private var deleted: [Set<String>] = []
  /// The writes that have come to nothing. Of a group that is told while somebody else writes,
  /// which then is no thread that the walk waits for.
  private let failures = Mutex<Set<Int>>([])
  private var running: Int?
  private var serial = 0
  private var isRefusing = false
  private var log: [String] = []
  /// How many blocks of a group have ended, whether one runs, and how many commits are not told of.
  private let turn = Mutex((ended: 0, isInside: false, untold: 0))

  private(set) var questions = 0
  private(set) var losses = 0
  private(set) var wrong: String?

  init(seed: UInt64) {
    self.seed = seed
    // Of two that follow each other its dice make the same.
    dice = Dice(seed: seed &* 2)
    disks.install()
    Seams.given.schedulers = HeldSchedulers(flushes)
    configuration = scratch.configuration([Keyed.self, Dog.self, Lodger.self, Slip.self])
    here = try! Realm(configuration: configuration)
    here.autorefresh = false
    places = (0..<3).map { _ in Place(configuration) }
    places[0].desk.commit { $0.create(Slip.self, value: ["id": 1000, "text": "tick"]) }
  }

  func run(steps: Int) {
    for _ in 0..<steps where wrong == nil { step() }
    for place in places { place.desk.work { _ in place.held = [] } }
    names = []
  }

  private func note(_ text: @autoclosure () -> String) {
    log.append(text())
    if log.count > 80 { log.removeFirst(40) }
  }

  private func fail(_ text: String) {
    if wrong == nil { wrong = "\(text), after\n\(log.joined(separator: "\n"))" }
  }

  private func number(_ place: Place) -> Int { places.firstIndex { $0 === place } ?? -1 }

  // MARK: - Who is there

  private static func says(_ object: Object?) -> String? {
    switch object {
    case let one as Keyed: one.name
    case let one as Dog: one.name
    case let one as Lodger: one.name
    case let one as Slip: one.text
    default: nil
    }
  }

  private func everybody(_ realm: Realm) -> [Object] {
    Array(realm.objects(Keyed.self)) + Array(realm.objects(Dog.self))
      + Array(realm.objects(Lodger.self)) + Array(realm.objects(Slip.self).filter("id < 1000"))
  }

  private func visible(_ realm: Realm) -> Set<String> {
    Set(everybody(realm).compactMap { Self.says($0) })
  }

  // MARK: - Holding, naming, asking

  /// Holds some of what a realm shows.
  private func hold(_ realm: Realm, _ place: Place) {
    for object in everybody(realm) where dice.below(3) == 0 {
      let who = Self.says(object)!
      note("  \(number(place)) holds \(who)")
      place.held.append(
        Held(kind: "object", who: who) {
          !object.isInvalidated
        } says: {
          Self.says(object)
        })
      guard let slip = object as? Slip, dice.below(2) == 0 else { continue }
      let (others, anys) = (slip.others, slip.anys)
      place.held.append(
        Held(kind: "list", who: who) {
          !others.isInvalidated
        } says: {
          who
        })
      place.held.append(
        Held(kind: "mixed list", who: who) {
          !anys.isInvalidated
        } says: {
          who
        })
    }
    if place.held.count > 60 { place.held.removeFirst(place.held.count - 60) }
  }

  /// What is held is there if the realm shows it, and the same as before.
  private func lookAtHeld(_ realm: Realm, _ place: Place) {
    let there = visible(realm)
    for one in place.held {
      questions += 1
      let isThere = one.isThere()
      if isThere != there.contains(one.who) {
        let what = isThere ? "there, as \(one.says() ?? "nobody")" : "gone"
        fail("in \(number(place)) the \(one.kind) of \(one.who) is \(what)")
      } else if isThere, one.says() != one.who {
        fail("in \(number(place)) the \(one.kind) of \(one.who) is \(one.says() ?? "nobody")'s")
      }
    }
  }

  /// Names some of what a realm shows.
  private func name(_ realm: Realm, _ place: Place) {
    for object in everybody(realm) where dice.below(3) == 0 {
      let who = Self.says(object)!
      note("  \(number(place)) names \(who)")
      func add(
        _ kind: String, ofThread: Bool = false, _ find: @escaping (Realm) -> String?
      ) {
        names.append(
          Name(kind: kind, who: who, write: running, isOfThread: ofThread, find: find))
      }
      let lists = (object as? Slip)?.others
      switch dice.below(7) {
      case 0, 1:
        for _ in 0...dice.below(3) {
          let reference = ThreadSafeReference(to: object)
          add("reference") { Self.says($0.resolve(reference)) }
        }
      case 2, 3:
        let variable = ThreadSafe(wrappedValue: object)
        add("variable", ofThread: true) { _ in Self.says(variable.wrappedValue) }
      case 4 where !realm.isInWriteTransaction:
        let frozen = object.freeze()
        add("frozen", ofThread: true) { _ in Self.says(frozen.thaw()) }
        let reference = ThreadSafeReference(to: frozen)
        add("reference to the frozen") { Self.says($0.resolve(reference)) }
      case 5:
        guard let lists else { continue }
        let reference = ThreadSafeReference(to: lists)
        add("reference to the list") { realm in
          realm.resolve(reference).flatMap { $0.isInvalidated ? nil : who }
        }
      case 6 where !realm.isInWriteTransaction:
        guard let frozen = lists?.freeze() else { continue }
        add("frozen list", ofThread: true) { _ in
          frozen.thaw().flatMap { $0.isInvalidated ? nil : who }
        }
      default: continue
      }
    }
    if names.count > 120 { names.removeFirst(names.count - 120) }
  }

  /// Looks for what some names are of: in a desk's realm, or, without a place, in the thread's.
  private func find(_ realm: Realm, _ place: Place?, _ count: Int) {
    for _ in 0..<count {
      let fitting = names.indices.filter { names[$0].isOfThread == (place == nil) }
      if fitting.isEmpty { return }
      let name = names.remove(at: fitting[dice.below(fitting.count)])
      questions += 1
      let found = name.find(realm)
      let isThere = visible(realm).contains(name.who)
      let whose = place.map { "\(number($0))" } ?? "the thread"
      note("  \(whose) finds \(found ?? "nobody") by the \(name.kind) of \(name.who)")
      if found == (isThere ? name.who : nil) || found == nil && mayMiss(name, in: realm) {
        continue
      }
      fail("in \(whose) the \(name.kind) of \(name.who) is \(found ?? "nobody")'s")
    }
  }

  /// Whether nothing found is no fault, though it is there: where nothing can be found out, as the
  /// disk refuses, or a lost version is shown; and, in a version before that, of what the very
  /// write has deleted in which it was named.
  private func mayMiss(_ name: Name, in realm: Realm) -> Bool {
    if isRefusing { return true }
    if let root = realm.session.root,
      realm.session.coordinator.lostVersions.group(of: root.version) != nil
    {
      return true
    }
    guard let write = name.write else { return false }
    return !failures.withLock { $0.contains(write) } && deleted[write].contains(name.who)
  }

  // MARK: - Changing

  private func comesToNothing(_ write: Int) { _ = failures.withLock { $0.insert(write) } }

  private func newcomer(_ kind: String) -> String {
    serial += 1
    note("  \(kind)\(serial) comes")
    return "\(kind)\(serial)"
  }

  /// Changes something in a write, and does what others do in one.
  ///
  /// - Returns: which write it is.
  @discardableResult
  private func change(_ realm: Realm, _ place: Place) -> Int {
    let write = deleted.count
    deleted.append([])
    running = write
    for _ in 0...dice.below(4) {
      let before = visible(realm)
      changeOnce(realm, place)
      deleted[write].formUnion(before.subtracting(visible(realm)))
    }
    running = nil
    return write
  }

  private func changeOnce(_ realm: Realm, _ place: Place) {
    let key = dice.below(5)
    /// Deletes an object, if there is one, and says whether another is to be added in its place.
    func remove(_ old: Object?) -> Bool {
      guard let old else { return true }
      note("  \(Self.says(old)!) goes")
      realm.delete(old)
      return dice.below(2) == 0
    }
    switch dice.below(16) {
    case 0, 1, 2, 3:
      guard remove(realm.object(ofType: Keyed.self, forPrimaryKey: key)) else { return }
      realm.create(Keyed.self, value: ["id": key, "name": newcomer("k")])
    case 4, 5:
      let key: Int? = key == 0 ? nil : key
      guard remove(realm.object(ofType: Lodger.self, forPrimaryKey: key)) else { return }
      realm.create(Lodger.self, value: ["id": key as Any, "name": newcomer("g")])
    case 6, 7:
      let dogs = realm.objects(Dog.self)
      if dogs.count > 3 { _ = remove(dogs[dice.below(dogs.count)]) }
      realm.create(Dog.self, value: ["name": newcomer("d")])
    case 8, 9, 10:
      guard remove(realm.object(ofType: Slip.self, forPrimaryKey: key)) else { return }
      let slip = realm.create(Slip.self, value: ["id": key, "text": newcomer("s")])
      for other in realm.objects(Slip.self) where dice.below(3) == 0 && other.id < 1000 {
        slip.others.append(other)
        slip.anys.append(.object(other))
        slip.next = other
        other.any = .object(slip)
      }
    case 11: realm.delete(realm.objects(Keyed.self).filter("id < \(dice.below(6))"))
    case 12:
      if dice.below(4) > 0 { return }
      realm.deleteAll()
      realm.create(Slip.self, value: ["id": 1000, "text": "tick"])
    case 13: hold(realm, place)
    case 14: lookAtHeld(realm, place)
    default: name(realm, place)
    }
  }

  // MARK: - Steps

  private func step() {
    let place = places[dice.below(places.count)]
    switch dice.below(20) {
    case 0, 1, 2: write(place)
    case 3, 4: group(place, isLost: false)
    case 5, 6: group(place, isLost: true)
    case 7, 8:
      note("refreshes \(number(place))")
      place.desk.work { realm in
        realm.refresh()
        lookAtHeld(realm, place)
      }
    case 9, 10: place.desk.work { hold($0, place) }
    case 11, 12: place.desk.work { name($0, place) }
    case 13, 14:
      place.desk.work { realm in
        find(realm, place, 6)
        lookAtHeld(realm, place)
      }
    case 15: if dice.below(3) == 0 { tick(place) }
    case 16:
      if dice.below(4) > 0 { return }
      note("invalidates \(number(place))")
      place.desk.work { $0.invalidate() }
      place.held = []
    case 17: if dice.below(3) == 0 { reopen(place) }
    default:
      if dice.below(2) == 0 { here.refresh() }
      find(here, nil, 6)
    }
  }

  private func write(_ place: Place) {
    place.desk.work { realm in
      note("\(number(place)) writes on \(realm.session.version?.number ?? 0)")
      realm.beginWrite()
      let write = change(realm, place)
      if dice.below(4) == 0 {
        note("  cancelled")
        realm.cancelWrite()
        comesToNothing(write)
      } else {
        do { try realm.commitWrite() } catch { fail("a commit failed: \(error)") }
      }
      lookAtHeld(realm, place)
    }
  }

  /// As many commits as make it read in another way what has become of rows.
  private func tick(_ place: Place) {
    let count = [16, 64, 255, 256, 257, 511, 512, 513, 769][dice.below(9)]
    note("\(count) commits")
    place.desk.work { realm in
      for _ in 0..<count {
        try! realm.write { realm.object(ofType: Slip.self, forPrimaryKey: 1000)?.next = nil }
      }
    }
  }

  /// All leave and come again, or one does.
  private func reopen(_ place: Place) {
    let all = dice.below(2) == 0 ? places : [place]
    note("reopens \(all.count)")
    for place in all {
      place.held = []
      place.desk.leave()
    }
    if all.count > 1 {
      // Or they keep the file open.
      names.removeAll { $0.kind.hasPrefix("frozen") }
      here = try! Realm(configuration: freshConfiguration())
    }
    var configuration = configuration
    if dice.below(2) == 0 { configuration.shouldCompactOnLaunch = { _, _ in true } }
    for place in all {
      place.desk = Desk(configuration)
      place.desk.work { $0.autorefresh = false }
      configuration = self.configuration
    }
    if all.count > 1 {
      here = try! Realm(configuration: configuration)
      here.autorefresh = false
    }
  }

  /// Asynchronous writes of one realm that go to the disk together, or are lost.
  private func group(_ place: Place, isLost: Bool) {
    let others = places.filter { $0 !== place }
    let count = 1 + dice.below(4)
    note("\(number(place)) writes \(count)\(isLost ? ", to be lost" : "")")
    turn.withLock { $0 = (0, false, 0) }
    place.desk.work { realm in
      for number in 0..<count {
        realm.beginAsyncWrite { [self] in
          turn.withLock { $0.isInside = true }
          writeOfGroup(realm, place, others, isLast: number + 1 == count)
          turn.withLock { $0 = ($0.ended + 1, false, $0.untold) }
        }
      }
    }
    // A write that is cancelled may have ended the group: the next one waits for the flush.
    while true {
      let now = turn.withLock { $0 }
      if now.ended == count { break }
      if !now.isInside, flushes.count > 0 {
        flush(beside: nil, isLost: isLost)
      } else {
        sched_yield()
      }
    }
    flush(beside: others[dice.below(others.count)], isLost: isLost)
    while turn.withLock({ $0.untold }) > 0 { flushes.work() }
  }

  private func writeOfGroup(_ realm: Realm, _ place: Place, _ others: [Place], isLast: Bool) {
    let write = change(realm, place)
    if !isLast, dice.below(5) == 0 {
      note("  cancelled")
      realm.cancelWrite()
      comesToNothing(write)
    } else {
      note("  sealed")
      turn.withLock { $0.untold += 1 }
      realm.commitAsyncWrite(allowGrouping: !isLast) { [self] error in
        if error != nil { comesToNothing(write) }
        turn.withLock { $0.untold -= 1 }
      }
    }
    for _ in 0..<dice.below(4) {
      let other = others[dice.below(others.count)]
      switch dice.below(6) {
      case 0: hold(realm, place)
      case 1: name(realm, place)
      case 2: lookAtHeld(realm, place)
      case 3: find(realm, place, 3)
      case 4:
        other.desk.work { realm in
          find(realm, other, 4)
          lookAtHeld(realm, other)
        }
      default:
        other.desk.work { realm in
          hold(realm, other)
          name(realm, other)
        }
      }
    }
  }

  /// Brings what waits to the disk, or loses it; meanwhile somebody else may do something.
  private func flush(beside other: Place?, isLost: Bool) {
    isRefusing = isLost
    if isLost { disks.fail(at: 0, .refused, sticky: false) }
    if let other, dice.below(2) == 0 {
      other.desk.work { realm in
        find(realm, other, 4)
        lookAtHeld(realm, other)
      }
    }
    if let other, dice.below(2) == 0 {
      let (done, flushes) = (Bell(), flushes)
      DispatchQueue.global().async {
        flushes.work()
        done.ring()
      }
      if dice.below(2) == 0 { writeBeside(other) }
      if !done.wait() { fail("a flush does not end") }
    } else {
      flushes.work()
    }
    disks.heal()
    isRefusing = false
    if isLost { losses += 1 }
  }

  /// Writes while something is flushed: asynchronously, as that tells if it cannot even begin.
  private func writeBeside(_ place: Place) {
    let ended = Bell()
    place.desk.work { realm in
      var write: Int?
      realm.writeAsync { [self] in
        write = change(realm, place)
      } onComplete: { [self] error in
        if error != nil, let write { comesToNothing(write) }
        ended.ring()
      }
    }
    let limit = rb_uptime() + 20_000_000_000
    while !ended.hasRung(), rb_uptime() < limit { flushes.work() }
  }
}
