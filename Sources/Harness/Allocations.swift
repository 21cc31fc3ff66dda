import Foundation

/// Counts what the allocator hands out, over all threads, exactly.
///
/// Works only in a child that was started with jemalloc preloaded and its thread caches off
/// (`environment`): with them on, jemalloc forgets to count for threads that still live. Such a
/// child is slower and is never timed. Nothing is linked, so a build without jemalloc, and a
/// machine without it, only lose the count.
package final class Allocations {
  private typealias Control =
    @convention(c) (
      UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?,
      UnsafeMutableRawPointer?, Int
    ) -> Int32

  private let control: Control
  private let binSizes: [UInt64]
  private let extentSizes: [UInt64]
  /// What taking a reading itself allocates.
  private var own: (count: Double, bytes: Double) = (0, 0)

  /// Where jemalloc lies; nil when it is not installed, or the build is to do without.
  package static var library: String? {
    #if Jemalloc
    let names = ["libjemalloc.so.2", "libjemalloc.so"]
    let folders = [
      "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib",
      "/usr/local/lib",
    ]
    for folder in folders {
      for name in names where FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
        return "\(folder)/\(name)"
      }
    }
    #endif
    return nil
  }

  /// Whether the build is to count at all.
  package static var isWanted: Bool {
    #if Jemalloc
    true
    #else
    false
    #endif
  }

  /// What a counting child must find in its environment.
  package static var environment: [String: String]? {
    library.map { ["LD_PRELOAD": $0, "MALLOC_CONF": "tcache:false,narenas:1"] }
  }

  /// Nil where jemalloc is not the allocator of this process, or does not count.
  package init?() {
    // Looked up by name: the symbol exists only where the library was preloaded.
    guard let symbol = dlsym(nil, "mallctl") else { return nil }
    let control = unsafeBitCast(symbol, to: Control.self)
    self.control = control
    var bins: UInt32 = 0
    var extents: UInt32 = 0
    guard Allocations.get(control, "arenas.nbins", &bins),
      Allocations.get(control, "arenas.nlextents", &extents)
    else { return nil }
    func sizes(_ kind: String, _ count: UInt32) -> [UInt64] {
      (0..<count).map { index in
        var size: UInt64 = 0
        _ = Allocations.get(control, "arenas.\(kind).\(index).size", &size)
        return size
      }
    }
    binSizes = sizes("bin", bins)
    extentSizes = sizes("lextent", extents)
    // Other threads may allocate between two readings: what a reading takes itself is the least.
    for turn in 0..<6 {
      let first = reading()
      let second = reading()
      let found = (count: second.count - first.count, bytes: second.bytes - first.bytes)
      if turn < 3 || found.count < own.count { own = found }
    }
    // A sanitizer's allocator may have won: then nothing is counted, and that is not zero.
    let before = reading()
    let probe = malloc(1000)
    Allocations.keep(probe)
    let after = reading()
    free(probe)
    guard after.count - before.count - own.count >= 1 else { return nil }
  }

  @inline(never) private static func keep(_ pointer: UnsafeMutableRawPointer?) {
    pointer?.storeBytes(of: 1, as: UInt8.self)
  }

  private static func get<T>(_ control: Control, _ name: String, _ value: inout T) -> Bool {
    var size = MemoryLayout<T>.size
    return withUnsafeMutablePointer(to: &value) { control(name, $0, &size, nil, 0) == 0 }
  }

  /// Allocations and bytes so far.
  package func reading() -> (count: Double, bytes: Double) {
    var epoch: UInt64 = 1
    _ = withUnsafeMutablePointer(to: &epoch) {
      control("epoch", nil, nil, $0, MemoryLayout<UInt64>.size)
    }
    var count = 0.0
    var bytes = 0.0
    // 4096 is MALLCTL_ARENAS_ALL.
    for (kind, sizes) in [("bins", binSizes), ("lextents", extentSizes)] {
      for (index, size) in sizes.enumerated() {
        var requests: UInt64 = 0
        // A small class counts requests, a large one what was made: every large one is made anew.
        let field = kind == "bins" ? "nrequests" : "nmalloc"
        _ = Allocations.get(control, "stats.arenas.4096.\(kind).\(index).\(field)", &requests)
        count += Double(requests)
        bytes += Double(requests) * Double(size)
      }
    }
    return (count, bytes)
  }

  /// What was allocated between two readings, less what a reading itself allocates.
  package func difference(
    _ before: (count: Double, bytes: Double), _ after: (count: Double, bytes: Double)
  ) -> (count: Double, bytes: Double) {
    (
      max(0, after.count - before.count - own.count), max(0, after.bytes - before.bytes - own.bytes)
    )
  }
}
