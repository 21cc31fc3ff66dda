import Foundation
import Testing

@testable import Harness

struct ProcessorsTests {
  @Test func `a thread that was moved may still go anywhere`() {
    let before = Processors()
    for place in 0..<before.count { before.move(to: place) }
    #expect(before.count >= 1)
    #expect(Processors().count == before.count)
  }
}
