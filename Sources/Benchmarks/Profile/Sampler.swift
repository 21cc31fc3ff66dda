import CSampler
import Evidence
import Foundation

/// Takes stacks of this process by signals while something runs: for machines without perf.
package enum Sampler {
  /// Every millisecond of processor time: seldom enough that the machine hardly notices.
  private static let interval: UInt32 = 997
  /// Some hundred thousand stacks.
  private static let room = 8 << 20

  package static func start() throws {
    let code = rb_sampler_start(interval, room)
    guard code == 0 else {
      throw BenchmarkError("cannot sample: \(String(cString: strerror(code)))")
    }
  }

  /// What was taken since the start, by name.
  package static func stop() -> (stacks: FoldedStacks, lost: Int) {
    rb_sampler_stop()
    var count = 0
    let words = rb_sampler_stacks(&count)
    let symbols = Symbols()
    var names: [UInt: String] = [:]
    var stacks = FoldedStacks()
    var at = 0
    while let words, at < count, words[at] > 0 {
      let depth = Int(words[at])
      guard at + depth < count else { break }
      let frames = (1...depth).map { place -> String in
        // A return address is behind its call, which may be the last of its function.
        let address = place == 1 ? words[at + place] : words[at + place] - 1
        if let known = names[address] { return known }
        let name = symbols.name(UInt64(address))
        names[address] = name
        return name
      }
      stacks.add(frames.reversed())
      at += depth + 1
    }
    return (stacks, Int(rb_sampler_lost()))
  }
}
