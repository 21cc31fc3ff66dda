import CShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Copies one version into a new file, without gaps, children before parents.
enum Compaction {
  /// Writes a version to an empty disk; returns when it is whole on the medium.
  ///
  /// - Returns: the size of the copy.
  @discardableResult
  static func write(_ root: Root, in space: NodeSpace, to disk: any Disk, tree: NodeTree) throws
    -> UInt64
  {
    let output = Output(disk: disk, offset: FileHeader.heapStart, of: root)
    let top = try output.copy(root.top, from: space, tree: tree, depth: 0)
    try output.flush()
    let end = (output.offset + 4095) & ~4095
    try disk.grow(from: output.offset, to: end + UInt64(FreePage.bytes))
    let copied = Root(
      version: root.version, top: top, log: .none, end: end, when: root.when, slot: 0,
      commitProtocol: .twoPhase)
    try Opening.finish(disk, CommitSlot(root: copied), output.file)
    return try disk.size()
  }

  /// Nodes on their way to the end of a file.
  private final class Output {
    let disk: any Disk
    /// The new file is another one: what is written there is sealed anew.
    let file = FileNumber.new()
    private let version: Root
    private(set) var offset: UInt64
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    private var used = 0

    init(disk: any Disk, offset: UInt64, of version: Root) {
      self.disk = disk
      self.version = version
      self.offset = offset
    }

    deinit { buffer.deallocate() }

    /// Copies a node and what it refers to. Another process may write over it meanwhile, if nobody
    /// keeps the version: what is looked at is our copy of the node, and that must have been born
    /// in time.
    func copy(_ ref: NodeRef, from space: NodeSpace, tree: NodeTree, depth: Int) throws -> NodeRef {
      if ref.isNone { return .none }
      func damaged(_ what: String) -> StorageError {
        .damaged(path: space.path, reason: "the node at \(ref.raw) \(what)")
      }
      guard ref.raw >= FileHeader.heapStart, ref.raw % 16 == 0, ref.raw < version.end,
        version.end - ref.raw >= 16, depth < 64
      else { throw damaged("lies where none can be") }
      let bytes = space.header(ref).bytes
      guard bytes >= 16, version.end - ref.raw >= UInt64(bytes) else {
        throw damaged("claims \(bytes) bytes")
      }
      let node = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
      defer { node.deallocate() }
      node.copyMemory(from: space.node(ref), byteCount: bytes)
      let header = node.load(as: NodeHeader.self)
      guard header.bytes == bytes,
        Checksum.ofNode(node, bytes: bytes, at: ref, of: space.file) == header.checksum
      else { throw damaged("does not match its checksum") }
      if let flaw = tree.flaw(node) { throw damaged(flaw) }
      guard header.born <= version.version.number else {
        throw damaged("is of the later version \(header.born)")
      }
      if tree.mayRefer(header.kind, header.width) {
        var places: [Int] = []
        tree.forEachReference(node) { places.append($0) }
        for place in places {
          let raw = node.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          let child = NodeRef(raw: raw & ~NodeTree.flags)
          let moved = try copy(child, from: space, tree: tree, depth: depth + 1)
          node.storeBytes(
            of: moved.raw | raw & NodeTree.flags, toByteOffset: place, as: UInt64.self)
        }
      }
      let placed = NodeRef(raw: offset + UInt64(used))
      var sealed = header
      sealed.checksum = Checksum.ofNode(node, bytes: bytes, at: placed, of: file)
      node.storeBytes(of: sealed, as: NodeHeader.self)
      try append(UnsafeRawBufferPointer(start: node, count: bytes))
      return placed
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws {
      if used + bytes.count > buffer.count {
        try flush()
        if bytes.count > buffer.count {
          try disk.write(bytes, at: offset)
          offset += UInt64(bytes.count)
          return
        }
      }
      if let base = buffer.baseAddress, let from = bytes.baseAddress {
        (base + used).copyMemory(from: from, byteCount: bytes.count)
      }
      used += bytes.count
    }

    func flush() throws {
      try disk.write(UnsafeRawBufferPointer(rebasing: buffer[0..<used]), at: offset)
      offset += UInt64(used)
      used = 0
    }
  }
}

extension Coordinator {
  /// Writes the version of a snapshot to a new file, which those may use who may use this one.
  func writeCopy(of snapshot: Snapshot, to path: String) throws {
    try Aside.make(path, seams, replace: false) { disk in
      giveOwner(to: disk)
      try Compaction.write(snapshot.root, in: space, to: disk, tree: configuration.tree)
    }
  }

  /// Makes a copy theirs who may use this file.
  func giveOwner(to copy: any Disk) {
    if disk.isMemory { return }
    _ = try? FileStatus(disk.descriptor, path: path).give(to: copy.descriptor)
  }

  /// Rewrites a file without gaps if nobody has it open and `decide` wants it, given its size and
  /// the bytes in use.
  ///
  /// - Returns: whether the file was rewritten.
  @discardableResult
  static func compact(
    _ configuration: StorageConfiguration,
    if decide: @escaping @Sendable (_ total: Int, _ used: Int) -> Bool
  ) throws -> Bool {
    guard case .file(let path) = configuration.location else { return false }
    var compacting = configuration
    compacting.shouldCompact = decide
    let joined = try Joining(compacting, at: try Coordinator.canonical(path)).join()
    joined.disk.close()
    return joined.wasCompacted
  }
}
