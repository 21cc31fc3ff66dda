import Testing

@testable import ReferenceEngine

@Suite struct SeenNodesTests {
  /// Beside the number at which it turns to another way of looking.
  @Test(arguments: [0, 1, 63, 64, 65, 66, 1000])
  func `a place is new once`(count: Int) {
    var seen = SeenNodes()
    let places = (0..<UInt64(count)).map { $0 * 16 }
    for place in places {
      let (isNew, isNewAgain) = (seen.insert(place), seen.insert(place))
      #expect(isNew && !isNewAgain)
      let first = seen.insert(0)
      #expect(!first)
    }
    #expect(seen.count == count)
    let again = places.filter { seen.insert($0) }
    #expect(again.isEmpty)
    let other = seen.insert(8)
    #expect(other && seen.count == count + 1)
  }
}
