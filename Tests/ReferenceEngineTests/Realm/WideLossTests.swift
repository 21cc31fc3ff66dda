import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

class Corner: EmbeddedObject {
  @Persisted var name: String
}

class Estate: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var size: Int
  @Persisted var main: Corner?
  @Persisted var corners: List<Corner>
  @Persisted var dogs: List<Dog>
  @Persisted var guests: MutableSet<Dog>
  @Persisted var places: Map<String, Dog?>
  @Persisted var keys: MutableSet<Keyed>
}

class Street: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var name: String
}

/// A listener that says what its collection has from what it was told alone.
private final class Watch {
  let desk: Int
  let label: String
  var token: NotificationToken?
  var mirror: [String]?
  var hasEnded = false
  /// What it has now; nil if it is invalid.
  let now: () -> [String]?
  var wrong: String?
  var told = 0

  init(_ desk: Int, _ label: String, _ now: @escaping () -> [String]?) {
    (self.desk, self.label, self.now) = (desk, label, now)
  }

  func begin() {
    told += 1
    mirror = now()
  }

  func update(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) {
    told += 1
    guard let new = now() else {
      hasEnded = true
      mirror = nil
      return
    }
    guard let mirror else {
      wrong = "an update before the first call"
      return
    }
    var old: [String?] = mirror
    for one in modifications { if one < old.count { old[one] = nil } else { wrong = "mod \(one)" } }
    for one in deletions.sorted(by: >) {
      if one < old.count { old.remove(at: one) } else { wrong = "deletion \(one) of \(mirror)" }
    }
    for one in insertions.sorted() {
      if one <= old.count, one < new.count {
        old.insert(new[one], at: one)
      } else {
        wrong = "insertion \(one) of \(mirror) to \(new)"
      }
    }
    compare(old, new, "-\(deletions) +\(insertions) ~\(modifications) of \(mirror)")
    self.mirror = new
  }

  private func compare(_ old: [String?], _ new: [String], _ text: String) {
    let isSame = old.count == new.count && zip(old, new).allSatisfy { $0 == nil || $0 == $1 }
    if !isSame { wrong = "\(text) gives \(old.map { $0 ?? "?" }) and not \(new)" }
  }

  func check() {
    if wrong != nil || hasEnded { return }
    guard let mirror, let new = now() else { return }
    if mirror != new { wrong = "knows \(mirror), and there is \(new)" }
  }
}

/// As `LossProgram`, over more kinds of things: embedded objects, lists, sets, maps, text keys;
/// listeners of all kinds of collections, each of which keeps a copy by what it is told alone; two
/// realms that seal, by turns; calls of the disk that fail early and late, also under synchronous
/// commits; lives that end, copies, and in the end a compaction and a migration.
///
/// With EARLY in the environment the disk fails in the middle of turns, too; with APART another
/// opening of the file, as another process has it, writes and listens beside.
private final class WideLoss: @unchecked Sendable {
  // Sendable because everything happens where a test thread waits for it.

  private final class Held {
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
  private var dice: Dice
  private var names = 0
  private var isPending = false
  private var sealer = 0
  private var held: [Held] = []
  private var watches: [Watch] = []
  private var references: [(name: String, find: (Realm) -> String?)] = []
  private var variables: [(name: String, find: () -> String?)] = []
  private var frozen: [(name: String, names: () -> [String], was: [String], thaw: () -> String?)] =
    []
  private var versions: [Int: VersionID] = [:]
  private(set) var log: [String] = []
  private(set) var isBroken = false
  private(set) var losses = 0
  private let armsEarly = ProcessInfo.processInfo.environment["EARLY"] != nil

  init(seed: UInt64) {
    alarm(60)
    dice = Dice(seed: seed)
    disks.install()
    Seams.given.schedulers = HeldSchedulers(flushes)
    configuration = scratch.configuration([
      Keyed.self, Dog.self, Person.self, Estate.self, Corner.self, Street.self,
    ])
    desks = (0..<3).map { _ in Desk(configuration) }
    if ProcessInfo.processInfo.environment["APART"] != nil {
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

  // MARK: What is there

  private func estateNames(_ one: Estate) -> [String] {
    [one.name] + (one.main.map { [$0.name] } ?? []) + one.corners.map(\.name)
  }

  private func shown(_ realm: Realm) -> Set<String> {
    var all = Set(realm.objects(Keyed.self).map(\.name))
    all.formUnion(realm.objects(Dog.self).map(\.name))
    all.formUnion(realm.objects(Street.self).map(\.name))
    for one in realm.objects(Estate.self) { all.formUnion(estateNames(one)) }
    return all
  }

  // MARK: Changes

  private func change(_ realm: Realm) {
    for _ in 0...dice.below(3) { changeOnce(realm) }
  }

  private func changeOnce(_ realm: Realm) {
    let id = 7 + dice.below(3)
    let old = realm.object(ofType: Keyed.self, forPrimaryKey: id)
    let dogs = realm.objects(Dog.self)
    let estateID = 1 + dice.below(2)
    let estate = realm.object(ofType: Estate.self, forPrimaryKey: estateID)
    func someDog() -> Dog? { dogs.isEmpty ? nil : dogs[dice.below(dogs.count)] }
    switch dice.below(22) {
    case 0:
      log.append("  delete \(id)")
      if let old { realm.delete(old) }
    case 1, 2, 3:
      if let old { realm.delete(old) }
      realm.create(Keyed.self, value: ["id": id, "name": name("\(id)")])
    case 4, 5: realm.create(Dog.self, value: ["name": name("dogs")])
    case 6:
      log.append("  delete a dog")
      if let dog = dogs.last { realm.delete(dog) }
    case 7:
      let key = ["a", "b"][dice.below(2)]
      if let street = realm.object(ofType: Street.self, forPrimaryKey: key) { realm.delete(street) }
      realm.create(Street.self, value: ["id": key, "name": name("street \(key)")])
    case 8:
      log.append("  delete a street")
      if let one = realm.objects(Street.self).first { realm.delete(one) }
    case 9, 10:
      log.append("  estate \(estateID) anew")
      if let estate { realm.delete(estate) }
      let made = realm.create(Estate.self, value: ["id": estateID, "name": name("estate")])
      if isLucky(2) { made.main = Corner(value: [name("main")]) }
      if isLucky(2) { made.corners.append(Corner(value: [name("corner")])) }
      if let dog = someDog() {
        made.guests.insert(dog)
        made.places["x"] = dog
      }
    case 11:
      log.append("  delete estate \(estateID)")
      if let estate { realm.delete(estate) }
    case 12: estate?.main = Corner(value: [name("main")])
    case 13: estate?.corners.append(Corner(value: [name("corner")]))
    case 14:
      log.append("  remove corner")
      if let estate, !estate.corners.isEmpty { estate.corners.remove(at: 0) }
    case 15:
      log.append("  guest")
      if let dog = someDog() { estate?.guests.insert(dog) }
    case 16:
      log.append("  place")
      if let dog = someDog() { estate?.places[["x", "y"][dice.below(2)]] = dog }
    case 17:
      log.append("  list")
      if let dog = someDog() { estate?.dogs.append(dog) }
      if let old { estate?.keys.insert(old) }
    case 18:
      log.append("  older")
      someDog()?.age += 1
      estate?.size += 1
    case 19:
      if isLucky(4) {
        log.append("  delete all")
        realm.deleteAll()
      }
    case 20:
      log.append("  remove")
      estate?.guests.removeAll()
      estate?.places.removeAll()
      if let estate, !estate.dogs.isEmpty { estate.dogs.remove(at: 0) }
    default:
      log.append("  set corner")
      if let estate, !estate.corners.isEmpty {
        estate.corners[0] = Corner(value: [name("corner")])
      }
    }
  }

  // MARK: What is held

  private func hold(_ realm: Realm, _ desk: Int) {
    log.append("  hold at \(desk)")
    var new: [Held] = []
    func add<T: ObjectBase>(_ object: T, _ nameOf: @escaping (T) -> String) {
      new.append(
        Held(desk, nameOf(object), { object.isInvalidated }, { nameOf(object) }))
    }
    func listen(_ object: Object, _ name: String) {
      guard !realm.isInWriteTransaction, isLucky(5) else { return }
      let one = new.last!
      one.token = object.observe { change in
        switch change {
        case .change(let object, _):
          one.told.append(object.isInvalidated ? "changed, and gone" : "changed")
        case .deleted: one.told.append("deleted")
        case .error: one.told.append("error")
        }
      }
    }
    for one in realm.objects(Keyed.self) where isLucky(2) {
      add(one) { $0.name }
      listen(one, one.name)
    }
    for one in realm.objects(Dog.self) where isLucky(2) {
      add(one) { $0.name }
      listen(one, one.name)
    }
    for one in realm.objects(Street.self) where isLucky(2) {
      add(one) { $0.name }
      listen(one, one.name)
    }
    for one in realm.objects(Estate.self) {
      add(one) { $0.name }
      listen(one, one.name)
      if let main = one.main { add(main) { $0.name } }
      for corner in one.corners { add(corner) { $0.name } }
      let (name, corners, guests, places) = (one.name, one.corners, one.guests, one.places)
      new.append(Held(desk, name, { corners.isInvalidated }, { corners.count < 0 ? nil : name }))
      new.append(Held(desk, name, { guests.isInvalidated }, { guests.count < 0 ? nil : name }))
      new.append(Held(desk, name, { places.isInvalidated }, { places.count < 0 ? nil : name }))
    }
    held += new
  }

  private func watch(_ realm: Realm, _ desk: Int) {
    if realm.isInWriteTransaction { return }
    func add<C: RealmCollection>(
      _ label: String, _ collection: C, _ nameOf: @escaping (C.Element) -> String
    ) {
      log.append("  watch \(label) at \(desk)")
      let one = Watch(desk, label) {
        collection.isInvalidated ? nil : collection.map { nameOf($0) }
      }
      one.token = collection.observe(keyPaths: nil, on: nil) { change in
        switch change {
        case .initial: one.begin()
        case .update(_, let deletions, let insertions, let modifications):
          one.update(deletions, insertions, modifications)
        case .error(let error): one.wrong = "\(error)"
        }
      }
      watches.append(one)
    }
    let estate = realm.objects(Estate.self).first
    switch dice.below(13) {
    case 0: add("keyed", realm.objects(Keyed.self)) { $0.name }
    case 1:
      add("sorted", realm.objects(Keyed.self).sorted(byKeyPath: "name", ascending: false)) {
        $0.name
      }
    case 2: add("filtered", realm.objects(Keyed.self).filter("id > 7")) { $0.name }
    case 3: add("dogs", realm.objects(Dog.self)) { $0.name }
    case 4: if let estate { add("corners of \(estate.name)", estate.corners) { $0.name } }
    case 5: if let estate { add("guests of \(estate.name)", estate.guests) { $0.name } }
    case 6: if let estate { add("list of \(estate.name)", estate.dogs) { $0.name } }
    case 7: sections(realm, desk)
    case 8: if let estate { places(estate, desk) }
    case 9: add("streets", realm.objects(Street.self).sorted(byKeyPath: "id")) { $0.name }
    case 10: add("linked", realm.objects(Estate.self).filter("ANY guests.age >= 0")) { $0.name }
    case 11: add("distinct", realm.objects(Keyed.self).distinct(by: ["name"])) { $0.name }
    default: if let estate { add("keys of \(estate.name)", estate.keys) { $0.name } }
    }
  }

  private func sections(_ realm: Realm, _ desk: Int) {
    log.append("  watch sections at \(desk)")
    let all = realm.objects(Keyed.self).sectioned(
      by: { $0.id % 2 }, sortDescriptors: [SortDescriptor(keyPath: "id")])
    var mirror: [[String]] = []
    func now() -> [[String]] { all.map { $0.map(\.name) } }
    let one = Watch(desk, "sections") { now().map { $0.joined(separator: " ") } }
    one.token = all.observe { change in
      one.told += 1
      switch change {
      case .initial: mirror = now()
      case .update(
        _, let deletions, let insertions, let modifications, let sectionsIn, let sectionsOut):
        var old: [[String?]] = mirror
        let new = now()
        for path in modifications { old[path[0]][path[1]] = nil }
        for path in deletions.sorted(by: >) { old[path[0]].remove(at: path[1]) }
        for section in sectionsOut.sorted(by: >) { old.remove(at: section) }
        for section in sectionsIn.sorted() { old.insert([], at: section) }
        for path in insertions.sorted() {
          if path[0] < old.count, path[1] <= old[path[0]].count {
            old[path[0]].insert(new[path[0]][path[1]], at: path[1])
          } else {
            one.wrong = "insertion \(path)"
          }
        }
        let isSame =
          old.count == new.count
          && zip(old, new).allSatisfy { a, b in
            a.count == b.count && zip(a, b).allSatisfy { $0 == nil || $0 == $1 }
          }
        if !isSame {
          one.wrong =
            "-\(deletions) +\(insertions) ~\(modifications) S+\(Array(sectionsIn)) "
            + "S-\(Array(sectionsOut)) of \(mirror) gives \(old) and not \(new)"
        }
        mirror = new
      }
      one.mirror = one.now()
    }
    watches.append(one)
  }

  private func places(_ estate: Estate, _ desk: Int) {
    log.append("  watch places of \(estate.name) at \(desk)")
    let map = estate.places
    func now() -> [String: String] {
      Dictionary(map.map { ($0.key, $0.value?.name ?? "nil") }, uniquingKeysWith: { $1 })
    }
    func text(_ all: [String: String]) -> [String] { all.map { "\($0):\($1)" }.sorted() }
    var mirror: [String: String] = [:]
    let one = Watch(desk, "places") { map.isInvalidated ? nil : text(now()) }
    one.token = map.observe { change in
      one.told += 1
      if map.isInvalidated {
        one.hasEnded = true
        return
      }
      let new = now()
      if case .update(_, let deletions, let insertions, let modifications) = change {
        let was = mirror
        for key in deletions { mirror[key] = nil }
        for key in insertions + modifications { mirror[key] = new[key] }
        if mirror != new {
          one.wrong = "-\(deletions) +\(insertions) ~\(modifications) of \(was) is not \(new)"
        }
      }
      mirror = new
      one.mirror = one.now()
    }
    watches.append(one)
  }

  private func refer(_ realm: Realm) {
    log.append("  refer")
    func add<T: ThreadConfined>(_ thing: T, _ name: String, _ nameOf: @escaping (T) -> String) {
      for _ in 0..<2 {
        let reference = ThreadSafeReference(to: thing)
        references.append((name, { $0.resolve(reference).map(nameOf) }))
      }
      if isLucky(3) {
        let variable = ThreadSafe(wrappedValue: thing)
        variables.append((name, { variable.wrappedValue.map(nameOf) }))
      }
    }
    for one in realm.objects(Keyed.self) where isLucky(2) { add(one, one.name) { $0.name } }
    for one in realm.objects(Dog.self) where isLucky(3) { add(one, one.name) { $0.name } }
    for one in realm.objects(Street.self) where isLucky(2) { add(one, one.name) { $0.name } }
    for one in realm.objects(Estate.self) where isLucky(2) {
      add(one, one.name) { $0.name }
      let name = one.name
      if let main = one.main { add(main, main.name) { $0.name } }
      add(one.corners, name) { _ in name }
      add(one.places, name) { _ in name }
    }
  }

  private func freeze(_ realm: Realm) {
    if realm.isInWriteTransaction { return }
    log.append("  freeze")
    let all = realm.freeze()
    let names: () -> [String] = { [unowned self] in shown(all).sorted() }
    let was = names()
    func add<T: ObjectBase>(_ object: T, _ nameOf: @escaping (T) -> String) {
      let cold = object.freeze()
      frozen.append((nameOf(object), names, was, { cold.thaw().map(nameOf) }))
    }
    for one in realm.objects(Keyed.self) { add(one) { $0.name } }
    for one in realm.objects(Dog.self) { add(one) { $0.name } }
    for one in realm.objects(Street.self) { add(one) { $0.name } }
    for one in realm.objects(Estate.self) {
      add(one) { $0.name }
      if let main = one.main { add(main) { $0.name } }
    }
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
      compacted.leave()
    }
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
        held.removeAll { $0.desk == desk && isMeant() }
        watches.removeAll { $0.desk == desk && isMeant() }
      }
    }
    if frozen.count > 60 { frozen.removeFirst(30) }
    if variables.count > 30 { variables.removeFirst(15) }
  }
}

@Suite struct WideLossTests {
  @Test
  func `LIFE-12, REF-09, NOTIFY-07: whatever is lost, all kinds of things show what is there`()
    async
  {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["SEED"].flatMap { UInt64($0) } ?? 1
    print("SEED=\(seed)")
    let count = environment["COUNT"].flatMap { Int($0) } ?? 4
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [seed = seed as UInt64, count = count as Int] in
      var losses = 0
      for number in 0..<count {
        let program = WideLoss(seed: seed &+ 2 &* UInt64(number))
        program.run(80)
        losses += program.losses
        if !program.isBroken { continue }
        return print("SEED=\(seed &+ 2 &* UInt64(number))\n" + program.log.joined(separator: "\n"))
      }
      if losses == 0 { print("WRONG: nothing was lost") }
    }
    let told = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(!told.contains("WRONG"), "\(told)")
  }
}
