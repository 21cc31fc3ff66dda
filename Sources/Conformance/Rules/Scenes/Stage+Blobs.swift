import EngineUnderTest
import Foundation

extension Stage {
  /// How many bytes the blob has that the growth scenes overwrite.
  static let blobSize = 64 << 10

  /// Puts a blob of nothing but zeros into a realm.
  static func addBlob(to realm: Realm) throws {
    try realm.write { realm.add(Blob(id: 1, bytes: Data(count: blobSize))) }
  }

  /// Overwrites that blob so often that the space of its older versions is used again, unless
  /// somebody needs it.
  func overwriteBlob(_ name: String = "probe") throws {
    let realm = try open(name)
    for round in 1...20 {
      try realm.write {
        realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = Data(
          repeating: UInt8(round), count: Stage.blobSize)
      }
    }
  }

  /// Overwrites one blob 30 times while something is held; how large the file is then, and whether
  /// what was held still shows the first bytes.
  static func growth(
    _ stage: Stage, _ name: String, holding: @escaping (Realm) throws -> Blob?
  ) throws -> (size: Int, valid: Bool) {
    func bytes(_ number: Int) -> Data { Data(repeating: UInt8(number), count: blobSize) }
    var held: Blob?
    try stage.elsewhere {
      let realm = try stage.open(name)
      try realm.write { realm.add(Blob(id: 1, bytes: bytes(1))) }
      held = try holding(realm)
    }
    for round in 2..<32 {
      try stage.foreign(name) {
        $0.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = bytes(round)
      }
    }
    let size = stage.size(of: name)
    return (size, held.map { $0.bytes == bytes(1) } ?? true)
  }
}

extension Stage {
  /// Fills the first blob anew, in a write that is open.
  func overwriteInWrite(_ realm: Realm, with byte: Int) throws {
    realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = Data(
      repeating: UInt8(byte), count: Stage.blobSize)
  }

  /// Fills the first blob anew and commits.
  func overwrite(_ realm: Realm, with byte: Int) throws {
    try realm.write { try overwriteInWrite(realm, with: byte) }
  }

  /// Fills the file with what is then deleted: two megabytes that a compaction can take away.
  func leaveSpace(in realm: Realm) throws {
    try realm.write {
      for id in 0..<100 { realm.add(Blob(id: id, bytes: Data(repeating: 1, count: 20_000))) }
    }
    try realm.write { realm.delete(realm.objects(Blob.self)) }
  }

  /// Makes something whose helpers must be gone when it is handed over.
  func held(_ make: () throws -> Any) rethrows -> Any { try make() }

  /// Asserts that commits which replace the first blob take no new space to speak of: what they
  /// need, others have let go. A file that forgets grows by a blob with each; one that is filled
  /// with some waste does not.
  func growsNoMore(_ when: String) throws {
    for round in 0..<10 { try foreign { try self.overwriteInWrite($0, with: round) } }
    let before = size()
    let commits = 60
    for round in 0..<commits { try foreign { try self.overwriteInWrite($0, with: round) } }
    expect(
      size() <= before + commits / 4 * Stage.blobSize,
      "a file that grows by less than a quarter of what is written \(when)",
      observed: "\(before) and then \(size()) bytes")
  }
}
