import CShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is made beside the place where it will be, and gets its name when it is whole on the
/// medium. So whoever opens the name finds all of it, or what was there before, and a crash leaves
/// the one or the other.
///
/// Its own name is `.realm-` and 16 hexadecimal digits that nobody can guess: it is nobody else's,
/// and no longer than what is allowed where the name of the file itself is as long as can be.
struct Aside {
  let number: UInt64
  let path: String

  init(besides path: String, number: UInt64 = .random(in: 1 ... .max)) {
    self.number = number
    let digits = String(number, radix: 16)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    self.path =
      folder + ".realm-" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  func remove() { unlink(path) }

  /// Makes a file.
  ///
  /// - Parameter lock: is told of the file until its name is on the medium, so that the next one
  ///   ends what a crash leaves of it (`Joining.endNaming`).
  /// - Parameter fill: leaves it whole on the medium.
  /// - Throws: `StorageError.failed` with `EEXIST` if there is a file of that name, unless it is to
  ///   be replaced.
  static func make(
    _ path: String, _ seams: Seams, replace: Bool, noting lock: LockFile? = nil,
    fill: (any Disk) throws -> Void
  ) throws {
    if !replace, access(path, F_OK) == 0 { throw StorageError.exists(path: path) }
    let aside = Aside(besides: path)
    lock?.aside = aside.number
    var isToBeEnded = false
    defer { if !isToBeEnded { lock?.aside = 0 } }
    let disk: any Disk
    do {
      disk = try seams.disk(aside.path, true, true)
    } catch StorageError.notFound {
      throw StorageError.notFound(path: path)
    }
    defer { disk.close() }
    do {
      try put(disk, at: path, seams.moments, replace: replace, fill: fill) { isToBeEnded = true }
      isToBeEnded = false
    } catch {
      if !isToBeEnded { aside.remove() }
      throw error
    }
  }

  /// What a crash may interrupt anywhere: the file is filled, flushed by whoever fills it, named,
  /// and its name flushed.
  static func put(
    _ disk: any Disk, at path: String, _ moments: any Moments, replace: Bool,
    fill: (any Disk) throws -> Void,
    named: () -> Void = {}
  ) throws {
    try fill(disk)
    moments.reach(.copyFlushed)
    try disk.rename(to: path, replace: replace)
    named()
    moments.reach(.copyNamed)
    try disk.syncName()
  }
}
