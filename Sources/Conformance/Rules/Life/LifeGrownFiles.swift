import EngineUnderTest
import Foundation
import Harness

/// A file on its way from nothing to what an app may have: at each size it is opened by whoever
/// wants it.
enum GrownFiles {
  private static let megabyte = 1 << 20

  static let probe = Probe(
    "a file is opened at each size to which it grows, here and in another process",
    companions: [
      "opener": { stage in
        Backstage.hooks?.skipFlushes()
        let realm = try stage.open()
        let count = realm.objects(Blob.self).count
        let last = realm.object(ofType: Blob.self, forPrimaryKey: count)?.bytes
        stage.tell("\(count), \(last?.last ?? 0)")
      }
    ]
  ) { stage in
    Backstage.hooks?.skipFlushes()
    // The size that is to be passed next, and how much is written in all.
    var next = 8 * megabyte
    let end = (stage.isDeep ? 258 : 132) * megabyte
    var (number, written) = (0, 0)
    while written < end {
      // Slowly where a size is passed that has some meaning to computers.
      let isNear = next - stage.size() < 6 * megabyte || end - written < 6 * megabyte
      let bytes = isNear ? megabyte : 4 * megabyte
      try stage.elsewhere {
        let realm = try stage.open()
        stage.equal(
          realm.objects(Blob.self).count, number,
          "the blobs in a file of \(stage.size()) bytes")
        if number > 0 {
          let last = realm.object(ofType: Blob.self, forPrimaryKey: number)?.bytes
          stage.equal(
            last?.last, UInt8(truncatingIfNeeded: number),
            "the last byte in a file of \(stage.size()) bytes")
        }
        try realm.write {
          let byte = UInt8(truncatingIfNeeded: number + 1)
          realm.add(Blob(id: number + 1, bytes: Data(repeating: byte, count: bytes)))
        }
      }
      (number, written) = (number + 1, written + bytes)
      let size = stage.size()
      if size <= next { continue }
      while size > next { next *= 2 }
      let opener = try stage.companion("opener")
      stage.equal(
        try stage.hear(opener, "what it finds"),
        "\(number), \(UInt8(truncatingIfNeeded: number))",
        "what another process finds in a file of \(size) bytes")
      use(opener.remains())
    }
    stage.expect(number > 15, "a file of many sizes", observed: "\(number)")
  }
}
