import EngineUnderTest
import Foundation
import Harness

/// All that can be read and asked while the realm's own asynchronous commit is on its way to a disk
/// that does not take it: nobody who only reads waits for that.
enum BesideFlush {
  private struct Question: Sendable {
    let name: String
    let ask: @Sendable (Realm) throws -> Void
  }

  private static let ofRealm: [Question] = [
    Question(name: "objects(_:)") { use($0.objects(Vessel.self)) },
    Question(name: "a count") { use($0.objects(Vessel.self).count) },
    Question(name: "a query") { use($0.objects(Vessel.self).where { $0.number > 0 }.first) },
    Question(name: "a sort") { use($0.objects(Vessel.self).sorted(byKeyPath: "name").last) },
    Question(name: "a sum") { use($0.objects(Vessel.self).sum(of: \.number) as Int) },
    Question(name: "an object by its key") { use($0.vessel(1)) },
    Question(name: "isEmpty") { use($0.isEmpty) },
    Question(name: "isInWriteTransaction") { use($0.isInWriteTransaction) },
    Question(name: "isPerformingAsynchronousWriteOperations") {
      use($0.isPerformingAsynchronousWriteOperations)
    },
    Question(name: "refresh()") { use($0.refresh()) },
    Question(name: "observing") { realm in
      realm.objects(Vessel.self).observe { _ in }.invalidate()
    },
    Question(name: "observing the realm") { $0.observe { _, _ in }.invalidate() },
    Question(name: "opening it again") { use(try Realm(configuration: $0.configuration)) },
  ]

  private static let all =
    ofRealm
    + Look.all.map { look in Question(name: look.name) { look.prepare($0.vessel(1))() } }

  static let probe = Probe("nothing that can be read or asked waits for the realm's own flush") {
    stage in
    let hooks = try stage.hooks()
    hooks.record()
    let realm = try Vessel.stocked(stage)
    let flushing = Latch("the flush")
    let release = Latch("the flush's release")
    hooks.beforeFlush {
      flushing.open()
      if !release.wait(stage.patience) { stage.stamps.mark("nobody came to read") }
    }
    realm.beginWrite()
    realm.vessel(1)!.number = 77
    var completed = false
    realm.commitAsyncWrite { _ in completed = true }
    try stage.wait(for: flushing)
    for question in all {
      try question.ask(realm)
      if stage.stamps.of("nobody came to read") != nil {
        stage.fail(
          expected: "\(question.name) while the flush goes on", observed: "it waited for the flush")
        break
      }
    }
    stage.equal(realm.vessel(1)!.number, 77, "what was committed, read meanwhile")
    hooks.beforeFlush(nil)
    release.open()
    try stage.spin(until: { completed }, "the completion")
  }
}
