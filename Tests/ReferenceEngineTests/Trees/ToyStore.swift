import Glibc

@testable import ReferenceEngine

/// A file without a file: memory at a fixed base, filled from the bottom, nothing ever used again.
final class ToyStore: NodeSink {
  let space: NodeSpace
  private let base: UnsafeMutableRawPointer
  private let size: Int
  private(set) var used = 4096

  init(size: Int = Int(NodeRef.reservation)) {
    self.size = size
    base = mmap(
      nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    space = NodeSpace(base: UnsafeRawPointer(base))
  }

  deinit { munmap(base, size) }

  func place(bytes: Int) -> (ref: NodeRef, node: UnsafeMutableRawPointer) {
    defer { used += bytes }
    invariant(used + bytes + 16 <= size, "the toy store is full")
    return (NodeRef(raw: UInt64(used)), base + used)
  }
}
