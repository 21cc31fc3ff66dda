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

  @Test func `a quota is so much of the cores that are allowed, and none is all of them`() {
    #expect(Processors.usable(of: 4, quota: "max 100000\n") == 4)
    #expect(Processors.usable(of: 4, quota: "150000 100000\n") == 1.5)
    #expect(Processors.usable(of: 1, quota: "150000 100000\n") == 1)
    for none in ["", "100000", "100000 0", "-1 100000", "nan 100000"] {
      #expect(Processors.usable(of: 2, quota: none) == 2, "\(none)")
    }
  }
}
