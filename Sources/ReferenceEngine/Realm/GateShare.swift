/// What a session's asynchronous writes have of the file's gate: one of these at a time.
///
/// ```
///             awaits               arrives, or take
///   nothing ──────────▶ awaited ───────────────────────┐
///      ▲  │                                            │
///      │  │ holds                       take           │
///      │  ├──────────▶ held ───────────────────────────┤
///      │  │ opens                       take           │
///      │  └──────────▶ open ───────────────────────────┤
///      └───────────────────────────────────────────────┘
/// ```
///
/// 1. Two writes are never in hand, nor one beside a wait for another.
/// 2. A wait that was withdrawn, or taken by somebody, arrives nowhere.
///
/// A plain value, so that every event can be tried in every state.
enum GateShare<Wait: AnyObject, Held, Write> {
  case nothing
  /// Another thread waits for the gate.
  case awaited(Wait)
  /// A write has begun and waits for the home to come, or for the task that was lent the turn;
  /// others are let in if that takes long.
  case held(Held)
  /// A write has begun, and the home is about to use it.
  case open(Write)

  var isNothing: Bool { if case .nothing = self { true } else { false } }
  var isAwaited: Bool { if case .awaited = self { true } else { false } }
  var isOpen: Bool { if case .open = self { true } else { false } }

  mutating func awaits(_ wait: Wait) {
    invariant(isNothing, "the gate is awaited by one that has \(self) of it")
    self = .awaited(wait)
  }

  /// What was awaited has come; false if nobody waits for it any more.
  mutating func arrives(_ wait: Wait) -> Bool {
    guard case .awaited(let known) = self, known === wait else { return false }
    self = .nothing
    return true
  }

  mutating func holds(_ held: Held) {
    invariant(isNothing, "a write is held by one that has \(self)")
    self = .held(held)
  }

  mutating func opens(_ write: Write) {
    invariant(isNothing, "a write is opened by one that has \(self)")
    self = .open(write)
  }

  /// The wait; nil if there is none. Whoever takes it waits itself, or withdraws it.
  mutating func takeWait() -> Wait? {
    guard case .awaited(let wait) = self else { return nil }
    self = .nothing
    return wait
  }

  mutating func takeHeld() -> Held? {
    guard case .held(let held) = self else { return nil }
    self = .nothing
    return held
  }

  mutating func takeOpen() -> Write? {
    guard case .open(let write) = self else { return nil }
    self = .nothing
    return write
  }
}
