import EngineUnderTest
import Foundation

/// What a realm's home is in the middle of while somebody elsewhere takes its things: whatever it
/// is, that is no excuse.
private enum HomeMoment: String, CaseIterable {
  case realmTold = "in a call of the realm's listener"
  case collectionTold = "in a call of a collection's listener"
  case objectTold = "in a call of an object's listener"
  case writing = "in a write"
  case writingLater = "in an asynchronous write"
  case completed = "in a completion"
  case walking = "in a loop"

  /// Brings home there, and does something.
  func reach(_ stage: Stage, _ realm: Realm, _ body: @escaping () -> Void) throws {
    var isOver = false
    let once = {
      if !isOver { body() }
      isOver = true
    }
    var token: NotificationToken?
    switch self {
    case .realmTold: token = realm.observe { _, _ in once() }
    case .collectionTold: token = realm.objects(Person.self).observe { _ in once() }
    case .objectTold: token = realm.person("Ann").observe { (_: ObjectChange<Person>) in once() }
    case .writing: try realm.write(once)
    case .writingLater: realm.writeAsync(once)
    case .completed: realm.writeAsync({ realm.person("Ann").age += 1 }, onComplete: { _ in once() })
    case .walking: for _ in realm.objects(Person.self) { once() }
    }
    if token != nil { try stage.foreign { $0.person("Ann").age += 1 } }
    try stage.spin(until: { isOver }, rawValue)
    token?.invalidate()
  }
}

extension Probe {
  static let confinedAtEachMoment: [Probe] = HomeMoment.allCases.enumerated().map {
    number, moment in
    Probe.dies("elsewhere, while home is \(moment.rawValue)", saying: Words.wrongThread) { stage in
      let realm = try stage.stocked()
      let ann = realm.person("Ann")
      let people = realm.objects(Person.self)
      try moment.reach(stage, realm) {
        try? stage.elsewhere {
          stage.act {
            switch number % 3 {
            case 0: use(ann.age)
            case 1: use(people.count)
            default: use(ann.dogs.first)
            }
          }
        }
      }
    }
  }
}
