import CRealmCore
import Foundation
import Synchronization

/// One of realm-core's realms, and what of its schema this module remembers.
///
/// It keeps no rule: whether it may be used here and now, realm-core says at every call.
final class Session: @unchecked Sendable {
  // Sendable because realm-core checks threads itself; what is remembered here is behind locks.
  let handle: Handle
  let configuration: Realm.Configuration
  let home: Home
  let isFrozen: Bool
  /// Between the begin and the end of a write. The C interface tells only whether a write is open
  /// or on its way to the disk.
  var isWriting = false
  private let classes = Mutex<[ObjectIdentifier: BoundClass]>([:])
  private let listeners = Mutex<[RealmListener]>([])
  private let isHeard = Atomic(false)

  private init(_ handle: Handle, _ configuration: Realm.Configuration, _ home: Home) {
    self.handle = handle
    self.configuration = configuration
    self.home = home
    isFrozen = core.realm_is_frozen(handle)
  }

  deinit {
    // By name: whoever looks whether another lives may hold its last reference, inside the lock.
    let gone = ObjectIdentifier(self)
    Session.open.withLock { $0.removeAll { $0.name == gone } }
    core.realm_release(handle)
  }

  private struct Weak: @unchecked Sendable {
    // Sendable because the runtime guards weak references.
    weak var session: Session?
    let name: ObjectIdentifier
    let home: Home

    init(_ session: Session, at home: Home) {
      (self.session, name, self.home) = (session, ObjectIdentifier(session), home)
    }
  }

  private static let open = Mutex<[Weak]>([])

  /// The session of one of realm-core's realms: the same for the same, so that what is remembered
  /// here is remembered once.
  private static func of(
    _ handle: Handle, _ configuration: Realm.Configuration, _ home: Home
  ) -> Session {
    // Kept until the lock is free: the last reference to a session takes it.
    var kept: [Session] = []
    let session = open.withLock { open in
      // Those of the same home alone: whoever holds another's holds up its closing there.
      kept = open.filter { $0.home === home }.compactMap(\.session)
      if let known = kept.first(where: { core.realm_equals($0.handle, handle) }) {
        core.realm_release(handle)
        return known
      }
      let made = Session(handle, configuration, home)
      open.append(Weak(made, at: home))
      return made
    }
    withExtendedLifetime(kept) {}
    return session
  }

  /// Opens a realm, as its configuration says, to live at a home.
  static func open(_ configuration: Realm.Configuration, at home: Home) throws -> Session {
    Facade.asks()
    if let seed = configuration.seedFilePath, let url = configuration.fileURL,
      !FileManager.default.fileExists(atPath: url.path)
    {
      Facade.decides()
      try plant(seed, at: url)
    }
    let layouts = configuration.classes ?? ClassLayout.used
    let config = CoreConfiguration(configuration, home: home, layouts)
    guard let handle = core.realm_open(config.handle) else {
      throw Realm.Error(CoreError.last(), configuration)
    }
    return Session.of(handle, configuration, home)
  }

  /// Copies a seed as a whole or not at all, once: who comes at the same time finds the file.
  /// RealmSwift does it under realm-core's lock, which the C interface does not give.
  private static func plant(_ seed: URL, at url: URL) throws {
    let aside = url.appendingPathExtension("seed-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: seed, to: aside)
    defer { unlink(aside.path) }
    if Foundation.link(aside.path, url.path) != 0, errno != EEXIST {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
  }

  /// The version it is on; nil if it is on none.
  var version: UInt64? {
    var (found, version) = (false, rc_version())
    check(core.realm_get_version_id(handle, &found, &version))
    return found ? version.version : nil
  }

  /// A snapshot of the version it is on.
  func frozen() -> Session {
    if isFrozen { return self }
    let handle = check(core.realm_freeze(handle))
    // Holds the version from now on, as RealmSwift does: realm-core would begin with the first
    // read.
    check(core.realm_begin_read(handle))
    return Session.of(handle, configuration, home)
  }

  /// Lets realm-core see whether it may be used here, where RealmSwift asks it to: the C interface
  /// has no function for that alone, so one is called that begins with it, to cancel a write that
  /// nobody has begun.
  func verify() {
    var did = false
    check(core.realm_async_cancel(handle, .max, &did))
  }

  /// Whether a write is open here.
  var isInWrite: Bool {
    let isBusy = core.realm_is_writable(handle)
    if isBusy != isWriting { Facade.decides() }
    return isBusy && isWriting
  }

  // MARK: Listeners

  /// Adds a listener. realm-core calls one function for all of them, for as long as the realm
  /// lives, because the C interface's list of functions may not be touched while it is walked; it
  /// also leaves out whether there is a new version.
  func add(_ listener: RealmListener) {
    let isFirst = listeners.withLock { listeners in
      defer { listeners.append(listener) }
      return listeners.isEmpty && !isListening
    }
    guard isFirst else { return }
    isListening = true
    // RealmSwift begins to read here; of a realm that has not, the C interface would ask for a
    // version it does not have.
    check(core.realm_begin_read(handle))
    var last = version
    let box = Box { [weak self] in
      guard let self, version != last else { return }
      last = version
      for listener in listeners.withLock({ $0 }) { listener.hear(Realm(self)) }
    }
    // The token is not let go of: what it names goes with the realm.
    _ = check(
      core.realm_add_realm_changed_callback(
        handle, { data in Box<() -> Void>.of(data).value() }, box.handedOver,
        Box<() -> Void>.free))
  }

  private var isListening: Bool {
    get { isHeard.load(ordering: .relaxed) }
    set { isHeard.store(newValue, ordering: .relaxed) }
  }

  func remove(_ listener: RealmListener) {
    listeners.withLock { $0.removeAll { $0 === listener } }
  }

  // MARK: Classes

  /// A class, and where realm-core keeps it. A class that the realm does not know yet is added to
  /// its schema.
  func bound(_ type: ObjectBase.Type) -> BoundClass {
    if let known = known(type) { return known }
    let layout = ClassLayout.of(type)
    guard configuration.classes == nil, !isFrozen, !configuration.readOnly else {
      Facade.refuse(
        "Object type '\(layout.name)' is not managed by the Realm. If using a custom "
          + "`objectClasses` / `objectTypes` array in your configuration, add `\(layout.name)` to "
          + "the list of `objectClasses` / `objectTypes`.")
    }
    let schema = CoreSchema(ClassLayout.used)
    check(core.realm_update_schema(handle, schema.handle))
    classes.withLock { $0.removeAll() }
    guard let added = known(type) else { die() }
    return added
  }

  /// A class that realm-core knows; nil if it does not.
  func known(_ type: ObjectBase.Type) -> BoundClass? {
    let id = ObjectIdentifier(type)
    if let known = classes.withLock({ $0[id] }) { return known }
    let layout = ClassLayout.of(type)
    var found = false
    var info = rc_class()
    check(core.realm_find_class(handle, layout.name, &found, &info))
    guard found, let bound = BoundClass(layout, info.key, in: self) else { return nil }
    classes.withLock { $0[id] = bound }
    return bound
  }

  /// The class behind realm-core's key; `type` where it is that one.
  private func bound(_ key: UInt32, as type: ObjectBase.Type) -> BoundClass? {
    if type != Object.self, let bound = known(type), bound.key == key { return bound }
    var info = rc_class()
    guard core.realm_get_class(handle, key, &info),
      let name = info.name.map({ String(cString: $0) }),
      let layout = ClassLayout.named(name)
    else { return nil }
    return known(layout.type)
  }

  // MARK: Objects

  /// The view of a row; nil if it is not there.
  func object(at link: RowLink, as type: ObjectBase.Type) -> ObjectBase? {
    guard let bound = bound(link.table, as: type),
      let handle = core.realm_get_object(handle, link.table, link.key)
    else { return nil }
    return accessor(handle, bound)
  }

  /// A view of realm-core's object.
  func accessor(_ object: Handle, _ bound: BoundClass) -> ObjectBase {
    let made = bound.layout.type.init()
    made.attach(object, self, bound)
    return made
  }

  /// A value ready to be written: an object that no realm manages is added first.
  func entering(_ value: StoredValue) -> StoredValue {
    guard case .object(let object) = value else { return value }
    if object.handle == nil {
      guard let object = object as? Object else {
        Facade.refuse("an embedded object is made where it is owned")
      }
      add(object, update: .error, .modifying)
      return value
    }
    verifySame(object)
    return value
  }

  /// realm-core's C interface names a link by its keys alone and cannot see a realm that it is not
  /// of.
  func verifySame(_ object: ObjectBase) { verifySame(object.session) }

  private func verifySame(_ other: Session?) {
    guard let other, !core.realm_equals(other.handle, handle) else { return }
    Facade.notAskable(
      "an object of another realm: the C interface takes keys, and RealmSwift refuses above it")
  }

  /// Makes an object, and what it links to, part of the realm.
  func add(_ object: Object, update: Realm.UpdatePolicy, _ act: Act = .adding) {
    if object.handle != nil {
      verifySame(object)
      return verifyWriting(act)
    }
    let bound = bound(type(of: object))
    let raw = Unmanaged.passUnretained(object).toOpaque()
    let key = bound.layout.primaryKey.map { index -> StoredValue in
      let field = bound.layout.fields[index]
      return field.wrapper.stored(at: raw + field.offset)
    }
    let (row, isNew) = row(of: bound, key, update, act)
    object.attach(row, self, bound)
    persist(object, bound, raw, isNew: isNew, update)
  }

  /// The C interface finds an object that is there without a look at the write, or is not asked at
  /// all; RealmSwift looks first.
  private func verifyWriting(_ act: Act) {
    if !core.realm_is_writable(handle) { Facade.refuse(outsideWrite(act)) }
  }

  private func row(
    of bound: BoundClass, _ key: StoredValue?, _ update: Realm.UpdatePolicy,
    _ act: Act = .adding
  ) -> (Handle, isNew: Bool) {
    guard let key else {
      return (check(core.realm_object_create(handle, bound.key), act, handle), true)
    }
    if update != .error { verifyWriting(.adding) }
    var isNew = true
    let row = key.withCore { key in
      update == .error
        ? core.realm_object_create_with_primary_key(handle, bound.key, key)
        : core.realm_object_get_or_create_with_primary_key(handle, bound.key, key, &isNew)
    }
    return (check(row, act, handle), isNew)
  }

  private func persist(
    _ object: ObjectBase, _ bound: BoundClass, _ raw: UnsafeMutableRawPointer, isNew: Bool,
    _ update: Realm.UpdatePolicy
  ) {
    for (index, field) in bound.layout.fields.enumerated()
    where index != bound.layout.primaryKey && field.property.isStored {
      guard let cell = object.cell(index) else { continue }
      field.wrapper.persist(
        at: raw + field.offset, to: cell, onlyIfChanged: !isNew && update == .modified)
    }
  }

  /// Fills the embedded object that realm-core has made with one that no realm manages, which
  /// becomes a view of it.
  func embed(_ object: ObjectBase, _ row: Handle) {
    let bound = bound(type(of: object))
    guard object.handle == nil else {
      let copy = type(of: object).init()
      copy.initialize(from: object)
      return embed(copy, row)
    }
    object.attach(row, self, bound)
    persist(
      object, bound, Unmanaged.passUnretained(object).toOpaque(), isNew: true, .error)
  }

  /// A new object with the given values, or one that is there with those values written over.
  func create(
    _ type: Object.Type, from value: Any, update: Realm.UpdatePolicy
  ) -> ObjectBase {
    if update != .error, let own = value as? Object, let session = own.session,
      core.realm_equals(session.handle, handle)
    {
      verifyWriting(.adding)
      return own
    }
    let bound = bound(type)
    let source = ValueSource(value, for: bound.layout)
    let object = type.init()
    let raw = Unmanaged.passUnretained(object).toOpaque()
    let key = bound.layout.primaryKey.map { index -> StoredValue in
      let field = bound.layout.fields[index]
      guard let given = source.value(of: index, field) else {
        return field.wrapper.stored(at: raw + field.offset)
      }
      guard let key = field.wrapper.stored(given) else {
        Facade.refuse(invalidValue(given, field.property, bound.layout.name))
      }
      return key
    }
    let (row, isNew) = row(of: bound, key, update)
    object.attach(row, self, bound)
    for (index, field) in bound.layout.fields.enumerated()
    where index != bound.layout.primaryKey && field.property.isStored {
      guard let cell = object.cell(index) else { continue }
      if let given = source.value(of: index, field) {
        let copied = copies(of: update == .error ? given : made(of: given, field, update), update)
        guard
          field.wrapper.write(copied, to: cell, onlyIfChanged: !isNew && update == .modified)
        else { Facade.refuse(invalidValue(given, field.property, bound.layout.name)) }
      } else if isNew {
        field.wrapper.persist(at: raw + field.offset, to: cell, onlyIfChanged: false)
      }
    }
    return object
  }

  /// What `create` writes of objects that are given as values: copies of those that are not of this
  /// realm.
  private func copies(of given: Any, _ update: Realm.UpdatePolicy) -> Any {
    if let object = given as? Object {
      if let session = object.session, core.realm_equals(session.handle, handle) { return object }
      return create(type(of: object), from: object, update: update)
    }
    if let optional = given as? any OptionalProtocol {
      return optional.anyValue.map { copies(of: $0, update) } ?? NSNull()
    }
    if let list = given as? any CollectionOfValues, list.holdsObjects {
      return list.anyValues.map { copies(of: $0, update) }
    }
    return given
  }

  /// The same with objects for what is given as dictionaries and arrays: the policy is theirs, too.
  private func made(of given: Any, _ field: ClassLayout.Field, _ update: Realm.UpdatePolicy)
    -> Any
  {
    guard let type = field.wrapper.valueType._rlmLinkedClass as? Object.Type else { return given }
    func make(_ value: Any) -> Any {
      value is [String: Any] || value is [Any] ? create(type, from: value, update: update) : value
    }
    switch field.property.shape {
    case .single: return make(given)
    case .map: return (given as? [String: Any])?.mapValues(make) ?? given
    case .list, .set: return (given as? [Any])?.map(make) ?? given
    }
  }

  func delete(_ object: ObjectBase) {
    guard let handle = object.handle else {
      Facade.notAskable(
        "deleting what no realm manages: the C interface deletes objects of realms only")
    }
    verifySame(object)
    check(core.realm_object_delete(handle), .adding, self.handle)
  }

  /// Removes what a query or a collection of this realm has found.
  func deleteAll(of found: ResultsState) {
    verifySame(found.session)
    check(core.realm_results_delete_all(found.handle), .adding, handle)
  }

  /// Removes every object of every class.
  func deleteAll() {
    var keys = [UInt32](repeating: 0, count: core.realm_get_num_classes(handle))
    var count = 0
    check(core.realm_get_class_keys(handle, &keys, keys.count, &count))
    for key in keys {
      var info = rc_class()
      check(core.realm_get_class(handle, key, &info))
      if info.flags & 1 != 0 { continue }
      let all = check(core.realm_object_find_all(handle, key))
      defer { core.realm_release(all) }
      check(core.realm_results_delete_all(all), .adding, handle)
    }
  }
}

/// A listener of a realm.
final class RealmListener: @unchecked Sendable {
  // Sendable because the block is called where the realm is at home alone.
  private let block: Realm.NotificationBlock
  private let hasEnded = Atomic(false)
  private weak var session: Session?

  init(_ session: Session, _ block: @escaping Realm.NotificationBlock) {
    self.session = session
    self.block = block
  }

  func hear(_ realm: Realm) {
    if !hasEnded.load(ordering: .acquiring) { block(.didChange, realm) }
  }

  func end() {
    hasEnded.store(true, ordering: .releasing)
    session?.remove(self)
  }
}

/// A collection of values whose type is not known.
protocol CollectionOfValues {
  var holdsObjects: Bool { get }
  var anyValues: [Any] { get }
}

/// A class in a realm: realm-core's keys of it and of its properties.
final class BoundClass: @unchecked Sendable {
  // Sendable because nothing changes after init.
  let layout: ClassLayout
  let key: UInt32
  /// realm-core's keys of the properties, in the layout's order.
  let columns: [Int64]

  /// Nil if the realm's class lacks a property of the layout.
  init?(_ layout: ClassLayout, _ key: UInt32, in session: Session) {
    self.layout = layout
    self.key = key
    var columns: [Int64] = []
    for field in layout.fields {
      var found = false
      var info = rc_property()
      check(
        core.realm_find_property(
          session.handle, key, field.property.columnName, &found, &info))
      columns.append(found ? info.key : -1)
    }
    self.columns = columns
  }

  /// realm-core's key of a property by its name.
  func column(named name: String) -> Int64? { layout.index(of: name).map { columns[$0] } }
}
