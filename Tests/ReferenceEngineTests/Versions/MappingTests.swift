import Foundation
import Glibc
import Testing

@testable import ReferenceEngine

/// What a file is mapped with.
@Suite struct MappingTests {
  /// The notes of what was looked at take a sixteenth of the file's length, of memory that is
  /// promised and not used.
  @Test func `where there is no memory for notes, opening says so`() async {
    await #expect(processExitsWith: .success) {
      let path = FileManager.default.temporaryDirectory.path + "/notes-\(getpid()).realm"
      defer { for end in ["", ".lock"] { unlink(path + end) } }
      let configuration = StorageConfiguration(location: .file(path: path))
      _ = try Coordinator(configuration)
      guard truncate(path, 1 << 33) == 0 else { throw StorageError.system("grow", path) }
      // Half of what it takes.
      let taken = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        .split(separator: "\n").first { $0.hasPrefix("VmData:") }
      let kibibytes = Int(taken?.split(separator: " ").dropLast().last ?? "") ?? 0
      let bytes = rlim_t(kibibytes << 10 + 1 << 28)
      var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
      setrlimit(__rlimit_resource_t(2), &limit)
      let error = #expect(throws: StorageError.self) { _ = try Coordinator(configuration) }
      #expect("\(error!)".contains("cannot map"))
      // Nothing is left behind that another opener stumbles over.
      limit.rlim_cur = rlim_t.max
      setrlimit(__rlimit_resource_t(2), &limit)
      _ = try Coordinator(configuration)
    }
  }
}
