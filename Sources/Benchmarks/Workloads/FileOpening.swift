import Evidence
import Foundation
import Harness

/// What opening a file, looking for one object and closing it again takes of the system alone: of
/// a file that several processes may have open, so that there is a second one with the locks.
struct FileOpening {
  /// As long as a file of a hundred thousand people is about.
  private static let bytes = 16 << 20
  private static let lockBytes = 1 << 16
  /// A header, a root, a branch, a leaf and a column.
  private static let pages = 5

  func run(_ track: Track) throws {
    let path = track.directory.appendingPathComponent("open").path
    let contents = [UInt8](repeating: 1, count: FileOpening.bytes)
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    let isThere =
      write(file, contents, contents.count) == contents.count
      && ftruncate(lock, off_t(FileOpening.lockBytes)) == 0 && fsync(file) == 0
    close(file)
    close(lock)
    guard isThere else { throw BenchmarkError("\(path) cannot be written") }
    var generator = track.generator("pages")
    var (opened, read) = (0, 0)
    try track.time { count in
      for _ in 0..<count { read += try once(path, &generator) }
      opened += count
      return UInt64(read)
    }
    let right = opened * FileOpening.pages
    track.check(read == right, "\(read) bytes were read of \(right)")
  }

  /// - Returns: the sum of what was read, a one from each page.
  private func once(_ path: String, _ generator: inout SeededGenerator) throws -> Int {
    let lock = open(path + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    var range = flock()
    range.l_type = Int16(F_RDLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_len = 1
    guard fcntl(lock, F_SETLK, &range) == 0 else { throw BenchmarkError("\(path).lock is locked") }
    let locks = mmap(nil, FileOpening.lockBytes, PROT_READ | PROT_WRITE, MAP_SHARED, lock, 0)
    let file = open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    let bytes = mmap(nil, FileOpening.bytes, PROT_READ, MAP_SHARED, file, 0)
    guard let locks, locks != MAP_FAILED, let bytes, bytes != MAP_FAILED else {
      throw BenchmarkError("\(path) cannot be mapped")
    }
    defer {
      munmap(locks, FileOpening.lockBytes)
      munmap(bytes, FileOpening.bytes)
    }
    var sum = Int(locks.load(as: UInt8.self))
    for _ in 0..<FileOpening.pages {
      sum += Int(bytes.load(fromByteOffset: generator.below(FileOpening.bytes), as: UInt8.self))
    }
    return sum
  }
}
