#if Mutants
import Foundation
import Synchronization
@_private(sourceFile: "Tie.swift") import ReferenceEngine

// The eighteenth set: what its wrong functions remember.

/// The first objects of classes, as they were seen first.
enum FirstOfAll {
  private static let all = OfEachRealm<[String: Int64]>()

  static func note(_ object: ObjectBase, of table: BoundClass, _ state: ResultsState) {
    guard breaks(.theFirstIsFoundAnew), state.isWhole, !state.session.isFrozen else { return }
    var keys = all.value(of: state.session) ?? [:]
    keys[table.name] = object._header.pointee.key
    all.keep(keys, of: state.session)
  }

  /// The one that was seen, if it is still there.
  static func object(of table: BoundClass, _ state: ResultsState) -> ObjectBase? {
    guard breaks(.theFirstIsFoundAnew), state.isWhole, !state.session.isFrozen else { return nil }
    state.verify()
    guard let key = all.value(of: state.session)?[table.name],
      state.session.hasRow(key, of: table)
    else { return nil }
    return state.session.accessor(table, key)
  }
}

/// What indexes found in writes, and the version behind those that were cancelled.
enum CancelledLookups {
  struct Place: Hashable {
    let name: String
    let property: String
    let value: StoredValue

    init(_ name: String, _ property: String, _ value: StoredValue) {
      (self.name, self.property, self.value) = (name, property, value)
    }
  }

  private struct Known {
    var keys: [Place: [Int64]] = [:]
    var behind: VersionID?
  }

  private static let all = OfEachRealm<Known>()

  static func note(_ keys: [Int64], at place: Place, _ session: Session) {
    guard breaks(.indexesForgetTheCancelled), !session.isFrozen, session.isInWrite else { return }
    var known = all.value(of: session) ?? Known()
    known.keys[place] = keys
    all.keep(known, of: session)
  }

  static func begin(in session: Session) {
    if breaks(.indexesForgetTheCancelled) { all.forget(session.tie) }
  }

  /// The write has been cancelled: what it was based on is shown.
  static func wasCancelled(in session: Session) {
    guard breaks(.indexesForgetTheCancelled), var known = all.value(of: session) else { return }
    known.behind = session.version
    all.keep(known, of: session)
  }

  static func keys(at place: Place, of bound: BoundClass, _ session: Session) -> [Int64]? {
    guard breaks(.indexesForgetTheCancelled), !session.isFrozen, !session.isInWrite,
      let known = all.value(of: session), let behind = known.behind, behind == session.version
    else { return nil }
    return known.keys[place]?.filter { session.hasRow($0, of: bound) }
  }
}

/// What sets counted in the write that runs.
enum CountsOfSets {
  private struct Entry {
    weak var set: ManagedCollection?
    let count: Int
  }

  private static let all = OfEachRealm<[ObjectIdentifier: Entry]>()

  static func count(of set: ManagedCollection, _ right: Int) -> Int {
    let session = set.session
    guard breaks(.setsCountAllChanges), set.shape == .set, !session.isFrozen, session.isInWrite
    else { return right }
    var known = all.value(of: session) ?? [:]
    if let entry = known[ObjectIdentifier(set)], entry.set === set { return entry.count }
    known[ObjectIdentifier(set)] = Entry(set: set, count: right)
    all.keep(known, of: session)
    return right
  }

  static func begin(in session: Session) {
    if breaks(.setsCountAllChanges) { all.forget(session.tie) }
  }

  /// The set was changed through itself.
  static func forget(_ set: ManagedCollection) {
    guard breaks(.setsCountAllChanges), var known = all.value(of: set.session) else { return }
    known[ObjectIdentifier(set)] = nil
    all.keep(known, of: set.session)
  }
}

/// Where elements of lists were found outside of writes.
enum KnownPositions {
  private struct Element: Hashable {
    let table: String
    let key: Int64
    let column: UInt32
    let epoch: UInt32
    let value: StoredValue
  }

  private static let all = OfEachRealm<[Element: Int]>()

  private static func element(_ value: StoredValue, in list: ManagedCollection) -> Element? {
    guard breaks(.positionsFollowTheRefresh), list.nested == nil, list.shape == .list,
      !list.session.isFrozen
    else { return nil }
    let value = list.session.stored(value)
    if value.object != nil { return nil }
    return Element(
      table: list.table.name, key: list.key, column: list.column, epoch: list.epoch, value: value)
  }

  static func position(of value: StoredValue, in list: ManagedCollection) -> Int? {
    guard let element = element(value, in: list), !list.session.isInWrite,
      let position = all.value(of: list.session)?[element], position < list.count
    else { return nil }
    return position
  }

  static func note(_ position: Int?, of value: StoredValue, in list: ManagedCollection) {
    guard let element = element(value, in: list) else { return }
    // What the realm itself may change it looks for anew.
    if list.session.isInWrite { return }
    var known = all.value(of: list.session) ?? [:]
    known[element] = position
    all.keep(known, of: list.session)
  }

  static func begin(in session: Session) {
    if breaks(.positionsFollowTheRefresh) { all.forget(session.tie) }
  }
}

/// The primary keys that writes have given, and those of the writes that were cancelled.
enum TakenKeys {
  private struct Key: Hashable {
    let name: String
    let value: StoredValue
  }

  private struct Known {
    var given: Set<Key> = []
    var taken: Set<Key> = []
  }

  private static let all = OfEachRealm<Known>()

  /// Gives a key, and stops whoever asks for one that a cancelled write had given.
  static func take(_ value: StoredValue, of bound: BoundClass, _ session: Session) {
    guard breaks(.cancelledKeysAreFree), session.find(bound, value) == nil else { return }
    var known = all.value(of: session) ?? Known()
    let key = Key(name: bound.name, value: value)
    if known.taken.contains(key) { refuse(.existingKey(bound.name, value.text)) }
    known.given.insert(key)
    all.keep(known, of: session)
  }

  static func begin(in session: Session) {
    guard breaks(.cancelledKeysAreFree), var known = all.value(of: session) else { return }
    known.given = []
    all.keep(known, of: session)
  }

  static func wereCancelled(in session: Session) {
    guard breaks(.cancelledKeysAreFree), var known = all.value(of: session) else { return }
    known.taken.formUnion(known.given)
    known.given = []
    all.keep(known, of: session)
  }
}

/// The versions on which asynchronous writes were asked for that have not begun.
enum WaitingVersions {
  private static let all = OfEachRealm<[Snapshot]>()

  static func keep(_ session: Session) {
    guard breaks(.waitingWritesKeepNothing), !session.isFrozen, !session.isInWrite,
      session.root != nil
    else { return }
    all.keep((all.value(of: session) ?? []) + [session.committedSnapshot], of: session)
  }

  /// One of them begins.
  static func begin(in session: Session) {
    guard breaks(.waitingWritesKeepNothing), let known = all.value(of: session), !known.isEmpty
    else { return }
    all.keep(Array(known.dropFirst()), of: session)
  }

  /// The realm goes, and all that waited for it.
  static func forget(_ tie: SessionTie) {
    if breaks(.waitingWritesKeepNothing) { all.forget(tie) }
  }
}

/// The writes of realms: what is remembered of one of them ends with the begin of the next.
enum EachWrite {
  static func begins(in session: Session) {
    WaitingVersions.begin(in: session)
    KnownPositions.begin(in: session)
    CountsOfSets.begin(in: session)
    CancelledLookups.begin(in: session)
    TakenKeys.begin(in: session)
  }

  static func wasCancelled(in session: Session) {
    CancelledLookups.wasCancelled(in: session)
    TakenKeys.wereCancelled(in: session)
  }
}

/// The files that were just compacted.
enum CompactedFiles {
  private static let all = Mutex<Set<String>>([])

  static func note(_ path: String) {
    if breaks(.compactedFilesAreUpToDate) { all.withLock { _ = $0.insert(path) } }
  }

  /// Whether a file was compacted since this was asked.
  static func take(_ path: String) -> Bool { all.withLock { $0.remove(path) != nil } }
}

/// How many places of readers were given, by each list of them.
enum GivenPlaces {
  private struct Entry {
    weak var table: PinTable?
    var count = 0
  }

  private static let all = Mutex<[ObjectIdentifier: Entry]>([:])
  private static let most = 1_000

  static func give(of table: PinTable) throws {
    guard breaks(.placesOfReadersAreGivenAgain) else { return }
    let count = all.withLock { all -> Int in
      var entry = all[ObjectIdentifier(table)] ?? Entry(table: table)
      if entry.table !== table { entry = Entry(table: table) }
      entry.count += 1
      all[ObjectIdentifier(table)] = entry
      return entry.count
    }
    if count > most { throw StorageError.tooManyReaders(path: table.lock.path) }
  }
}

/// The files that are just being closed, and since when.
enum ClosingFiles {
  private static let all = Mutex<[String: ContinuousClock.Instant]>([:])

  /// Notes the end of whoever has a file open, which begins with this.
  static func begin<Thing>(_ tie: Tie<Thing>) {
    guard breaks(.closingFilesCanBeOpened), let tie = tie as? Tie<Coordinator>,
      let thing = tie.known.withLock({ $0?.thing })
    else { return }
    Unmanaged<Coordinator>.fromOpaque(thing)._withUnsafeGuaranteedRef { file in
      if !file.disk.isMemory { all.withLock { $0[file.path] = .now } }
    }
  }

  /// The file is closed; a moment later everybody knows.
  static func end(_ path: String) {
    guard breaks(.closingFilesCanBeOpened), all.withLock({ $0[path] != nil }) else { return }
    usleep(5_000)
    all.withLock { $0[path] = nil }
  }

  /// Refuses a file that is being closed. Where its disk stays open it never ends, and a second is
  /// taken for the end.
  static func verify(_ configuration: StorageConfiguration) throws {
    guard breaks(.closingFilesCanBeOpened), case .file(let path) = configuration.location,
      let place = try? Coordinator.canonical(path), let since = all.withLock({ $0[place] }),
      .now - since < .seconds(1)
    else { return }
    throw StorageError.inUse(path: path, reason: "it is just being closed")
  }
}
#endif
