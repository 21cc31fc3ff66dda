import EngineUnderTest
import Foundation

/// Who still hears after `invalidate()`: the realm's own listeners, of whatever is committed.
enum LifeHeard {
  static let probe = Probe("a realm's own listeners outlive invalidate()") { stage in
    let realm = try stage.stocked()
    var told: [Realm.Notification] = []
    let token = realm.observe { notification, _ in told.append(notification) }
    for round in 1...3 {
      realm.invalidate()
      told = []
      try realm.write { realm.account(1).balance = round }
      guard stage.equal(told.last, .didChange, "what it is told of its own commit \(round)") else {
        return
      }
      realm.invalidate()
      use(realm.account(1).balance)
      told = []
      try stage.foreign { $0.account(1).balance = 10 * round }
      try stage.spin(until: { !told.isEmpty }, "the call for a commit elsewhere, round \(round)")
      try stage.spin(
        until: { realm.account(1).balance == 10 * round }, "the step to it, round \(round)")
    }
    stage.equal(token.invalidate(), true, "whether it was in force to the end")
  }
}
