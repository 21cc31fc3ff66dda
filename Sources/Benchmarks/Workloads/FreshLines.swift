import Evidence
import Foundation
import Harness
import Synchronization

/// What it takes to read, one after the other, as many lines of memory as the look for one object
/// in a new version goes by, when another thread has just written all of them: the least that a
/// reader pays for news, whatever the engine does.
struct FreshLines {
  /// The newest version, its root, its table, two branches, a leaf and two columns.
  private static let lines = 8

  func run(_ track: Track) throws {
    switch try track.word("reader") {
    case "awake": try awake(track)
    case "asleep": try asleep(track)
    case let reader: throw BenchmarkError("reader=\(reader): expected awake or asleep")
    }
  }

  /// Both threads spin, as where a reader has more to do than there is news.
  private func awake(_ track: Track) throws {
    let chain = LineChain(seed: track.seed)
    let (word, ended) = (Word(), DispatchSemaphore(value: 0))
    let other = Thread {
      while word.answer({ chain.lay(FreshLines.lines) }) {}
      ended.signal()
    }
    other.start()
    var (asked, wrong) = (UInt64(0), 0)
    try track.timeEach {
      asked += 1
      word.ask(asked)
    } _: {
      chain.follow()
    } after: {
      if !chain.isFollowed { wrong += 1 }
    }
    word.end()
    ended.wait()
    track.check(wrong == 0, "\(wrong) chains led to another line than their last")
  }

  /// The reader sleeps until the writer has written, as who waits for news does.
  private func asleep(_ track: Track) throws {
    let chain = LineChain(seed: track.seed)
    let other = LoopThread("other")
    defer { other.stop() }
    var wrong = 0
    try track.timeEach {
      try other.sync { chain.lay(FreshLines.lines) }
    } _: {
      chain.follow()
    } after: {
      if !chain.isFollowed { wrong += 1 }
    }
    track.check(wrong == 0, "\(wrong) chains led to another line than their last")
  }
}

/// Lines of memory, some of which name one another: who follows them waits for each.
private final class LineChain: @unchecked Sendable {
  // Sendable because one thread lays while the other one waits for it, and the other way round.
  /// As many as a cache of the second level holds.
  private static let count = 1 << 14
  private static let wordsEach = 8
  private let words: UnsafeMutablePointer<UInt64>
  private var generator: SeededGenerator
  private var places: [Int] = []
  private var first = 0
  private var last: UInt64 = 0
  private var reached: UInt64 = 0

  init(seed: UInt64) {
    let count = LineChain.count * LineChain.wordsEach
    words = .allocate(capacity: count)
    words.initialize(repeating: 0, count: count)
    generator = SeededGenerator(seed: derivedSeed(seed, "lines"))
  }

  deinit { words.deallocate() }

  /// Lets lines by lot name each other; the last one names none.
  func lay(_ lines: Int) {
    places.removeAll(keepingCapacity: true)
    while places.count < lines {
      let place = generator.below(LineChain.count)
      if !places.contains(place) { places.append(place) }
    }
    for (i, place) in places.enumerated() {
      let next = i + 1 < lines ? places[i + 1] + 1 : 0
      words[place * LineChain.wordsEach] = UInt64(next)
    }
    first = places[0]
    last = UInt64(places[lines - 1])
  }

  /// From the first to the last, each found in the one before.
  func follow() -> UInt64 {
    var place = UInt64(first)
    while true {
      let next = words[Int(place) * LineChain.wordsEach]
      if next == 0 { break }
      place = next - 1
    }
    reached = place
    return place
  }

  /// Whether the last one was reached.
  var isFollowed: Bool { reached == last }
}
