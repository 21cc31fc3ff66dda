/// What is left of clusters whose rows have gone where their tree is settled next: by cluster, the
/// places of the rows that are left, ascending.
///
/// The cluster has its new keys and its new count already; of its columns those that are not
/// pending still have the values of all rows that there were.
struct LeftRows {
  /// The version that the running write will become.
  let born: VersionID
  private var clusters: [(ref: NodeRef, left: PlaceRuns)] = []
  private var numbers: [NodeRef: Int] = [:]

  init(born: VersionID = VersionID(0)) { self.born = born }

  var isEmpty: Bool { numbers.isEmpty }

  mutating func note(_ left: PlaceRuns, of cluster: NodeRef) {
    invariant(numbers[cluster] == nil, "rows leave the cluster at \(cluster.raw) twice")
    numbers[cluster] = clusters.count
    clusters.append((cluster, left))
  }

  /// The places in a cluster; nil if it has changed in no other way than any.
  func places(in cluster: NodeRef) -> PlaceRuns? {
    numbers.isEmpty ? nil : numbers[cluster].map { clusters[$0].left }
  }

  /// The places in a cluster, for a caller that now writes those rows itself: the cluster is not
  /// noted any more. Nil if it was not noted.
  mutating func take(_ cluster: NodeRef) -> PlaceRuns? {
    numbers.removeValue(forKey: cluster).map { clusters[$0].left }
  }

  /// All, in the order in which rows have left them.
  func each(_ body: (NodeRef, PlaceRuns) -> Void) {
    for (number, cluster) in clusters.enumerated() where numbers[cluster.ref] == number {
      body(cluster.ref, cluster.left)
    }
  }
}
