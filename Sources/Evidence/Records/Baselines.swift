import Foundation

/// Runs that a repository has given a name to, each as the record it was: what later runs are
/// compared with, as `@NAME`.
///
/// They lie beside the thresholds, one file each, so that a repository can keep them.
package struct Baselines {
  package static let place = ".realm-bench/baselines"

  private let folder: URL

  /// Those of the repository that a directory belongs to: the nearest folder of them, in it or
  /// above, and otherwise one in the directory itself.
  package init(from directory: URL) {
    folder =
      RepositoryPlace.nearest(Baselines.place, from: directory, isFolder: true)
      ?? directory.standardizedFileURL.appendingPathComponent(Baselines.place)
  }

  package var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
      .filter(Baselines.isName).sorted()
  }

  /// What an operand means: the record of `@NAME`, or the path that it is.
  package func path(of operand: String) throws -> String {
    guard operand.hasPrefix("@") else { return operand }
    return try existing(String(operand.dropFirst())).path
  }

  package func load(_ name: String) throws -> Run { try RunDirectory.load(existing(name).path) }

  /// Keeps a finished run under a name; one that is taken must be given up first, or `replace`.
  package func save(_ run: Run, as name: String, replace: Bool) throws {
    try requireName(name)
    guard run.state == .finished else {
      throw RecordError(
        "'\(run.id)' was interrupted and is no baseline: run it to its end, or --resume it",
        .misuse)
    }
    if let refusal = StoredComparison.refusal(run, to: "compare with", .misuse) { throw refusal }
    let file = file(name)
    if !replace, FileManager.default.fileExists(atPath: file.path) {
      throw RecordError(
        "there is a baseline '\(name)' already: name another, or replace it with --replace",
        .misuse)
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw RecordError("cannot write to \(folder.path): \(explanation(error))", .misuse)
    }
    try RunDirectory.write(try RunDirectory.encode(run), to: file)
  }

  /// Forgets a baseline. What cannot be read as one is not removed: it may be somebody's, and what
  /// lies there is not known to be lost willingly.
  package func remove(_ name: String) throws {
    let file = try existing(name)
    do { _ = try RunDirectory.load(file.path) } catch let error as RecordError {
      throw RecordError(
        "'\(name)' is no baseline, and is left as it is: \(error); remove the file yourself, or "
          + "replace it with 'realm-bench baseline save \(name) RUN --replace'")
    }
    do { try FileManager.default.removeItem(at: file) } catch {
      throw RecordError("cannot remove \(file.path): \(explanation(error))", .misuse)
    }
  }

  private func file(_ name: String) -> URL { folder.appendingPathComponent("\(name).json") }

  private func existing(_ name: String) throws -> URL {
    try requireName(name)
    let file = file(name)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else {
      let known = names
      throw RecordError(
        "there is no baseline '\(name)' in \(folder.path): "
          + (known.isEmpty
            ? "'realm-bench baseline save \(name) RUN' makes one"
            : "expected one of \(known.joined(separator: ", "))"))
    }
    // A run's whole directory may have been put there; only a record was ever saved under a name.
    guard !isFolder.boolValue else {
      throw RecordError(
        "'\(name)' is no baseline: \(file.path) is a directory, expected the record of a run; move "
          + "it elsewhere, and give a run the name with 'realm-bench baseline save \(name) RUN'")
    }
    return file
  }

  /// A name is a file's name on every system, and no path.
  private static func isName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && !name.hasPrefix(".") && !name.hasPrefix("-")
      && name.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains($0)
      }
  }

  private func requireName(_ name: String) throws {
    guard Baselines.isName(name) else {
      throw RecordError(
        "'\(name)' is no name for a baseline: expected letters, digits, '-', '.' and '_'", .misuse)
    }
  }
}
