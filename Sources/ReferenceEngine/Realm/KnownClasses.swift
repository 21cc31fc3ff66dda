import Foundation

/// The classes that a session knows, by Swift type and by name: never one less, as objects hold
/// theirs without counting.
///
/// Of a live session they are touched at home only. A frozen one is read by many threads: what it
/// knows when it is made never changes, and what it learns later is kept apart, under a lock. All
/// that are frozen of a session at one schema have the same.
final class KnownClasses {
  private(set) var byType = ByClass<BoundClass>()
  private(set) var byName: [String: BoundClass] = [:]
  /// Those that are used by name alone.
  private var dynamic: [String: BoundClass] = [:]
  /// Those that were, before the file got more of the class than they have. What is held of them
  /// goes on.
  private var former: [BoundClass] = []
  /// Those of a migration's objects, kept for whoever kept one.
  private var retired: [BoundClass] = []
  /// What a frozen session learned after it was made. It and `dynamic` are guarded by `lock`.
  private var late = ByClass<BoundClass>()
  /// Those of `byType`, found faster.
  let shelf: ClassShelf
  private let lock: NSLock?
  /// Whether several threads may ask by now.
  private var isShared = false
  /// Whose these are; nil of a live session, and of a frozen one that shares them with no other.
  let shared: FrozenClasses?
  /// Of a live session: what was frozen of it last has these.
  private var frozen: KnownClasses?

  /// Of a live session.
  init() {
    shelf = .make()
    lock = nil
    shared = nil
  }

  /// Of a frozen session, or of all that are frozen at the same schema.
  init(sharing shared: FrozenClasses?) {
    shelf = shared?.shelf ?? .make()
    lock = NSLock()
    self.shared = shared
    if let shared { (byType, byName) = (shared.classes, shared.classesByName) }
  }

  deinit { if shared == nil { shelf.deallocate() } }

  /// From now on several threads may ask.
  func share() { isShared = true }

  // MARK: Finding

  /// A class by name alone, where nobody else can learn one meanwhile.
  func dynamic(_ name: String) -> BoundClass? { lock == nil ? dynamic[name] : nil }

  /// All that a schema is connected to; of a frozen session those it was made with.
  var all: [BoundClass] { byType.values + (lock == nil ? byNameAlone : []) }

  /// Those of a live session whose properties the file has to keep, by their names.
  var kept: [BoundClass] {
    (Array(byName.values) + byNameAlone).sorted { $0.name < $1.name }
  }

  /// What a live session has used, or still holds, by name alone.
  private var byNameAlone: [BoundClass] { Array(dynamic.values) + former }

  // MARK: Learning

  /// The class of a layout; made if it is not known yet.
  func bind(_ layout: ClassLayout, _ make: () -> BoundClass) -> BoundClass {
    lock?.lock()
    defer { lock?.unlock() }
    let id = ObjectIdentifier(layout.type)
    let isDynamic = layout.type == DynamicObject.self
    if let known = isDynamic ? dynamic[layout.name] : late[id] ?? byType[id] { return known }
    let bound = make()
    if isDynamic {
      dynamic[layout.name] = bound
    } else if isShared {
      late[id] = bound
    } else {
      byType[id] = bound
      shelf.put(bound, id)
      byName[layout.name] = bound
    }
    return bound
  }

  /// Lets the classes that a migration used by name go out of use.
  func retireDynamic() {
    retired += dynamic.values
    dynamic = [:]
  }

  /// Lets one go that the file has no more: whoever asks for it by name is to find none.
  func retireDynamic(_ name: String) {
    if let gone = dynamic.removeValue(forKey: name) { retired.append(gone) }
  }

  /// Lets those that are used by name alone go out of use whose form is another one by now: whoever
  /// asks for the name next gets what the file has.
  ///
  /// - Parameter form: What a class is by now; nil if nobody knows it.
  func renewDynamic(_ form: (String) -> ObjectSchema?) {
    for (name, bound) in dynamic {
      guard let form = form(name), form != bound.layout.schema else { continue }
      dynamic[name] = nil
      former.append(bound)
    }
  }

  func connect(to schema: StoredSchema) {
    for bound in byType.values { bound.connect(to: schema) }
    for bound in byNameAlone { bound.connect(to: schema) }
  }

  // MARK: Freezing

  /// The classes for what is frozen of a session, at the schema that the session reads.
  func freeze(of session: Session, at ref: NodeRef) -> KnownClasses {
    if let frozen, let shared = frozen.shared, shared.schemaRef == ref,
      shared.classes.count == byType.count
    {
      return frozen
    }
    let made = KnownClasses(sharing: FrozenClasses(of: session, ref))
    made.share()
    frozen = made
    return made
  }

  /// The schema is another one: what is frozen from now on has other classes.
  func forgetFrozen() { if lock == nil { frozen = nil } }
}
