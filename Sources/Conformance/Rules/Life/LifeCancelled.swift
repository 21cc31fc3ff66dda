import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Openings that are cancelled while the queue of their callback is busy: nothing is called,
  /// however far they have come.
  static let cancelledOpenings: [Probe] = ["a queue", "the main queue"].flatMap { place in
    [
      "at once", "when the file is there", "when others have it open",
      "when another opening has come", "when it cannot be opened",
    ].map { moment in
      Probe("asyncOpen for \(place), which is busy, is cancelled \(moment): nothing is called") {
        stage in
        let queue = place == "a queue" ? DispatchQueue(label: "callback") : .main
        for round in 0..<4 {
          var configuration = stage.configuration("round \(round)")
          if moment == "when it cannot be opened" { configuration.readOnly = true }
          if moment == "when others have it open" { _ = try stage.open("round \(round)") }
          let kept = moment == "when others have it open" ? try stage.open("round \(round)") : nil
          let release = Latch("the end of what the queue does")
          if place == "a queue" { stage.later(on: queue) { _ = release.wait(stage.patience) } }
          var (calls, wanted) = (0, 0)
          let tasks = (0..<3).map { _ in
            Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { _ in calls += 1 }
          }
          // The main queue is busy as long as this does not turn its loop.
          if moment == "when the file is there" {
            let limit = ContinuousClock.now + stage.patience
            while !Realm.fileExists(for: configuration), ContinuousClock.now < limit {
              sched_yield()
            }
            stage.equal(Realm.fileExists(for: configuration), true, "whether the file is there")
          }
          if moment == "when another opening has come" {
            let (other, came) = (DispatchQueue(label: "other"), Latch("the other opening"))
            Realm.asyncOpen(configuration: configuration, callbackQueue: other) { _ in
              came.open()
            }
            try stage.wait(for: came)
          }
          // Gives them the time to come to the queue; of an honest engine it decides nothing.
          if round % 2 == 0 { stage.letShow(Latch("nothing"), within: .milliseconds(30)) }
          for task in tasks { task.cancel() }
          Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { _ in wanted += 1 }
          release.open()
          func count() -> (calls: Int, wanted: Int) {
            place == "a queue" ? queue.sync { (calls, wanted) } : (calls, wanted)
          }
          try stage.spin(until: { count().wanted == 1 }, "the opening that is not cancelled")
          for _ in 0..<20 {
            let turned = Latch("a turn of the queue")
            stage.later(on: queue) { turned.open() }
            try stage.spin(until: { turned.isOpen }, turned.name)
          }
          stage.equal(count().calls, 0, "the calls of those that were cancelled \(moment)")
          withExtendedLifetime(kept) {}
        }
      }
    }
  }
}
