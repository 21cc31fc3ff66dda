import Foundation
import StandIns
import Synchronization
import Testing

@testable import ReferenceEngine

/// A file has its name on the medium before anything is acknowledged that would go with the name.
@Suite struct NamingTests {
  /// Counts how often the name of a file was flushed, and lets it fail.
  private final class Names: Sendable {
    private let state = Mutex((flushed: 0, failing: 0))

    var flushed: Int { state.withLock { $0.flushed } }
    func fail(_ times: Int) { state.withLock { $0.failing = times } }

    func flush(_ path: String) throws {
      try state.withLock { state in
        if state.failing > 0 {
          state.failing -= 1
          throw StorageError.failed(
            path: path, operation: "flush", reason: "Input/output error", code: EIO)
        }
        state.flushed += 1
      }
    }

    func configuration(_ location: StorageLocation) -> StorageConfiguration {
      var configuration = Toy.configuration(location)
      let honest = configuration.seams.disk
      configuration.seams.disk = { [self] in NamedDisk(try honest($0, $1, $2), self) }
      return configuration
    }
  }

  private final class NamedDisk: Disk {
    private let wrapped: any Disk
    private let names: Names

    init(_ wrapped: any Disk, _ names: Names) { (self.wrapped, self.names) = (wrapped, names) }

    var path: String { wrapped.path }
    var descriptor: Int32 { wrapped.descriptor }
    var isMemory: Bool { wrapped.isMemory }
    func size() throws -> UInt64 { try wrapped.size() }
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
      try wrapped.read(into: buffer, at: offset)
    }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
      try wrapped.write(bytes, at: offset)
    }
    func grow(from oldSize: UInt64, to newSize: UInt64) throws {
      try wrapped.grow(from: oldSize, to: newSize)
    }
    func truncate(to size: UInt64) throws { try wrapped.truncate(to: size) }
    func sync() throws { try wrapped.sync() }
    func rename(to path: String, replace: Bool) throws {
      try wrapped.rename(to: path, replace: replace)
    }
    func syncName() throws {
      try names.flush(path)
      try wrapped.syncName()
    }
    func close() { wrapped.close() }
  }

  // maker                          next                        medium
  // makes the file, names it
  // dies
  //                                opens, commits, is told
  //                                                            has no such name
  /// What had been acknowledged was gone with the name, or with the file that had replaced another.
  @Test(arguments: [false, true])
  func `COMMIT-08: who opens a file whose maker died flushes its name first`(compacts: Bool)
    async throws
  {
    let folder = Folder()
    let path = folder.path
    if compacts { try Coordinator(Toy.configuration(folder.file())).set([0: [1]]) }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, compacts = compacts as Bool] in
      Seams.given.moments = Death(at: .copyNamed)
      var configuration = Toy.configuration(.file(path: path + "/a.realm"))
      if compacts { configuration.shouldCompact = { _, _ in true } }
      _ = try Coordinator(configuration)
    }
    #expect(folder.size() > 0)
    let names = Names()
    let configuration = names.configuration(folder.file())
    var reading = configuration
    reading.isReadOnly = true
    // Who only reads can do without, and leaves it to others.
    names.fail(1)
    let reader = try Coordinator(reading)
    #expect(names.flushed == 0)
    names.fail(1)
    #expect(throws: StorageError.self) { try Coordinator(configuration) }
    let file = try Coordinator(configuration)
    #expect(names.flushed == 1)
    try file.set([1: [1]])
    #expect(try file.newestContent()[0] == (compacts ? [1] : []))
    // Once.
    _ = try Coordinator(configuration)
    #expect(names.flushed == 1)
    withExtendedLifetime(reader) {}
  }

  /// The one who made the file was told, and the next one was not.
  @Test(arguments: [false, true])
  func `COMMIT-08: a name that could not be flushed is flushed by the next opener`(compacts: Bool)
    throws
  {
    let folder = Folder()
    let names = Names()
    var configuration = names.configuration(folder.file())
    if compacts {
      try Coordinator(configuration).set([0: [1]])
      configuration.shouldCompact = { _, _ in true }
    }
    let before = names.flushed
    names.fail(1)
    #expect(throws: StorageError.self) { try Coordinator(configuration) }
    configuration.shouldCompact = nil
    let file = try Coordinator(configuration)
    #expect(names.flushed == before + 1)
    try file.set([1: [1]])
    try file.checkEverything()
  }
}
