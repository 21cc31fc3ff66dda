import EngineUnderTest
import Foundation
import Harness

/// Completions and the calls that they are given to, in a file and in memory: none comes before
/// the call has returned.
enum AsyncInsideCalls {
  static let probes: [Probe] = [false, true].map { isInMemory in
    let place = isInMemory ? "in memory" : "in a file"
    return Probe("no completion is called inside the call that it is given to, \(place)") {
      stage in
      var configuration = stage.configuration()
      if isInMemory { configuration.inMemoryIdentifier = "inside calls" }
      let realm = try Realm(configuration: configuration)
      try realm.write { Stage.stock(realm) }
      var isInside = false
      var events: [String] = []
      func call(_ name: String, _ body: (@escaping ((any Error)?) -> Void) -> Void) {
        isInside = true
        body { error in
          events.append("\(name) \(isInside ? "inside" : "after") \(error == nil)")
        }
        isInside = false
      }
      func expect(_ name: String) throws {
        try stage.spin(until: { !events.isEmpty }, "the completion of \(name)")
        stage.equal(events, ["\(name) after true"], "the completion of \(name), \(place)")
        events = []
      }
      for changes in [true, false] {
        func change() { if changes { realm.account(1).balance += 1 } }
        let what = changes ? "changes" : "nothing"
        call("writeAsync of \(what)") { realm.writeAsync(change, onComplete: $0) }
        try expect("writeAsync of \(what)")
        for grouping in [false, true] {
          let name = "a commit of \(what), grouping \(grouping)"
          realm.beginWrite()
          change()
          call(name) { realm.commitAsyncWrite(allowGrouping: grouping, $0) }
          try expect(name)
          realm.beginAsyncWrite {
            change()
            call("\(name) in a block") { realm.commitAsyncWrite(allowGrouping: grouping, $0) }
          }
          try expect("\(name) in a block")
        }
      }
    }
  }
}
