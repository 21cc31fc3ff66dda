import Synchronization

/// What a step to a newer version will mean to listeners, found out on another thread from
/// snapshots of both versions: the home goes on meanwhile, and then only steps there and calls
/// them. Or what is to be found for their first calls in the version that the home is on.
///
/// It holds neither a listener nor a session that lives somewhere, so whoever lets go of it last
/// may be anywhere.
final class Forecast: @unchecked Sendable {
  // Sendable because `changes` is written by the worker before the forecast is handed home, and
  // read there.

  /// Finds out, in a snapshot of the newer version, what one listener will be told.
  typealias Look = (ChangeSet) -> Void

  /// Up to this many changed rows are looked into at home: to hand them over would take as long.
  static let few = 512

  /// A first call that has more rows to look through lets them be looked through elsewhere.
  static let fewToSearch = 4096

  private let base: Snapshot
  private let target: Snapshot
  private let looks: [Look]
  private(set) var changes: ChangeSet?
  private let isUseless = Atomic(false)

  init(from base: Snapshot, to target: Snapshot, _ looks: [Look]) {
    (self.base, self.target, self.looks) = (base, target, looks)
  }

  /// The same without a step: what is there is looked for.
  convenience init(at version: Snapshot, _ looks: [Look]) {
    self.init(from: version, to: version, looks)
  }

  /// The version that the home will step to.
  var root: Root { target.root }

  /// Whether the home stays where it is.
  var isSearch: Bool { base.version == target.version }

  /// Whether it begins where a session is.
  func begins(at root: Root?) -> Bool { base.root.isSame(as: root) }

  /// Whether it is about the step that a session has made since its listeners were told.
  func fits(_ session: Session, since told: Root) -> Bool {
    begins(at: told) && target.root.isSame(as: session.root) && !session.hasChangesInWrite
  }

  /// Nobody waits for it any more.
  func drop() { isUseless.store(true, ordering: .relaxed) }

  /// Finds out, on any thread.
  func work() {
    if isUseless.load(ordering: .relaxed) { return }
    let coordinator = target.coordinator
    let changes =
      isSearch
      ? ChangeSet([])
      : coordinator.changes(after: base.version, upTo: target.root)
        ?? coordinator.compare(base.root, with: target.root)
    for look in looks {
      if isUseless.load(ordering: .relaxed) { return }
      look(changes)
    }
    self.changes = changes
  }
}
