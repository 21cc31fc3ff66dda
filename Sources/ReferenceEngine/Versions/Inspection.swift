import Foundation

/// A read-only window into a file, for the tools and for whoever examines the engine: plain values,
/// nothing to hold on to.
package struct Inspection: Sendable {
  package struct Slot: Sendable {
    package let version: UInt64
    package let commitProtocol: CommitProtocol
    package let end: UInt64
    /// When it was committed: nanoseconds since 1970.
    package let when: UInt64
  }

  package struct Table: Sendable {
    package let number: Int
    package let rows: Int
    package let nodes: Int
    package let bytes: Int
  }

  package let path: String
  package let fileSize: UInt64
  /// The newest version.
  package let version: UInt64
  /// What a crash now would leave.
  package let durableVersion: UInt64
  package let slots: [Slot]
  /// Who holds which version, in this process and others.
  package let holders: [PinHolder]
  package let nodes: Int
  package let usedBytes: Int
  /// Records of past commits that are still there.
  package let records: Int
  /// Space of the heap that the newest version does not use: free, or kept by older versions.
  package let otherBytes: Int
  package let tables: [Table]
  /// What the file says its tables mean, as it stands there.
  let schema: [UInt8]

  /// Looks into a file and checks its newest version as a whole, and every version that someone
  /// else holds.
  ///
  /// - Throws: `StorageError`, saying what is wrong where.
  package init(verifying path: String) throws { try self.init(path) }

  private init(_ path: String) throws {
    var configuration = StorageConfiguration(location: .file(path: path))
    configuration.isReadOnly = true
    // Who only looks leaves nothing behind: where no lock file is, nobody has the file open, and
    // none is made.
    let lockPath = try Coordinator.canonical(path) + ".lock"
    if access(lockPath, F_OK) != 0 {
      let found = Result { try Inspection(Coordinator.alone(configuration, path: path)) }
      // Somebody may have come meanwhile, and have written where was looked.
      if access(lockPath, F_OK) != 0 {
        self = try found.get()
        return
      }
    }
    try self.init(try Coordinator(configuration))
  }

  init(_ coordinator: Coordinator) throws {
    let (snapshot, size) = try coordinator.newestToCheck()
    let root = snapshot.root
    let space = coordinator.space
    let tree = coordinator.configuration.tree
    let found = try Verification(
      root, in: space, fileSize: size, path: coordinator.path, tree: tree)
    path = coordinator.path
    fileSize = size
    version = root.version.number
    holders = coordinator.pins.holders().filter { $0.kind != .tool }
    nodes = found.nodes
    usedBytes = found.bytes
    records = found.records
    otherBytes = Int(root.end) - Int(FileHeader.heapStart) - found.bytes

    (slots, durableVersion) = try Opening.besideWriters(of: coordinator.disk) {
      try Inspection.slots(of: coordinator)
    }

    let top = Top(space: space, ref: root.top)
    schema = Array(top.schema)
    let walk = NodeWalk(space: space, end: root.end, tree: tree)
    tables = try (0..<top.tableCount).compactMap { number in
      guard let table = top.table(number) else { return nil }
      var nodes = 0
      var bytes = 0
      try walk.each(from: top.tableRef(number), path: coordinator.path) { _, header in
        nodes += 1
        bytes += header.bytes
        return true
      }
      return Table(number: number, rows: table.rows.count, nodes: nodes, bytes: bytes)
    }

    // Nodes that several versions share are checked for each: what matters is that each is whole.
    for pin in coordinator.pins.pinnedTops() ?? []
    where pin.version < root.version && !pin.top.isNone
      && coordinator.isNode(pin.top, of: pin.version)
    {
      let held = Root(
        version: pin.version, top: pin.top, log: .none, end: size / 16 * 16, when: 0, slot: 0,
        commitProtocol: .none)
      do {
        _ = try Verification(held, in: space, fileSize: size, path: coordinator.path, tree: tree)
      } catch {
        // Its holder may have let it go meanwhile, and a writer may have used its space.
        let isHeld = coordinator.pins.pinnedTops()?.contains(pin) ?? false
        if isHeld { throw error }
      }
    }
  }

  /// The slots, and the version that a crash now would leave.
  private static func slots(of coordinator: Coordinator) throws -> ([Slot], UInt64) {
    let page = try Opening.firstPage(of: coordinator.disk)
    return try page.withUnsafeBytes { page in
      let isInMemory = coordinator.disk.isMemory
      if !isInMemory, let flaw = Opening.flaw(inSlotsOf: page) {
        throw StorageError.damaged(path: coordinator.path, reason: flaw)
      }
      let slots = Opening.slots(page).map {
        Slot(
          version: $0.root.version.number, commitProtocol: $0.root.commitProtocol,
          end: $0.root.end, when: $0.root.when)
      }
      let durable =
        isInMemory ? nil : try Opening.recover(coordinator.disk, mayCreate: false, now: 0).version
      return (slots, durable?.number ?? 0)
    }
  }

  /// Where the space ends that the newest version of a file knows of; the file itself grows in
  /// steps beyond it.
  ///
  /// Reads the header alone, so that a file may be asked while somebody writes it. Nil if no slot
  /// is whole.
  package static func end(ofFileAt path: String) -> UInt64? {
    guard let file = FileHandle(forReadingAtPath: path),
      let bytes = try? file.read(upToCount: Int(FileHeader.heapStart)),
      bytes.count == Int(FileHeader.heapStart)
    else { return nil }
    return bytes.withUnsafeBytes { page in
      Opening.slots(page).max { $0.root.version.number < $1.root.version.number }?.root.end
    }
  }

  /// A checksum of what a version holds, whatever the places of its nodes: equal for a version and
  /// a copy of it.
  static func fingerprint(of root: Root, in space: NodeSpace, tree: NodeTree) -> UInt32 {
    func sum(_ ref: NodeRef) -> UInt32 {
      if ref.isNone { return 0 }
      let header = space.header(ref)
      var bytes = [UInt8](
        UnsafeRawBufferPointer(start: space.payload(ref), count: header.bytes - NodeHeader.size))
      if tree.mayRefer(header.kind, header.width) {
        let node = space.node(ref)
        tree.forEachReference(node) { place in
          let word = node.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          let below = UInt64(sum(NodeRef(raw: word & ~NodeTree.flags)))
          bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: below, toByteOffset: place - NodeHeader.size, as: UInt64.self)
          }
        }
      }
      return bytes.withUnsafeBytes { Checksum.of($0, seed: UInt32(header.kind)) }
    }
    return sum(root.top)
  }
}
