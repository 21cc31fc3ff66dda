import Foundation
import Harness

/// Rules about what compiles are put to the compiler itself, against the engine's own module.
extension Stage {
  func compiles(
    _ source: String, mode: Int = 6, warningsAreErrors: Bool = false, _ what: String = "it compiles"
  ) throws {
    let (ok, said) = try compile(source, mode: mode, warningsAreErrors: warningsAreErrors)
    expect(ok, what, observed: said)
  }

  func doesNotCompile(_ source: String, saying words: String, mode: Int = 6) throws {
    let (ok, said) = try compile(source, mode: mode, warningsAreErrors: false)
    if !ok, let missing = said.range(of: "cannot find ") {
      try skip(.noType, "the engine lacks a type: \(said[missing.lowerBound...])")
    }
    expect(
      !ok && said.contains(words), "the compiler refuses it with '\(words)'",
      observed: ok ? "it compiles" : said)
  }

  private func compile(_ source: String, mode: Int, warningsAreErrors: Bool) throws -> (
    Bool, String
  ) {
    guard let compiler = Stage.compiler else {
      try skip(.noCompiler, "no Swift compiler on the PATH")
    }
    let build = URL(fileURLWithPath: ChildProcess.thisProgram).deletingLastPathComponent()
    let modules = build.appendingPathComponent("Modules")
    guard
      FileManager.default.fileExists(
        atPath: modules.appendingPathComponent("EngineUnderTest.swiftmodule").path)
    else {
      try skip(.noModule, "the engine's module is not beside the program: it was not built here")
    }
    let file = directory.appendingPathComponent("probe.swift")
    let text =
      "import EngineUnderTest\nimport Foundation\nimport Dispatch\n\n" + declarations + "\n"
      + source
      + "\n"
    try text.write(to: file, atomically: true, encoding: .utf8)
    var words = [
      "-frontend", "-emit-sil", "-parse-as-library", "-module-name", "Probe", "-swift-version",
      "\(mode)", "-o", "/dev/null", "-I", modules.path,
    ]
    for map in Stage.moduleMaps(beside: build) { words += ["-Xcc", "-fmodule-map-file=\(map)"] }
    if warningsAreErrors { words += ["-warnings-as-errors"] }
    let remains = try ChildProcess(
      compiler, words + [file.path], limits: .init(deadline: .seconds(60), memory: 4 << 30)
    ).run()
    if let stopped = remains.stopped { try skip(.compilerStopped, "the compiler was \(stopped)") }
    let said = remains.stderr.split(separator: "\n").first { $0.contains("error:") } ?? ""
    return (remains.ending == .exited(0), String(said))
  }

  /// The toolchain's compiler, if there is one.
  private static let compiler: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return path.split(separator: ":").map { "\($0)/swiftc" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// The maps of the C modules that the engine's module is built on.
  private static func moduleMaps(beside build: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: build.path)) ?? []
    return names.filter { $0.hasSuffix(".build") }
      .map { build.appendingPathComponent($0).appendingPathComponent("module.modulemap").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }
}
