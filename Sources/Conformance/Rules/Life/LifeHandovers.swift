import EngineUnderTest
import Foundation
import Harness

/// A file that one thread lets go of, as the last who has it open, while another one opens it.
enum Handovers {
  static let probe = Probe("whoever opens a file while another thread lets go of it has it") {
    stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try stage.stocked() }
    for round in 0..<40 {
      // Who leaves says so with its hand on the door; who comes stands before it already, so that
      // there is nothing between the one and the other but being woken.
      let comes = Latch("round \(round)'s coming")
      let leaves = Latch("round \(round)'s leaving")
      stage.thread("who comes in round \(round)") {
        comes.open()
        try stage.wait(for: leaves)
        let realm = try stage.open()
        stage.equal(realm.account(1).balance, 100 + round, "what who comes reads")
        try realm.write { realm.account(1).balance += 1 }
      }
      stage.thread("who leaves in round \(round)") {
        var realm: Realm? = try stage.open()
        stage.equal(realm?.account(1).balance, 100 + round, "what who leaves reads")
        try stage.wait(for: comes)
        // Every other time a moment later, when it has let go.
        if round % 2 == 0 { leaves.open() }
        realm = nil
        leaves.open()
      }
      try stage.joinAll()
    }
  }
}
