import CShims
import Foundation

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

  /// How many of them this process has: those on which the calling thread may run (`taskset`, a set
  /// of a container), or as much of their time as its group is given. Foundation tells those that
  /// are switched on, whoever may use them.
  package static var usable: Double {
    let allowed = Processors().count
    return usable(
      of: allowed > 0 ? allowed : ProcessInfo.processInfo.activeProcessorCount,
      quota: KernelFile.text("/sys/fs/cgroup/cpu.max") ?? "")
  }

  /// The same of a number of them under what a group's `cpu.max` says: so many µs in a period.
  static func usable(of allowed: Int, quota: String) -> Double {
    let parts = quota.split(whereSeparator: \.isWhitespace)
    guard parts.count == 2, let time = Double(parts[0]), let period = Double(parts[1]), period > 0,
      time > 0
    else { return Double(allowed) }
    return min(Double(allowed), time / period)
  }

  /// Moves the calling thread to one of them, where it stays until the kernel has a reason to move
  /// it. Threads that it starts are as free as it was before.
  package func move(to place: Int) {
    guard numbers.count > 1 else { return }
    _ = rb_processors_set(set(of: numbers[place % numbers.count]))
    _ = rb_processors_set(allowed)
  }

  /// Keeps the calling thread on one of them, and all threads and processes that it starts; none of
  /// these takes the place of the one that runs at the moment it is woken itself. Where the kernel
  /// does not let it they run as ever.
  package func stayTogether() {
    guard let first = numbers.first else { return }
    _ = rb_processors_set(set(of: first))
    _ = rb_processors_batch()
  }

  private func set(of number: Int) -> [UInt64] {
    var one = [UInt64](repeating: 0, count: allowed.count)
    one[number / 64] = 1 << UInt64(number % 64)
    return one
  }
}
