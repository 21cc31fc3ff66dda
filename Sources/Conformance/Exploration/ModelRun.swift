import EngineUnderTest
import Foundation

/// A row of a model run: a number that is searched for, a text, a list and a link.
final class Leaf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var number: Int
  @Persisted var text: String
  @Persisted var numbers: List<Int>
  @Persisted var next: Leaf?

  convenience init(_ act: ModelProgram.Act) {
    self.init()
    (id, number, text) = (act.key, act.number, act.words)
  }

  var row: ModelState.Row {
    ModelState.Row(number: number, text: text, numbers: Array(numbers), next: next?.id)
  }
}

/// Does a program's acts to an engine and to a model at once, and after each compares everything
/// that can be read: the realm here, the one on the queue, every frozen version, every object that
/// is held.
final class ModelRun {
  /// Somebody who reads, and what must be seen.
  private struct Reader {
    let name: String
    let realm: Realm
    var state: ModelState
  }

  /// Held versions and objects are dear to compare, and more of them show nothing new.
  private static let mostFrozen = 6

  private let configuration: Realm.Configuration
  private let queue = DispatchQueue(label: "there")
  private var here: Reader?
  private var there: Reader?
  private var frozen: [Reader] = []
  /// Objects of the realm here, with the birth of the row that they stand for.
  private var held: [(leaf: Leaf, key: Int, birth: Int)] = []
  /// Found once and asked again and again, before and after whatever happens.
  private var standing: Results<Leaf>?
  private var newest = ModelState()
  private var isWriting = false
  /// The question that all versions are asked after the act.
  private var asked: Int?
  private(set) var comparisons = 0

  init(_ file: URL) throws {
    configuration = Realm.Configuration(fileURL: file, objectTypes: [Leaf.self])
    try open()
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      // It would move by itself, and nobody could say when.
      if Engine.offersReins { realm.autorefresh = false }
      there = Reader(name: "the realm on the queue", realm: realm, state: newest)
    }
  }

  /// Nil if all is well.
  func run(_ program: ModelProgram) -> String? {
    for (number, act) in program.acts.enumerated() {
      do {
        asked = act.verb == .query ? act.number : nil
        let complaint = try take(act, number)
        // Where it may have moved by itself, it has, before anybody looks.
        if !Engine.offersReins { refreshThere() }
        if let complaint = complaint ?? difference {
          return "act \(number + 1) (\(act.verb) \(act.text)): \(complaint)"
        }
      } catch {
        return "act \(number + 1) (\(act.verb) \(act.text)) threw: \(error)"
      }
    }
    return nil
  }

  /// Lets go of everything but the file.
  func leave() {
    if isWriting { here?.realm.cancelWrite() }
    (standing, held, frozen, here) = (nil, [], [], nil)
    queue.sync { there = nil }
  }

  private func open() throws {
    let realm = try Realm(configuration: configuration)
    // Whoever still held the old one would get it again.
    realm.refresh()
    here = Reader(name: "the realm", realm: realm, state: newest)
    standing = realm.objects(Leaf.self).where { $0.number >= 0 }
  }

  // MARK: Acts

  /// Does it on both sides; says what was wrong by then, if anything.
  private func take(_ act: ModelProgram.Act, _ number: Int) throws -> String? {
    guard let realm = here?.realm else { return "the realm is gone" }
    switch act.verb {
    case .put, .delete, .setNumber, .setText, .append, .insert, .remove, .link:
      if !isWriting { begin(realm) }
      apply(act, in: realm)
      here?.state.apply(act, number: number)
      if !isWriting { try commit(realm) }
    case .begin:
      if !isWriting { begin(realm) }
      isWriting = true
    case .commit: if isWriting { try commit(realm) }
    case .cancel:
      if isWriting {
        realm.cancelWrite()
        isWriting = false
        here?.state = newest
      }
    case .refresh:
      realm.refresh()
      if !isWriting { here?.state = newest }
    case .invalidate: if Engine.offersReins { return invalidate(realm) }
    case .reopen: if !isWriting { try reopen() }
    case .freeze: if !isWriting { freeze(realm, number) }
    case .letGo: if !frozen.isEmpty { frozen.remove(at: act.value % frozen.count) }
    case .hold: hold(act, in: realm)
    case .query: break
    case .otherWrites: if !isWriting { try otherWrites(act, number) }
    case .otherRefreshes: refreshThere()
    }
    return nil
  }

  private func refreshThere() {
    queue.sync { _ = there?.realm.refresh() }
    there?.state = newest
  }

  private func begin(_ realm: Realm) {
    realm.beginWrite()
    here?.state = newest
  }

  private func commit(_ realm: Realm) throws {
    try realm.commitWrite()
    isWriting = false
    if let state = here?.state { newest = state }
  }

  private func apply(_ act: ModelProgram.Act, in realm: Realm) {
    let leaf = realm.object(ofType: Leaf.self, forPrimaryKey: act.key)
    if act.verb == .put || (act.verb == .otherWrites && leaf == nil) {
      realm.add(Leaf(act), update: .all)
      return
    }
    guard let leaf else { return }
    switch act.verb {
    // By an object that is held, if there is one: it must come back when the write is cancelled.
    case .delete: realm.delete(heldObject(act.key) ?? leaf)
    case .setNumber, .otherWrites: leaf.number = act.number
    case .setText: leaf.text = act.words
    case .append: leaf.numbers.append(act.number)
    case .insert:
      leaf.numbers.insert(act.number, at: act.value % (leaf.numbers.count + 1))
    case .remove:
      if !leaf.numbers.isEmpty { leaf.numbers.remove(at: act.value % leaf.numbers.count) }
    case .link:
      leaf.next = realm.object(
        ofType: Leaf.self, forPrimaryKey: act.value % ModelProgram.keys.count)
    default: break
    }
  }

  private func heldObject(_ key: Int) -> Leaf? {
    let birth = here?.state.births[key]
    return held.last { $0.key == key && $0.birth == birth }?.leaf
  }

  private func reopen() throws {
    (standing, held, here) = (nil, [], nil)
    try open()
  }

  /// Takes all objects of the realm, and rolls back a write that is open.
  private func invalidate(_ realm: Realm) -> String? {
    realm.invalidate()
    isWriting = false
    here?.state = newest
    standing = realm.objects(Leaf.self).where { $0.number >= 0 }
    defer { held = [] }
    return held.first { !$0.leaf.isInvalidated }
      .map { "the object of row \($0.key) outlives invalidate()" }
  }

  private func freeze(_ realm: Realm, _ number: Int) {
    guard let state = here?.state else { return }
    if frozen.count == ModelRun.mostFrozen { frozen.removeFirst() }
    frozen.append(
      Reader(name: "what act \(number + 1) froze", realm: realm.freeze(), state: state))
  }

  private func hold(_ act: ModelProgram.Act, in realm: Realm) {
    guard let leaf = realm.object(ofType: Leaf.self, forPrimaryKey: act.key),
      let birth = here?.state.births[act.key]
    else { return }
    held.append((leaf, act.key, birth))
  }

  private func otherWrites(_ act: ModelProgram.Act, _ number: Int) throws {
    var state = newest
    state.apply(act, number: number)
    try queue.sync {
      guard let realm = there?.realm else { return }
      try realm.write { apply(act, in: realm) }
    }
    newest = state
    there?.state = state
  }
}

// MARK: - Comparing

extension ModelRun {
  /// The first thing that is not as the model has it.
  private var difference: String? {
    for reader in [here].compactMap(\.self) + frozen {
      if let complaint = difference(of: reader) { return complaint }
    }
    let other = queue.sync { there.flatMap { difference(of: $0) } }
    return other ?? differenceOfHeld ?? differenceOfStanding
  }

  private func difference(of reader: Reader) -> String? {
    comparisons += 1
    let (realm, rows) = (reader.realm, reader.state.rows)
    let all = realm.objects(Leaf.self)
    if all.count != rows.count {
      return "\(reader.name) holds \(all.count) rows instead of \(rows.count)"
    }
    for key in ModelProgram.keys {
      let found = realm.object(ofType: Leaf.self, forPrimaryKey: key)?.row
      if found != rows[key] {
        return "\(reader.name) has in row \(key) \(found?.description ?? "nothing") "
          + "instead of \(rows[key]?.description ?? "nothing")"
      }
    }
    guard let asked else { return nil }
    let some = all.where { $0.number >= asked }
      .sorted(by: [SortDescriptor(keyPath: "number"), SortDescriptor(keyPath: "id")])
    let expected = reader.state.keys(from: asked)
    if Array(some.map(\.id)) != expected {
      return "\(reader.name) finds \(Array(some.map(\.id))) from \(asked) on instead of \(expected)"
    }
    let sum: Int = some.sum(ofProperty: "id")
    return sum == expected.reduce(0, +)
      ? nil : "\(reader.name) sums the ids from \(asked) on to \(sum), not \(expected.reduce(0, +))"
  }

  private var differenceOfHeld: String? {
    guard let state = here?.state else { return nil }
    var kept: [(leaf: Leaf, key: Int, birth: Int)] = []
    for one in held {
      guard let birth = state.births[one.key] else {
        // Not asked in the write: what was found invalid there an engine need not take back.
        if !isWriting, !one.leaf.isInvalidated {
          return "the object of row \(one.key), deleted, is valid"
        }
        // A write that is cancelled brings it back.
        kept.append(one)
        continue
      }
      // Another row of the same key: whether the object stands for it is the engine's own affair.
      if birth != one.birth { continue }
      if one.leaf.isInvalidated { return "the object of row \(one.key) is invalid" }
      if one.leaf.row != state.rows[one.key] {
        return "the object of row \(one.key) has \(one.leaf.row.description) "
          + "instead of \(state.rows[one.key]?.description ?? "nothing")"
      }
      kept.append(one)
    }
    held = kept
    return nil
  }

  private var differenceOfStanding: String? {
    guard let standing, let rows = here?.state.rows else { return nil }
    let expected = rows.count { $0.value.number >= 0 }
    return standing.count == expected
      ? nil : "results found earlier count \(standing.count) rows instead of \(expected)"
  }
}
