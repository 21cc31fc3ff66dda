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
    within seconds: Double = 120
  ) throws -> Result {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
    if let directory { process.currentDirectoryURL = directory }
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["out", "err"].map { folder.appendingPathComponent($0) }
    for file in files { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let pid = process.processIdentifier
    let watchdog = DispatchWorkItem { kill(pid, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: watchdog)
    process.waitUntilExit()
    watchdog.cancel()
    return Result(
      code: process.terminationStatus,
      out: try String(contentsOf: files[0], encoding: .utf8),
      err: try String(contentsOf: files[1], encoding: .utf8))
  }

  /// A fresh folder; the caller removes it.
  static func scratch() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("command-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
