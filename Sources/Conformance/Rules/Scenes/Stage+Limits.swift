import EngineUnderTest
import Foundation
import Harness

extension Stage {
  /// How many bytes this process has handed to the system to write.
  static func bytesWritten() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("wchar:") })
    else { return 0 }
    return Int(line.split(separator: " ").last ?? "") ?? 0
  }
}

extension Stage {
  /// Lets no file of this process grow beyond a size: a disk that is full.
  static func withFilesLimited<Value>(to size: Int, _ body: () throws -> Value) rethrows -> Value {
    // Without this the signal ends the process before the engine hears of the error.
    signal(SIGXFSZ, SIG_IGN)
    var before = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before)
    var limited = rlimit(rlim_cur: rlim_t(size), rlim_max: before.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limited)
    defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before) }
    return try body()
  }
}

extension Stage {
  /// How much memory of this process is resident.
  static func residentBytes() -> Int {
    guard let text = KernelFile.text("/proc/self/statm") else { return 0 }
    let words = text.split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
  }
}

extension Stage {
  /// Lets a commit fail for want of space, as its nodes are placed.
  func failsToCommit(_ realm: Realm) throws {
    var failed = false
    do {
      try Stage.withFilesLimited(to: size() + 65_536) {
        try realm.write { realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: 10_000_000))) }
      }
    } catch { failed = true }
    equal(failed, true, "whether the large commit failed")
  }
}
