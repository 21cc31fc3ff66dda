import EngineUnderTest
import Foundation
import Harness

/// Waits for a writer that takes longer over its write than anybody's patience: none of them ends
/// before it does.
enum LongWaits {
  /// Longer than what engines allow by custom: SQLite's users ask for five seconds.
  private static let time = Duration.seconds(6)

  static let probe = Probe("who begins waits for a write of six seconds, however it begins") {
    stage in
    try stage.elsewhere { _ = try stage.stocked() }
    let release = Latch("the long write's end")
    let tooEarly = Latch("a begin that does not wait")
    let writer = try stage.holdingWrite(until: release) { $0.account(1).balance = 7 }
    let ways: [(name: String, write: (Realm) throws -> Int)] = [
      ("write", { realm in try realm.write { realm.account(1).balance } }),
      (
        "beginWrite",
        { realm in
          realm.beginWrite()
          defer { realm.cancelWrite() }
          return realm.account(1).balance
        }
      ),
    ]
    let waiting = ways.map { name, write in
      stage.thread(name) {
        defer { tooEarly.open() }
        let realm = try stage.open()
        use(realm.account(1).balance)
        let balance = try write(realm)
        stage.stamps.mark(name)
        stage.equal(balance, 7, "what \(name) shows")
      }
    }
    stage.letShow(tooEarly, within: time)
    release.open()
    try stage.join(writer)
    for one in waiting { try stage.join(one) }
    for (name, _) in ways { stage.ordered("release", before: name) }
  }
}
