import Foundation
import Testing

@testable import RealmCore

/// What is said of a library that cannot be the one: found by opening such libraries.
@Suite struct `A realm-core library` {
  private func reason(_ path: String?) -> String? {
    if case .failure(let reason) = CoreLibrary.open(path) { reason.words } else { nil }
  }

  @Test(arguments: [nil, ""]) func `that nobody names is asked for`(_ path: String?) {
    #expect(reason(path)?.contains("name one with --realm-core PATH or REALM_CORE_LIBRARY") == true)
  }

  @Test func `that is not there is told so, with its path`() {
    #expect(reason("/nowhere/librealm.so")?.hasPrefix("/nowhere/librealm.so: ") == true)
  }

  @Test func `that is another file is no library`() throws {
    let place = try Folder()
    let file = place.url.appendingPathComponent("letter.so")
    try Data("not a library".utf8).write(to: file)
    let words = try #require(reason(file.path))
    #expect(words.hasPrefix("\(file.path) cannot be opened as a library: "))
  }

  @Test func `that lacks a function is refused, and the function named`() throws {
    let last = try #require(CoreLibrary.functionNames.last)
    let library = try made(without: last)
    let words = try #require(reason(library.path))
    #expect(words.contains("does not export \(last), one of the"))
  }

  @Test func `of another major version is refused, and the versions named`() throws {
    let words = try #require(reason(try made(major: 13).path))
    #expect(words.contains("is realm-core 13.2.1;"))
    #expect(words.contains("give a library of 14.x"))
  }

  @Test func `of the version that is known is taken`() throws {
    #expect(reason(try made(major: 14).path) == nil)
  }

  @Test func `exports functions of realm-core's names, each asked for once`() {
    let names = CoreLibrary.functionNames
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.hasPrefix("realm_") })
  }

  @Test func `is described with all its functions`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent("docs/REALM.md"), encoding: .utf8)
    let told = Set(page.matches(of: /`(realm_[a-z_]+)`/).map { String($0.output.1) })
    #expect(told == Set(CoreLibrary.functionNames))
    #expect(page.contains("these \(CoreLibrary.functionNames.count) functions"))
  }

  // MARK: - Libraries

  /// A library with functions of all the names, which do nothing but tell a version.
  private func made(major: Int = 14, without missing: String? = nil) throws -> URL {
    let compiler = try #require(Folder.compiler, "no C compiler beside Swift's")
    let place = try Folder()
    let source = place.url.appendingPathComponent("stub.c")
    let numbers = "realm_get_library_version_numbers"
    var text = "int \(numbers)(int *a, int *b, int *c, const char **d)\n"
    text += "{ *a = \(major); *b = 2; *c = 1; *d = \"\"; return 0; }\n"
    for name in CoreLibrary.functionNames where name != numbers && name != missing {
      text += "void *\(name)(void) { return 0; }\n"
    }
    try text.write(to: source, atomically: true, encoding: .utf8)
    let library = place.url.appendingPathComponent("libstub-\(major).so")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: compiler)
    process.arguments = ["-shared", "-fPIC", "-o", library.path, source.path]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return library
  }
}

/// A folder of its own for each test; left to the system, as a library in it stays open.
struct Folder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "realm-core-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  static let compiler: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return path.split(separator: ":").flatMap { ["\($0)/clang", "\($0)/cc"] }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()
}
