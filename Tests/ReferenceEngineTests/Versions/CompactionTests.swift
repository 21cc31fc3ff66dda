import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

@Suite struct CompactionTests {
  @Test func `A copy holds the version and nothing else`() throws {
    let folder = Folder()
    let coordinator = try Coordinator(Toy.configuration(folder.file()))
    var dice = Dice(seed: 3)
    for _ in 0..<200 {
      try coordinator.set(
        [Int.random(in: 0..<16, using: &dice): dice.bytes(upTo: 3000)], CommitProtocol.none)
    }
    let snapshot = try coordinator.newestSnapshot(kind: .frozen)
    let content = Toy.content(snapshot.root, snapshot.space)
    try coordinator.set([0: [1]])
    try coordinator.writeCopy(of: snapshot, to: folder.path + "/copy.realm")
    let copy = try Coordinator(Toy.configuration(folder.file("copy.realm")))
    #expect(try copy.newestContent() == content)
    let found = try copy.checkEverything()
    #expect(folder.size("copy.realm") < found.bytes + 5 * 4096)
    try copy.set([0: [9]])
    try copy.checkEverything()
    #expect(throws: StorageError.self) {
      try coordinator.writeCopy(of: snapshot, to: folder.path + "/copy.realm")
    }
  }

  @Test func `Compacting on launch happens only if nobody has the file open`() throws {
    let folder = Folder()
    var content: [[UInt8]] = []
    do {
      let coordinator = try Coordinator(Toy.configuration(folder.file()))
      for index in 0..<16 { try coordinator.set([index: [UInt8](repeating: 1, count: 50_000)]) }
      for index in 0..<16 { try coordinator.set([index: [UInt8(index)]]) }
      content = try coordinator.newestContent()
      #expect(!(try Coordinator.compact(Toy.configuration(folder.file())) { _, _ in true }))
    }
    let before = folder.size()
    #expect(!(try Coordinator.compact(Toy.configuration(folder.file())) { _, _ in false }))
    #expect(
      try Coordinator.compact(Toy.configuration(folder.file())) { total, used in
        total == before && used < before / 4
      })
    #expect(folder.size() < before / 4)
    let again = try Coordinator(Toy.configuration(folder.file()))
    #expect(try again.newestContent() == content)
    try again.set([0: [7]])
    try again.checkEverything()
  }

  @Test func `A window into a file tells versions, holders and sizes`() throws {
    let folder = Folder()
    let coordinator = try Coordinator(StorageConfiguration(location: folder.file()))
    let write = try coordinator.beginWrite()
    let trees = TreeWriter(arena: write.arena, base: Top(space: write.space, ref: write.base.top))
    let table = trees.addTable([.int])
    for key in Int64(0)..<1000 { _ = table.insert(key) }
    _ = try write.commit(settle: trees.settle(into:))
    let held = try coordinator.newestSnapshot(kind: .frozen)
    let window = try Inspection(verifying: folder.path + "/a.realm")
    #expect(window.version == 2)
    #expect(window.durableVersion == 2)
    #expect(window.tables.map(\.rows) == [1000])
    #expect(window.holders.map(\.kind) == [.frozen])
    #expect(window.holders.first?.process == getpid())
    #expect(held.version == VersionID(2))
  }
}
