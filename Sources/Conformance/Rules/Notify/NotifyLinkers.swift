import EngineUnderTest
import Foundation
import Harness

/// Listeners by links backwards: who links, and how often, is what they lead to.
enum Linkers {
  /// How a list comes to have an object so many times.
  private enum Way: String, CaseIterable {
    case oneByOne = "one by one"
    case assigned = "assigned anew"
    case replaced = "in the place of others"

    func run(_ list: List<Dog>, _ dog: Dog, _ other: Dog, _ count: Int) {
      switch self {
      case .assigned: list.assign([other] + (0..<count).map { _ in dog })
      case .oneByOne:
        var there = list.count { $0.isSameObject(as: dog) }
        while there < count {
          list.append(dog)
          there += 1
        }
        while there > count {
          list.remove(at: list.index(of: dog)!)
          there -= 1
        }
      case .replaced:
        while list.count < 5 { list.append(other) }
        for place in 0..<list.count {
          let new = place < count ? dog : other
          if !list[place].isSameObject(as: new) { list[place] = new }
        }
      }
    }
  }

  static let probes: [Probe] = Way.allCases.flatMap { way in
    [false, true].map { isForeign in
      Probe(
        "an object observed by links backwards hears how often a list has it: \(way.rawValue)"
          + (isForeign ? ", elsewhere" : "")
      ) { stage in
        let realm = try stage.stocked()
        let (ann, bob) = (realm.person("Ann"), realm.person("Bob"))
        let dog = ann.dogs[0]
        try realm.write { bob.best = dog }
        var calls = ["owners": 0, "best.owners": 0, "dogs of others": 0]
        let tokens = [
          dog.observe(keyPaths: ["owners"]) { (_: ObjectChange<Dog>) in calls["owners"]! += 1 },
          bob.observe(keyPaths: ["best.owners"]) { (_: ObjectChange<Person>) in
            calls["best.owners"]! += 1
          },
          realm.person("Cid").dogs[1].observe(keyPaths: ["owners"]) { (_: ObjectChange<Dog>) in
            calls["dogs of others"]! += 1
          },
        ]
        try stage.settle(realm)
        for (round, count) in [2, 1, 3, 2, 1, 0, 2, 3, 1, 2].enumerated() {
          func change(_ realm: Realm) {
            let list = realm.person("Ann").dogs
            let dog = realm.objects(Dog.self).where { $0.name == "Ann's 1" }.first!
            let other = realm.objects(Dog.self).where { $0.name == "Ann's 2" }.first!
            way.run(list, dog, other, count)
          }
          if isForeign {
            try stage.foreign { change($0) }
          } else {
            try realm.write { change(realm) }
          }
          let what = "change \(round), to \(count) times"
          try stage.spin(
            until: { calls["owners"]! > round && calls["best.owners"]! > round },
            "the calls for \(what)")
          try stage.settle(realm)
          stage.equal(
            calls, ["owners": round + 1, "best.owners": round + 1, "dogs of others": 0],
            "the calls behind \(what)")
          stage.equal(dog.owners.count, count, "how many links lead to it behind \(what)")
        }
        for token in tokens { token.invalidate() }
      }
    }
  }
}
