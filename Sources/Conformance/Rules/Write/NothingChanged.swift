import EngineUnderTest
import Foundation
import Harness

/// Calls that would change nothing. Outside a write they are no better than others: who looks
/// first whether there is anything to do lets a wrong program pass until there is.
enum NothingChanged {
  static let properties = Probe.each(
    saying: Words.outsideWrite,
    acts: [
      .init("the same number by its name") { realm in
        let ann = realm.person("Ann")
        ann.setValue(ann.age, forKey: "age")
      },
      .init("the same text by its name") { realm in
        let ann = realm.person("Ann")
        ann.setValue(ann.name, forKey: "name")
      },
      .init("what its name gives, by its name") { realm in
        let ann = realm.person("Ann")
        ann.setValue(ann.value(forKey: "age"), forKey: "age")
      },
      .init("no link where there is none, by its name") { realm in
        let bob = realm.person("Bob")
        bob.setValue(bob.best, forKey: "best")
      },
      .init("the same value by the name of a dynamic object") { realm in
        let account = realm.dynamicObject(ofType: "Account", forPrimaryKey: 1)
        account?["balance"] = account?["balance"]
      },
    ])

  static let deletions = [
    Probe.dies("deleteAll in an empty realm", saying: Words.onlyInWrite) { stage in
      let realm = try stage.open()
      stage.act { realm.deleteAll() }
    },
    Probe.dies("delete of results without a member", saying: Words.onlyInWrite) { stage in
      let realm = try stage.stocked()
      let nobody = realm.objects(Person.self).where { $0.age > 1_000 }
      stage.act { realm.delete(nobody) }
    },
    Probe.dies("delete of a list without a member", saying: Words.onlyInWrite) { stage in
      let realm = try stage.stocked()
      let person = Person(name: "Zoe", age: 3)
      try realm.write { realm.add(person) }
      stage.act { realm.delete(person.dogs) }
    },
  ]
}
