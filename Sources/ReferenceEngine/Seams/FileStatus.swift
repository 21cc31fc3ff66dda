import CShims

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
  /// What it takes on the disk.
  package let space: Int
  package let isRegular: Bool
  package let isDirectory: Bool
  package let mode: mode_t
  package let owner: uid_t
  package let group: gid_t

  /// Of an open file.
  package init(_ descriptor: Int32, path: String) throws {
    var file = rb_file()
    guard rb_file_of(descriptor, &file) == 0 else { throw StorageError.system("measure", path) }
    self.init(file)
  }

  /// Of what a name leads to; nil if that cannot be learned, which `errno` explains.
  package init?(at path: String) {
    var file = rb_file()
    // Handed over as it is, a string would be copied.
    guard path.withCString({ rb_file_at($0, &file) }) == 0 else { return nil }
    self.init(file)
  }

  /// Of what a name leads to; nil if there is nothing. What may not be looked at may be there, and
  /// is no reason to say that it is not.
  static func find(_ path: String) throws -> FileStatus? {
    if let found = FileStatus(at: path) { return found }
    let code = errno
    if code == ENOENT || code == ENOTDIR { return nil }
    throw StorageError.system("open", path, code: code)
  }

  private init(_ file: rb_file) {
    identity = Identity(device: file.device, number: file.number)
    size = Int(clamping: file.size)
    space = Int(clamping: file.space)
    isRegular = file.mode & S_IFMT == S_IFREG
    isDirectory = file.mode & S_IFMT == S_IFDIR
    mode = file.mode & 0o777
    owner = file.owner
    group = file.group
  }

  /// Gives another file the same owner and mode.
  ///
  /// - Returns: whether it has both now.
  @discardableResult
  package func give(to descriptor: Int32) -> Bool {
    // The owner first: a mode that a former owner gave may not outlive it.
    guard let now = try? FileStatus(descriptor, path: "") else { return false }
    var isSame = true
    if now.owner != owner || now.group != group {
      isSame = fchown(descriptor, owner, group) == 0
    }
    if now.mode != mode { isSame = fchmod(descriptor, mode) == 0 && isSame }
    return isSame
  }
}
