import Synchronization

/// Carries an object or a collection to another thread, queue or actor, where `Realm.resolve` turns
/// it into the same thing in that place's own realm.
///
/// Resolved at most once; copies are the same reference. A reference to `Results` keeps the version
/// it was made at until it is resolved or released, and the file open; references to objects and
/// other collections keep nothing, the file neither: where nobody else has it open it can be
/// deleted, and they resolve to nil.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let parcel: Parcel

  /// Makes a reference; the value stays usable here.
  public init(to confined: Confined) {
    parcel = Parcel(Handover(of: confined).remembering(confined, onlyIfReused: true))
  }

  /// Whether it has been resolved.
  public var isInvalidated: Bool { parcel.isTaken }

  func take() -> Handover? { parcel.take() }
}

/// What a reference carries until somebody takes it.
private final class Parcel: Sendable {
  private let content: Mutex<Handover?>

  init(_ handover: Handover) { content = Mutex(handover) }

  var isTaken: Bool { content.withLock { $0 == nil } }

  /// The first to ask gets it, whatever the threads.
  func take() -> Handover? {
    content.withLock { content in
      defer { content = nil }
      return content
    }
  }
}

/// The realm that something was handed over from, shared by all that is: a configuration is a dozen
/// references.
final class Origin: Sendable {
  let configuration: Realm.Configuration
  private let tie: Tie<Coordinator>?
  /// Where that file is, which it is known by afterwards; nil if there is none.
  let place: StorageLocation?
  /// Which open file that is: no other one has its number.
  private let number: Int?

  init(_ configuration: Realm.Configuration, _ file: Coordinator?) {
    self.configuration = configuration
    tie = file?.tie
    number = file?.number
    place = file.map { file in
      switch file.configuration.location {
      // By its one name, whatever links and dots it was opened through.
      case .file: .file(path: file.path)
      case .memory(let identifier): .memory(identifier: identifier)
      }
    }
  }

  /// The open file, as long as anybody has it open.
  var file: Coordinator? { tie?.thing }

  /// The same, as somebody asks who has it open or another one: two numbers are compared sooner
  /// than a tie is followed.
  func file(beside own: Coordinator) -> Coordinator? { own.number == number ? own : file }
}

/// Everything needed to find a thing from another place.
struct Handover: Sendable {
  /// Where it comes from.
  let origin: Origin
  /// The oldest version in which the thing is as it was handed over.
  private(set) var version: VersionID
  /// Keeps that version where the kind of thing asks for it.
  private(set) var pin: Snapshot?
  /// Whether it was handed over in a write, whose end may be a version later.
  private var isFromWrite = false
  let find: Finder
  /// The row of an object that is asked for again and again.
  private var row: RememberedRow?

  init<Confined: ThreadConfined>(of confined: Confined) {
    guard let session = confined.realm?.session else {
      // A deleted object knows its realm no more than one that never had any.
      refuse(
        confined.isInvalidated ? .referenceToInvalidated : .referenceToUnmanaged, at: .makeReference
      )
      self.init()
      return
    }
    if !session.isFrozen { session.verify(at: .makeReference) }
    if confined.isInvalidated { refuse(.referenceToInvalidated, at: .makeReference) }
    self.init(of: confined, in: session)
  }

  /// A handover of nothing: where there was nothing to hand over.
  private init() {
    origin = Origin(.defaultConfiguration, nil)
    version = VersionID(0)
    pin = nil
    find = { _ in nil }
  }

  init<Confined: ThreadConfined>(of confined: Confined, in session: Session) {
    guard let thing = confined as? any Relocatable else {
      fatalError("\(Confined.self) is not a type of this engine that a reference can carry")
    }
    let pins = type(of: thing).referencesPin
    if pins, session.hasChangesInWrite { refuse(.referenceAfterChanges, at: .makeReference) }
    session.refersInWrite()
    origin = session.origin
    version = session.referenceVersion
    isFromWrite = session.isInWrite
    pin = pins ? session.committedSnapshot : nil
    find = thing.finder()
  }

  /// What to open to find it.
  var configuration: Realm.Configuration { origin.configuration }

  /// The thing in a session of the same file, which is brought at least to the version of the
  /// handover.
  func found(in session: Session) -> Any? {
    guard session.isSameFile(as: origin) else { return nil }
    session.reach(version)
    // Made in a write that has come to nothing, it is of what that was begun on.
    let since = row?.since ?? version
    if since < version { session.reach(since) }
    // What is sealed and cannot be read, as the disk takes it from nobody and it will be lost, or
    // as it is on its way there from a realm that is not only read: what has its key in what is
    // there need not be what was meant.
    let opened = origin.file(beside: session.coordinator)
    let file = opened ?? session.coordinator
    if session.cannotReach(since, of: file) { return nil }
    if isFromWrite, session.version == version { _ = session.advance() }
    if isFromWrite, let row, !isThere(row, since: since, in: session) { return nil }
    guard let row else { return find(session) }
    session.coordinator.adopt(row, of: opened)
    // Its realm, which sees to it, may not have heard of the loss yet.
    if let shown = session.version, file.hasLost(row, for: shown) { return nil }
    // Asked first: when it is kept, it goes on to what has happened.
    if let shown = session.version, file.foreseesEnd(of: row, in: shown) { return nil }
    if let root = session.root, session.coordinator.isGone(row, in: root) { return nil }
    // What the running write has deleted is gone in it, whoever has its key by now; and it comes
    // back if the write comes to nothing.
    if let write = session.write {
      return session.hasDeleted(row, in: write) ? nil : find(session)
    }
    let found = find(session)
    // Else another object under its key would be taken for it later. What is on its way to the disk
    // may come to nothing.
    if found == nil, let version = session.version, version >= row.since,
      session.coordinator.isKept(version)
    {
      row.markGone(in: version)
    }
    return found
  }

  /// Whether what was named in a write that runs yet was there before it: what the write has added
  /// is nowhere else, and what has its key there is another one.
  private func isThere(_ row: RememberedRow, since: VersionID, in session: Session) -> Bool {
    func shows(_ version: VersionID) -> Bool {
      session.isInWrite || session.version.map { $0 >= version } ?? true
    }
    if shows(since) { return true }
    guard let before = row.before else { return false }
    // That may be on its way to the disk.
    session.reach(before)
    return shows(before)
  }

  /// The same for what belongs to an object, or is one, and may be asked for when the object's key
  /// is another one's.
  ///
  /// - Parameter onlyIfReused: Not if keys are given once; who asks again and again still wants to
  ///   know then that the object is gone. What a write has added may lose its key with the write,
  ///   until that is on the disk.
  func remembering<Confined: ThreadConfined>(
    _ confined: Confined, onlyIfReused: Bool = false
  ) -> Handover {
    guard let (session, bound, key) = Handover.owner(of: confined), let table = bound.number,
      !onlyIfReused || bound.layout.keyIsRow || session.isInWrite
        || session.referred.areBehindSealed || session.mayShowLost
    else { return self }
    let row = RememberedRow(
      table: table, key: key,
      since: session.isInWrite ? version : session.version ?? version,
      before: session.base(having: RowLink(table: table, key: key)),
      mayBeSucceeded: bound.layout.keyIsRow)
    session.coordinator.remember(row, isFrozen: session.isFrozen)
    session.noteReferred(row, bound)
    var handover = self
    handover.row = row
    return handover
  }

  /// The object that a thing is or belongs to.
  private static func owner(of confined: Any) -> (Session, BoundClass, Int64)? {
    var collection: ManagedCollection?
    switch confined {
    case let object as ObjectBase:
      let header = object._header
      guard let session = header.pointee.session, let bound = header.pointee.table else {
        return nil
      }
      return (session, bound, header.pointee.key)
    case let owner as any CollectionOwner: collection = owner.managed
    case let members as any RealmCollection:
      if case .collection(let place) = members._source.state.origin { collection = place }
    case let view as any View: return owner(of: view.shownThing)
    default: break
    }
    return collection.map { ($0.session, $0.table, $0.key) }
  }

  /// Takes note that the thing was found in a session: whoever finds it after that finds it as it
  /// is there, or newer.
  mutating func follow(_ session: Session) {
    session.refersInWrite()
    let seen = session.referenceVersion
    if seen < version || seen == version && !session.isInWrite { return }
    isFromWrite = session.isInWrite
    version = seen
    if pin != nil, !session.hasChangesInWrite { pin = session.committedSnapshot }
  }
}

extension Realm {
  /// The thing a reference was made to, in this realm; nil if it has been deleted.
  ///
  /// A realm that is older than the reference is refreshed first; a newer one stays where it is.
  public func resolve<Confined: ThreadConfined>(
    _ reference: ThreadSafeReference<Confined>
  ) -> Confined? {
    session.verify(at: .resolve)
    guard let handover = reference.take() else {
      refuse(.resolvedTwice, at: .resolve)
      return nil
    }
    return handover.found(in: session) as? Confined
  }
}
