import Evidence
import Foundation
import Harness
import Testing

@testable import Benchmarks

@Suite(.serialized) struct SamplerTests {
  /// Keeps the processor busy until so much of its time has gone: no matter how loaded the machine is.
  @inline(never) private static func spinForTheSampler(_ nanoseconds: Double) -> UInt64 {
    let end = Stopwatch.processorTime + UInt64(nanoseconds)
    var sum: UInt64 = 0
    while Stopwatch.processorTime < end {
      for i in 0..<100_000 { sum = sum &* 6_364_136_223_846_793_005 &+ UInt64(i) }
    }
    return sink(sum)
  }

  @Test func `stacks lead to who was busy`() throws {
    try Sampler.start()
    _ = Self.spinForTheSampler(4e8)
    let (stacks, lost) = Sampler.stop()
    #expect(lost == 0)
    // Every millisecond of processor time; a busy machine gives its ticks later, never none.
    #expect(stacks.total > 40, "\(stacks.total)")
    let own = FoldedStacks(
      stacks.text.split(separator: "\n").filter { $0.contains("spinForTheSampler") }
        .joined(separator: "\n") + "\n")
    #expect(own.total * 10 > stacks.total * 5, "\(own.total) of \(stacks.total)")
    // Callers are there, too: this test's own function stands in front of it.
    #expect(own.text.contains("stacks lead to who was busy") || own.text.contains("SamplerTests"))
  }

  @Test func `a name that is no Swift name stays`() {
    #expect(Symbols.demangled("_start") == "_start")
    #expect(
      Symbols.demangled("$sSi1poiyS2i_SitFZ")
        == "static Swift.Int.+ infix(Swift.Int, Swift.Int) -> Swift.Int")
  }
}
