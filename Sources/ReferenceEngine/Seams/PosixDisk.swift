import CShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file, written by pwrite and flushed by fdatasync.
///
/// What is to be flushed is never stored through a mapping: dirty mapped pages go out in whatever
/// units and order the system likes. What nobody waits for is: a system call costs more than all
/// else that a small commit does.
package final class PosixDisk: Disk, @unchecked Sendable {
  // Sendable because its fields are constant but for `mapped`, which belongs to whoever is inside
  // the gate.
  package let path: String
  package let descriptor: Int32
  package let isMemory: Bool
  package let identity: FileStatus.Identity?
  private let calls: FileCalls
  /// The file as memory to store into, once somebody has; as for reading, far more than its size is
  /// mapped.
  private var mapped: UnsafeMutableRawPointer?
  /// Keeps it from children that are forked.
  private let guarded: UnsafeMutableRawPointer
  /// So much of the file has its space on the medium, as far as anybody has asked: what is stored
  /// into a hole finds none on a full disk, and ends the process.
  private var dense: UInt64 = 0
  private static let mappedBytes = 1 << 38

  /// Opens a file, creating it if `create` says so.
  package init(path: String, writable: Bool, create: Bool, calls: FileCalls = .system) throws {
    let how = !writable ? rb_opening_to_read : create ? rb_making : rb_opening_to_write
    var guarded: UnsafeMutableRawPointer?
    let opened = rb_open_guarded(how, path, &guarded)
    guard opened >= 0, let guarded else { throw StorageError.system("open", path) }
    let status: FileStatus
    do { status = try FileStatus(opened, path: path) } catch {
      rb_close_guarded(guarded)
      throw error
    }
    guard status.isRegular else {
      rb_close_guarded(guarded)
      throw status.isDirectory
        ? StorageError.isDirectory(path: path)
        : StorageError.notARealm(path: path, reason: "it is not a regular file")
    }
    self.path = path
    self.calls = calls
    descriptor = opened
    identity = status.identity
    isMemory = false
    self.guarded = guarded
  }

  /// A file without a name, which lives as long as somebody has it open.
  package init(memoryNamed name: String) throws {
    // The system knows it by the beginning of its name, which need be no other's.
    var guarded: UnsafeMutableRawPointer?
    let opened = rb_open_guarded(
      rb_opening_memory, String(decoding: name.utf8.prefix(200), as: UTF8.self), &guarded)
    guard opened >= 0, let guarded else { throw StorageError.system("make memory for", name) }
    path = name
    calls = .system
    descriptor = opened
    identity = nil
    isMemory = true
    self.guarded = guarded
  }

  package func size() throws -> UInt64 {
    UInt64(try FileStatus(descriptor, path: path).size)
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let count = calls.read(
        descriptor, base + done, buffer.count - done, off_t(offset) + off_t(done))
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw StorageError.system("read", path)
      }
      done += count
    }
    return done
  }

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = calls.write(
        descriptor, base + done, bytes.count - done, off_t(offset) + off_t(done))
      if count < 0 {
        if errno == EINTR { continue }
        throw StorageError.system("write", path)
      }
      done += count
    }
  }

  package func store(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    // A large write touches pages that nobody has touched before, and each of them would be a
    // fault.
    guard let start = bytes.baseAddress, bytes.count <= 1 << 14,
      Int(offset) + bytes.count <= PosixDisk.mappedBytes,
      try isDense(through: offset + UInt64(bytes.count))
    else { return try write(bytes, at: offset) }
    (try memory() + Int(offset)).copyMemory(from: start, byteCount: bytes.count)
  }

  /// Fills the holes of the file, if it may have any: those that growth has left for what was about
  /// to be written there, or a copy for zeros. False if it is not so long, or there is no room for
  /// them: then the call that writes says whether there is for what it writes.
  private func isDense(through end: UInt64) throws -> Bool {
    if _fastPath(end <= dense) { return true }
    let size = try size()
    let hole = rb_hole(descriptor, dense)
    if hole < size {
      guard calls.allocate(descriptor, off_t(hole), off_t(size - hole)) == 0 else { return false }
    }
    dense = size
    return end <= size
  }

  private func memory() throws -> UnsafeMutableRawPointer {
    if let mapped { return mapped }
    guard let address = rb_map_guarded(guarded, UInt64(PosixDisk.mappedBytes)) else {
      throw StorageError.system("map", path)
    }
    mapped = address
    return address
  }

  package func setOut(_ count: Int, at offset: UInt64) {
    if !isMemory { rb_start_writing(descriptor, offset, UInt64(count)) }
  }

  package func grow(from oldSize: UInt64, to newSize: UInt64) throws {
    if isMemory { return try truncate(to: newSize) }
    // Zeros are written, not just allocated: flushing a commit into space that was written before
    // costs the device one request less, because no extent has to be converted through the file
    // system's journal. In small steps, see Heap.stagingBytes.
    let step = 1 << 16
    let zeros = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(step, Int(newSize - oldSize)), alignment: 4096)
    defer { zeros.deallocate() }
    zeros.initializeMemory(as: UInt8.self, repeating: 0)
    let sizeBefore = try size()
    var offset = oldSize
    do {
      while offset < newSize {
        let count = min(UInt64(zeros.count), newSize - offset)
        try write(UnsafeRawBufferPointer(rebasing: zeros[0..<Int(count)]), at: offset)
        offset += count
      }
    } catch {
      // What there was room for would be missing elsewhere on a full disk.
      try? truncate(to: sizeBefore)
      throw error
    }
  }

  package func truncate(to size: UInt64) throws {
    dense = min(dense, size)
    while calls.resize(descriptor, off_t(size)) != 0 {
      if errno != EINTR { throw StorageError.system("resize", path) }
    }
  }

  package func sync() throws {
    if isMemory { return }
    while calls.flush(descriptor) != 0 {
      if errno != EINTR { throw StorageError.system("flush", path) }
    }
  }

  package func rename(to path: String, replace: Bool) throws {
    let code = rb_rename(self.path, path, replace ? 1 : 0)
    guard code == 0 else { throw StorageError.system("make", path, code: code) }
  }

  package func syncName() throws {
    if !isMemory { try PosixDisk.syncFolder(of: path) }
  }

  /// Makes a name in a folder as durable as the file behind it.
  static func syncFolder(of path: String) throws {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let opened = rb_open(folder.isEmpty ? "/" : folder, 0, 0)
    guard opened >= 0 else { throw StorageError.system("open", folder) }
    defer { _ = Glibc.close(opened) }
    guard fsync(opened) == 0 else { throw StorageError.system("flush", folder) }
  }

  package func close() { rb_close_guarded(guarded) }
}
