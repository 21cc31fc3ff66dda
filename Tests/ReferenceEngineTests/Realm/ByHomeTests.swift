import Testing

@testable import ReferenceEngine

@Suite struct ByHomeTests {
  @Test func `each home has one thing, the last that it was given`() {
    var things = ByHome<String>()
    #expect(things.isEmpty && things[.main] == nil)
    things[.main] = "first"
    things[.thread(1)] = "of a thread"
    things[.queue(1)] = "of a queue with the thread's number"
    things[.main] = "second"
    #expect(things.count == 3 && things[.main] == "second")
    #expect(things[.thread(1)] == "of a thread" && things[.thread(2)] == nil)
    things[.thread(1)] = nil
    things[.thread(2)] = nil
    #expect(things.count == 2 && things[.thread(1)] == nil && things[.queue(1)] != nil)
  }

  @Test func `only those that are wanted are kept`() {
    var things = ByHome<Int>()
    for number in 0..<100 { things[.thread(UInt(number))] = number }
    things.keep { $0 % 3 == 0 }
    #expect(things.values == Array(stride(from: 0, to: 100, by: 3)))
    #expect(things[.thread(3)] == 3 && things[.thread(4)] == nil)
  }
}
