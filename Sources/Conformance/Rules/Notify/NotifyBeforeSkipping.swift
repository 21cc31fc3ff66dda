import EngineUnderTest
import Foundation

/// What listens to a specimen or to what it has; each tells how many things it was told of.
private enum Ear: String, CaseIterable {
  case results = "all objects"
  case sorted = "sorted results"
  case list = "a list"
  case set = "a set"
  case map = "a map"
  case object = "an object"

  func observe(_ one: Specimen, in realm: Realm, _ told: @escaping (Int) -> Void)
    -> NotificationToken
  {
    switch self {
    case .results: Ear.of(realm.objects(Specimen.self), told)
    case .sorted: Ear.of(realm.objects(Specimen.self).sorted(byKeyPath: "id"), told)
    case .list: Ear.of(one.members, told)
    case .set: Ear.of(one.group, told)
    case .map:
      one.named.observe {
        if case .update(_, _, let come, let changed) = $0 { told(come.count + changed.count) }
      }
    case .object:
      one.observe { (change: ObjectChange<Specimen>) in
        if case .change(_, let properties) = change { told(properties.count) }
      }
    }
  }

  private static func of<Members: RealmCollection>(
    _ members: Members, _ told: @escaping (Int) -> Void
  ) -> NotificationToken {
    members.observe {
      if case .update(_, let gone, let come, let changed) = $0 {
        told(gone.count + come.count + changed.count)
      }
    }
  }

  /// One thing more for this one to be told of; each number once.
  func change(_ one: Specimen, in realm: Realm, number: Int) {
    switch self {
    case .results, .sorted: realm.create(Specimen.self, value: ["id": 100 + number])
    case .list: one.members.append(realm.specimen(number)!)
    case .set: one.group.insert(realm.specimen(number)!)
    case .map: one.named["\(number)"] = .some(realm.specimen(number)!)
    case .object:
      // Each write changes another property.
      switch number {
      case 1: one.amount += 1
      case 2: one.word += "x"
      default: one.ratio += 1
      }
    }
  }
}

extension Probe {
  /// Right before, right behind and between writes that do not tell: each of the others is told.
  static let besideSkipped: [Probe] = Ear.allCases.map { ear in
    Probe("writes right beside one that skips \(ear.rawValue) are told, and that one is not") {
      stage in
      // Which of the writes in one stretch of code tell.
      for course in [[true, false], [false, true], [true, false, true], [false, true, false]] {
        let realm = try Realm(configuration: stage.specimens("\(course)"))
        try realm.write { for id in 0..<5 { realm.add(Specimen(id: id)) } }
        let one = realm.specimen(0)!
        var told = 0
        var calls = 0
        let token = ear.observe(one, in: realm) { told += $0 }
        // Others of the realm are told of all; when they are, so has this one been.
        let other = realm.objects(Specimen.self).observe { _ in calls += 1 }
        try stage.spin(until: { calls == 1 }, "the initial call")
        let base = told
        for (number, tells) in course.enumerated() {
          realm.beginWrite()
          ear.change(one, in: realm, number: number + 1)
          try realm.commitWrite(withoutNotifying: tells ? [] : [token])
        }
        // One more, so that somebody is surely called behind all of them.
        let last = calls
        realm.beginWrite()
        realm.specimen(4)!.whole = 1
        try realm.commitWrite(withoutNotifying: [token])
        try stage.spin(until: { calls > last }, "a call of another one")
        realm.refresh()
        stage.equal(
          told - base, course.count { $0 },
          "what is told of writes of which these tell: \(course)")
        token.invalidate()
        other.invalidate()
      }
    }
  }
}
