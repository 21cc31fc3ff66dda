import Foundation
import Testing

@testable import Benchmarks

/// Prepared data sets, copied for whoever writes to them.
@Suite struct ShelfTests {
  @Test func `a data set is copied without the pipe that an engine keeps beside it`() throws {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent("shelf-\(UUID().uuidString)")
    defer { try? manager.removeItem(at: folder) }
    let source = folder.appendingPathComponent("source")
    let inner = source.appendingPathComponent("people.realm.management")
    try manager.createDirectory(at: inner, withIntermediateDirectories: true)
    try Data("rows".utf8).write(to: source.appendingPathComponent("people.realm"))
    try Data("lock".utf8).write(to: inner.appendingPathComponent("access.lock"))
    #expect(mkfifo(source.appendingPathComponent("people.realm.note").path, 0o600) == 0)

    let copy = folder.appendingPathComponent("copy")
    try Track.copyFiles(from: source, to: copy)
    #expect(
      try manager.subpathsOfDirectory(atPath: copy.path).sorted()
        == ["people.realm", "people.realm.management", "people.realm.management/access.lock"])
    #expect(try Data(contentsOf: copy.appendingPathComponent("people.realm")) == Data("rows".utf8))
    // What is there already is not written into.
    let error = #expect(throws: BenchmarkError.self) {
      try Track.copyFiles(from: source, to: copy)
    }
    #expect(
      error?.description == "cannot copy \(source.lastPathComponent) to \(copy.path): File exists")
  }

  /// On a full disk a copy failed with "Error Domain=NSCocoaErrorDomain…".
  @Test func `what fails in a round is said in the words of the system`() {
    let full = CocoaError(.fileWriteOutOfSpace)
    #expect(MeasureCommand.sentence(full) == "No space left on device")
    let posix = NSError(domain: NSPOSIXErrorDomain, code: Int(EACCES))
    #expect(MeasureCommand.sentence(posix) == "Permission denied")
    #expect(MeasureCommand.sentence(BenchmarkError("of its own")) == "of its own")
  }
}
