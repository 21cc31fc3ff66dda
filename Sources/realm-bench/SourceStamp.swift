import Foundation

/// Which sources this program was built from, as far as it can tell.
///
/// The program usually lies in the build folder of its checkout; the commit is the one the checkout
/// was at when the program was linked, not the one it is at now: a run with yesterday's build must
/// not be filed under today's commit. A packaged build lies elsewhere and is told its commit
/// through `REALM_BENCH_COMMIT`.
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

  /// The commit that the checkout which holds a file was at when the file was made, read from git's
  /// own files.
  private static func head(above file: URL) -> String? {
    let made = try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
    var folder = file.deletingLastPathComponent()
    while folder.path != "/" {
      let dotGit = folder.appendingPathComponent(".git")
      if let found = resolve(dotGit, at: made as? Date ?? .now) { return String(found.prefix(12)) }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  private static func resolve(_ dotGit: URL, at time: Date) -> String? {
    var directory = dotGit
    // In a linked work tree `.git` is a file that names the real folder.
    if let link = text(dotGit), link.hasPrefix("gitdir: ") {
      directory = URL(fileURLWithPath: String(link.dropFirst("gitdir: ".count)))
    }
    if let logged = text(directory.appendingPathComponent("logs/HEAD")),
      let commit = head(in: logged, at: time)
    {
      return commit
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

  /// Where the head was at a time. Each line of its log ends a move: from, to, who, when; then a
  /// tab and why. Nil if the log begins later.
  private static func head(in log: String, at time: Date) -> String? {
    var found: String?
    for line in log.split(separator: "\n") {
      let words = line.prefix { $0 != "\t" }.split(separator: " ")
      guard words.count > 3, let moved = TimeInterval(words[words.count - 2]) else { continue }
      if moved > time.timeIntervalSince1970 { break }
      found = String(words[1])
    }
    return found
  }

  private static func text(_ file: URL) -> String? {
    (try? String(contentsOf: file, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
