import Foundation
import Testing

@testable import Harness

struct KernelFileTests {
  @Test func `what the kernel tells in several pieces is read to its end`() throws {
    let text = try #require(KernelFile.text("/proc/self/smaps"))
    // Each mapping has some 700 bytes there, and this process a hundred of them.
    #expect(text.utf8.count > 1 << 15)
    #expect(text.contains("[stack]"))
  }

  @Test func `no more is read than is wanted`() throws {
    let bytes = try #require(KernelFile.bytes(of: "/proc/self/smaps", upTo: 5_000))
    #expect(bytes.count == 5_000)
  }

  @Test func `what is not there is nothing`() {
    #expect(KernelFile.text("/proc/self/nothing of that name") == nil)
  }
}
