import Evidence
import Testing

@testable import Benchmarks

/// Shards tore the engines of a benchmark apart: what is compared was measured on different
/// machines.
struct ShardTests {
  private func catalogue(_ count: Int) -> [Benchmark] {
    (0..<count).map { number in
      Benchmark(
        "reads.b\(number)", "b", [.init("threads", ["1", "2", "4"])], engines: ["x", "y", "z"]
      ) { $0.check(true, "") }
    }
  }

  private func parts(_ benchmarks: Int, _ count: Int) throws -> [[Case]] {
    try (1...count).map { index in
      var request = RunRequest()
      request.shard = (index, count)
      return try Plan(request, catalogue: catalogue(benchmarks)).cases
    }
  }

  @Test(arguments: [2, 3, 4, 7])
  func `each benchmark lies on one machine, with all its engines`(count: Int) throws {
    let parts = try parts(8, count)
    #expect(parts.joined().count == 8 * 9)
    #expect(Set(parts.joined()).count == 8 * 9)
    for one in parts.joined() {
      #expect(parts.filter { $0.contains { $0.name.family == one.name.family } }.count == 1)
    }
    // And none has much more to do than another.
    let sizes = parts.map(\.count)
    #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 9)
  }

  @Test func `more machines than benchmarks share their names, never their engines`() throws {
    let parts = try parts(2, 3)
    #expect(parts.allSatisfy { !$0.isEmpty } && Set(parts.joined()).count == 18)
    for one in parts.joined() {
      #expect(parts.filter { $0.contains { $0.name == one.name } }.count == 1)
    }
  }
}
