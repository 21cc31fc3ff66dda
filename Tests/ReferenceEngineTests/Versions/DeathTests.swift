import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// A process that dies at any moment takes nothing with it but its own unfinished write.
@Suite(.serialized) struct DeathTests {
  // parent                         child
  // commits version 2, holds it
  //                                opens, begins a write, dies at the moment
  // sees version 2 or 3, whole
  // writes at once
  private func survives(_ moment: String, _ folder: Folder, _ parent: Coordinator) throws {
    let now = try parent.newestContent()[0]
    let inFlight = ["slotWritten", "slotSynced", "published", "gateLeft", "versionPinned"]
    #expect(now == [1] || now == [2])
    if !inFlight.contains(moment) { #expect(now == [1]) }
    let start = ContinuousClock.now
    try parent.set([1: [3]])
    #expect(ContinuousClock.now - start < .seconds(1))
    // If the child's slot was written, its version was finished by the parent.
    let after = try parent.newestContent()
    #expect(after[1] == [3])
    if inFlight.contains(moment) { #expect(after[0] == [2]) }
    try parent.checkEverything()
    // Pins of the dead are cleared when space is looked for.
    for value in 0..<300 { try parent.set([value % 16: [1]], CommitProtocol.none) }
    #expect(parent.pins.holders().isEmpty)
    try parent.checkEverything()
    let next = try Coordinator(Toy.configuration(folder.file()))
    #expect(try next.newestContent() == (try parent.newestContent()))
  }

  static let moments =
    ProcessInfo.processInfo.environment["DEATH"] == "all"
    ? [
      "gateEntered", "placesChosen", "dataWritten", "dataSynced", "slotWritten", "slotSynced",
      "published", "gateLeft", "versionPinned",
    ] : ["dataWritten", "slotWritten", "published", "versionPinned"]

  @Test(arguments: moments)
  func `WRITE-24: survivors go on when a writer is killed at any moment`(moment: String)
    async throws
  {
    let folder = Folder()
    let path = folder.path
    let parent = try Coordinator(Toy.configuration(folder.file()))
    try parent.set([0: [1]])
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, moment = moment as String] in
      Seams.given.moments = Death(at: Moment(moment))
      let child = try Coordinator(Toy.configuration(.file(path: path + "/a.realm")))
      try child.set([0: [2]])
      _ = try child.newestSnapshot(kind: .frozen)
    }
    try survives(moment, folder, parent)
  }

  /// The gate says once that its owner died. Who heard it and could not write kept it to itself.
  @Test(arguments: ["nothing", "name"])
  func `WRITE-24: who comes after the dead and does not write tells of it all the same`(
    what: String
  ) async throws {
    let folder = Folder()
    let path = folder.path
    let here = try Coordinator(Toy.configuration(folder.file()))
    try here.set([0: [1]])
    let next = try Coordinator(Toy.configuration(folder.file()))
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      Seams.given.moments = Death(at: .published)
      try Coordinator(Toy.configuration(.file(path: path + "/a.realm"))).set([0: [2]])
    }
    let heard = DispatchSemaphore(value: 0)
    let ear = here.listen { _ in heard.signal() }
    try here.hear()
    defer { here.unlisten(ear) }
    let (name, elsewhere) = (path + "/a.realm", path + "/b.realm")
    if what == "name" {
      #expect(rename(name, elsewhere) == 0)
      #expect(throws: StorageError.self) { try next.beginWrite() }
    } else {
      try next.beginWrite().cancel()
    }
    #expect(heard.wait(timeout: .now() + .seconds(20)) == .success, "nobody tells of version 3")
    if what == "name" { #expect(rename(elsewhere, name) == 0) }
    #expect(!next.writer.followsDead || what == "name")
    try here.set([1: [1]])
    #expect(try here.newestContent()[0] == [2])
    try here.checkEverything()
  }

  @Test func `COMMIT-04: a file whose only writer was killed opens as it was`() async throws {
    let folder = Folder()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      Seams.given.moments = Death(at: .dataSynced, times: 40)
      let child = try Coordinator(Toy.configuration(.file(path: path + "/a.realm")))
      for value in UInt8(1)...100 { try child.set([0: [value]]) }
    }
    let next = try Coordinator(Toy.configuration(folder.file()))
    #expect(try next.newestContent()[0] == [39])
    #expect(next.newestVersion == VersionID(40))
    try next.set([0: [1]])
    try next.checkEverything()
  }

  @Test(arguments: ["copyFlushed", "copyNamed", ""])
  func `A process that dies while it compacts a file leaves the old one or the new`(moment: String)
    async throws
  {
    let folder = Folder()
    let path = folder.path
    var content: [[UInt8]] = []
    do {
      let coordinator = try Coordinator(Toy.configuration(folder.file()))
      for index in 0..<16 { try coordinator.set([index: [UInt8](repeating: 1, count: 50_000)]) }
      for index in 0..<16 { try coordinator.set([index: [UInt8(index)]]) }
      content = try coordinator.newestContent()
    }
    let before = folder.size()
    let isKilled = !moment.isEmpty
    await #expect(processExitsWith: isKilled ? .signal(SIGKILL) : .success) {
      [path = path as String, moment = moment as String] in
      if !moment.isEmpty { Seams.given.moments = Death(at: Moment(moment)) }
      let configuration = Toy.configuration(.file(path: path + "/a.realm"))
      _ = try Coordinator.compact(configuration) { _, _ in true }
    }
    #expect((folder.size() == before) == (moment == "copyFlushed"))
    let next = try Coordinator(Toy.configuration(folder.file()))
    #expect(try next.newestContent() == content)
    try next.set([0: [9]])
    try next.checkEverything()
  }
}
