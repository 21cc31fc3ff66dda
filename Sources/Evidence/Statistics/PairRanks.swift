/// What pairs of many values make, in their order, and none of it ever made: the one at a rank is
/// found by counting how many lie at or below a guess.
package struct PairRanks: Sendable {
  /// How many there are.
  package let count: Int
  private let ends: (least: Double, most: Double)
  private let countUp: @Sendable (Double) -> Int

  /// The means of all pairs of some values, each with itself included.
  package init(meansOf values: [Double]) {
    let sorted = values.sorted()
    count = values.count * (values.count + 1) / 2
    ends = (sorted.first ?? 0, sorted.last ?? 0)
    // Along the edge of a staircase.
    countUp = { limit in
      var found = 0
      var right = sorted.count - 1
      for left in sorted.indices {
        while right >= left, (sorted[left] + sorted[right]) / 2 > limit { right -= 1 }
        guard right >= left else { break }
        found += right - left + 1
      }
      return found
    }
  }

  /// What each of some values is more than each of others.
  package init(differencesOf values: [Double], from others: [Double]) {
    let (a, b) = (values.sorted(), others.sorted())
    count = a.count * b.count
    ends = a.isEmpty || b.isEmpty ? (0, 0) : (a[0] - b[b.count - 1], a[a.count - 1] - b[0])
    countUp = { limit in
      var found = 0
      var place = 0
      for value in a {
        while place < b.count, value - b[place] > limit { place += 1 }
        found += b.count - place
      }
      return found
    }
  }

  /// The one at a rank, from 0: the least number that more than `rank` of them do not exceed.
  package subscript(rank: Int) -> Double {
    var (low, high) = (Self.place(ends.least), Self.place(ends.most))
    while low < high {
      // From one end of all numbers to the other is more than a signed number holds.
      let middle = low &+ Int64(UInt64(bitPattern: high &- low) / 2)
      if countUp(Self.value(middle)) > rank { high = middle } else { low = middle + 1 }
    }
    return Self.value(low)
  }

  /// Finite numbers as integers in the same order.
  private static func place(_ value: Double) -> Int64 {
    let bits = Int64(bitPattern: (value == 0 ? 0 : value).bitPattern)
    return bits >= 0 ? bits : .min - bits
  }

  private static func value(_ place: Int64) -> Double {
    Double(bitPattern: UInt64(bitPattern: place >= 0 ? place : .min - place))
  }
}
