/// Some of the places of a cluster, ascending: those of the rows that are left when others go.
///
/// Kept as runs of places side by side. Rows that go leave stretches of rows behind, and each
/// column is moved a stretch at a time and not value by value.
struct PlaceRuns {
  private(set) var runs: [Range<Int>] = []
  /// How many places there are.
  private(set) var count = 0

  /// - Parameter count: There may be so many runs.
  init(roomFor count: Int) { runs.reserveCapacity(count) }

  /// - Parameter places: Ascending.
  init(_ places: some Sequence<Int>) {
    for place in places { add(place..<(place + 1)) }
  }

  var isEmpty: Bool { count == 0 }
  /// The place behind the last one.
  var end: Int { runs.last?.upperBound ?? 0 }

  /// Adds places that are behind all that there are.
  @inline(__always)
  mutating func add(_ places: Range<Int>) {
    if places.isEmpty { return }
    invariant(places.lowerBound >= end, "places from \(places.lowerBound) on come behind \(end)")
    count &+= places.count
    if let last = runs.last, last.upperBound == places.lowerBound {
      runs[runs.count - 1] = last.lowerBound..<places.upperBound
    } else {
      runs.append(places)
    }
  }

  /// Moves what stands at the places side by side: to other memory, or to the front of the same.
  ///
  /// - Parameter bytes: So many are one place's.
  @inline(__always)
  func gather(
    from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, each bytes: Int
  ) {
    var target = target
    for run in runs {
      let length = run.count &* bytes
      let start = source + run.lowerBound &* bytes
      if start != UnsafeRawPointer(target) { target.copyMemory(from: start, byteCount: length) }
      target += length
    }
  }
}
