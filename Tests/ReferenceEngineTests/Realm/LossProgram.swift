import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// Three realms of a file, two of which commit in groups by turns that are lost or kept, and what
/// they hold on to: objects with all kinds of keys, embedded ones, lists, sets, maps; references,
/// what is frozen, and listeners of all kinds of collections, each of which keeps a copy by what it
/// is told alone. Each object has a name that no other ever had, so it is there exactly where an
/// object with its name is shown.
///
/// Calls of the disk fail early and late, also under synchronous commits; lives end; the file is
/// copied, and in the end compacted and migrated.
///
/// With EARLY in the environment the disk fails in the middle of turns, too; with APART another
/// opening of the file, as another process has it, writes and listens beside.
final class LossProgram: @unchecked Sendable {
  // Sendable because everything happens where a test thread waits for it.

  final class Held {
    let desk: Int
    let name: String
    let isGone: () -> Bool
    let nameNow: () -> String?
    var told: [String] = []
    var token: NotificationToken?
    init(
      _ desk: Int, _ name: String, _ isGone: @escaping () -> Bool,
      _ nameNow: @escaping () -> String?
    ) {
      (self.desk, self.name, self.isGone, self.nameNow) = (desk, name, isGone, nameNow)
    }
  }

  private let scratch = Scratch()
  private let disks = FailingDisks()
  private let flushes = HeldErrands()
  private let configuration: Realm.Configuration
  private var desks: [Desk] = []
  private let ended = Bell()
  var dice: Dice
  private var names = 0
  private var isPending = false
  private var sealer = 0
  var held: [Held] = []
  var watches: [CollectionWatch] = []
  var references: [(name: String, find: (Realm) -> String?)] = []
  var variables: [(name: String, find: () -> String?)] = []
  var frozen: [(name: String, names: () -> [String], was: [String], thaw: () -> String?)] =
    []
  private var versions: [Int: VersionID] = [:]
  var log: [String] = []
  private(set) var isBroken = false
  private(set) var losses = 0
  /// The keys of those that have such.
  let todos = (0..<2).map { _ in ObjectId.generate() }
  let tickets = (0..<2).map { _ in UUID() }
  private let armsEarly = Wish.isThere("EARLY")

  init(seed: UInt64) {
    alarm(60)
    dice = Dice(seed: seed)
    disks.install()
    Seams.given.schedulers = HeldSchedulers(flushes)
    configuration = scratch.configuration([
      Keyed.self, Dog.self, Person.self, Estate.self, Corner.self, Street.self, Ticket.self,
      Todo.self,
    ])
    desks = (0..<3).map { _ in Desk(configuration) }
    if Wish.isThere("APART") {
      desks.append(Desk(apart: configuration))
    }
    desks[2].commit { realm in
      for id in 7...8 { realm.create(Keyed.self, value: ["id": id, "name": name("\(id)")]) }
      realm.create(Dog.self, value: ["name": name("dogs")])
      realm.create(Estate.self, value: ["id": 1, "name": name("estate")])
    }
    for desk in desks {
      desk.work { realm in
        realm.autorefresh = isLucky(4)
        realm.refresh()
      }
    }
  }

  func isLucky(_ sides: Int) -> Bool { dice.below(sides) == 0 }

  private func accuse(_ text: String) {
    log.append("WRONG: " + text)
    isBroken = true
  }

  func name(_ place: String) -> String {
    names += 1
    log.append("  n\(names) at \(place)")
    return "n\(names)"
  }

  // MARK: What is there

  static func name(_ object: Object) -> String {
    switch object {
    case let one as Dog: one.name
    case let one as Keyed: one.name
    case let one as Todo: one.name
    case let one as Ticket: one.name
    default: ""
    }
  }

  private func estateNames(_ one: Estate) -> [String] {
    [one.name] + (one.main.map { [$0.name] } ?? []) + one.corners.map(\.name)
  }

  func shown(_ realm: Realm) -> Set<String> {
    var all = Set(realm.objects(Keyed.self).map(\.name))
    all.formUnion(realm.objects(Dog.self).map(\.name))
    all.formUnion(realm.objects(Street.self).map(\.name))
    all.formUnion(realm.objects(Todo.self).map(\.name))
    for one in realm.objects(Estate.self) { all.formUnion(estateNames(one)) }
    for one in realm.objects(Ticket.self) {
      all.formUnion([one.name] + one.rooms.compactMap { $0.value?.name })
    }
    return all
  }

  // MARK: Checks

  private func check(_ realm: Realm, _ desk: Int, isFresh: Bool = false) {
    let shown = shown(realm)
    for one in held where one.desk == desk {
      if one.isGone() == shown.contains(one.name) {
        accuse("\(one.name) is \(one.isGone() ? "gone" : "there") in \(desk)")
      } else if !one.isGone(), one.nameNow() != one.name {
        accuse("\(one.name) is \(one.nameNow() ?? "") in \(desk)")
      }
      if one.told.contains("changed, and gone") { accuse("\(one.name) was told \(one.told)") }
      if isFresh, one.token != nil, one.isGone(), !one.told.contains("deleted") {
        accuse("\(one.name) is gone in \(desk), and told \(one.told)")
      }
    }
    for ticket in realm.objects(Ticket.self) {
      for one in ticket.linked where one.isInvalidated || !shown.contains(Self.name(one)) {
        accuse("\(ticket.name) links to nobody in \(desk)")
      }
    }
    for one in watches where one.desk == desk {
      if isFresh { one.check() }
      if let wrong = one.wrong { accuse("\(one.label) in \(desk): \(wrong)") }
    }
  }

  private func resolve(_ realm: Realm, _ desk: Int) {
    log.append("  resolve in \(desk)")
    for _ in 0..<min(8, references.count) {
      let (name, find) = references.remove(at: dice.below(references.count))
      let found = find(realm)
      let session = realm.session
      let isLost = session.version.map { session.coordinator.lostVersions.group(of: $0) != nil }
      if found == nil, isLost == true || armsEarly && session.mayShowLost { continue }
      if found != (shown(realm).contains(name) ? name : nil) {
        accuse("a reference to \(name) leads to \(found ?? "nothing") in \(desk)")
      }
    }
  }

  private func lookUp() {
    log.append("  look up variables")
    guard let here = try? Realm(configuration: configuration) else { return accuse("cannot open") }
    for (name, find) in variables.suffix(8) {
      let found = find()
      if here.session.mayShowLost { continue }
      if found != (shown(here).contains(name) ? name : nil) {
        accuse("a variable of \(name) leads to \(found ?? "nothing")")
      }
    }
  }

  private func copy(_ realm: Realm) {
    log.append("  copy")
    var configuration = configuration
    configuration.fileURL = scratch.directory.appendingPathComponent("copy\(names).realm")
    names += 1
    let before = shown(realm)
    guard (try? realm.writeCopy(configuration: configuration)) != nil else {
      return log.append("  no copy")
    }
    // What the disk has refused is left when it is asked for.
    if armsEarly { return }
    let copied = Desk(configuration).work { shown($0) }
    if copied != before { accuse("\(before) is copied as \(copied)") }
  }

  private func thaw(_ realm: Realm, _ desk: Int) {
    log.append("  thaw")
    for one in frozen.suffix(10) where one.names() != one.was {
      accuse("\(one.was) was frozen and is \(one.names())")
    }
    if realm.session.version != realm.session.coordinator.newestVersion { return }
    if realm.session.mayShowLost { return }
    for one in frozen.suffix(8) {
      let found = one.thaw()
      if found != (shown(realm).contains(one.name) ? one.name : nil) {
        accuse("\(one.name) thaws to \(found ?? "nothing") in \(desk)")
      }
    }
  }

  /// Work at a desk, which has not moved by itself.
  private func work(_ desk: Int, _ body: (Realm) -> Void) {
    desks[desk].work { realm in
      let session = realm.session
      if !realm.autorefresh, let known = versions[desk], let now = session.version, known != now,
        session.coordinator.lostVersions.group(of: known) == nil
      {
        accuse("\(desk) has moved from \(known) to \(now)")
      }
      body(realm)
      versions[desk] = session.version.flatMap { session.coordinator.isKept($0) ? $0 : nil }
    }
  }

  // MARK: Acts

  private func invalidate(_ desk: Int) {
    log.append("\(desk) invalidates")
    desks[desk].work { realm in
      realm.invalidate()
      for one in held where one.desk == desk && !one.isGone() {
        accuse("\(one.name) outlives its realm's life in \(desk)")
      }
      held.removeAll { $0.desk == desk }
      watches.removeAll { $0.desk == desk }
    }
    versions[desk] = nil
  }

  private func look(_ desk: Int) {
    log.append("\(desk) looks")
    work(desk) { realm in
      check(realm, desk)
      switch desk == 3 ? [0, 4][dice.below(2)] : dice.below(7) {
      case 0: hold(realm, desk)
      case 1: refer(realm)
      case 2: freeze(realm)
      case 3: resolve(realm, desk)
      case 4, 5: watch(realm, desk)
      default: thaw(realm, desk)
      }
      check(realm, desk)
    }
    if desk < 3, isLucky(6) { desks[desk].work { _ in lookUp() } }
  }

  private func refresh(_ desk: Int) {
    log.append("\(desk) refreshes")
    work(desk) { realm in
      realm.refresh()
      check(realm, desk, isFresh: true)
    }
  }

  private func fail(_ text: String = "", mayStick: Bool = true) {
    let kind = [FailingDisk.Failure.refused, .torn, .noSpace][dice.below(3)]
    let (call, sticky) = (isLucky(2) ? 0 : dice.below(5), isLucky(2) && mayStick)
    log.append("  fail at \(call) \(kind) \(sticky) \(text)")
    disks.fail(at: call, kind, sticky: sticky)
  }

  private func heal() { disks.heal() }

  private func write(_ desk: Int) {
    log.append("\(desk) writes")
    work(desk) { realm in
      realm.beginWrite()
      check(realm, desk)
      for _ in 0..<2 {
        if isLucky(2) { hold(realm, desk) }
        change(realm)
        if desk < 3, isLucky(5) { refer(realm) }
      }
      check(realm, desk)
      if isLucky(4) {
        log.append("  cancel")
        realm.cancelWrite()
      } else {
        if isLucky(4) { fail() }
        if (try? realm.commitWrite()) == nil {
          log.append("  refused")
        } else {
          log.append("  done")
        }
        heal()
      }
      check(realm, desk)
    }
  }

  private func seal() {
    sealer = dice.below(2)
    log.append("\(sealer) seals")
    isPending = true
    let begun = Bell()
    let hasQueued = !armsEarly && isLucky(2)
    // In time, as nobody visits while the test looks at the desk.
    func queued(_ realm: Realm) {
      realm.beginAsyncWrite { [self] in
        log.append("  queued")
        check(realm, sealer)
        if isLucky(2) { change(realm) }
        if isLucky(3) { watch(realm, sealer) }
        if isLucky(2) { realm.cancelWrite() } else { realm.commitAsyncWrite() }
        begun.ring()
      }
    }
    work(sealer) { realm in
      realm.beginAsyncWrite { [self] in
        defer { if !hasQueued { begun.ring() } }
        let last = dice.below(4)
        for number in 0...last {
          if number > 0 { realm.beginWrite() }
          if isLucky(2) { hold(realm, sealer) }
          change(realm)
          if isLucky(3) { hold(realm, sealer) }
          if isLucky(3) { refer(realm) }
          if isLucky(3) { change(realm) }
          if number < last, isLucky(4) {
            log.append("  cancel")
            realm.cancelWrite()
          } else if number == last, !hasQueued, isLucky(4) {
            log.append("  commit")
            if isLucky(2) { fail() }
            if (try? realm.commitWrite()) == nil { log.append("  refused") }
            heal()
            isPending = false
          } else if number > 0, number < last, isLucky(5) {
            log.append("  commit between")
            if isLucky(2) { fail() }
            if (try? realm.commitWrite()) == nil { log.append("  refused") }
            heal()
          } else {
            log.append("  seal")
            realm.commitAsyncWrite(allowGrouping: number < last || hasQueued) { [self] error in
              if error != nil { losses += 1 }
              if number == last { ended.ring() }
            }
          }
          if armsEarly, isLucky(6) { fail("early") }
          lookBetween(realm)
        }
      }
      if hasQueued { queued(realm) }
    }
    #expect(begun.wait())
    desks[sealer].work { _ in }
    heal()
    versions[sealer] = nil
  }

  private func lookBetween(_ realm: Realm) {
    check(realm, sealer)
    if isLucky(3) { refer(realm) }
    if isLucky(4) { freeze(realm) }
    if isLucky(4) { resolve(realm, sealer) }
    if isLucky(3) { hold(realm, sealer) }
    if isLucky(3) { watch(realm, sealer) }
    if isLucky(8) { copy(realm) }
    guard isLucky(3) else { return }
    let other = 1 - sealer
    work(other) { realm in
      resolve(realm, other)
      if isLucky(2) { watch(realm, other) }
      if isLucky(2) { hold(realm, other) }
      check(realm, other)
    }
  }

  private func end() {
    isPending = false
    switch dice.below(5) {
    case 4:
      log.append("\(sealer) invalidates")
      fail(mayStick: false)
      let flushes = flushes
      DispatchQueue.global().async { flushes.work() }
      invalidate(sealer)
    case 0:
      log.append("\(sealer) keeps them")
      flushes.work()
    case 1:
      log.append("\(sealer) keeps them, and writes")
      let flushes = flushes
      DispatchQueue.global().async { flushes.work() }
      write(sealer)
    default:
      log.append("\(sealer) may lose them")
      let isBeside = isLucky(2)
      fail(mayStick: !isBeside)
      let flushes = flushes
      let through = Bell()
      if isBeside {
        // Before its realm hears of it.
        desks[sealer].work { _ in
          DispatchQueue.global().async {
            flushes.work()
            through.ring()
          }
          desks[2].work { realm in
            // As soon as the gate is left.
            realm.beginWrite()
            heal()
            change(realm)
            try? realm.commitWrite()
            check(realm, 2)
          }
          versions[2] = nil
        }
        _ = through.wait()
      } else {
        flushes.work()
      }
    }
    #expect(ended.wait())
    desks[sealer].work { _ in }
    heal()
    flushes.work()
    desks[sealer].work { _ in }
    versions[sealer] = nil
  }

  func run(_ acts: Int) {
    for _ in 0..<acts where !isBroken {
      if isPending {
        if isLucky(4) { end() } else { look(dice.below(desks.count)) }
      } else {
        switch dice.below(8) {
        case 0, 1: seal()
        case 2: write(dice.below(desks.count))
        case 3: refresh(dice.below(desks.count))
        case 4 where isLucky(4): invalidate(dice.below(3))
        default: look(dice.below(desks.count))
        }
      }
      if held.count > 80 { letGo { isLucky(2) } }
    }
    if isPending { end() }
    desks[1].commit { $0.create(Dog.self, value: ["name": name("last")]) }
    let before = desks[1].work { shown($0) }
    letGo { true }
    (frozen, references, variables) = ([], [], [])
    for desk in desks { desk.leave() }
    var configuration = configuration
    configuration.shouldCompactOnLaunch = { _, _ in true }
    do {
      let compacted = Desk(configuration)
      let after = compacted.work { shown($0) }
      if before != after { accuse("\(before) is there, and compacted \(after)") }
      // Migrated is a copy: what listens here has its objects as long as they have it.
      configuration.fileURL = scratch.directory.appendingPathComponent("migrated.realm")
      let copy = configuration
      compacted.work { realm in
        do { try realm.writeCopy(toFile: copy.fileURL!) } catch { accuse("no copy: \(error)") }
      }
      compacted.leave()
    }
    configuration.shouldCompactOnLaunch = nil
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Keyed") { _, new in new?["name"] = new?["name"] as? String
      }
    }
    let after = Desk(configuration).work { shown($0) }
    if before != after { accuse("\(before) is there, and opened anew \(after)") }
  }

  private func letGo(where isMeant: () -> Bool) {
    for desk in desks.indices {
      desks[desk].work { _ in
        held.removeAll { one in
          guard one.desk == desk, isMeant() else { return false }
          // Else its block keeps it, and it the block.
          one.token = nil
          return true
        }
        watches.removeAll { one in
          guard one.desk == desk, isMeant() else { return false }
          one.token = nil
          return true
        }
      }
    }
    if frozen.count > 60 { frozen.removeFirst(30) }
    if variables.count > 30 { variables.removeFirst(15) }
  }
}
