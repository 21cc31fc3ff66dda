import EngineUnderTest
import Foundation

extension Probe {
  /// Two processes write by turns, and each lets the file grow: nobody takes room that the other
  /// has come to use.
  static let growthByTurns = Probe(
    "two processes that let a file grow by turns keep what each has written",
    companions: [
      "other": { stage in try grow(stage, by: Int(stage.words[0])!, 1) }
    ]
  ) { stage in
    let realm = try stage.open()
    let path = stage.directory.appendingPathComponent("probe.realm").path
    for round in 0..<6 {
      try grow(realm, by: round, 0)
      use(try stage.companion("other", "\(round)").remains())
      realm.refresh()
      var wrong: [Int] = []
      for blob in realm.objects(Blob.self) where blob.bytes != bytes(blob.id) {
        wrong.append(blob.id)
      }
      stage.equal(wrong, [], "what is not as it was written, round \(round)")
      let count = (0...round).reduce(0) { $0 + 2 * amount($1) }
      stage.equal(realm.objects(Blob.self).count, count, "how many there are, round \(round)")
      try Backstage.hooks?.verify(path)
    }
  }

  private static func amount(_ round: Int) -> Int { round % 2 == 0 ? 3 : 40 }

  private static func bytes(_ id: Int) -> Data {
    Data(repeating: UInt8(id % 251), count: 3000 + id % 7 * 9000)
  }

  private static func grow(_ stage: Stage, by round: Int, _ who: Int) throws {
    try grow(try stage.open(), by: round, who)
  }

  private static func grow(_ realm: Realm, by round: Int, _ who: Int) throws {
    try realm.write {
      for number in 0..<amount(round) {
        let id = round * 1000 + number * 2 + who
        realm.add(Blob(id: id, bytes: bytes(id)))
      }
    }
  }
}
