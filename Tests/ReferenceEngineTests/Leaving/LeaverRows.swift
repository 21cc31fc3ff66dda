import Foundation

@testable import ReferenceEngine

/// The rows of one class.
final class LeaverRows<T: Leaver>: LeaverLane where T: RealmCollectionValue {
  struct State {
    /// By serial.
    var rows: [Int: LeaverSheet] = [:]
    var byKey: [Int: Int] = [:]
  }
  private(set) var state = State()
  private var before = State()
  private let isKeyed: Bool
  private let isOrderedByKey: Bool
  private var held: [(object: T, serial: Int)] = []
  private var standing: [(results: Results<T>, least: Int)] = []
  private var tokens: [NotificationToken] = []
  private var mirrors: [LeaverMirror] = []

  init() {
    isKeyed = T.self != LeaverLoose.self
    isOrderedByKey = T.self == LeaverInt.self
  }

  var title: String { "\(T.self)" }
  var count: Int { state.rows.count }

  /// In the order in which a whole class is shown.
  var serials: [Int] {
    let all = state.rows.values
    if !isOrderedByKey { return all.map(\.serial).sorted() }
    return all.sorted { LeaverInt.id($0.key) < LeaverInt.id($1.key) }.map(\.serial)
  }

  func begin() { before = state }
  func cancel() { state = before }
  func twin() -> any LeaverLane { LeaverRows<T>() }
  func follow(_ other: any LeaverLane) {
    if let other = other as? LeaverRows<T> { state = other.state }
  }

  func object(_ serial: Int, _ realm: Realm) -> Object? { find(serial, realm) }

  private func find(_ serial: Int, _ realm: Realm) -> T? {
    if let key = state.rows[serial]?.key, let found = T.find(key, realm) { return found }
    return realm.objects(T.self).filter("serial == \(serial)").first
  }

  // MARK: Changing

  private func sheet(_ key: Int, _ serial: Int, _ walk: LeaverWalk) -> LeaverSheet {
    func maybe(_ below: Int) -> Int? { walk.dice.below(4) == 0 ? nil : walk.dice.below(below) }
    return LeaverSheet(
      key: key, serial: serial, name: maybe(12), value: maybe(100), day: maybe(20),
      code: maybe(8), isOn: maybe(2).map { $0 == 1 }, text: walk.dice.below(10_000))
  }

  private func insert(_ key: Int, _ realm: Realm, _ walk: LeaverWalk) {
    if isKeyed, state.byKey[key] != nil { return }
    walk.serial += 1
    let sheet = sheet(key, walk.serial, walk)
    let object = T.make(key)
    if walk.dice.below(2) == 0 {
      sheet.write(to: object)
      realm.add(object)
    } else {
      realm.add(object)
      sheet.write(to: object)
    }
    state.rows[sheet.serial] = sheet
    if isKeyed { state.byKey[key] = sheet.serial }
    if walk.dice.below(40) == 0 { held.append((object, sheet.serial)) }
  }

  /// Notes that rows are gone.
  private func gone(_ serials: some Sequence<Int>, _ walk: LeaverWalk) {
    var all = Set<Int>()
    for serial in serials {
      guard let sheet = state.rows.removeValue(forKey: serial) else { continue }
      all.insert(serial)
      if isKeyed { state.byKey[sheet.key] = nil }
    }
    walk.gone(title, all)
  }

  func take(_ serials: Set<Int>, _ walk: LeaverWalk) { gone(serials, walk) }

  func allGone(_ walk: LeaverWalk) { gone(Array(state.rows.keys), walk) }

  private func some(_ walk: LeaverWalk) -> [Int] {
    let all = serials
    if all.isEmpty { return [] }
    let count = min(all.count, walk.amount())
    switch walk.dice.below(6) {
    case 0: return Array(all.prefix(count))
    case 1: return Array(all.suffix(count))
    case 2: return all.suffix(count).reversed()
    case 3:
      let start = walk.dice.below(all.count - count + 1)
      return Array(all[start..<(start + count)])
    default: return Array(all.shuffled(using: &walk.dice).prefix(count))
    }
  }

  func step(_ realm: Realm, _ walk: LeaverWalk) {
    switch walk.dice.below(20) {
    case 0, 1, 2, 3:
      let count = state.rows.count > walk.most ? 1 : walk.amount()
      walk.note("\(title): \(count) come")
      let start = walk.dice.below(walk.most * 2)
      let way = walk.dice.below(3)
      for number in 0..<count {
        let key =
          way == 0
          ? start + number
          : way == 1
            ? start + count - number
            : walk.dice.below(walk.most * 2)
        insert(key, realm, walk)
        if walk.dice.below(200) == 0 { peek(realm, walk) }
      }
    case 4, 5, 6, 7, 8:
      let leaving = some(walk)
      let mayPeek = walk.dice.below(2) == 0
      walk.note("\(title): \(leaving.count) of \(count) go one by one")
      let objects = leaving.map { find($0, realm) }
      for (object, serial) in zip(objects, leaving) {
        guard let object else { return walk.fail("\(title): \(serial) is not found") }
        if object.isInvalidated { return walk.fail("\(title): \(serial) is gone before") }
        realm.delete(object)
        gone([serial], walk)
        if !object.isInvalidated { walk.fail("\(title): \(serial) is there after") }
        if mayPeek, walk.dice.below(max(4, leaving.count / 4)) == 0 { peek(realm, walk) }
        if mayPeek, walk.dice.below(max(4, leaving.count / 4)) == 0 {
          insert(walk.dice.below(walk.most * 2), realm, walk)
        }
        if walk.dice.below(60) == 0 { realm.delete(object) }
      }
    case 9:
      let leaving = some(walk)
      walk.note("\(title): \(leaving.count) of \(count) go as a sequence")
      realm.delete(leaving.compactMap { find($0, realm) })
      gone(leaving, walk)
    case 10:
      let limit = walk.dice.below(12)
      walk.note("\(title): those below \(limit) go")
      let leaving = state.rows.values.filter { $0.value.map { $0 < limit } ?? false }
      let results = realm.objects(T.self).filter("value < \(limit)")
      if walk.dice.below(2) == 0 { _ = results.count }
      realm.delete(results)
      gone(leaving.map(\.serial), walk)
    case 11:
      if walk.dice.below(6) > 0 { return }
      walk.note("\(title): all go")
      realm.delete(realm.objects(T.self))
      gone(Array(state.rows.keys), walk)
    case 12, 13: again(realm, walk)
    case 14, 15: change(realm, walk)
    case 16, 17: loop(realm, walk)
    case 18: hold(realm, walk)
    default: peek(realm, walk)
    }
  }

  /// Some go, and others come under their keys, again and again.
  private func again(_ realm: Realm, _ walk: LeaverWalk) {
    guard isKeyed else { return }
    let leaving = some(walk).prefix(60)
    walk.note("\(title): \(leaving.count) of \(count) come again")
    for first in leaving {
      var serial = first
      for _ in 0...walk.dice.below(3) {
        guard let key = state.rows[serial]?.key, let object = find(serial, realm) else {
          return walk.fail("\(title): \(serial) is not found to come again")
        }
        realm.delete(object)
        gone([serial], walk)
        if walk.dice.below(8) == 0, T.find(key, realm) ?? nil != nil {
          return walk.fail("\(title): \(serial) is found by its key")
        }
        if walk.dice.below(20) == 0 { peek(realm, walk) }
        insert(key, realm, walk)
        serial = walk.serial
        if !object.isInvalidated { walk.fail("\(title): who had the key of \(serial) is there") }
      }
    }
  }

  private func change(_ realm: Realm, _ walk: LeaverWalk) {
    let changing = some(walk)
    walk.note("\(title): \(changing.count) of \(count) change")
    for serial in changing {
      guard let object = find(serial, realm), let old = state.rows[serial] else {
        return walk.fail("\(title): \(serial) is not found to be changed")
      }
      let new = sheet(old.key, serial, walk)
      new.write(to: object, all: walk.dice.below(2) == 0, old)
      state.rows[serial] = new
      if walk.dice.below(10) == 0 {
        realm.delete(object)
        gone([serial], walk)
      }
    }
  }

  /// Walks a result while what it shows goes.
  private func loop(_ realm: Realm, _ walk: LeaverWalk) {
    var results = realm.objects(T.self)
    var expected = serials
    switch walk.dice.below(3) {
    case 0: break
    case 1:
      results = results.filter("value >= 50")
      expected = expected.filter { state.rows[$0]!.value.map { $0 >= 50 } ?? false }
    default:
      results = results.sorted(byKeyPath: "serial", ascending: false)
      expected.sort(by: >)
    }
    walk.note("\(title): a loop over \(expected.count)")
    if results.count != expected.count { return walk.fail("\(title): a loop over other rows") }
    let all = expected.map { find($0, realm) }
    var at = 0
    var kept: [(T, Int)] = []
    let every = [1, 2, 3, 10, 50, 400][walk.dice.below(6)]
    let keeps = walk.dice.below(2) == 0
    func visit(_ object: T) {
      guard walk.wrong == nil else { return }
      guard at < expected.count else { return walk.fail("\(title): a loop that does not end") }
      let serial = expected[at]
      let place = at
      at += 1
      let isThere = state.rows[serial] != nil
      if object.isInvalidated == isThere {
        return walk.fail("\(title): in a loop \(serial) is \(isThere ? "gone" : "there")")
      }
      if isThere, object.serial != serial {
        return walk.fail("\(title): in a loop \(serial) is \(object.serial)")
      }
      if keeps, walk.dice.below(5) == 0 { kept.append((object, serial)) }
      if walk.dice.below(every) > 0 { return }
      switch walk.dice.below(6) {
      case 0, 1:
        realm.delete(object)
        gone([serial], walk)
      case 2, 3:
        let other = min(place + walk.dice.below(20), expected.count - 1)
        if let one = all[other], !one.isInvalidated { realm.delete(one) }
        gone([expected[other]], walk)
      case 4:
        if isThere {
          let new = sheet(state.rows[serial]!.key, serial, walk)
          new.write(to: object, state.rows[serial])
          state.rows[serial] = new
        }
      default:
        if walk.dice.below(3) == 0 {
          peek(realm, walk)
        } else {
          insert(walk.dice.below(walk.most * 2), realm, walk)
        }
      }
    }
    if walk.dice.below(2) == 0 {
      for object in results { visit(object) }
    } else {
      results.forEach(visit)
    }
    if walk.wrong == nil, at != expected.count { walk.fail("\(title): a loop ends at \(at)") }
    for (object, serial) in kept where object.isInvalidated == (state.rows[serial] != nil) {
      walk.fail(
        "\(title): \(serial), kept of a loop, is \(object.isInvalidated ? "gone" : "there")")
    }
  }

  // MARK: Asking

  func peek(_ realm: Realm, _ walk: LeaverWalk) {
    walk.questions += 1
    let all = realm.objects(T.self)
    func check(_ what: String, _ found: Int, _ expected: Int) {
      if found != expected { walk.fail("\(title): \(what) is \(found), not \(expected)") }
    }
    let rows = state.rows.values
    switch walk.dice.below(14) {
    case 0: check("the count", all.count, rows.count)
    case 1:
      let name: Int? = walk.dice.below(4) == 0 ? nil : walk.dice.below(12)
      let text = name.map { "'\(LeaverSheet.name($0))'" } ?? "nil"
      check(
        "how many are named \(text)", all.filter("name == \(text)").count,
        rows.filter { $0.name == name }.count)
    case 2:
      let value: Int? = walk.dice.below(4) == 0 ? nil : walk.dice.below(100)
      check(
        "how many have \(value ?? -1)",
        all.filter("value == \(value.map(String.init) ?? "nil")").count,
        rows.filter { $0.value == value }.count)
    case 3:
      let day: Int? = walk.dice.below(4) == 0 ? nil : walk.dice.below(20)
      check(
        "how many have day \(day ?? -1)",
        all.where { $0.day == day.map(LeaverSheet.day) }.count, rows.filter { $0.day == day }.count)
    case 4:
      let code: Int? = walk.dice.below(4) == 0 ? nil : walk.dice.below(8)
      check(
        "how many have code \(code ?? -1)",
        all.where { $0.code == code.map(LeaverSheet.code) }.count,
        rows.filter { $0.code == code }.count)
    case 5:
      check(
        "how many are on", all.filter("isOn == true").count, rows.filter { $0.isOn == true }.count)
    case 6:
      let sum: Int = all.sum(ofProperty: "value")
      check("the sum", sum, rows.reduce(0) { $0 + ($1.value ?? 0) })
    case 7:
      let sorted = all.sorted(by: [
        SortDescriptor(keyPath: "value"), SortDescriptor(keyPath: "serial", ascending: false),
      ])
      let expected = rows.sorted {
        ($0.value ?? -1, -$0.serial) < ($1.value ?? -1, -$1.serial)
      }
      check("the sorted count", sorted.count, expected.count)
      if !expected.isEmpty {
        let at = walk.dice.below(expected.count)
        check("the sorted one at \(at)", sorted[at].serial, expected[at].serial)
      }
    case 8:
      let distinct = all.distinct(by: ["value"]).count
      check("the number of distinct values", distinct, Set(rows.map(\.value)).count)
    case 9:
      let key = walk.dice.below(walk.most * 2)
      if let found = T.find(key, realm) {
        check("who has key \(key)", found?.serial ?? -1, state.byKey[key] ?? -1)
      }
    case 10:
      let expected = serials
      if !expected.isEmpty {
        let at = walk.dice.below(expected.count)
        check("the one at \(at)", all[at].serial, expected[at])
        if let index = all.index(of: all[at]) { check("its index", index, at) }
        check("the last", all.last?.serial ?? -1, expected.last!)
      }
    case 11: lookAtHeld(walk, "asked")
    case 12:
      if standing.count < 6 {
        let least = walk.dice.below(100)
        standing.append((all.filter("value >= \(least)"), least))
      }
      for (results, least) in standing {
        check(
          "the number of those from \(least) on", results.count,
          rows.filter { $0.value.map { $0 >= least } ?? false }.count)
      }
    default:
      if walk.dice.below(4) == 0 { compare(realm, walk, "inside") }
    }
  }

  func compare(_ realm: Realm, _ walk: LeaverWalk, _ place: String) {
    let expected = serials
    var at = 0
    for object in realm.objects(T.self) {
      guard at < expected.count else { break }
      if let wrong = state.rows[expected[at]]!.differs(from: object) {
        return walk.fail("\(title), \(place): row \(at), \(expected[at]), has \(wrong)")
      }
      at += 1
    }
    let count = realm.objects(T.self).count
    if at != expected.count || count != expected.count {
      walk.fail("\(title), \(place): \(count) rows, \(expected.count) should be")
    }
  }

  // MARK: Holding

  func hold(_ realm: Realm, _ walk: LeaverWalk) {
    let all = serials
    if all.isEmpty { return }
    for _ in 0..<min(8, all.count) {
      let serial = all[walk.dice.below(all.count)]
      guard let object = find(serial, realm) else {
        return walk.fail("\(title): \(serial) is not found to be held")
      }
      held.append((object, serial))
    }
    if held.count > 80 { held.removeFirst(held.count - 80) }
  }

  func lookAtHeld(_ walk: LeaverWalk, _ place: String) {
    for (object, serial) in held {
      let sheet = state.rows[serial]
      if object.isInvalidated != (sheet == nil) {
        walk.fail("\(title), \(place): held \(serial) is \(sheet == nil ? "there" : "gone")")
      } else if let wrong = sheet?.differs(from: object) {
        walk.fail("\(title), \(place): held \(serial) has \(wrong)")
      }
    }
  }

  /// What came in a write that was cancelled is gone for good.
  func letGo() {
    held = []
    standing = []
    for token in tokens { token.invalidate() }
    tokens = []
    mirrors = []
  }

  func listen(_ realm: Realm, _ walk: LeaverWalk) {
    guard tokens.isEmpty else { return }
    let all = realm.objects(T.self)
    for (name, results) in [
      ("all", all), ("some", all.filter("value < 50")),
      ("sorted", all.sorted(byKeyPath: "serial", ascending: false)),
    ] {
      let mirror = LeaverMirror(name: "\(title) \(name)", walk)
      mirrors.append(mirror)
      tokens.append(
        results.observe { change in
          switch change {
          case .initial(let now): mirror.rows = now.map { LeaverMirror.Row($0) }
          case .update(let now, let deletions, let insertions, let modifications):
            mirror.take(now.map { LeaverMirror.Row($0) }, deletions, insertions, modifications)
          case .error(let error): walk.fail("\(error)")
          }
        })
    }
  }
}
