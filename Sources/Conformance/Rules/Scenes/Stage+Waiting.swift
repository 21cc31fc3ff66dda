import EngineUnderTest
import Foundation
import Harness

extension Stage {
  /// Lets others run for a moment whose length decides nothing for a right engine: so many times,
  /// but no longer than a tenth of a second, as beside other work each may take as long as that
  /// likes.
  func giveWay(_ times: Int) {
    let end = ContinuousClock.now + .milliseconds(100)
    for _ in 0..<times where .now < end { sched_yield() }
  }

  /// Gives an engine that does not wait the time to show it, on a machine that is busy, too; of one
  /// that waits it decides nothing.
  func letShow(_ tooEarly: Latch, within time: Duration = .milliseconds(200)) {
    _ = tooEarly.wait(time)
  }

  /// B waits for A: one thread is inside a write, the other begins; the first ends its write as it
  /// is told.
  static func waits(_ stage: Stage, end: @escaping (Realm) throws -> Void) throws {
    try stage.elsewhere { _ = try stage.stocked() }
    for round in 0..<5 {
      let held = Latch("the first writer being inside")
      let attempt = Latch("the second writer's attempt")
      let got = Latch("the second writer being inside")
      let inside = Stamps()
      let first = stage.thread("first writer") {
        let realm = try stage.open()
        realm.beginWrite()
        realm.account(1).balance = round
        held.open()
        try stage.wait(for: attempt)
        stage.letShow(got, within: .milliseconds(50))
        inside.mark("release")
        try end(realm)
      }
      let second = stage.thread("second writer") {
        let realm = try stage.open()
        try stage.wait(for: held)
        attempt.open()
        realm.beginWrite()
        inside.mark("got")
        got.open()
        realm.cancelWrite()
      }
      try stage.join(first)
      try stage.join(second)
      guard
        stage.expect(
          inside.ordered("release", before: "got"), "the second waits for the first",
          observed: "it began while the first was inside")
      else { return }
    }
  }
}

extension Stage {
  /// Starts threads that begin together: each opens a realm, and none goes on before all have.
  /// Threads that merely start one after the other may never meet.
  func together(_ name: String, _ count: Int, _ body: @escaping (Int, Realm) throws -> Void) {
    let ready = Stamps()
    let all = Latch("every \(name) being ready")
    for number in 0..<count {
      thread("\(name) \(number)") {
        let realm = try self.open()
        if ready.draw() == count { all.open() }
        try self.wait(for: all)
        try body(number, realm)
      }
    }
  }
}

extension Stage {
  /// Lets the main thread's loop run until everything that was on its way to a realm's observers
  /// has arrived.
  ///
  /// The fence is a new observer: its first call comes behind what was due before it.
  func settle(_ realm: Realm) throws {
    for _ in 0..<2 {
      var arrived = false
      let fence = realm.objects(Todo.self).observe { _ in arrived = true }
      try spin(until: { arrived }, "the fence")
      fence.invalidate()
      var turned = false
      later(on: .main) { turned = true }
      try spin(until: { turned }, "another turn of the main thread")
    }
  }
}
