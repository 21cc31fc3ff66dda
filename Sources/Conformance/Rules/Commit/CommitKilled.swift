import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// A process that dies as soon as it has reported a commit, made in each of the ways.
  static let killedManners = Probe(
    "what was reported is there when its process is killed, however it was committed",
    companions: [
      "writer": { stage in
        // Some of what comes before has its disk fail.
        Backstage.hooks?.record()
        let number = Int(stage.words[0])!
        let manner = Manner.all[number % Manner.all.count]
        let realm = try Vessel.stocked(stage)
        let turn = stage.turn(of: Change.all.count, apart: Preamble.allCases.count)
        let acts = (0..<3).map { round in
          (
            Preamble.turn(stage, number + round),
            Change.all[(number * 11 + round * 29 + turn) % Change.all.count]
          )
        }
        stage.tell(acts.map { "\($0.rawValue), \($1.name)" }.joined(separator: ", "))
        for (round, (preamble, change)) in acts.enumerated() {
          try preamble.pass(stage, realm)
          try manner.commit(stage, realm) {
            realm.deleteAll()
            Vessel.stock(realm)
            change.prepare(realm.vessel(1))()
            realm.vessel(2).number = number * 10 + round
          }
        }
        stage.tell(realm.dump)
        _ = stage.hear()
      }
    ]
  ) { stage in
    for number in 0..<Manner.all.count * (stage.isDeep ? 8 : 1) {
      let writer = try stage.companion("writer", "\(number)")
      let acts = try stage.hear(writer, "what it does")
      let told = try stage.hear(writer, "what it has committed")
      writer.signal(SIGKILL)
      use(writer.remains())
      let seen = try stage.elsewhere {
        try Realm(configuration: Vessel.configuration(stage)).dump
      }
      let name = Manner.all[number % Manner.all.count].name
      stage.equal(seen, told, "what is there of what was committed by \(name): \(acts)")
    }
  }
}
