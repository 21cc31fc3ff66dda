import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// A file that one thread lets go of, as the last who has it open, while another one opens it.
enum Handovers {
  /// By what the last one has it open.
  private enum Last: Int, CaseIterable { case realm, frozen, object, reference }
  /// How the next one opens it.
  private enum Next: Int, CaseIterable { case thread, queue, callback }

  static let probe = Probe("whoever opens a file while another thread lets go of it has it") {
    stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try stage.stocked() }
    let ways = Last.allCases.flatMap { last in Next.allCases.map { (last, $0) } }
    for round in 0..<(4 * ways.count) {
      let (last, next) = ways[round % ways.count]
      // Who leaves says so with its hand on the door; who comes stands before it already, so that
      // there is nothing between the one and the other but being woken.
      let comes = Latch("round \(round)'s coming")
      let leaves = Latch("round \(round)'s leaving")
      stage.thread("who comes in round \(round)") {
        comes.open()
        try stage.wait(for: leaves)
        try open(next, stage) { realm in
          stage.equal(
            realm.account(1).balance, 100 + round, "what who comes reads, \(next) after \(last)")
          try realm.write { realm.account(1).balance += 1 }
        }
      }
      stage.thread("who leaves in round \(round)") {
        var held: Any? = try hold(last, stage, round)
        try stage.wait(for: comes)
        // Every other time a moment later, when it has let go.
        if round / ways.count % 2 == 0 { leaves.open() }
        use(held != nil)
        held = nil
        leaves.open()
      }
      try stage.joinAll()
    }
  }

  private static func hold(_ last: Last, _ stage: Stage, _ round: Int) throws -> Any {
    let realm = try stage.open()
    stage.equal(realm.account(1).balance, 100 + round, "what who leaves reads")
    switch last {
    case .realm: return realm
    case .frozen: return realm.freeze()
    case .object: return realm.account(1)
    case .reference: return ThreadSafeReference(to: realm.account(1))
    }
  }

  private static func open(
    _ next: Next, _ stage: Stage, _ body: @escaping @Sendable (Realm) throws -> Void
  ) throws {
    switch next {
    case .thread: try body(try stage.open())
    case .queue:
      let queue = DispatchQueue(label: "comes")
      try queue.sync {
        try body(try Realm(configuration: stage.configuration(), queue: queue))
      }
    case .callback:
      let called = Latch("the callback")
      let failure = Mutex<(any Error)?>(nil)
      Realm.asyncOpen(
        configuration: stage.configuration(), callbackQueue: DispatchQueue(label: "callback")
      ) { result in
        do { try body(try result.get()) } catch { failure.withLock { $0 = error } }
        called.open()
      }
      try stage.wait(for: called)
      if let error = failure.withLock({ $0 }) { throw error }
    }
  }
}
