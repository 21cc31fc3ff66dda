import Synchronization

/// The versions of this process that came to nothing after others than their own realm had been
/// shown them: who comes from one to a later version, with something that it has found there, comes
/// from the version that it was based on.
///
/// What their commits had added never was. Others may add rows under the same keys, and no record
/// tells of what happened to those before.
///
/// Part of its coordinator, and no object by itself: an opening would pay for one.
struct LostVersions: ~Copyable, Sendable {
  /// What a lost commit had added.
  struct Commit {
    let version: VersionID
    let added: [UInt32: [ClosedRange<Int64>]]
  }

  /// Commits that were lost together.
  struct Group {
    /// The version that the first is based on.
    let base: VersionID
    let commits: [Commit]

    init(of lost: [SealedCommit], behind base: VersionID) {
      self.base = base
      commits = lost.map { commit in
        let added = commit.changes.filter { $0.kind == .inserted || $0.kind == .replaced }
        return Commit(
          version: commit.root.version,
          added: Dictionary(grouping: added, by: \.table).mapValues { $0.map(\.keys) })
      }
    }

    /// Whether it is what was known of another one before that had ended.
    fileprivate func isForeseen(of other: Group) -> Bool {
      commits.first?.version == other.commits.first?.version
    }

    /// Whether one of its versions is lost with it.
    func has(_ version: VersionID) -> Bool {
      version > base && commits.last.map { version <= $0.version } ?? false
    }

    /// What its commits had added up to one of its versions, by table.
    func added(by version: VersionID) -> [(table: Int, keys: ClosedRange<Int64>)] {
      commits.filter { $0.version <= version }.flatMap { commit in
        commit.added.flatMap { table, runs in runs.map { (Int(table), $0) } }
      }
    }

    /// Whether a row of one of its versions was not there before.
    func hasAdded(_ key: Int64, of table: Int, by version: VersionID) -> Bool {
      commits.contains { commit in
        commit.version <= version && LostVersions.contains(key, commit.added[UInt32(table)] ?? [])
      }
    }
  }

  /// Lock "lost versions" of docs/CONCURRENCY.md.
  private let groups = Mutex<[Group]>([])
  /// Spares everybody the lock while nothing is lost.
  private let areNone = Atomic(true)

  /// Whether nothing is lost, as mostly.
  @inline(__always)
  var isEmpty: Bool { areNone.load(ordering: .sequentiallyConsistent) }

  /// Whether a key is in one of ascending runs.
  private static func contains(_ key: Int64, _ runs: [ClosedRange<Int64>]) -> Bool {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound < key { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].contains(key)
  }

  /// So many groups are remembered whoever reads them: who leaves a version asks about it when its
  /// pin is gone already.
  private static let few = 64

  /// Notes that the commits of a group are lost.
  ///
  /// - Parameter pinned: The versions that are read: of others that were lost long before nobody
  ///   needs to know more.
  func note(_ lost: [SealedCommit], behind base: VersionID, pinned: [VersionID]) -> Group {
    let group = Group(of: lost, behind: base)
    groups.withLock { groups in
      groups.removeAll { $0.isForeseen(of: group) }
      let old = groups.dropLast(LostVersions.few - 1).filter { pinned.contains(where: $0.has) }
      groups = old + groups.suffix(LostVersions.few - 1) + [group]
      areNone.store(false, ordering: .sequentiallyConsistent)
    }
    return group
  }

  /// Notes a group whose loss is certain before it is told: whoever brings it to the disk will note
  /// it once more.
  func foresee(_ group: Group) {
    groups.withLock { groups in
      groups.removeAll { $0.isForeseen(of: group) }
      groups.append(group)
      areNone.store(false, ordering: .sequentiallyConsistent)
    }
  }

  /// The group that a version was lost with; nil if it was not.
  func group(of version: VersionID) -> Group? {
    if isEmpty { return nil }
    return groups.withLock { $0.first { $0.has(version) } }
  }
}
