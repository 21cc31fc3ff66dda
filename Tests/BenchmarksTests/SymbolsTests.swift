import Testing

@testable import Benchmarks

/// What a sampled stack is called. The stacks themselves are taken in a child, in CommandTests: its
/// timer interrupts every thread of a process, and those of other tests are not to be disturbed.
struct SymbolsTests {
  @Test func `a name that is no Swift name stays`() {
    #expect(Symbols.demangled("_start") == "_start")
    #expect(
      Symbols.demangled("$sSi1poiyS2i_SitFZ")
        == "static Swift.Int.+ infix(Swift.Int, Swift.Int) -> Swift.Int")
  }
}
