import CShims
import Evidence
import Foundation
import Harness
import Synchronization

/// What this machine can do at best: no number of an engine means much without these beside it.
enum FloorWorkloads {
  /// More than any cache holds. A debug build is never measured, and its tests should not wait for
  /// a shuffle.
  private static let memory = Doctor.isOptimised ? 64 << 20 : 1 << 16

  static let all: [Benchmark] = [
    Benchmark(
      "floor.null", "nothing: the harness itself", engines: ["null"], quick: true
    ) { track in
      try track.time { count in
        var sum: UInt64 = 0
        for i in 0..<UInt64(count) { sum = sink(sum &+ i) }
        return sum
      }
      track.check(sink(3) == 3, "the sink changed its value")
    },
    Benchmark(
      "floor.record",
      "one operation that does nothing, timed and recorded by itself: what the harness adds to "
        + "each latency",
      engines: ["null"], metrics: ["time", "allocations"], quick: true
    ) { track in
      let histogram = Histogram()
      var asked = 0
      try track.time { count in
        asked += count
        return histogram.recordEach(count) { 1 }
      }
      track.check(
        histogram.total == asked, "\(histogram.total) operations were recorded of \(asked)")
    },
    Benchmark(
      "floor.memory-sum", "8 bytes of a sum over 64 MiB: the speed of memory", engines: ["c"],
      quick: true
    ) { track in
      let words = memory / 8
      let block = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
      defer { block.deallocate() }
      for i in 0..<words { block[i] = UInt64(i) }
      try track.time(per: words, batch: 1) { count in
        var sum: UInt64 = 0
        for _ in 0..<count { sum &+= rb_limit_sum(block, UInt64(words)) }
        return sum
      }
      let expected = UInt64(words) * UInt64(words - 1) / 2
      track.check(rb_limit_sum(block, UInt64(words)) == expected, "the sum of the words was wrong")
    },
    Benchmark(
      "floor.cache-miss", "one load that waits for another, at random in 64 MiB", engines: ["c"],
      quick: true
    ) { track in
      // One place in each line of the cache: what is fetched with a place is nobody's next.
      let (lines, line) = (memory / 64, 16)
      let ring = UnsafeMutablePointer<UInt32>.allocate(capacity: lines * line)
      defer { ring.deallocate() }
      // Sattolo's shuffle: one ring through all places.
      for i in 0..<lines { ring[i * line] = UInt32(i * line) }
      var generator = track.generator("ring")
      for i in stride(from: lines - 1, to: 0, by: -1) {
        let j = generator.below(i)
        (ring[i * line], ring[j * line]) = (ring[j * line], ring[i * line])
      }
      var at: UInt32 = 0
      try track.time { steps in
        at = UInt32(rb_limit_chase(ring, at, UInt64(steps)))
        return UInt64(at)
      }
      track.check(
        rb_limit_chase(ring, 0, UInt64(lines)) == 0, "the ring did not lead back to its start")
    },
    Benchmark(
      "floor.flush", "append 4 KiB and fdatasync", engines: ["c"], metrics: ["time", "p50", "p99"],
      quick: true
    ) { track in
      let path = track.directory.appendingPathComponent("flush").path
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(file) }
      let page = [UInt8](repeating: 0x5A, count: 4096)
      var end: off_t = 0
      var failures = 0
      func append() -> UInt64 {
        if pwrite(file, page, page.count, end) != page.count || fdatasync(file) != 0 {
          failures += 1
        }
        end += 4096
        return UInt64(end)
      }
      try track.time { count in
        var last: UInt64 = 0
        for _ in 0..<count { last = append() }
        return last
      }
      try track.latencies { append() }
      var stat = stat()
      fstat(file, &stat)
      track.check(
        failures == 0 && stat.st_size == end, "the file is \(stat.st_size) bytes, not \(end)")
    },
    Benchmark(
      "floor.queue-hop", "a block to a serial queue and back", engines: ["c"],
      metrics: ["time", "p50", "p99"], quick: true
    ) { track in
      let queue = DispatchQueue(label: "hop")
      let semaphore = DispatchSemaphore(value: 0)
      nonisolated(unsafe) var sum: UInt64 = 0  // written on the queue, read after its signal
      var asked: UInt64 = 0
      func hop() -> UInt64 {
        asked += 1
        queue.async {
          sum &+= 1
          semaphore.signal()
        }
        semaphore.wait()
        return sum
      }
      try track.time { count in
        var last: UInt64 = 0
        for _ in 0..<count { last = hop() }
        return last
      }
      try track.latencies { hop() }
      track.check(sum == asked, "\(sum) blocks ran of \(asked)")
    },
    Benchmark(
      "floor.atomic-add", "one addition to a shared word that nobody else wants", engines: ["c"]
    ) { track in
      let word = Word()
      var asked: UInt64 = 0
      try track.time { count in
        asked += UInt64(count)
        for _ in 0..<count { word.value.wrappingAdd(1, ordering: .sequentiallyConsistent) }
        return asked
      }
      let found = word.value.load(ordering: .acquiring)
      track.check(found == asked, "\(found) additions of \(asked)")
    },
    Benchmark(
      "floor.ping-pong", "a word that two threads hand to each other, there and back",
      engines: ["c"]
    ) { track in
      let (word, ended) = (Word(), DispatchSemaphore(value: 0))
      let other = Thread {
        // Even is ours to answer with odd; the largest says that all is over.
        while word.answer() {}
        ended.signal()
      }
      other.start()
      var asked: UInt64 = 0
      try track.time { count in
        for _ in 0..<count {
          asked += 1
          word.ask(asked)
        }
        return asked
      }
      word.end()
      ended.wait()
      track.check(word.answers == asked, "\(word.answers) answers to \(asked)")
    },
    Benchmark(
      "floor.fresh-lines",
      "eight lines of memory that another thread has just written, each found in the one before, "
        + "as the newest version, its trees and an object are; who reads them has waited awake or "
        + "asleep",
      [.init("reader", ["awake", "asleep"])], engines: ["c"], metrics: ["time", "p50", "p99"],
      FreshLines().run),
    Benchmark(
      "floor.open",
      "open a file of 16 MiB and one beside it, lock a byte, map both, read a line of each of five "
        + "pages, unmap and close: the least it takes to open what several processes may open",
      engines: ["c"], FileOpening().run),
    Benchmark(
      "floor.file-url",
      "a URL of a file made of its folder's: what a configuration made on the spot begins with",
      engines: ["c"]
    ) { track in
      let folder = track.directory
      var length: UInt64 = 0
      try track.time { count in
        for _ in 0..<count {
          length = sink(UInt64(folder.appendingPathComponent("people.realm").path.utf8.count))
        }
        return length
      }
      let right = folder.path.utf8.count + "/people.realm".utf8.count
      track.check(Int(length) == right, "the path has \(length) letters, expected \(right)")
    },
    Benchmark(
      "floor.thread-token", "one read of the calling thread's token", engines: ["c"], quick: true
    ) { track in
      let token = UInt64(rb_token_assign())
      try track.time { rb_limit_token(UInt64($0)) }
      track.check(rb_limit_token(1) == token, "the token changed")
    },
  ]
}
