import Foundation
import Testing

@testable import Evidence

/// A run that has a name is found by it from anywhere in the repository, and lost by nobody's slip.
struct BaselinesTests {
  private let root: URL
  private let below: URL

  init() throws {
    root = FileManager.default.temporaryDirectory
      .appendingPathComponent("baselines-\(UUID().uuidString)")
    below = root.appendingPathComponent("a/b")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
  }

  private func run(_ id: String, _ state: Run.State = .finished) -> Run {
    var run = Run()
    run.id = id
    run.state = state
    run.results = [Finding(benchmark: "b", engine: "e", rounds: 3)]
    return run
  }

  private func refusal(_ work: () throws -> Void) -> RecordError? {
    do { try work() } catch let error as RecordError { return error } catch { return nil }
    return nil
  }

  @Test func `a name leads to its run, from below too, until it is given up`() throws {
    defer { try? FileManager.default.removeItem(at: root) }
    let baselines = Baselines(from: root)
    #expect(baselines.names.isEmpty)
    try baselines.save(run("first"), as: "main", replace: false)
    try baselines.save(run("other"), as: "v1.0_x-2", replace: false)
    let found = Baselines(from: below)
    #expect(found.names == ["main", "v1.0_x-2"])
    #expect(try found.load("main").id == "first")
    #expect(try RunDirectory.load(found.path(of: "@main")).id == "first")
    #expect(try found.path(of: "results/latest") == "results/latest")
    try found.remove("main")
    #expect(baselines.names == ["v1.0_x-2"])
  }

  @Test func `a name that is taken is not taken over by a slip`() throws {
    defer { try? FileManager.default.removeItem(at: root) }
    let baselines = Baselines(from: root)
    try baselines.save(run("first"), as: "main", replace: false)
    let taken = refusal { try baselines.save(run("second"), as: "main", replace: false) }
    #expect(taken?.outcome == .misuse && taken?.description.contains("--replace") == true)
    #expect(try baselines.load("main").id == "first")
    try baselines.save(run("second"), as: "main", replace: true)
    #expect(try baselines.load("main").id == "second")
  }

  /// `baseline delete` removed a directory with everything in it, as one that was called
  /// `main.json`.
  @Test func `only what is a baseline is deleted, and all else is left as it is`() throws {
    defer { try? FileManager.default.removeItem(at: root) }
    let baselines = Baselines(from: root)
    try baselines.save(run("first"), as: "main", replace: false)
    let folder = root.appendingPathComponent(Baselines.place)
    let directory = folder.appendingPathComponent("folder.json")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // A whole run in it makes it no baseline.
    try RunDirectory.write(
      try RunDirectory.encode(run("inside")), to: directory.appendingPathComponent("run.json"))
    let linked = folder.appendingPathComponent("linked.json")
    try FileManager.default.createSymbolicLink(at: linked, withDestinationURL: directory)
    let notes = folder.appendingPathComponent("notes.json")
    try RunDirectory.write("{\"mine\": 1}\n", to: notes)
    for (name, reason) in [
      ("folder", "folder.json is a directory"), ("linked", "linked.json is a directory"),
      ("notes", "was written by another tool"),
    ] {
      let refused = refusal { try baselines.remove(name) }
      #expect(refused?.outcome == .unreadable, "\(name)")
      #expect(refused?.description.contains("'\(name)' is no baseline") == true, "\(name)")
      #expect(refused?.description.contains(reason) == true, "\(refused?.description ?? "")")
    }
    #expect(refusal { _ = try baselines.path(of: "@folder") } != nil)
    #expect(try RunDirectory.load(directory.path).id == "inside")
    #expect(try String(contentsOf: notes, encoding: .utf8) == "{\"mine\": 1}\n")
    #expect(FileManager.default.fileExists(atPath: linked.path))
    try baselines.remove("main")
    #expect(refusal { _ = try baselines.load("main") } != nil)
  }

  @Test func `what is no name, no baseline or no whole run is refused in a sentence`() throws {
    defer { try? FileManager.default.removeItem(at: root) }
    let baselines = Baselines(from: root)
    for name in ["", "../x", ".x", "-x", "a/b", "a b", "ä", String(repeating: "a", count: 101)] {
      let refused = refusal { try baselines.save(run("r"), as: name, replace: true) }
      #expect(refused?.description.contains("is no name for a baseline") == true, "\(name)")
      #expect(refusal { _ = try baselines.path(of: "@\(name)") } != nil, "\(name)")
    }
    #expect(refusal { try baselines.save(run("r", .interrupted), as: "x", replace: true) } != nil)
    // Nothing can be compared with these: that was said where it was too late.
    var (empty, wrong) = (run("empty"), run("wrong"))
    empty.results = []
    wrong.results[0].valid = false
    for (one, sentence) in [(empty, "has no results"), (wrong, "has no valid answer")] {
      let refused = refusal { try baselines.save(one, as: "x", replace: true) }
      #expect(refused?.outcome == .misuse)
      #expect(refused?.description.contains("the run \(one.id) \(sentence)") == true)
    }
    #expect(baselines.names.isEmpty)
    let unknown = refusal { _ = try baselines.load("main") }
    #expect(unknown?.outcome == .unreadable)
    #expect(unknown?.description.contains("baseline save main RUN") == true)
  }
}
