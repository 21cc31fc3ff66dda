import CShims

/// The processors on which the calling thread may run.
///
/// Those of a virtual machine are not alike: one shares its core with a neighbour who is busy,
/// another one does not, and a thread stays where it is for seconds.
package struct Processors: Sendable {
  private let allowed: [UInt64]
  private let numbers: [Int]

  /// Reads them of the calling thread; none where the kernel does not tell.
  package init() {
    var set = [UInt64](repeating: 0, count: Int(rb_most_processors) / 64)
    let isKnown = rb_processors_get(&set) == 0
    allowed = set
    numbers =
      isKnown
      ? (0..<Int(rb_most_processors)).filter { set[$0 / 64] & 1 << UInt64($0 % 64) != 0 } : []
  }

  package var count: Int { numbers.count }

  /// Moves the calling thread to one of them, where it stays until the kernel has a reason to move
  /// it. Threads that it starts are as free as it was before.
  package func move(to place: Int) {
    guard numbers.count > 1 else { return }
    let number = numbers[place % numbers.count]
    var one = [UInt64](repeating: 0, count: allowed.count)
    one[number / 64] = 1 << UInt64(number % 64)
    _ = rb_processors_set(one)
    _ = rb_processors_set(allowed)
  }
}
