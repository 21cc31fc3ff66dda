import Foundation
import Glibc

/// The built executable, run as a user would, in a folder of its own.
struct Tool {
  struct Result {
    let code: Int32
    let out: String
    let err: String
  }

  /// Beside the test bundle, wherever the build folder is.
  static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("realm-bench")

  /// Runs it to its end. `within` only stops a tool that hangs; no verdict depends on it.
  static func run(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:],
    within seconds: Double = 600, executable: URL = Tool.executable
  ) throws -> Result {
    try RunningTool(
      arguments, in: directory, environment: environment, within: seconds, executable: executable
    ).end()
  }

  /// A fresh folder; the caller removes it.
  static func scratch() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("command-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

/// The tool while it runs: for what happens to it from outside.
final class RunningTool {
  private let process = Process()
  private let folder: URL
  private let watchdog: DispatchWorkItem
  private var files: [URL] { ["out", "err"].map { folder.appendingPathComponent($0) } }

  init(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:],
    within seconds: Double = 600, executable: URL = Tool.executable
  ) throws {
    folder = try Tool.scratch()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
    if let directory { process.currentDirectoryURL = directory }
    let files = ["out", "err"].map { [folder] in folder.appendingPathComponent($0) }
    for file in files { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let pid = process.processIdentifier
    watchdog = DispatchWorkItem { kill(pid, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: watchdog)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Looks until it is so; false if the tool ended first.
  func runs(until isSo: () -> Bool) -> Bool {
    while !isSo() {
      if !process.isRunning { return isSo() }
      usleep(10_000)  // somebody else's process: there is nothing to wait on
    }
    return true
  }

  /// Looks until it has said something on stderr.
  func says(_ words: String) -> Bool {
    runs { [files] in (try? String(contentsOf: files[1], encoding: .utf8))?.contains(words) == true
    }
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for its end.
  func end() throws -> Tool.Result {
    process.waitUntilExit()
    watchdog.cancel()
    return Tool.Result(
      code: process.terminationStatus,
      out: try String(contentsOf: files[0], encoding: .utf8),
      err: try String(contentsOf: files[1], encoding: .utf8))
  }
}
