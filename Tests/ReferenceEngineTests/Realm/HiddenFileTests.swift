import Foundation
import Testing

@testable import ReferenceEngine

/// Files that may not be looked at, and names that are of no file.
@Suite struct HiddenFileTests {
  private static func configuration(_ path: String) -> Realm.Configuration {
    Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [Dog.self])
  }

  private static func make(_ path: String) throws {
    try Realm(configuration: configuration(path)).write {}
  }

  // Whoever was told that it is missing may have made another.
  @Test func `LIFE-10: what may not be looked at is not said to be missing`() async throws {
    try #require(getuid() == 0, "only root can become somebody who may not")
    let folder = Folder()
    let hidden = folder.path + "/hidden"
    chmod(folder.path, 0o777)
    try FileManager.default.createDirectory(
      atPath: hidden, withIntermediateDirectories: false)
    try Self.make(hidden + "/a.realm")
    chmod(hidden, 0)
    defer { chmod(hidden, 0o700) }
    await #expect(processExitsWith: .success) { [hidden = hidden as String] in
      setgid(65534)
      setuid(65534)
      let path = hidden + "/a.realm"
      func code(_ ask: () throws -> Void) -> Realm.Error.Code? {
        do {
          try ask()
          return nil
        } catch {
          return (error as? Realm.Error)?.code
        }
      }
      var reading = Self.configuration(path)
      reading.readOnly = true
      let codes = [
        code { _ = try Realm(configuration: reading) },
        code { _ = try Realm(configuration: Self.configuration(path)) },
        code { _ = try Realm.deleteFiles(for: reading) },
      ]
      guard codes == Array(repeating: .filePermissionDenied, count: 3) else { stop("\(codes)") }
    }
    #expect(Realm.fileExists(for: Self.configuration(hidden + "/a.realm")))
  }

  @Test func `LIFE-11: a folder is not deleted, and nothing is left beside it`() throws {
    let folder = Folder()
    let path = folder.path + "/f.realm"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: Realm.Error.self) {
      try Realm.deleteFiles(for: Self.configuration(path))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f.realm"])
  }
}
