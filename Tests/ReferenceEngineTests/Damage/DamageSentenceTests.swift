import Foundation
import Testing

@testable import ReferenceEngine

/// What is said of a damaged file, and where.
@Suite final class DamageSentenceTests {
  private let folder: String
  private let path: String
  private let victim: DamageVictim

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/sentences-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    victim = try DamageVictim(in: folder)
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder + "/" + file)
    }
    path = folder + "/victim.realm"
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// What opening the file says after some of its bytes were changed; with the check of everything
  /// first, then without.
  private func openings(_ change: (inout [UInt8]) -> Void) throws -> [String] {
    var bytes = victim.bytes
    change(&bytes)
    return try [true, false].map { checks in
      // Each its own file: who has another one open has nothing to do with this.
      let path = folder + "/\(UUID().uuidString).realm"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      defer { for end in ["", ".lock"] { unlink(path + end) } }
      do {
        let realm = try Realm(
          configuration: DamageVictim.configuration(path, readOnly: true, checks: checks))
        return "opened with \(realm.objects(Named.self).count)"
      } catch {
        return "\(error)"
      }
    }
  }

  private func store<Value: BitwiseCopyable>(
    _ value: Value, at place: Int, in bytes: inout [UInt8]
  ) {
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: place, as: Value.self) }
  }

  private func changeSlots<Value: BitwiseCopyable>(_ field: Int, _ value: Value) throws -> [String]
  {
    try openings { bytes in
      for start in [512, 1024] {
        store(value, at: start + field, in: &bytes)
        bytes.withUnsafeMutableBytes {
          FileHeader.seal(UnsafeMutableRawBufferPointer(rebasing: $0[start..<(start + 512)]))
        }
      }
    }
  }

  @Test func `a whole file opens, with the check of everything, too`() throws {
    #expect(try openings { _ in } == ["opened with 90", "opened with 90"])
  }

  // 2^64 - 16 and 16 more are 0: this was no sum that could be made.
  @Test(arguments: [UInt64.max - 15, UInt64.max, 16, 1 << 40, 4097] as [UInt64])
  func `a slot's top that leads nowhere is an error`(top: UInt64) throws {
    for said in try changeSlots(16, top) {
      #expect(said.contains("the file is damaged"), "\(said)")
    }
  }

  // It was opened, and the next version was none that there can be.
  @Test(arguments: [UInt64.max, 1 << 40, 0] as [UInt64])
  func `a slot's version that none can be is an error`(version: UInt64) throws {
    for said in try changeSlots(8, version) {
      #expect(said.contains("a commit slot names version \(version)"), "\(said)")
    }
  }

  @Test(arguments: [UInt64.max, UInt64.max - 15, 0, 1 << 38] as [UInt64])
  func `a slot's end that lies elsewhere is an error`(end: UInt64) throws {
    for said in try changeSlots(32, end) {
      #expect(said.contains("the file is damaged"), "\(said)")
    }
  }

  @Test func `a newer slot that was damaged is passed over, unless everything is checked`() throws {
    let slots = victim.bytes.withUnsafeBytes { Opening.slots($0) }
    let newest = try #require(slots.max { $0.root.version < $1.root.version })
    let said = try openings { $0[512 * (newest.root.slot + 1) + 20] ^= 1 }
    #expect(said[0].contains("the commit slot at \(512 * (newest.root.slot + 1)) is not whole"))
    #expect(!said[1].contains("commit slot"))
  }

  // Every other one of such files ended the process that opened it.
  @Test func `a schema that is none is an error of opening`() throws {
    let top = try #require(victim.nodes.first { $0.kind == NodeKind.top })
    let schema = victim.bytes.withUnsafeBytes {
      Int($0.loadUnaligned(fromByteOffset: top.place + 16, as: UInt64.self))
    }
    let length = victim.bytes.withUnsafeBytes {
      Int($0.loadUnaligned(fromByteOffset: schema + 16, as: UInt64.self))
    }
    for place in stride(from: 0, to: length, by: 7) {
      for said in try openings({ bytes in
        bytes[schema + 24 + place] ^= 0x55
        Mutation.seal(&bytes, schema)
      }) {
        #expect(!said.contains("opened") || isName(place), "byte \(place): \(said)")
      }
      // Without a right checksum it is not even looked into.
      for said in try openings({ $0[schema + 24 + place] ^= 0x55 }) {
        #expect(said.contains("the schema at \(schema) does not match its checksum"), "\(said)")
      }
    }
    func isName(_ place: Int) -> Bool {
      // A letter of a name makes another name of it, which the tables cannot tell.
      let byte = victim.bytes[schema + 24 + place]
      return byte >= 0x41
    }
  }

  @Test func `a file of the format before is refused and left as it is`() throws {
    let said = try openings { bytes in
      store(UInt32(1), at: 8, in: &bytes)
      bytes.withUnsafeMutableBytes {
        FileHeader.seal(UnsafeMutableRawBufferPointer(rebasing: $0[0..<512]))
      }
    }
    #expect(said[1].contains("written in format 1, this build reads 2...2"), "\(said)")
    #expect(said[1].contains("open it with the build that wrote it"))
  }

  @Test func `verifying leaves nothing behind`() throws {
    try Data(victim.bytes).write(to: URL(fileURLWithPath: path))
    let found = try Inspection(verifying: path)
    #expect(found.version > 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["victim.realm"])
    var bytes = victim.bytes
    bytes[victim.nodes[3].place + 5] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(throws: StorageError.self) { try Inspection(verifying: path) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["victim.realm"])
  }

  @Test func `each bit of each node is looked at by verifying`() throws {
    // A few bits of each node: the lane takes them at random.
    var dice = Dice(seed: 4)
    for node in victim.nodes {
      var bytes = victim.bytes
      bytes[node.place + Int.random(in: 0..<node.bytes, using: &dice)] ^=
        1 << UInt8.random(in: 0..<8, using: &dice)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      #expect(throws: StorageError.self, "the node at \(node.place)") {
        try Inspection(verifying: path)
      }
    }
  }

  @Test func `a value that was turned is read as it is, unless everything is checked`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let here = try DamageSentenceTests()
      try here.turnAgeOfDog()
      // As it is.
      let plain = try Realm(configuration: DamageVictim.configuration(here.path, readOnly: true))
      guard plain.objects(Dog.self).sum(of: \.age) != 210 else { exit(0) }
      let checking = try Realm(
        configuration: DamageVictim.configuration(here.path, readOnly: true, checks: true))
      print(checking.objects(Dog.self).sum(of: \.age))
      exit(0)
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("does not match its checksum; see 'realm-bench verify "), "\(words)")
    #expect(words.contains("victim.realm"))
  }

  /// Turns a bit in the ages of the dogs, which are 1 to 20.
  private func turnAgeOfDog() throws {
    let ages = try #require(
      victim.nodes.first { node in
        node.kind == NodeKind.ints
          && (0..<20).allSatisfy {
            node.bytes >= 36 && victim.bytes[node.place + 16 + $0] == UInt8($0 + 1)
          }
      })
    var bytes = victim.bytes
    bytes[ages.place + 16] ^= 64
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }
}
