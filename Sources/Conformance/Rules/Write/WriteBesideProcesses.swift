import EngineUnderTest
import Foundation
import Harness

/// A process that writes without a pause, and another one that wants to write a few times: it gets
/// its turn each time after a few commits of the first one, and not when chance has it that the
/// lock is free just as it looks.
enum PatientProcess {
  /// Where the lock is offered to nobody each commit of the first process is a chance, a small one:
  /// who has come in soon by it once or twice has not ten times.
  private static let asks = 10
  /// One commit or two for each, if nothing comes between; the rest is for a machine that is busy.
  private static let limit = 80

  static let probe = Probe(
    "a process that writes without a pause lets another one in after a few commits",
    companions: [
      "patient": { stage in
        let realm = try stage.open()
        stage.tell("ready")
        while stage.hear() == "ask" {
          // Who asks before the other one has begun again waits for nobody.
          let last = realm.account(1).balance
          let end = ContinuousClock.now + stage.patience
          repeat { realm.refresh() } while realm.account(1).balance == last && .now < end
          let before = realm.account(1).balance
          realm.beginWrite()
          let waited = realm.account(1).balance - before
          realm.account(3).balance += 1
          try realm.commitWrite()
          stage.tell("\(waited)")
        }
      }
    ]
  ) { stage in
    // Both processes share one processor. Whoever is told there that the lock is free does not run
    // at once, so it cannot slip in between two writes of the other one by luck. With more
    // processors it could.
    Processors().stayTogether()
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try stage.stocked() }
    let patient = try stage.companion("patient")
    stage.equal(try stage.hear(patient, "a word"), "ready", "the patient one's word")
    let stop = Latch("the patient one's last turn")
    let running = Latch("the greedy one's first commit")
    let greedy = stage.thread("greedy") {
      let realm = try stage.open()
      while !stop.isOpen {
        realm.beginWrite()
        realm.account(1).balance += 1
        // Most of its time is spent in writes, each of which is longer than anybody has to wait
        // before it is worth an offer.
        let end = ContinuousClock.now + .milliseconds(5)
        repeat { realm.account(2).balance += 1 } while .now < end
        try realm.commitWrite()
        running.open()
      }
    }
    try stage.wait(for: running)
    var commits: [Int] = []
    while commits.count < asks, commits.reduce(0, +) <= limit {
      patient.send("ask")
      guard let count = Int(try stage.hear(patient, "its turn")) else { break }
      commits.append(count)
    }
    stop.open()
    try stage.join(greedy)
    patient.closeInput()
    _ = patient.remains()
    stage.expect(
      commits.count == asks && commits.reduce(0, +) <= limit,
      "\(asks) turns of one process while another one commits \(limit) times at the most",
      observed: "it waited for \(commits) commits")
  }
}
