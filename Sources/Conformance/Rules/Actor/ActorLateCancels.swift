import EngineUnderTest
import Foundation
import Harness

/// Tasks that are cancelled when their turn to write has come: the write goes on, and ends as it
/// would have.
enum ActorLateCancels {
  private enum Moment: String, CaseIterable {
    case block = "in its block"
    case end = "at the end of its block"
    case flush = "while the disk works"
  }

  static let probes: [Probe] = Moment.allCases.map { moment in
    Probe.task("a task that is cancelled \(moment.rawValue) has written") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let (begun, cancelled) = (Latch("the flush"), Latch("the cancelling"))
      if moment == .flush {
        let hooks = try stage.hooks()
        hooks.record()
        hooks.beforeFlush {
          if begun.isOpen { return }
          begun.open()
          _ = cancelled.wait(.seconds(10))
        }
      }
      let keeper = try await Keeper(stage.configuration())
      let task = Task {
        try await keeper.run { _, realm in
          try await realm.asyncWrite {
            if moment == .block { withUnsafeCurrentTask { $0?.cancel() } }
            realm.account(1).balance = 7
            if moment == .end { withUnsafeCurrentTask { $0?.cancel() } }
            return 5
          }
        }
      }
      if moment == .flush {
        try await stage.arrival(of: begun)
        task.cancel()
        cancelled.open()
      }
      do {
        stage.equal(try await task.value, 5, "what the write returns")
      } catch {
        stage.fail(expected: "the block's value", observed: "\(error)")
      }
      stage.equal(try stage.seen { $0.account(1).balance }, 7, "what was written")
      // Whoever comes next has a turn like any other.
      let next = try await keeper.run { _, realm in
        try await realm.asyncWrite { realm.account(1).balance }
      }
      stage.equal(next, 7, "what the next write finds")
    }
  }
}
