import Evidence
import Foundation
import Testing

@testable import Benchmarks

/// An engine that another build measures: what is asked of that build, and what is said if it
/// cannot be.
@Suite struct `A guest` {
  /// A program that answers as a build of this tool does.
  private func build(engines: String, plan: String, code: Int = 0) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "guest-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let source = folder.appendingPathComponent("source")
    let program = folder.appendingPathComponent("realm-bench")
    let text = """
      #!/bin/sh
      if [ "$1" = list ]; then echo '\(engines)'; else printf '\(plan)'; fi
      exit \(code)
      """
    try text.write(to: source, atomically: true, encoding: .utf8)
    // Written by another process: a file that this one has open, or a child that another test forks
    // meanwhile, cannot be run.
    let copy = try Process.run(
      URL(fileURLWithPath: "/usr/bin/install"),
      arguments: ["-m", "755", source.path, program.path])
    copy.waitUntilExit()
    try #require(copy.terminationStatus == 0)
    return program.path
  }

  private let engines =
    #"{"engines":[{"name":"realm","summary":"by hand","details":{"version":"14.1"}}]}"#

  private func sentence(_ text: String) -> String {
    do {
      _ = try Guest(text, RunRequest())
      return "taken"
    } catch { return "\(error)" }
  }

  @Test func `is asked for its engine, its version and what it would measure`() throws {
    let path = try build(
      engines: engines,
      plan: "2 measurements, 8 rounds\\n  writes.commit durability=two-phase  (realm)\\n"
        + "  reads.key  (sqlite, realm)\\n  reads.scan  (sqlite)\\n")
    let guest = try Guest("realm=\(path)", RunRequest())
    #expect(guest.engine.version == "14.1")
    #expect(guest.engine.setting == "by hand")
    #expect(guest.names == ["writes.commit durability=two-phase", "reads.key"])
  }

  @Test func `takes part in the plan beside this build's engines`() throws {
    let own = try Plan(RunRequest.asking("floor.null"))
    let name = try #require(own.cases.first?.name)
    let path = try build(engines: engines, plan: "1 measurement\\n  \(name)  (realm)\\n")
    var request = RunRequest.asking("floor.null")
    request.guests = [try Guest("realm=\(path)", request)]
    let plan = try Plan(request)
    #expect(plan.cases.count { $0.engine == "realm" } == 1)
    #expect(plan.cases.count == own.cases.count + 1)
    request.engines = ["realm"]
    #expect(try Plan(request).cases.map(\.engine) == ["realm"])
  }

  @Test func `of which something is wrong is refused in one sentence`() throws {
    #expect(sentence("realm").contains("--engine-at wants NAME=PATH"))
    #expect(sentence("realm=/nowhere").contains("/nowhere is no program that can be run"))
    #expect(sentence("\(RealmStore.name)=/bin/sh").contains("this build measures"))
    #expect(sentence("realm=/bin/echo").contains("is no build of realm-bench"))
    #expect(sentence("realm=/bin/false").contains("ended with"))
    let path = try build(engines: engines, plan: "")
    #expect(sentence("other=\(path)").contains("that build holds realm"))
  }
}

extension RunRequest {
  fileprivate static func asking(_ filter: String) -> RunRequest {
    var request = RunRequest()
    request.filters = [filter]
    return request
  }
}
