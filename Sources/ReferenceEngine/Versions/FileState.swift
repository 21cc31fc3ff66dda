/// What a file said of itself at one moment, for whoever comes back to it without having had it
/// open meanwhile.
///
/// Neither its name nor its number in the system tells a file from one that was made in its place
/// since. Its header does: each file that is made has a number by chance; and no commit leaves both
/// slots as they were.
struct FileState {
  private let page: [UInt8]

  /// As it is now.
  init(of disk: any Disk) throws { page = try Opening.firstPage(of: disk) }

  /// Whether a name leads to the very file, and nobody has committed to it. It stays so only as
  /// long as whoever asks keeps others from opening it.
  func isStill(at path: String) throws -> Bool {
    do {
      let disk = try PosixDisk(path: path, writable: false, create: false)
      defer { disk.close() }
      return try Opening.firstPage(of: disk) == page
    } catch StorageError.notFound {
      return false
    }
  }
}
