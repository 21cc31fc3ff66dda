#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What the system says about a file: which one it is, whose, and who may do what with it.
package struct FileStatus: Sendable {
  /// Tells a file from every other that exists at the same time. While somebody has it open, its
  /// number is not given again, whatever happens to its name.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let number: UInt64

    package init(device: UInt64, number: UInt64) {
      self.device = device
      self.number = number
    }
  }

  package let identity: Identity
  package let size: Int
  package let isRegular: Bool
  package let mode: mode_t
  package let owner: uid_t
  package let group: gid_t

  /// Of an open file.
  package init(_ descriptor: Int32, path: String) throws {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StorageError.system("measure", path) }
    self.init(status)
  }

  /// Of what a name leads to; nil if that cannot be learned, which `errno` explains.
  package init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    size = Int(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    mode = status.st_mode & 0o777
    owner = status.st_uid
    group = status.st_gid
  }

  /// Gives another file the same owner and mode.
  ///
  /// - Returns: whether it has both now.
  @discardableResult
  package func give(to descriptor: Int32) -> Bool {
    // The owner first: a mode that a former owner gave may not outlive it.
    var now = stat()
    guard fstat(descriptor, &now) == 0 else { return false }
    var isSame = true
    if now.st_uid != owner || now.st_gid != group {
      isSame = fchown(descriptor, owner, group) == 0
    }
    if now.st_mode & 0o777 != mode { isSame = fchmod(descriptor, mode) == 0 && isSame }
    return isSame
  }
}
