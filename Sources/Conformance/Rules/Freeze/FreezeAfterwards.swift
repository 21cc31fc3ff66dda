import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// What was read of a frozen realm before it was closed.
  static let closedReads = [
    "an object", "an object that was read", "results that were counted", "a member that was found",
    "a list that was read", "links backwards that were read",
  ].map { name in
    Probe.dies(
      "\(name), of a frozen realm that was closed", saying: "invalidated", "no longer valid"
    ) { stage in
      let frozen = try stage.stocked().freeze()
      let (account, people) = (frozen.account(1), frozen.objects(Person.self))
      let dogs = frozen.person("Ann").dogs
      let owners = dogs[0].owners
      let member = people[0]
      if name.contains("read") || name.contains("counted") || name.contains("found") {
        use((account.balance, people.count, dogs.count, owners.count, member.age, dogs[0].name))
      }
      frozen.invalidate()
      stage.act {
        switch name {
        case "an object", "an object that was read": use(account.balance)
        case "results that were counted": use(people.count)
        case "a member that was found": use(member.age)
        case "a list that was read": use(dogs.count)
        default: use(owners.count)
        }
      }
    }
  }

  /// What belongs to what can be frozen, and can be frozen by itself.
  static let partsFreeze = Probe("parts of what can be frozen freeze, too, and stay as they are") {
    stage in
    let realm = try stage.stocked()
    let sections = realm.objects(Person.self).sectioned(by: \.age)
    let section = sections[0].freeze()
    stage.equal(section.isFrozen, true, "whether the section is frozen")
    stage.equal(section[0].isFrozen, true, "whether its member is")
    let dog = realm.person("Ann").dogs[0].freeze()
    stage.equal(dog.owners.isFrozen, true, "whether the links backwards are")
    let view = PersonView(projecting: realm.person("Ann")).freeze()
    stage.equal(view.isFrozen, true, "whether the projection is")
    stage.equal(section.thaw()?.isFrozen, false, "whether the thawed section is")
    try realm.write {
      realm.add(Person(name: "Dan", age: 30))
      realm.person("Bob").dogs.append(realm.person("Ann").dogs[0])
      realm.person("Ann").name = "Eve"
    }
    stage.equal(section.count, 1, "the frozen section's count")
    stage.equal(section[0].name, "Ann", "the frozen section's member")
    stage.equal(sections[0].count, 2, "the live section's count")
    stage.equal(section.thaw()?.count, 2, "the thawed section's count")
    stage.equal(dog.owners.count, 1, "the owners of the frozen dog")
    stage.equal(view.fullName, "Ann", "the frozen projection's name")
    try stage.elsewhere {
      stage.equal(section.map(\.name), ["Ann"], "the frozen section elsewhere")
    }
  }
}
