import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// Hostile files: each opens with the right data, or not at all, and says why.
@Suite struct DamageTests {
  @Test func `A damaged file gives an error or the right data, never a crash`() throws {
    let seed = Wish.seed(orElse: 77)
    let rounds = Wish.number("DAMAGE_ROUNDS", orElse: 20000)
    var dice = Dice(seed: seed)
    let disk = try RecordingDisk()
    let coordinator = try Coordinator(
      Toy.configuration(.memory(identifier: "victim")), disk: disk, lockPath: nil)
    var contents: [VersionID: UInt32] = [VersionID(1): 0]
    for index in 0..<20 {
      let root = try coordinator.set([index % 16: dice.bytes(upTo: 600)])
      contents[root.version] = Toy.checksum(root, coordinator.space)
    }
    var whole = [UInt8](repeating: 0, count: Int(try disk.size()))
    _ = try whole.withUnsafeMutableBytes { try disk.read(into: $0, at: 0) }
    let end = Int(coordinator.board.newestRoot.end)

    // Readers may load 16 bytes past the end.
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: whole.count + 4096, alignment: 4096)
    defer { memory.deallocate() }
    var refused = 0
    for _ in 0..<rounds {
      memory.copyBytes(from: whole)
      var size = whole.count
      switch Int.random(in: 0..<5, using: &dice) {
      case 0:  // A bit, anywhere.
        memory[Int.random(in: 0..<end, using: &dice)] ^=
          1 << UInt8.random(in: 0..<8, using: &dice)
      case 1:  // The end is missing.
        size = Int.random(in: 0..<end, using: &dice)
      case 2:  // A piece of the file lies in another place.
        let count = Int.random(in: 1...600, using: &dice)
        let from = Int.random(in: 0..<(end - count), using: &dice)
        let to = Int.random(in: 0..<(end - count), using: &dice)
        memmove(memory.baseAddress! + to, memory.baseAddress! + from, count)
      case 3:  // Noise, where the headers are.
        for _ in 0..<4 {
          memory[Int.random(in: 0..<1536, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
        }
      default:  // A sector of zeros.
        let sector = Int.random(in: 0..<(end / 512), using: &dice) * 512
        memset(memory.baseAddress! + sector, 0, 512)
      }
      do {
        let bytes = UnsafeRawBufferPointer(rebasing: memory[0..<size])
        let disk = BufferDisk(bytes)
        let root = try Opening.recover(disk, mayCreate: false, now: 0)
        let space = NodeSpace(base: UnsafeRawPointer(memory.baseAddress!))
        _ = try Verification(
          root, in: space, fileSize: UInt64(size), path: "victim", tree: Toy.tree)
        #expect(contents[root.version] == Toy.checksum(root, space), "seed \(seed)")
      } catch let error as StorageError {
        refused += 1
        #expect(!error.description.isEmpty)
      }
    }
    print("damaged files: \(rounds), refused \(refused), seed \(seed)")
    #expect(refused > rounds / 4)
  }

  @Test func `Opening refuses what is not a realm, with a sentence`() throws {
    let folder = Folder()
    func message(_ name: String, readOnly: Bool = false) -> String {
      do {
        var configuration = Toy.configuration(folder.file(name))
        configuration.isReadOnly = readOnly
        _ = try Coordinator(configuration)
        return "opened"
      } catch {
        return "\(error)"
      }
    }
    let manager = FileManager.default
    _ = manager.createFile(
      atPath: folder.path + "/text", contents: Data("This is a letter to my aunt.".utf8))
    #expect(message("text").contains("not a Realm file"))
    try manager.createDirectory(
      atPath: folder.path + "/folder", withIntermediateDirectories: false)
    #expect(message("folder").contains("directory"))
    #expect(message("nowhere", readOnly: true).contains("no such file"))
    #expect(message("no/where").contains("there is no folder \(folder.path)/no; make it first"))
    #expect(message("no/where", readOnly: true).contains("no such file"))

    var newer = FileHeader.encode()
    newer[8] = 9
    _ = manager.createFile(
      atPath: folder.path + "/newer", contents: Data(newer + [UInt8](repeating: 0, count: 8192)))
    #expect(message("newer").contains("written in format 9, this build reads 2...2"))
  }

  @Test func `LIFE: a file opened read-only reads, and refuses to write`() throws {
    let folder = Folder()
    do {
      let coordinator = try Coordinator(Toy.configuration(folder.file()))
      try coordinator.set([0: [1]])
    }
    var configuration = Toy.configuration(folder.file())
    configuration.isReadOnly = true
    let coordinator = try Coordinator(configuration)
    #expect(try coordinator.newestContent()[0] == [1])
    #expect(throws: StorageError.self) { _ = try coordinator.beginWrite() }
  }
}
