#if Mutants
import Synchronization
@_private(sourceFile: "Session.swift") import ReferenceEngine

// The eleventh set: what its wrong functions remember of realms and files. A tie is kept with what
// is noted of its realm, so that no other realm gets its address.

/// Something of each realm.
final class OfEachRealm<Value>: Sendable {
  private let all = Mutex<[ObjectIdentifier: Handed<(tie: SessionTie, value: Value)>]>([:])

  func value(of session: Session) -> Value? {
    let tie = session.tie
    return all.withLock { $0[ObjectIdentifier(tie)]?.value.value }
  }

  func keep(_ value: Value, of session: Session) {
    let (tie, kept) = (session.tie, Handed((tie: session.tie, value: value)))
    all.withLock { $0[ObjectIdentifier(tie)] = kept }
  }

  func forget(_ tie: SessionTie) {
    // What goes with it goes outside the lock.
    withExtendedLifetime(all.withLock { $0.removeValue(forKey: ObjectIdentifier(tie)) }) {}
  }
}

/// How many objects a class has to the one who writes.
enum WritersCounts {
  private struct Entry {
    let write: VersionID
    let count: Int
  }
  private static let all = Mutex<[String: Entry]>([:])

  private static func place(_ session: Session, _ name: String) -> String {
    session.configuration.path + "|" + name
  }

  static func note(_ number: Int?, _ session: Session) {
    guard breaks(.countsAreOfTheVersion), let number, let write = session.write,
      session.stored.tables.indices.contains(number)
    else { return }
    let entry = Entry(write: write.version, count: session.store.count(of: number))
    let place = place(session, session.stored.tables[number].name)
    all.withLock { $0[place] = entry }
  }

  static func count(of name: String, _ session: Session) -> Int? {
    let place = place(session, name)
    guard let entry = all.withLock({ $0[place] }), session.coordinator.hasWriter,
      entry.write > session.coordinator.newestVersion
    else { return nil }
    return entry.count
  }

  static func forget(_ session: Session) {
    let path = session.configuration.path
    all.withLock { all in all = all.filter { !$0.key.hasPrefix(path + "|") } }
  }
}

/// Numbers that were computed of results, by the version that their realm was on.
enum KnownNumbers {
  private struct Key: Hashable {
    let results: ObjectIdentifier
    let version: VersionID
    let question: String
  }
  private final class Known {
    let results: ResultsState
    let value: StoredValue
    init(_ results: ResultsState, _ value: StoredValue) {
      (self.results, self.value) = (results, value)
    }
  }
  private static let all = OfEachRealm<[Key: Known]>()

  private static func key(
    _ results: ResultsState, _ aggregate: Aggregate, _ path: PropertyPath
  ) -> Key? {
    guard breaks(.sumsFollowOwnWrites), !results.session.isFrozen else { return nil }
    results.verify()
    return results.session.version.map {
      Key(results: ObjectIdentifier(results), version: $0, question: "\(aggregate) \(path)")
    }
  }

  static func of(
    _ results: ResultsState, _ aggregate: Aggregate, _ path: PropertyPath
  ) -> StoredValue? {
    key(results, aggregate, path).flatMap { all.value(of: results.session)?[$0]?.value }
  }

  static func keep(
    _ value: StoredValue, _ results: ResultsState, _ aggregate: Aggregate, _ path: PropertyPath
  ) {
    guard let key = key(results, aggregate, path) else { return }
    // Those of one version; no results of it get the address of others.
    var known = all.value(of: results.session)?.filter { $0.key.version == key.version } ?? [:]
    known[key] = Known(results, value)
    all.keep(known, of: results.session)
  }

  static func forget(_ tie: SessionTie) { all.forget(tie) }
}

/// Which rows texts led to as keys.
enum TextRows {
  private static let all = OfEachRealm<[String: Int64]>()

  static func isElsewhere(_ found: ObjectBase, _ key: String, in session: Session) -> Bool {
    if session.isInWrite {
      all.keep([:], of: session)
      return false
    }
    let place = "\(type(of: found)) \(key)"
    var known = all.value(of: session) ?? [:]
    if let row = known[place] { return row != found._header.pointee.key }
    known[place] = found._header.pointee.key
    all.keep(known, of: session)
    return false
  }
}

/// What running writes have updated.
enum UpdatedOnes {
  private struct Update {
    weak var object: ObjectBase?
    let write: WriteTransaction
  }
  private static let all = OfEachRealm<[Update]>()

  static func note(_ object: ObjectBase, in session: Session) {
    guard let write = session.write else { return }
    let known = all.value(of: session)?.filter { $0.write === write } ?? []
    all.keep(known + [Update(object: object, write: write)], of: session)
  }

  static func take(of write: WriteTransaction?, in session: Session) -> [ObjectBase] {
    let known = all.value(of: session) ?? []
    all.keep([], of: session)
    return known.filter { $0.write === write }.compactMap(\.object)
  }
}

/// The errors of commits that failed.
enum Failures {
  static let all = OfEachRealm<any Error>()
}

/// The versions that realms have left.
enum LeftVersions {
  static let all = OfEachRealm<Snapshot>()
}

/// What unresolved references hold.
enum PinnedReferences {
  private static let all = Mutex<[Handed<Snapshot>]>([])

  static func note(_ pin: Snapshot) {
    let pin = Handed(pin)
    all.withLock { $0.append(pin) }
  }

  static func strike(_ pin: Snapshot) {
    let pin = Handed(pin)
    all.withLock { all in
      if let place = all.firstIndex(where: { $0.value === pin.value }) { all.remove(at: place) }
    }
  }
}

/// Indexes that a write has built anew.
enum BuiltIndexes {
  private struct Key: Hashable {
    let arena: ObjectIdentifier
    let table: Int
    let index: UInt32
  }
  private static let all = Mutex<[Key: VersionID]>([:])

  static func isFirst(_ arena: NodeArena, _ table: Int, _ index: UInt32) -> Bool {
    let key = Key(arena: ObjectIdentifier(arena), table: table, index: index)
    let version = arena.version
    return all.withLock { $0.updateValue(version, forKey: key) != version }
  }
}
#endif
