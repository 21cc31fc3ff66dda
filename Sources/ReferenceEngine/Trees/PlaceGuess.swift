import CShims

/// Where in a node a number should be, by what the parents know of the node: the share of its
/// entries before it.
///
/// Hashes and keys are spread evenly, so a guess lands within a few entries, and in the same line
/// of memory more often than not. Halving would wait for a line a step; the node's own ends lie in
/// lines that nobody needs otherwise.
struct PlaceGuess {
  /// In 2 to the power of -32, below 1.
  private let share: UInt64

  @inline(__always)
  init(_ word: UInt64, from low: UInt64, to high: UInt64) {
    let span = high > low ? high &- low : 0
    let offset = word > low ? min(word &- low, span) : 0
    // As many digits as a division of 64 bits can do with.
    let shift = UInt64(truncatingIfNeeded: max(32 &- span.leadingZeroBitCount, 0))
    share = ((offset &>> shift) &<< 32) / ((span &>> shift) &+ 1)
  }

  /// - Parameter passed: how far a number lies behind the beginning, where all of it is `whole`
  ///   long; both below 2 to the power of 31.
  @inline(__always)
  init(_ passed: UInt64, of whole: UInt64) {
    share = min(passed, whole) &<< 32 / (whole &+ 1)
  }

  /// The share of a number.
  @inline(__always)
  private func of(_ number: Int) -> Int {
    Int(truncatingIfNeeded: (share &* UInt64(truncatingIfNeeded: number)) &>> 32)
  }

  /// The first of `count` words in order that is not below a limit.
  ///
  /// It is looked for in a window around the guess by counting what is below: no step waits for the
  /// one before, and none is for the processor to foresee.
  ///
  /// - Parameter stride: bytes from word to word.
  /// - Parameter bias: what is added to each word before it is compared.
  @inline(__always)
  func place(
    among count: Int, words: UnsafeRawPointer, stride: Int, window: Int, bias: UInt64 = 0,
    below limit: UInt64
  ) -> Int {
    let guess = of(count)
    if _fastPath(count >= window) {
      let start = min(max(guess &- window / 2, 0), count &- window)
      let below = rb_count_below(words + start &* stride, stride, window, bias, limit)
      // Unless all of the window lies on one side, and there is more on the other.
      if _fastPath(
        (below > 0 || start == 0) && (below < window || start &+ window == count))
      {
        return start &+ below
      }
    }
    return search(count, from: guess) {
      words.load(fromByteOffset: $0 &* stride, as: UInt64.self) &+ bias < limit
    }
  }

  /// The same in steps that double from a guess on.
  private func search(_ count: Int, from guess: Int, isBelow: (Int) -> Bool) -> Int {
    // The one at `low` is below, the one at `high` is not.
    var low = -1
    var high = count
    var probe = min(guess, count &- 1)
    var step = 1
    while high &- low > 1 {
      if isBelow(probe) {
        low = probe
        probe = low &+ step
      } else {
        high = probe
        probe = high &- step
      }
      step &<<= 1
      if probe <= low || probe >= high { probe = (low &+ high) >> 1 }
    }
    return high
  }

  /// Fetches the node's header and the lines in which `place` will look, however full the node is:
  /// all at once instead of one after the other.
  @inline(__always)
  func prefetch(_ node: UnsafeRawPointer, stride: Int, most: Int) {
    rb_prefetch(node)
    let bytes = of(most &* stride)
    let end = 16 &+ stride &+ bytes
    var offset = max(bytes &>> 1 &- stride, 64)
    while offset < end {
      rb_prefetch(node + offset)
      offset &+= 64
    }
  }
}
