import Dispatch
import Foundation

@testable import ReferenceEngine

/// A random program whose rows come, change and above all leave, in all the ways there are, beside
/// a model of what should be there.
final class LeaverWalk: @unchecked Sendable {
  // Sendable because one thing happens after the other: whoever has work done waits for it.

  struct Part: Equatable {
    var label: Int
    var one: Int?
    var child: [Part]
    var parts: [Part]
  }
  struct Knot: Equatable {
    let serial: Int
    var one: Int?
    var many: [Int] = []
    var some: Set<Int> = []
    var named: [String: Int?] = [:]
    var any: (String, Int)?
    var anys: [(String, Int)?] = []
    var next: Int?
    var part: [Part] = []
    var parts: [Part] = []
    static func == (one: Knot, other: Knot) -> Bool { one.serial == other.serial }
  }

  var dice: Dice
  let isLoud = Wish.isThere("LOUD")
  let most: Int
  var serial = 0
  private(set) var wrong: String?
  var questions = 0
  var told = 0
  private(set) var writes = 0
  private(set) var versions = 0
  private var log: [String] = []

  private let path: String
  private let hasKnots: Bool
  private let lanes: [any LeaverLane]
  private let far: [any LeaverLane]
  private var knots: [Int: Knot] = [:]
  private var knotsBefore: [Int: Knot] = [:]
  private var farKnots: [Int: Knot] = [:]
  private var heldKnots: [(LeaverKnot, Int)] = []
  private var home = DispatchQueue(label: "home")
  private var away = DispatchQueue(label: "away")
  private var realm: Realm!
  private var farRealm: Realm!
  private var frozen: [(Realm, [any LeaverLane], [Int: Knot])] = []

  /// About as many rows a class at most as suffice for one cluster, for several, or for a tree.
  init(seed: UInt64, folder: String) {
    dice = Dice(seed: seed &* 0x9E37_79B9)
    most = [64, 257, 600, 1500][Int(seed % 4)]
    hasKnots = seed % 3 > 0
    path = folder + "/leaver.realm"
    lanes = [
      LeaverRows<LeaverLoose>(), LeaverRows<LeaverInt>(), LeaverRows<LeaverText>(),
      LeaverRows<LeaverUuid>(),
      LeaverRows<LeaverOid>(),
    ]
    far = lanes.map { $0.twin() }
    open()
  }

  private func configuration() -> Realm.Configuration {
    var types: [ObjectBase.Type] = [
      LeaverLoose.self, LeaverInt.self, LeaverText.self, LeaverUuid.self, LeaverOid.self,
    ]
    if hasKnots { types += [LeaverKnot.self, LeaverPart.self] }
    return Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), objectTypes: types)
  }

  private func open() {
    home.sync {
      realm = try! Realm(configuration: configuration(), queue: home)
      if dice.below(2) == 0 { realm.autorefresh = false }
    }
    away.sync {
      farRealm = try! Realm(configuration: configuration(), queue: away)
      farRealm.autorefresh = false
    }
  }

  func note(_ text: @autoclosure () -> String) {
    log.append(text())
    if isLoud { print(log.last ?? "") }
    if log.count > 60 { log.removeFirst(30) }
  }

  func fail(_ text: String) {
    if wrong == nil { wrong = "\(text), after\n\(log.joined(separator: "\n"))" }
  }

  /// How many, mostly few, often about as many as makes a difference.
  func amount() -> Int {
    let sizes = [1, 2, 3, 4, 5, 31, 63, 64, 65, 128, 255, 256, 257, 300, 511, 512, 513, 1000, 3000]
    let size = dice.below(2) == 0 ? 1 + dice.below(8) : sizes[dice.below(sizes.count)]
    return max(1, min(size, most))
  }

  func run(steps: Int) {
    for _ in 0..<steps where wrong == nil { step() }
    home.sync {
      compare(realm, lanes, knots, "in the end")
      for lane in lanes { lane.letGo() }
      heldKnots = []
      frozen = []
      realm = nil
    }
    away.sync {
      for lane in far { lane.letGo() }
      farRealm = nil
    }
    verify()
  }

  private func verify() {
    do { _ = try Inspection(verifying: path) } catch { fail("\(error)") }
  }

  // MARK: Steps

  private func step() {
    switch dice.below(30) {
    case 0..<16: write()
    case 16, 17: writeAsync()
    case 18, 19: lookFromAfar()
    case 20, 21, 22: freeze()
    case 23, 24: lookAtFrozen()
    case 25: home.sync { for lane in lanes { lane.hold(realm, self) } }
    case 26:
      home.sync {
        if dice.below(3) == 0 { for lane in lanes { lane.letGo() } }
        listen()
      }
    case 27: if dice.below(8) == 0 { reopen() }
    case 28: verify()
    default:
      home.sync {
        realm.refresh()
        lookAtAll("outside")
      }
    }
  }

  private func listen() {
    for lane in lanes where dice.below(2) == 0 { lane.listen(realm, self) }
  }

  private func lookAtAll(_ place: String) {
    for lane in lanes {
      lane.lookAtHeld(self, place)
      for _ in 0..<3 { lane.peek(realm, self) }
      if dice.below(4) == 0 { lane.compare(realm, self, place) }
    }
    for (knot, serial) in heldKnots
    where knot.isInvalidated != !knots.values.contains(where: { $0.serial == serial }) {
      fail("\(place): held knot \(serial) is \(knot.isInvalidated ? "gone" : "there")")
    }
  }

  private func begin() {
    for lane in lanes { lane.begin() }
    knotsBefore = knots
  }
  private func cancel() {
    for lane in lanes { lane.cancel() }
    knots = knotsBefore
  }

  /// Changes some.
  private func change(_ realm: Realm) {
    for _ in 0...dice.below(5) where wrong == nil {
      if hasKnots, dice.below(3) == 0 {
        tie(realm)
      } else {
        lanes[dice.below(lanes.count)].step(realm, self)
      }
      if dice.below(300) == 0 {
        note("all go")
        realm.deleteAll()
        for lane in lanes { lane.allGone(self) }
        knots = [:]
      }
    }
    writes += 1
  }

  private struct Refusal: Error {}

  private func write() {
    home.sync {
      begin()
      switch dice.below(12) {
      case 0, 1:
        realm.beginWrite()
        note("a write that is cancelled")
        change(realm)
        realm.cancelWrite()
        cancel()
        note("cancelled")
      case 2:
        note("a write that throws")
        do {
          try realm.write {
            change(realm)
            throw Refusal()
          }
        } catch {}
        cancel()
      default:
        note("a write")
        do { try realm.write { change(realm) } } catch { fail("\(error)") }
      }
      if dice.below(2) == 0 { lookAtAll("after a write") }
      if dice.below(6) == 0 { compare(realm, lanes, knots, "after a write") }
    }
    if dice.below(10) == 0 { verify() }
  }

  private func writeAsync() {
    let group = DispatchGroup()
    let count = 1 + dice.below(5)
    home.sync {
      note("\(count) asynchronous writes")
      for number in 0..<count {
        group.enter()
        if number % 3 == 2 {
          realm.writeAsync { [self] in
            begin()
            change(realm)
          } onComplete: { [self] error in
            if let error { fail("\(error)") }
            group.leave()
          }
        } else {
          realm.beginAsyncWrite { [self] in
            begin()
            change(realm)
            if dice.below(5) == 0 {
              realm.cancelWrite()
              cancel()
              note("cancelled")
              group.leave()
            } else {
              realm.commitAsyncWrite(allowGrouping: dice.below(2) == 0) { [self] error in
                if let error { fail("\(error)") }
                group.leave()
              }
              if dice.below(2) == 0 { lookAtAll("after it was sealed") }
              // Who begins to listen now knows rows that are not at their place yet.
              if dice.below(3) == 0 { listen() }
            }
          }
        }
      }
    }
    group.wait()
    home.sync { lookAtAll("after asynchronous writes") }
  }

  private func lookFromAfar() {
    away.sync {
      // Those held are of before.
      for lane in far {
        lane.lookAtHeld(self, "afar before")
        if dice.below(3) == 0 { lane.compare(farRealm, self, "afar before") }
      }
      farRealm.refresh()
      for (lane, other) in zip(far, lanes) { lane.follow(other) }
      farKnots = knots
      for lane in far {
        lane.lookAtHeld(self, "afar")
        lane.peek(farRealm, self)
        if dice.below(3) == 0 { lane.compare(farRealm, self, "afar") }
        lane.hold(farRealm, self)
      }
      if hasKnots, dice.below(2) == 0 { compareKnots(farRealm, knots, "afar") }
    }
  }

  private func freeze() {
    home.sync {
      let copies = lanes.map { lane in
        let twin = lane.twin()
        twin.follow(lane)
        return twin
      }
      let one = dice.below(4) == 0 ? realm.freeze().freeze() : realm.freeze()
      for lane in copies where dice.below(2) == 0 { lane.hold(one, self) }
      frozen.append((one, copies, knots))
      versions += 1
    }
    if frozen.count > 12 { frozen.remove(at: dice.below(frozen.count)) }
  }

  private func lookAtFrozen() {
    if frozen.isEmpty { return }
    let index = dice.below(frozen.count)
    let (one, lanes, knots) = frozen[index]
    (dice.below(2) == 0 ? home : away).sync {
      for lane in lanes {
        lane.peek(one, self)
        lane.lookAtHeld(self, "frozen")
      }
      compare(one, lanes, knots, "frozen")
    }
    if dice.below(2) == 0 { frozen.remove(at: index) }
  }

  private func reopen() {
    note("opened again")
    if dice.below(2) == 0 { frozen = [] }
    home.sync {
      for lane in lanes { lane.letGo() }
      heldKnots = []
      realm = nil
    }
    away.sync {
      for lane in far { lane.letGo() }
      farRealm = nil
    }
    open()
    away.sync {
      for (lane, other) in zip(far, lanes) { lane.follow(other) }
      farKnots = knots
    }
    home.sync { compare(realm, lanes, knots, "opened again") }
  }

  private func compare(
    _ realm: Realm, _ lanes: [any LeaverLane], _ knots: [Int: Knot], _ place: String
  ) {
    for lane in lanes { lane.compare(realm, self, place) }
    if hasKnots { compareKnots(realm, knots, place) }
  }

  // MARK: Knots

  /// Takes rows out of all that leads to them.
  func gone(_ title: String, _ serials: Set<Int>) {
    if serials.isEmpty || !hasKnots { return }
    func without(_ part: Part) -> Part {
      Part(
        label: part.label, one: part.one.flatMap { serials.contains($0) ? nil : $0 },
        child: part.child.map(without), parts: part.parts.map(without))
    }
    func isGone(_ any: (String, Int)?) -> Bool {
      any.map { $0.0 == title && serials.contains($0.1) } ?? false
    }
    for key in knots.keys {
      switch title {
      case "LeaverLoose":
        if let one = knots[key]!.one, serials.contains(one) { knots[key]!.one = nil }
        knots[key]!.many.removeAll { serials.contains($0) }
        knots[key]!.part = knots[key]!.part.map(without)
        knots[key]!.parts = knots[key]!.parts.map(without)
      case "LeaverInt": knots[key]!.some.subtract(serials)
      case "LeaverText":
        for (name, one) in knots[key]!.named {
          if let one, serials.contains(one) { knots[key]!.named[name] = .some(nil) }
        }
      case "LeaverKnot":
        if let next = knots[key]!.next, serials.contains(next) { knots[key]!.next = nil }
      default: break
      }
      if isGone(knots[key]!.any) { knots[key]!.any = nil }
      for index in knots[key]!.anys.indices where isGone(knots[key]!.anys[index]) {
        knots[key]!.anys[index] = nil
      }
    }
  }

  private func anyOf(_ realm: Realm) -> (Object, String, Int)? {
    let which = dice.below(lanes.count + 1)
    if which == lanes.count {
      guard let (key, knot) = knots.randomElement(using: &dice),
        let object = realm.object(ofType: LeaverKnot.self, forPrimaryKey: key)
      else { return nil }
      return (object, "LeaverKnot", knot.serial)
    }
    let all = lanes[which].serials
    guard !all.isEmpty else { return nil }
    let serial = all[dice.below(all.count)]
    guard let object = lanes[which].object(serial, realm) else {
      fail("\(lanes[which].title): \(serial) is not found to be linked")
      return nil
    }
    return (object, lanes[which].title, serial)
  }

  private func pick<T: Object>(_ lane: Int, _ realm: Realm, _ type: T.Type) -> (T, Int)? {
    let all = lanes[lane].serials
    guard !all.isEmpty else { return nil }
    let serial = all[dice.below(all.count)]
    guard let found = lanes[lane].object(serial, realm) as? T else {
      fail("\(type): \(serial) is not found to be linked")
      return nil
    }
    return (found, serial)
  }

  private func part(_ realm: Realm, _ depth: Int) -> (LeaverPart, Part) {
    let made = LeaverPart()
    var part = Part(label: dice.below(1000), one: nil, child: [], parts: [])
    made.label = part.label
    if dice.below(2) == 0, let (one, serial) = pick(0, realm, LeaverLoose.self) {
      made.one = one
      part.one = serial
    }
    if depth > 0 {
      if dice.below(2) == 0 {
        let (child, sheet) = self.part(realm, depth - 1)
        made.child = child
        part.child = [sheet]
      }
      for _ in 0..<dice.below(3) {
        let (child, sheet) = self.part(realm, depth - 1)
        made.parts.append(child)
        part.parts.append(sheet)
      }
    }
    return (made, part)
  }

  private func tie(_ realm: Realm) {
    let key = dice.below(40)
    var object = realm.object(ofType: LeaverKnot.self, forPrimaryKey: key)
    if (object == nil) != (knots[key] == nil) { return fail("knot \(key) is not as it should be") }
    if let found = object, dice.below(3) == 0 {
      let serial = knots[key]!.serial
      note("knot \(key) goes")
      realm.delete(found)
      knots[key] = nil
      gone("LeaverKnot", [serial])
      if !found.isInvalidated { fail("knot \(key) is there after") }
      if dice.below(2) == 0 { return }
      object = nil
    }
    if object == nil {
      serial += 1
      note("knot \(key) comes")
      object = realm.create(LeaverKnot.self, value: ["id": key, "serial": serial])
      knots[key] = Knot(serial: serial)
    }
    guard let knot = object else { return }
    if dice.below(10) == 0 { heldKnots.append((knot, knots[key]!.serial)) }
    if heldKnots.count > 40 { heldKnots.removeFirst(20) }
    for _ in 0...dice.below(6) where wrong == nil {
      switch dice.below(10) {
      case 0:
        if let (one, serial) = pick(0, realm, LeaverLoose.self) {
          knot.one = one
          knots[key]!.one = serial
        }
      case 1, 2:
        for _ in 0..<amount() {
          guard let (one, serial) = pick(0, realm, LeaverLoose.self) else { break }
          for _ in 0...dice.below(2) {
            knot.many.append(one)
            knots[key]!.many.append(serial)
          }
          if knots[key]!.many.count > 300 { break }
        }
      case 3:
        for _ in 0..<min(40, amount()) {
          guard let (one, serial) = pick(1, realm, LeaverInt.self) else { break }
          knot.some.insert(one)
          knots[key]!.some.insert(serial)
        }
      case 4:
        for _ in 0..<min(40, amount()) {
          guard let (one, serial) = pick(2, realm, LeaverText.self) else { break }
          let name = "m\(dice.below(30))"
          knot.named[name] = one
          knots[key]!.named[name] = .some(serial)
        }
      case 5:
        if let (one, title, serial) = anyOf(realm) {
          knot.any = .object(one)
          knots[key]!.any = (title, serial)
        }
      case 6:
        for _ in 0..<dice.below(6) {
          guard let (one, title, serial) = anyOf(realm) else { break }
          knot.anys.append(.object(one))
          knots[key]!.anys.append((title, serial))
        }
        if knots[key]!.anys.count > 60 {
          knot.anys.removeAll()
          knots[key]!.anys = []
        }
      case 7:
        if let (other, sheet) = knots.randomElement(using: &dice) {
          knot.next = realm.object(ofType: LeaverKnot.self, forPrimaryKey: other)
          knots[key]!.next = sheet.serial
        }
      case 8:
        if dice.below(4) == 0 {
          knot.part = nil
          knots[key]!.part = []
        } else {
          let (made, sheet) = part(realm, 4)
          knot.part = made
          knots[key]!.part = [sheet]
        }
      default:
        if dice.below(4) == 0 {
          realm.delete(knot.parts)
          knots[key]!.parts = []
        } else if knots[key]!.parts.count < 12 {
          let (made, sheet) = part(realm, 2)
          knot.parts.append(made)
          knots[key]!.parts.append(sheet)
        } else {
          let at = dice.below(knots[key]!.parts.count)
          knot.parts.remove(at: at)
          knots[key]!.parts.remove(at: at)
        }
      }
    }
    if dice.below(12) == 0, !knots[key]!.many.isEmpty {
      note("all of a knot's list go")
      let all = Set(knots[key]!.many)
      realm.delete(knot.many)
      (lanes[0] as! LeaverRows<LeaverLoose>).take(all, self)
    }
  }

  private func compareKnots(_ realm: Realm, _ knots: [Int: Knot], _ place: String) {
    func differs(_ part: LeaverPart, _ sheet: Part) -> Bool {
      part.label != sheet.label || part.one?.serial != sheet.one
        || (part.child == nil) != sheet.child.isEmpty
        || part.child.map { differs($0, sheet.child[0]) } ?? false
        || part.parts.count != sheet.parts.count
        || zip(part.parts, sheet.parts).contains { differs($0, $1) }
    }
    func says(_ any: AnyRealmValue) -> String {
      switch any {
      case .none: "none"
      case .object(let object):
        switch object {
        case let one as LeaverLoose: "LeaverLoose \(one.serial)"
        case let one as LeaverInt: "LeaverInt \(one.serial)"
        case let one as LeaverText: "LeaverText \(one.serial)"
        case let one as LeaverUuid: "LeaverUuid \(one.serial)"
        case let one as LeaverOid: "LeaverOid \(one.serial)"
        case let one as LeaverKnot: "LeaverKnot \(one.serial)"
        default: "somebody"
        }
      default: "\(any)"
      }
    }
    func says(_ any: (String, Int)?) -> String { any.map { "\($0.0) \($0.1)" } ?? "none" }
    let all = realm.objects(LeaverKnot.self)
    if all.count != knots.count { return fail("\(place): \(all.count) knots of \(knots.count)") }
    var parts = 0
    func count(_ part: Part) -> Int {
      1 + part.child.reduce(0) { $0 + count($1) } + part.parts.reduce(0) { $0 + count($1) }
    }
    for knot in all {
      guard let sheet = knots[knot.id] else { return fail("\(place): knot \(knot.id) is there") }
      let what: String? =
        knot.serial != sheet.serial
        ? "another one"
        : knot.one?.serial != sheet.one
          ? "one"
          : knot.many.map(\.serial) != sheet.many
            ? "many"
            : Set(knot.some.map(\.serial)) != sheet.some || knot.some.count != sheet.some.count
              ? "some"
              : Dictionary(uniqueKeysWithValues: knot.named.map { ($0.key, $0.value?.serial) })
                != sheet.named
                ? "named"
                : says(knot.any) != says(sheet.any)
                  ? "any"
                  : knot.anys.map { says($0) } != sheet.anys.map { says($0) }
                    ? "anys"
                    : knot.next?.serial != sheet.next
                      ? "next"
                      : knot.before.count != knots.values.filter { $0.next == sheet.serial }.count
                        ? "before"
                        : (knot.part == nil) != sheet.part.isEmpty
                          || knot.part.map { differs($0, sheet.part[0]) } ?? false
                          ? "part"
                          : knot.parts.count != sheet.parts.count
                            || zip(knot.parts, sheet.parts).contains { differs($0, $1) }
                            ? "parts" : nil
      if let what { return fail("\(place): knot \(knot.id) has a wrong '\(what)'") }
      parts += (sheet.part + sheet.parts).reduce(0) { $0 + count($1) }
    }
    let session = realm.session
    if let table = session.bound(LeaverPart.self).number {
      let found = session.store.count(of: table)
      if found != parts { fail("\(place): \(found) parts, not \(parts)") }
    }
  }
}
