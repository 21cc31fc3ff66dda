/// Checks one version as a whole: what an opening does not look at, because it reads in place.
struct Verification: Sendable, Hashable {
  private(set) var nodes = 0
  private(set) var bytes = 0
  private(set) var records = 0

  /// Walks the version: every reference leads to a whole node inside the heap, every node is
  /// reached once and overlaps no other, every checksum is right, and the trees are in order.
  ///
  /// - Throws: `StorageError.damaged`, saying what is wrong where.
  init(_ root: Root, in space: NodeSpace, fileSize: UInt64, path: String, tree: NodeTree) throws {
    guard fileSize >= root.end, root.end <= NodeRef.largestFile else {
      throw StorageError.damaged(
        path: path, reason: "it has \(fileSize) bytes, version \(root.version) \(root.end)")
    }
    let seen = FreeMap(end: root.end)
    seen.markAllFree()
    let walk = NodeWalk(space: space, end: root.end, tree: tree)
    var nodes = 0
    var bytes = 0
    func visit(_ ref: NodeRef, _ header: NodeHeader) throws {
      guard seen.markUsed(Run(offset: ref.raw, bytes: header.bytes)) else {
        throw StorageError.damaged(
          path: path, reason: "the node at \(ref.raw) is reached twice, or overlaps another")
      }
      guard header.born <= root.version.number else {
        throw StorageError.damaged(
          path: path, reason: "the node at \(ref.raw) is of the later version \(header.born)")
      }
      _ = try walk.wholeNode(ref, path: path)
      nodes += 1
      bytes += header.bytes
    }
    try walk.each(from: root.top, path: path) { ref, header in
      try visit(ref, header)
      return true
    }
    var version = root.version
    var ref = root.log
    var floor: VersionID?
    while !ref.isNone {
      try visit(ref, try walk.header(of: ref, path: path))
      guard let log = ChangeLog(node: space.node(ref), version: version), log.isSummarySound
      else {
        throw StorageError.damaged(
          path: path, reason: "the record of version \(version) at \(ref.raw) is not whole")
      }
      records += 1
      floor = floor ?? log.floor
      guard let floor, log.base >= floor else { break }
      version = log.base
      ref = log.before
    }
    self.nodes = nodes
    self.bytes = bytes
    if !root.top.isNone, let problem = tree.check(root.top, space, root.end) {
      throw StorageError.damaged(path: path, reason: problem)
    }
  }
}

extension Coordinator {
  /// Checks the newest version as a whole.
  @discardableResult
  func checkEverything() throws -> Verification {
    let (snapshot, size) = try newestToCheck()
    mapping.measure()
    return try Verification(
      snapshot.root, in: space, fileSize: size, path: path, tree: configuration.tree)
  }

  /// The newest version, and how long the file is, for whoever looks at it as a whole while others
  /// write.
  func newestToCheck() throws -> (snapshot: Snapshot, fileSize: UInt64) {
    // Before the version is pinned: the file may be made shorter as soon as it is, though not by
    // what the version needs.
    let former = try disk.size()
    let snapshot = try newestSnapshot(kind: .tool)
    return (snapshot, try max(former, disk.size()))
  }
}
