import Foundation

/// Which sources this program was built from, as far as it can tell.
///
/// The program usually lies in the build folder of its checkout; the commit is the one that checkout is at. A packaged
/// build lies elsewhere and is told its commit through `REALM_BENCH_COMMIT`.
struct SourceStamp {
  let commit: String

  static let version = "0.1.0"

  static let current = SourceStamp(
    executable: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath(),
    environment: ProcessInfo.processInfo.environment)

  init(executable: URL, environment: [String: String]) {
    if let told = environment["REALM_BENCH_COMMIT"], !told.isEmpty {
      commit = told
    } else {
      commit = SourceStamp.head(above: executable) ?? "unknown"
    }
  }

  /// The commit at the head of the checkout that holds a file, read from git's own files.
  private static func head(above file: URL) -> String? {
    var folder = file.deletingLastPathComponent()
    while folder.path != "/" {
      let dotGit = folder.appendingPathComponent(".git")
      if let found = resolve(dotGit) { return String(found.prefix(12)) }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  private static func resolve(_ dotGit: URL) -> String? {
    var directory = dotGit
    // In a linked work tree `.git` is a file that names the real folder.
    if let link = text(dotGit), link.hasPrefix("gitdir: ") {
      directory = URL(fileURLWithPath: String(link.dropFirst("gitdir: ".count)))
    }
    guard let head = text(directory.appendingPathComponent("HEAD")) else { return nil }
    guard head.hasPrefix("ref: ") else { return head }
    let name = String(head.dropFirst("ref: ".count))
    let common =
      text(directory.appendingPathComponent("commondir"))
      .map { URL(fileURLWithPath: $0, relativeTo: directory).standardizedFileURL } ?? directory
    if let loose = text(common.appendingPathComponent(name)) { return loose }
    let packed = text(common.appendingPathComponent("packed-refs")) ?? ""
    return packed.split(separator: "\n").first { $0.hasSuffix(" \(name)") }
      .flatMap { $0.split(separator: " ").first.map(String.init) }
  }

  private static func text(_ file: URL) -> String? {
    (try? String(contentsOf: file, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
