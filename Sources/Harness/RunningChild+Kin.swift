import Foundation

/// A child's descendants. Most stay in its process group and die with it; one that called `setsid`
/// has left the group, but still carries the variable that the child was started with.
extension RunningChild {
  static let mark = "REALM_BENCH_CHILD"

  /// The child's descendants that are alive.
  ///
  /// Identifiers rise, so only processes younger than the child are looked at; where they have
  /// wrapped around, kin outside the group is missed.
  func kin() -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let wanted = Array("\(RunningChild.mark)=\(token)\0".utf8)
    return names.compactMap { pid_t($0) }.filter { other in
      guard other > identifier,
        let bytes = KernelFile.bytes(of: "/proc/\(other)/environ", upTo: 1 << 16)
      else {
        return false
      }
      return bytes.firstRange(of: wanted) != nil
    }
  }

  /// Kills what the child left behind; false if there was nothing.
  func endKin() -> Bool {
    var found = false
    if kill(-identifier, 0) == 0 {
      found = true
      kill(-identifier, SIGKILL)
    }
    // Whoever forks while being looked for is found the next time round.
    for _ in 0..<10 {
      let left = kin().filter { kill($0, SIGKILL) == 0 }
      if left.isEmpty { break }
      found = true
    }
    return found
  }

  /// Resident memory from `/proc`: 0 where there is none, so that the limit never bites by mistake.
  static func residentBytes(of process: pid_t) -> Int {
    guard let bytes = KernelFile.bytes(of: "/proc/\(process)/statm", upTo: 128) else { return 0 }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    // Resident less shared pages: a mapped file is not the child's appetite.
    guard words.count > 2, let resident = Int(words[1]), let shared = Int(words[2]) else {
      return 0
    }
    return (resident - shared) * 4096
  }
}
