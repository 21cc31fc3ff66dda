/// The path to the cluster that a write looked at last.
///
/// Bulk inserts, and setters called for one object after the other, find it right most of the time
/// and descend no more. It lies in plain memory: a property of a class would cost an exclusivity
/// check per access.
struct RowCursor {
  struct Step {
    var branch: Branch
    var index: Int
  }

  /// 32 to the 12th clusters are more than a file can hold.
  static let deepest = 12

  let steps: UnsafeMutablePointer<Step>
  var height = 0
  /// None if there is no path.
  var cluster: UnsafeRawPointer?
  /// The keys that belong into the cluster.
  var low = Int64.min
  var high = Int64.max
  /// Whether the cluster, and with it the path, is pending.
  var isOpen = false
  /// Whether it is the last cluster of the table.
  var isLast = false
  /// The rows that all its columns, which are pending then, have room for; 0 if that is not known.
  var room = 0

  static func make() -> UnsafeMutablePointer<RowCursor> {
    let cursor = UnsafeMutablePointer<RowCursor>.allocate(capacity: 1)
    cursor.initialize(to: RowCursor(steps: .allocate(capacity: deepest)))
    return cursor
  }

  private init(steps: UnsafeMutablePointer<Step>) { self.steps = steps }

  mutating func drop() {
    cluster = nil
    room = 0
  }

  @inline(__always)
  func covers(_ key: Int64) -> Bool { cluster != nil && key >= low && key <= high }

  /// Finds the path to the cluster that a key belongs into. The tree must not be empty.
  mutating func seek(_ key: Int64, in tree: RowTree) {
    low = .min
    high = .max
    isLast = true
    room = 0
    height = tree.height
    var ref = tree.root
    var node = tree.space.knowledge
    for level in 0..<height {
      let branch = tree.branch(ref, from: node)
      node = branch.node
      let index = branch.place(of: key)
      if index > 0 { low = branch.key(index) }
      if index + 1 < branch.count {
        high = branch.key(index + 1) - 1
        isLast = false
      }
      steps[level] = Step(branch: branch, index: index)
      ref = branch.child(index)
    }
    cluster = tree.cluster(ref, from: node).node
    isOpen = ref.isPending
  }
}
