import Foundation

/// A file that somebody asked for by name: written whole or not at all where that can be, and
/// written to where it cannot.
///
/// What is there decides. A plain file, or none, is replaced by renaming, so that no reader ever
/// sees half of it. A link is followed, and stays. A device, a pipe or a socket gets the bytes, and
/// so does whatever else the system calls a file of its own: renaming over it would take it away
/// from everybody.
package enum OutputFile {
  private enum Place {
    case file(URL)
    case folder
    case stream
  }

  package static func write(_ text: String, to file: URL) throws {
    let bytes = Data(text.utf8)
    switch place(of: file) {
    case .file(let real): try bytes.write(to: real, options: .atomic)
    case .stream, .folder:
      // At its end, where it has one: a shell may have sent its output to the same file.
      let descriptor = open(file.path, O_WRONLY | O_APPEND | O_CLOEXEC)
      guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try handle.write(contentsOf: bytes)
      try handle.close()
    }
  }

  /// Why nothing can be written there, as far as that can be known beforehand; nil where it can.
  package static func refusal(_ file: URL) -> String? {
    let manager = FileManager.default
    switch place(of: file) {
    case .folder: return "\(file.path) is a folder, expected a file to write"
    case .stream:
      return manager.isWritableFile(atPath: file.path) ? nil : "\(file.path) is not writable"
    case .file(let real):
      let folder = real.deletingLastPathComponent().path
      return manager.isWritableFile(atPath: folder)
        ? nil : "\(file.path): the folder \(folder) is missing or not writable"
    }
  }

  /// Why a folder that somebody asked for could not be made, and what to do.
  package static func refusal(ofFolder folder: URL, after error: any Error) -> String {
    let isFull =
      [ENOSPC, EDQUOT].contains { explanation(error) == String(cString: strerror($0)) }
      || WorkDisk.isFull(folder)
    return isFull
      ? "\(folder.path) cannot be made, the disk is full; make room, or name another folder"
      : "\(folder.path) is not writable; name another folder"
  }

  private static func place(of file: URL) -> Place {
    var status = stat()
    guard stat(file.path, &status) == 0 else { return .file(end(of: file)) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG where !["/dev/", "/proc/"].contains(where: file.path.hasPrefix):
      return .file(file.resolvingSymlinksInPath())
    default: return .stream
    }
  }

  /// Where links lead that end at a file which is yet to be.
  private static func end(of file: URL) -> URL {
    var place = file
    for _ in 0..<40 {
      guard
        let next = try? FileManager.default.destinationOfSymbolicLink(atPath: place.path)
      else { break }
      place =
        URL(fileURLWithPath: next, relativeTo: place.deletingLastPathComponent())
        .absoluteURL
    }
    return place
  }
}
