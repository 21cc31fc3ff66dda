/// What differs between the rows of a table at two versions, found without the change log.
///
/// Nodes that both versions share are skipped, so the cost is that of the difference. A value that
/// was set to itself is no difference here, and a row deleted and inserted again is a row that was
/// changed.
struct TreeDiff {
  enum Kind: Sendable {
    case inserted
    case deleted
    case modified
  }

  private let old: RowTree
  private let new: RowTree
  private let specs: [ColumnSpec]
  private var space: NodeSpace { new.space }

  /// - Parameter old: the table at one version, or as it was before its write; `new` the same table
  ///   later.
  init(from old: Table, to new: Table) {
    (self.old, self.new, specs) = (old.rows, new.rows, new.specs)
  }

  /// Calls `body` with each row that differs, by ascending keys; of a modified one with the columns
  /// that do.
  func forEachRow(_ body: (Int64, Kind, [Int]) -> Void) {
    let (before, after) = differingClusters()
    var one = Rows(before, old)
    var other = Rows(after, new)
    while one.key != nil || other.key != nil {
      if let key = one.key, other.key.map({ key < $0 }) ?? true {
        body(key, .deleted, [])
        one.advance()
      } else if let key = other.key, one.key.map({ key < $0 }) ?? true {
        body(key, .inserted, [])
        other.advance()
      } else {
        let columns = differingColumns(one, other)
        if !columns.isEmpty, let key = one.key { body(key, .modified, columns) }
        one.advance()
        other.advance()
      }
    }
  }

  /// The clusters that only one of the versions has. All leaves of a tree are at one depth, so what
  /// two trees share lies at the same height in both: level by level, what is in both goes, and
  /// what is left is looked into.
  private func differingClusters() -> ([NodeRef], [NodeRef]) {
    var before = old.root.isNone ? [] : [old.root]
    var after = new.root.isNone ? [] : [new.root]
    var (low, high) = (old.height, new.height)
    while true {
      if low == high {
        let shared = Set(before).intersection(after)
        before.removeAll(where: shared.contains)
        after.removeAll(where: shared.contains)
        if low == 0 { return (before, after) }
      }
      let top = max(low, high)
      if low == top {
        before = below(before)
        low -= 1
      }
      if high == top {
        after = below(after)
        high -= 1
      }
    }
  }

  private func below(_ refs: [NodeRef]) -> [NodeRef] {
    refs.flatMap { ref in
      let branch = new.branch(ref, from: space.knowledge)
      return (0..<branch.count).map { space.reference(branch.child($0), in: branch.node) }
    }
  }

  private func differingColumns(_ one: Rows, _ other: Rows) -> [Int] {
    specs.indices.filter { column in
      let (before, after) = (one.cluster.slot(column), other.cluster.slot(column))
      if specs[column].isRemoved || before == after && one.index == other.index { return false }
      return cell(before, one.index, specs[column]) != cell(after, other.index, specs[column])
    }
  }

  private func cell(_ slot: ColumnSlot, _ index: Int, _ spec: ColumnSpec) -> Cell {
    if !slot.isNone { return Column(slot.node(space.base)).cell(index, in: space) }
    if spec.isNullable { return .null }
    switch spec.type {
    case .int: return .int(0)
    case .bytes: return .bytes([])
    case .fixed: return .fixed([UInt8](repeating: 0, count: Int(spec.size)))
    case .refs: return .ref(.none)
    }
  }

  /// Goes through the rows of some clusters.
  private struct Rows {
    private let clusters: [NodeRef]
    private let tree: RowTree
    private var next = 0
    private(set) var cluster: Cluster
    private(set) var index = -1
    private(set) var key: Int64?

    init(_ clusters: [NodeRef], _ tree: RowTree) {
      self.clusters = clusters
      self.tree = tree
      cluster = Cluster(tree.space.base)
      advance()
    }

    mutating func advance() {
      index += 1
      if next == 0 || index == cluster.count {
        guard next < clusters.count else {
          key = nil
          return
        }
        cluster = tree.cluster(clusters[next], from: tree.space.knowledge)
        next += 1
        index = 0
      }
      key = cluster.key(index, in: tree.space)
    }
  }
}
