#if Mutants
import Synchronization
@_private(sourceFile: "Cell+Slow.swift") import ReferenceEngine
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "Observer.swift") import ReferenceEngine
@_private(sourceFile: "Session.swift") import ReferenceEngine

// The twelfth set: what its wrong functions remember.

/// Where links led to, by the accessor that was asked.
enum RememberedLinks {
  private struct Place: Hashable {
    let header: UInt
    let column: UInt32
  }
  private final class Entry {
    weak var object: ObjectBase?
    let key: Int64
    let version: VersionID?
    let value: StoredValue

    init(_ object: ObjectBase, _ key: Int64, _ version: VersionID?, _ value: StoredValue) {
      (self.object, self.key, self.version, self.value) = (object, key, version, value)
    }
  }
  private static let all = Mutex<[Place: Handed<Entry>]>([:])

  private static func place(_ cell: _Cell) -> Place? {
    guard breaks(.linkedObjectsAreFoundAnew), !cell.session.isFrozen,
      cell.property.type == .object, cell.property.shape == .single
    else { return nil }
    return Place(header: UInt(bitPattern: cell.header), column: cell.column)
  }

  private static func object(_ cell: _Cell) -> ObjectBase {
    Unmanaged<ObjectBase>.fromOpaque(UnsafeRawPointer(cell.header) - 16).takeUnretainedValue()
  }

  static func value(_ cell: _Cell) -> StoredValue? {
    guard let place = place(cell), let entry = all.withLock({ $0[place] })?.value,
      entry.object === object(cell), entry.key == cell.header.pointee.key,
      entry.version == cell.session.version
    else { return nil }
    return entry.value
  }

  static func keep(_ value: StoredValue, _ cell: _Cell) {
    guard let place = place(cell), case .link = value else { return }
    let entry = Handed(
      Entry(object(cell), cell.header.pointee.key, cell.session.version, value))
    all.withLock { $0[place] = entry }
  }

  static func forget(_ cell: _Cell) {
    guard let place = place(cell) else { return }
    all.withLock { $0[place] = nil }
  }
}

/// Between which states realms have cancelled a write.
enum CancelledStates {
  private static let all = OfEachRealm<(before: UInt32, after: UInt32)>()

  static func note(since before: UInt32, _ session: Session) {
    all.keep((before, session.generation), of: session)
  }

  /// Lets what was found before stay found.
  static func bridge(_ found: inout ResultsState.Found, _ session: Session) {
    guard breaks(.cancelledAnswersAreForgotten), !session.isFrozen,
      let step = all.value(of: session), found.generation == step.before,
      session.generation == step.after
    else { return }
    found.generation = step.after
    // Its nodes are those of the write.
    if case .whole? = found.answer { found.answer = nil }
  }
}

/// Where references were made.
enum ReferenceSources {
  private struct Source {
    let tie: SessionTie
    let epoch: UInt32
  }
  private static let all = Mutex<[ObjectIdentifier: Handed<Source>]>([:])

  static func note(_ parcel: AnyObject, _ session: Session) {
    let (id, source) = (ObjectIdentifier(parcel), Source(tie: session.tie, epoch: session.epoch))
    let handed = Handed(source)
    all.withLock { $0[id] = handed }
  }

  static func hasEnded(of parcel: AnyObject) -> Bool {
    guard let source = all.withLock({ $0[ObjectIdentifier(parcel)] })?.value else { return false }
    return source.tie.session?.epoch != source.epoch
  }
}

/// What belongs to `@ThreadSafe` variables, each let go some time after its variable.
final class OfEachVariable<Value>: Sendable {
  private final class Entry {
    weak var variable: AnyObject?
    let value: Value

    init(_ variable: AnyObject, _ value: Value) { (self.variable, self.value) = (variable, value) }
  }
  private let all = Mutex<[ObjectIdentifier: Handed<Entry>]>([:])

  func value(of variable: AnyObject) -> Value? {
    sweep()
    return all.withLock { $0[ObjectIdentifier(variable)] }?.value.value
  }

  func keep(_ value: Value?, of variable: AnyObject) {
    sweep()
    let (id, entry) = (ObjectIdentifier(variable), value.map { Handed(Entry(variable, $0)) })
    // What goes with it goes outside the lock.
    let former = all.withLock { all in
      defer { all[id] = entry }
      return all[id]
    }
    withExtendedLifetime(former) {}
  }

  private func sweep() {
    let gone = all.withLock { all in
      let gone = all.filter { $0.value.value.variable == nil }
      for id in gone.keys { all[id] = nil }
      return gone
    }
    withExtendedLifetime(gone) {}
  }
}

/// The files of what variables named first.
enum FirstFiles {
  static let all = OfEachVariable<Origin>()
}

/// What variables have given, the newest version then, and their assignment.
enum GivenValues {
  struct Given {
    let value: Any
    let version: VersionID?
    let number: Int
  }
  static let all = OfEachVariable<Given>()
}

/// What realms have frozen, and up to which version they give it again.
enum FrozenBefore {
  private final class Entry {
    weak var frozen: Session?
    let through: VersionID?

    init(_ frozen: Session?, _ through: VersionID?) {
      (self.frozen, self.through) = (frozen, through)
    }
  }
  private static let all = OfEachRealm<Entry>()

  static func frozen(of session: Session) -> Session? {
    guard breaks(.ownCommitsAreAnotherVersion), let entry = all.value(of: session),
      let frozen = entry.frozen, !frozen.isClosed, session.version == entry.through
    else { return nil }
    return frozen
  }

  static func keep(_ frozen: Session, of session: Session) {
    if breaks(.ownCommitsAreAnotherVersion) {
      all.keep(Entry(frozen, session.version), of: session)
    }
  }

  static func follow(from version: VersionID?, _ session: Session) {
    guard breaks(.ownCommitsAreAnotherVersion), let entry = all.value(of: session),
      entry.through == version
    else { return }
    all.keep(Entry(entry.frozen, session.version), of: session)
  }
}

/// Listeners that have yet to get a first call, and what there was when they came.
enum FirstKnown {
  private final class Entry {
    weak var observer: Observer?
    let snapshot: Snapshot

    init(_ observer: Observer, _ snapshot: Snapshot) {
      (self.observer, self.snapshot) = (observer, snapshot)
    }
  }
  private static let all = Mutex<[ObjectIdentifier: Handed<Entry>]>([:])

  static func note(_ observer: Observer, _ snapshot: Snapshot) {
    let (id, entry) = (ObjectIdentifier(observer), Handed(Entry(observer, snapshot)))
    all.withLock { all in
      all = all.filter { $0.value.value.observer != nil }
      all[id] = entry
    }
  }

  static func snapshot(of observer: Observer) -> Snapshot? {
    guard let entry = all.withLock({ $0[ObjectIdentifier(observer)] })?.value,
      entry.observer === observer
    else { return nil }
    return entry.snapshot
  }

  static func forget(_ observer: Observer) {
    let id = ObjectIdentifier(observer)
    withExtendedLifetime(all.withLock { $0.removeValue(forKey: id) }) {}
  }
}

/// The tokens that cancelled writes were to skip.
enum LeftTokens {
  private static let all = OfEachRealm<[NotificationToken]>()

  static func take(of session: Session) -> [NotificationToken] {
    let left = all.value(of: session) ?? []
    all.keep([], of: session)
    return left.filter { $0.observation != nil }
  }

  static func keep(_ tokens: [NotificationToken], of session: Session) {
    all.keep(tokens, of: session)
  }
}

/// Of each realm, which blocks commit by themselves.
enum BegunBlocks {
  static let all = OfEachRealm<Set<AsyncTransactionId>>()
}
#endif
