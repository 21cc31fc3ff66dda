import Foundation

@testable import ReferenceEngine

/// The smallest tree there is, to examine the kernel without the real ones: a top node that refers
/// to leaves of bytes.
///
/// Node kind 1 is the top {references}, kind 2 a leaf. Slot i of the model is the content of leaf
/// i.
enum Toy {
  static let tree = NodeTree(
    forEachReference: { node, body in
      let header = node.load(as: NodeHeader.self)
      guard header.kind == 1 else { return }
      for index in 0..<min(Int(header.count), (header.bytes - 16) / 8) { body(16 + index * 8) }
    }, mayRefer: { kind, _ in kind == 1 })

  static func configuration(
    _ location: StorageLocation, _ commitProtocol: CommitProtocol = .twoPhase
  ) -> StorageConfiguration {
    StorageConfiguration(location: location, commitProtocol: commitProtocol, tree: tree)
  }

  /// What a version holds: for each leaf its bytes, empty if there is none.
  static func content(_ root: Root, _ space: NodeSpace) -> [[UInt8]] {
    if root.top.isNone { return [] }
    let header = space.header(root.top)
    return (0..<Int(header.count)).map { index in
      let ref = NodeRef(
        raw: space.payload(root.top).load(fromByteOffset: index * 8, as: UInt64.self))
      if ref.isNone { return [] }
      let leaf = space.header(ref)
      let bytes = space.payload(ref).load(as: UInt64.self)
      let start = space.payload(ref) + 8
      return [UInt8](
        UnsafeRawBufferPointer(start: start, count: min(Int(bytes), leaf.bytes - 24)))
    }
  }

  /// A checksum of what a version holds, 0 for nothing.
  static func checksum(_ root: Root, _ space: NodeSpace) -> UInt32 {
    if root.top.isNone { return 0 }
    var sum: UInt32 = 1
    for index in 0..<Int(space.header(root.top).count) {
      let ref = NodeRef(
        raw: space.payload(root.top).load(fromByteOffset: index * 8, as: UInt64.self))
      if ref.isNone { continue }
      let bytes = Int(space.payload(ref).load(as: UInt64.self))
      sum = Checksum.of(
        UnsafeRawBufferPointer(start: space.payload(ref) + 8, count: bytes), seed: sum)
    }
    return sum
  }
}

/// A write to a toy tree.
struct ToyWrite {
  let write: WriteTransaction
  private var top: NodeRef

  init(_ write: WriteTransaction, leaves: Int = 16) {
    self.write = write
    let arena = write.arena
    if write.base.top.isNone {
      top = arena.make(kind: 1, count: leaves, payload: leaves * 8)
      write.space.pendingPayload(top).initializeMemory(as: UInt64.self, repeating: 0, count: leaves)
    } else {
      top = arena.copy(write.base.top)
      arena.discard(write.base.top)
    }
  }

  func set(_ index: Int, _ bytes: [UInt8]) {
    let space = write.space
    let place = space.pendingPayload(top) + index * 8
    write.arena.discard(NodeRef(raw: place.load(as: UInt64.self)))
    let leaf = write.arena.make(kind: 2, payload: bytes.count + 8)
    space.pendingPayload(leaf).storeBytes(of: UInt64(bytes.count), as: UInt64.self)
    (space.pendingPayload(leaf) + 8).copyMemory(from: bytes, byteCount: bytes.count)
    place.storeBytes(of: leaf.raw, as: UInt64.self)
    write.changes.modified(table: 1, key: Int64(index), column: 0)
  }

  /// Writes the pending nodes, children first.
  func settle(_ sink: any NodeSink) -> NodeRef {
    let space = write.space
    let header = space.header(top)
    for index in 0..<Int(header.count) {
      let place = space.pendingPayload(top) + index * 8
      let ref = NodeRef(raw: place.load(as: UInt64.self))
      if ref.isPending { place.storeBytes(of: copy(ref, sink).raw, as: UInt64.self) }
    }
    return copy(top, sink)
  }

  private func copy(_ ref: NodeRef, _ sink: any NodeSink) -> NodeRef {
    let old = write.space.header(ref)
    let used =
      old.kind == 1
      ? Int(old.count) * 8 : Int(write.space.payload(ref).load(as: UInt64.self)) + 8
    let bytes = NodeHeader.bytes(payload: used)
    let (placed, node) = sink.place(bytes: bytes)
    node.storeBytes(
      of: NodeHeader(kind: old.kind, width: 0, count: old.count, units: bytes >> 4, born: 0),
      as: NodeHeader.self)
    (node + 16).copyMemory(from: write.space.payload(ref), byteCount: used)
    return placed
  }
}

/// What a test has made, until its commit.
private final class Made: PendingTrees {
  private let body: (any NodeSink) throws -> NodeRef
  init(_ body: @escaping (any NodeSink) throws -> NodeRef) { self.body = body }
  func settle(into sink: any NodeSink) throws -> NodeRef { try body(sink) }
}

extension WriteTransaction {
  func commit(
    _ commitProtocol: CommitProtocol? = nil, settle: @escaping (any NodeSink) throws -> NodeRef
  ) throws -> Root {
    trees = Made(settle)
    return try commit(commitProtocol)
  }

  func seal(
    waits: Bool = false, isForLater: Bool = false,
    settle: @escaping (any NodeSink) throws -> NodeRef
  ) throws -> Root {
    trees = Made(settle)
    return try seal(waits: waits, isForLater: isForLater)
  }

  /// Seals as a commit does that shares its flush, and stays inside the gate.
  fileprivate func sealTogether(
    settle: @escaping (any NodeSink) throws -> NodeRef
  ) throws -> SealedCommit {
    trees = Made(settle)
    close()
    defer { trees = nil }
    guard let flush else { return try coordinator.seal(self) }
    return try coordinator.sealBehind(flush, self, nil, isApart: false).sealed
  }
}

extension Coordinator {
  /// Sets leaves in one commit.
  @discardableResult
  func set(_ values: [Int: [UInt8]], _ commitProtocol: CommitProtocol? = nil) throws -> Root {
    let toy = ToyWrite(try beginWrite())
    for (index, bytes) in values.sorted(by: { $0.key < $1.key }) { toy.set(index, bytes) }
    return try toy.write.commit(commitProtocol, settle: toy.settle)
  }

  func seal(
    _ values: [Int: [UInt8]], in write: WriteTransaction, waits: Bool = true,
    isForLater: Bool = false
  ) throws -> Root {
    let toy = ToyWrite(write)
    for (index, bytes) in values.sorted(by: { $0.key < $1.key }) { toy.set(index, bytes) }
    return try write.seal(waits: waits, isForLater: isForLater, settle: toy.settle)
  }

  /// Commits of several threads that go to the disk together, as they follow each other.
  @discardableResult
  func setTogether(_ commits: [[Int: [UInt8]]]) throws -> Root {
    var open: SharedFlush?
    for values in commits {
      let write =
        if let open, let last = writer.group.last {
          WriteTransaction(coordinator: self, base: last.root, on: open)
        } else {
          try beginSharedWrite()
        }
      let toy = ToyWrite(write)
      for (index, bytes) in values.sorted(by: { $0.key < $1.key }) { toy.set(index, bytes) }
      let sealed = try write.sealTogether(settle: toy.settle)
      if open == nil { open = share(sealed) }
    }
    leaveBehind(open)
    if let failure = open?.failure { throw failure }
    return board.newestRoot
  }

  func newestContent() throws -> [[UInt8]] {
    let snapshot = try newestSnapshot(kind: .live)
    return Toy.content(snapshot.root, snapshot.space)
  }
}

/// A folder of its own for a test, gone with it.
final class Folder: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "kernel-" + UUID().uuidString
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String = "a.realm") -> StorageLocation { .file(path: path + "/" + name) }
  func size(_ name: String = "a.realm") -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}
