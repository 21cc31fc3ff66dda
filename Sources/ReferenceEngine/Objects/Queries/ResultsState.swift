import Foundation

/// The question behind a `Results` and the last answer to it.
///
/// The question (`origin`, `predicate`, `orderings`) names rows by class, key and property and
/// never by place, so it can be asked of another session: that is all that freezing, thawing and
/// passing results to another thread take. The answer is thrown away when the session's content is
/// another than when it was found.
///
/// Confined like its session. Those of frozen sessions may be read on many threads, so there, and
/// only there, finding the answer happens under a lock.
final class ResultsState {
  /// What is queried.
  enum Origin {
    /// All objects of a class.
    case all(BoundClass)
    /// The members of a list, a set, or of links backwards.
    case collection(ManagedCollection)
  }

  /// What is done with the rows that satisfy the predicate, one after another.
  enum Ordering {
    case sort([SortDescriptor])
    case distinct([PropertyPath])

    var isDistinct: Bool { if case .distinct = self { true } else { false } }

    /// Whether it names no property, and so asks for nothing.
    var isEmpty: Bool {
      switch self {
      case .sort(let descriptors): descriptors.isEmpty
      case .distinct(let paths): paths.isEmpty
      }
    }
  }

  let session: Session
  let origin: Origin
  let predicate: Predicate
  let orderings: [Ordering]
  /// The class of the members; nil where they are values.
  let elementClass: BoundClass?
  /// What the members are.
  let elementType: PropertyType
  /// The session's life the question belongs to.
  let epoch: UInt32

  /// What was found, and in which state of the session. Guarded by `lock` in frozen sessions.
  struct Found {
    var generation: UInt32 = 0
    var answer: Answer?
    var count: Int?
    var first: [Int64]?
    var condition: BoundPredicate?
  }
  @exclusivity(unchecked) var found = Found()
  /// Whether the question is about all objects of a class, in the order of their keys.
  let isWhole: Bool
  /// The rows of such a question; of a live session only.
  @exclusivity(unchecked) var whole: (generation: UInt32, rows: RowTree?) = (0, nil)
  private let lock: NSLock?
  /// What one listener was told of last, for the others that listen to the same results.
  @exclusivity(unchecked) var lastTold: AnyObject?

  init(
    session: Session, origin: Origin, predicate: Predicate = .constant(true),
    orderings: [Ordering] = []
  ) {
    self.session = session
    self.origin = origin
    self.predicate = predicate
    self.orderings = orderings
    lock = session.isFrozen ? NSLock() : nil
    switch origin {
    case .all(let table): (elementClass, elementType) = (table, .object)
    case .collection(let collection):
      elementType = collection.elementType
      elementClass = elementType == .object ? collection.elementClass : nil
    }
    epoch = session.epoch
    if case .all = origin, orderings.isEmpty, predicate.isEverything {
      isWhole = true
    } else {
      isWhole = false
    }
  }

  var isInvalidated: Bool { epoch != session.epoch || isOrphaned }

  /// Whether the object that owns the queried collection is gone.
  private var isOrphaned: Bool {
    if case .collection(let collection) = origin { collection.isInvalidated } else { false }
  }

  // MARK: Narrower questions

  func filtered(by more: Predicate) -> ResultsState {
    verify()
    more.verifyDepth()
    let more = more.namesObjects ? more.mappingConstants(session.stored) : more
    // Mistakes are told where they are made, not when somebody looks.
    let bound = binding.isLookup(more) ? nil : binding.bind(more)
    let narrower = ResultsState(
      session: session, origin: origin, predicate: .and(predicate, more), orderings: orderings)
    if predicate.isEverything, let bound {
      narrower.found.generation = session.generation
      narrower.found.condition = bound
    }
    return narrower
  }

  func ordered(_ ordering: Ordering) -> ResultsState {
    verify()
    if ordering.isEmpty { return self }
    check(ordering)
    return ResultsState(
      session: session, origin: origin, predicate: predicate, orderings: orderings + [ordering])
  }

  var binding: PredicateBinding {
    PredicateBinding(session: session, table: elementClass, type: elementType)
  }

  private func check(_ ordering: Ordering) {
    switch ordering {
    case .sort(let descriptors):
      for descriptor in descriptors {
        if let flaw = binding.flaw(inSorting: descriptor.keyPath) {
          refuseQuery("Cannot sort on key path '\(descriptor.keyPath)': \(flaw).")
        }
        // Of values, it is the collection that says what it does not have.
        if elementClass == nil { _ = binding.path(PropertyPath(dotted: descriptor.keyPath)) }
      }
    case .distinct(let paths):
      for path in paths {
        if let (owner, name) = binding.missing(in: "\(path)") {
          refuseQuery(
            "Cannot distinct on key path '\(path)': property '\(owner).\(name)' does not exist.")
        }
        let bound = binding.path(path)
        if bound.isMany {
          refuseQuery("Cannot distinct on keypath '\(path)': it leads through a collection.")
        }
      }
    }
  }

  // MARK: Guards

  @inline(__always)
  func verify() {
    session.verify(at: .readCollection)
    if _slowPath(epoch != session.epoch) { refuse(.invalidatedResults) }
    session.read()
  }

  /// Stops whoever listens to what is of an earlier life of the realm: nothing of it changes.
  func verifyObservable() {
    if epoch != session.epoch { refuse(.invalidatedResults, at: .observe) }
  }

  /// Runs `body` with what was found for the state the session is in.
  func withFound<Value>(_ body: (inout Found) -> Value) -> Value {
    verify()
    guard let lock else { return withCurrent(body) }
    lock.lock()
    defer { lock.unlock() }
    return withCurrent(body)
  }

  private func withCurrent<Value>(_ body: (inout Found) -> Value) -> Value {
    let generation = session.findingGeneration
    if found.generation != generation {
      found = Found()
      found.generation = generation
    }
    return body(&found)
  }
}

extension Entry {
  package static let readCollection = Entry("readCollection")
}

extension Violation {
  static let invalidatedResults = Violation("Access to invalidated Results objects")
}

extension Predicate {
  /// Whether one of its constants is an object, which is a row to a session alone.
  var namesObjects: Bool {
    func isObject(_ value: StoredValue) -> Bool { value.object != nil }
    func names(_ operand: Operand) -> Bool {
      switch operand {
      case .value(let value): isObject(value)
      case .values(let values): values.contains(where: isObject)
      case .path, .aggregate: false
      case .subqueryCount(_, let inner): inner.namesObjects
      }
    }
    switch self {
    case .constant: return false
    case .not(let inner): return inner.namesObjects
    case .all(let parts), .any(let parts): return parts.contains(where: \.namesObjects)
    case .comparison(let comparison): return names(comparison.left) || names(comparison.right)
    }
  }

  /// The same predicate with its constants replaced.
  func mappingConstants(_ transform: (StoredValue) -> StoredValue) -> Predicate {
    func mapped(_ operand: Operand) -> Operand {
      switch operand {
      case .value(let value): .value(transform(value))
      case .values(let values): .values(values.map(transform))
      case .path, .aggregate: operand
      case .subqueryCount(let path, let inner):
        .subqueryCount(path, inner.mappingConstants(transform))
      }
    }
    switch self {
    case .constant: return self
    case .not(let inner): return .not(inner.mappingConstants(transform))
    case .all(let parts): return .all(parts.map { $0.mappingConstants(transform) })
    case .any(let parts): return .any(parts.map { $0.mappingConstants(transform) })
    case .comparison(var comparison):
      comparison.left = mapped(comparison.left)
      comparison.right = mapped(comparison.right)
      return .comparison(comparison)
    }
  }
}
