#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What the world did to a file: each says what failed, on what, why, and what to do.
package enum StorageError: Error, Sendable, Equatable, CustomStringConvertible {
  case notFound(path: String)
  /// There is not even the folder in which it would be made.
  case noFolder(path: String, folder: String)
  case permissionDenied(path: String, reason: String)
  case isDirectory(path: String)
  case notARealm(path: String, reason: String)
  case damaged(path: String, reason: String)
  case unsupportedFormat(path: String, found: UInt32, supported: ClosedRange<UInt32>)
  case outOfSpace(path: String, reason: String)
  case failed(path: String, operation: String, reason: String, code: Int32)
  case tooManyReaders(path: String)
  case tooManyVersions(path: String, count: Int, limit: UInt)
  case closed(path: String)
  case forked(path: String)
  case readOnly(path: String)
  /// It was opened on a disk so full that there was no room for its lock file.
  case noRoomForLock(path: String)
  case noThread(path: String, reason: String)
  case strangeLock(path: String, lock: String, reason: String)
  /// What lies where the lock file should is somebody else's.
  case foreignLock(path: String, reason: String)
  /// The name of a file no longer leads to what is held under it.
  case replaced(path: String, reason: String)
  /// What a new file should begin with cannot be had.
  case noSeed(path: String, seed: String, reason: String)
  /// Somebody has a file open that must not be.
  case inUse(path: String, reason: String)

  package var description: String {
    switch self {
    case .notFound(let path):
      "cannot open \(path): there is no such file; create it by opening it for writing"
    case .noFolder(let path, let folder):
      "cannot open \(path): there is no folder \(folder); make it first, or name another one"
    case .permissionDenied(let path, let reason):
      "cannot open \(path): \(reason); change its permissions or open it read-only"
    case .isDirectory(let path):
      "cannot open \(path): it is a directory; name a file in it"
    case .notARealm(let path, let reason):
      "cannot open \(path): not a Realm file: \(reason)"
    case .damaged(let path, let reason):
      "cannot open \(path): the file is damaged: \(reason); restore it from a copy"
    case .unsupportedFormat(let path, let found, let supported):
      "cannot open \(path): written in format \(found), this build reads "
        + "\(supported.lowerBound)...\(supported.upperBound); "
        + (found < supported.lowerBound
          ? "open it with the build that wrote it" : "use a newer build")
    case .outOfSpace(let path, let reason):
      "cannot write \(path): \(reason); make room on the disk and write again"
    case .failed(let path, let operation, let reason, _):
      "cannot \(operation) \(path): \(reason)"
    case .tooManyReaders(let path):
      "cannot read \(path): all places for readers are taken; close realms that are not needed"
    case .tooManyVersions(_, let count, let limit):
      Violation.tooManyVersions(count, limit: Int(limit)).sentence
    case .closed(let path):
      "cannot use \(path): it has been closed"
    case .forked(let path):
      "cannot use \(path): it was opened before this process was forked; open it again"
    case .readOnly(let path):
      "cannot write \(path): it was opened read-only"
    case .strangeLock(let path, let lock, let reason):
      "cannot use \(path): something else has written into its lock file \(lock): \(reason), which "
        + "cannot be; end all who have the file open, remove the lock file, and open again"
    case .noRoomForLock(let path):
      "cannot write \(path): the disk was full when it was opened, so that it has no lock file and "
        + "can only be read; make room on the disk, close it and open it again"
    case .noThread(let path, let reason):
      "cannot listen to \(path): the system gives no thread that would hear of other processes' "
        + "commits: \(reason); end threads or raise the limit (ulimit -u): it is asked again with "
        + "the next commit here, and by whoever opens it next"
    case .foreignLock(let path, let reason):
      "cannot use \(path) as a lock file: \(reason); if nobody else needs it remove it while no "
        + "program has the Realm open, or give the Realm another name"
    case .replaced(let path, let reason):
      "cannot use \(path): \(reason); close it wherever it is open, then open it again"
    case .noSeed(let path, let seed, let reason):
      "cannot copy the seed \(seed) to \(path): \(reason)"
    case .inUse(let path, let reason):
      "cannot use \(path): \(reason); close it there first"
    }
  }

  /// Whether who only reads can do without what has failed: there is no permission, or no space.
  var allowsReading: Bool {
    switch self {
    case .permissionDenied, .outOfSpace: true
    default: false
    }
  }

  /// Whether the disk has refused something, which it may not do the next time.
  var isOfDisk: Bool {
    switch self {
    case .failed, .outOfSpace: true
    default: false
    }
  }

  var isLackOfPermission: Bool { if case .permissionDenied = self { true } else { false } }

  var isLackOfSpace: Bool { if case .outOfSpace = self { true } else { false } }

  static func exists(path: String) -> StorageError {
    .failed(
      path: path, operation: "write a copy to", reason: "a file is already there", code: EEXIST)
  }

  /// The failure of a system call, told apart where a user acts differently.
  static func system(_ operation: String, _ path: String, code: Int32 = errno) -> StorageError {
    let reason = String(cString: strerror(code))
    switch code {
    case ENOENT: return .notFound(path: path)
    case EACCES, EPERM, EROFS: return .permissionDenied(path: path, reason: reason)
    case EISDIR: return .isDirectory(path: path)
    case ENOSPC, EDQUOT, EFBIG: return .outOfSpace(path: path, reason: reason)
    default: return .failed(path: path, operation: operation, reason: reason, code: code)
    }
  }
}
