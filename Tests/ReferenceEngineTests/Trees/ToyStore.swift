import CShims
import Glibc

@testable import ReferenceEngine

/// A file of memory alone, filled from the bottom, nothing ever used again.
final class ToyStore: NodeSink {
  let space: NodeSpace
  private let mapping: Mapping
  private let descriptor: Int32
  private let size: Int
  private(set) var used = 4096

  init(size: Int = 1 << 34) {
    self.size = size
    descriptor = rb_memory_file("toy")
    invariant(
      descriptor >= 0 && ftruncate(descriptor, off_t(size)) == 0, "there is no memory for a toy")
    do {
      mapping = try Mapping(descriptor: descriptor, path: "toy", writable: true)
    } catch {
      broken("\(error)")
    }
    space = mapping.space
  }

  deinit { close(descriptor) }

  func place(bytes: Int) -> (ref: NodeRef, node: UnsafeMutableRawPointer) {
    defer { used += bytes }
    invariant(used + bytes + 16 <= size, "the toy store is full")
    return (NodeRef(raw: UInt64(used)), mapping.base + used)
  }
}
