import CShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Copies one version into a new file, without gaps, children before parents.
///
/// The new file is complete on the medium before anything names it: its header is written last, and where it takes the place of
/// the old one it does so by a rename. A crash leaves the one or the other.
struct Compaction {
  /// Writes a version to `path`, where no file may be yet.
  ///
  /// - Returns: the size of the copy.
  @discardableResult
  static func copy(_ root: Root, in space: NodeSpace, to path: String, tree: NodeTree) throws
    -> UInt64
  {
    if access(path, F_OK) == 0 {
      throw StorageError.failed(
        path: path, operation: "write a copy to", reason: "a file is already there", code: EEXIST)
    }
    let disk = try Seams.current.disk(path, true, true)
    defer { disk.close() }
    do {
      return try write(root, in: space, to: disk, tree: tree)
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Writes a version to an empty disk.
  static func write(_ root: Root, in space: NodeSpace, to disk: any Disk, tree: NodeTree) throws
    -> UInt64
  {
    let output = Output(disk: disk, offset: FileHeader.heapStart)
    let top = try output.copy(root.top, from: space, tree: tree)
    try output.flush()
    let end = (output.offset + 4095) & ~4095
    try disk.grow(from: output.offset, to: end + UInt64(FreePage.bytes))
    let copied = Root(
      version: root.version, top: top, log: .none, end: end, when: root.when, slot: 0,
      commitProtocol: .twoPhase)
    try Opening.write(CommitSlot(root: copied), to: disk)
    try disk.sync()
    try FileHeader.encode().withUnsafeBytes { try disk.write($0, at: 0) }
    try disk.sync()
    try disk.syncName()
    return try disk.size()
  }

  /// Nodes on their way to the end of a file.
  private final class Output {
    let disk: any Disk
    private(set) var offset: UInt64
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    private var used = 0

    init(disk: any Disk, offset: UInt64) {
      self.disk = disk
      self.offset = offset
    }

    deinit { buffer.deallocate() }

    func copy(_ ref: NodeRef, from space: NodeSpace, tree: NodeTree) throws -> NodeRef {
      if ref.isNone { return .none }
      let header = space.header(ref)
      let bytes = header.bytes
      let node = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
      defer { node.deallocate() }
      node.copyMemory(from: space.node(ref), byteCount: bytes)
      guard Checksum.ofNode(node, bytes: bytes) == header.checksum else {
        throw StorageError.damaged(
          path: disk.path, reason: "the node at \(ref.raw) does not match its checksum")
      }
      if tree.mayRefer(header.kind, header.width) {
        var places: [Int] = []
        tree.forEachReference(node) { places.append($0) }
        for place in places {
          let raw = node.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          let child = NodeRef(raw: raw & ~NodeTree.flags)
          let moved = try copy(child, from: space, tree: tree)
          node.storeBytes(
            of: moved.raw | raw & NodeTree.flags, toByteOffset: place, as: UInt64.self)
        }
        var sealed = header
        sealed.checksum = Checksum.ofNode(node, bytes: bytes)
        node.storeBytes(of: sealed, as: NodeHeader.self)
      }
      return try append(UnsafeRawBufferPointer(start: node, count: bytes))
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws -> NodeRef {
      let ref = NodeRef(raw: offset + UInt64(used))
      if used + bytes.count > buffer.count {
        try flush()
        if bytes.count > buffer.count {
          let place = NodeRef(raw: offset)
          try disk.write(bytes, at: offset)
          offset += UInt64(bytes.count)
          return place
        }
      }
      if let base = buffer.baseAddress, let from = bytes.baseAddress {
        (base + used).copyMemory(from: from, byteCount: bytes.count)
      }
      used += bytes.count
      return ref
    }

    func flush() throws {
      try disk.write(UnsafeRawBufferPointer(rebasing: buffer[0..<used]), at: offset)
      offset += UInt64(used)
      used = 0
    }
  }
}

extension Coordinator {
  /// Writes the version of a snapshot to a new file.
  func writeCopy(of snapshot: Snapshot, to path: String) throws {
    try Compaction.copy(snapshot.root, in: space, to: path, tree: configuration.tree)
  }

  /// Before a file is opened: rewrites it without gaps if nobody has it open and `decide` wants it, given its size and the
  /// bytes in use.
  ///
  /// - Returns: whether the file was rewritten.
  @discardableResult
  static func compact(
    _ configuration: StorageConfiguration, if decide: (_ total: Int, _ used: Int) -> Bool
  ) throws -> Bool {
    guard case .file(let given) = configuration.location else { return false }
    let path = canonical(given)
    guard access(path, F_OK) == 0 else { return false }
    var isDone = false
    // Nobody can join while `prepare` runs, and nobody was there before if we are first.
    _ = try LockFile(path: path + ".lock") { lock in
      guard lock.isFirst else { return }
      let disk = try Seams.current.disk(path, true, false)
      defer { disk.close() }
      let size = try disk.size()
      guard size > 0 else { return }
      let root = try Opening.recover(disk, mayCreate: true, now: rb_now())
      let mapping = try Mapping(descriptor: disk.descriptor, path: path, writable: false)
      let found = try Verification(
        root, in: mapping.space, fileSize: try disk.size(), path: path, tree: configuration.tree)
      guard decide(Int(size), found.bytes + Int(FileHeader.heapStart)) else { return }
      let copy = path + ".compacting"
      unlink(copy)
      try Compaction.copy(root, in: mapping.space, to: copy, tree: configuration.tree)
      Seams.current.moments.reach(.copyFlushed)
      guard rename(copy, path) == 0 else { throw StorageError.system("replace", path) }
      Seams.current.moments.reach(.copyNamed)
      try PosixDisk.syncFolder(of: path)
      isDone = true
    }
    return isDone
  }
}
