import Foundation

/// The monotonic clock, in nanoseconds, and what reading it costs.
///
/// `clock_gettime` reads in 27 ns where `ContinuousClock` needs 43; over a batch of a thousand
/// times that neither matters, for single operations it does.
package enum Stopwatch {
  @inline(__always)
  package static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Processor time of the whole process, all threads.
  package static var processorTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Processor time of the calling thread.
  package static var threadTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The median cost of a reading and the smallest step seen, over 20,000 readings.
  package static func calibrate() -> (cost: Double, resolution: Double) {
    var costs: [Double] = []
    var least = UInt64.max
    for _ in 0..<20 {
      let start = now
      var last = start
      for _ in 0..<1000 {
        let reading = now
        if reading > last { least = min(least, reading - last) }
        last = reading
      }
      costs.append(Double(last - start) / 1000)
    }
    return (costs.sorted()[10], Double(least))
  }

  /// How often and how long this thread is kept from running while it does nothing but look at the
  /// clock.
  package static func gaps(seconds: Double = 0.5) -> (count: Int, longest: Double) {
    let start = now
    let end = start + UInt64(seconds * 1e9)
    var last = start
    var count = 0
    var longest: UInt64 = 0
    while last < end {
      let reading = now
      let gap = reading - last
      if gap > 50_000 { count += 1 }
      if gap > longest { longest = gap }
      last = reading
    }
    return (count, Double(longest))
  }

  /// The time a fixed integer loop takes: two of these around a round show whether the processor
  /// kept its pace.
  package static func pace() -> Double {
    let start = now
    var x: UInt64 = 88_172_645_463_325_252
    for _ in 0..<200_000 {
      x ^= x << 13
      x ^= x >> 7
      x ^= x << 17
    }
    let took = now - start
    // The result must be used or there is no loop.
    return Double(took) + (x == 0 ? 1 : 0)
  }
}
