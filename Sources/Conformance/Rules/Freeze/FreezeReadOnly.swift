import EngineUnderTest
import Foundation

/// What is of a read-only realm is frozen like anything else, and is at home everywhere then.
enum FreezeReadOnly {
  static let probe = Probe("everything of a read-only realm can be frozen, and read anywhere") {
    stage in
    try stage.elsewhere { _ = try stage.stocked() }
    var configuration = stage.configuration()
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    let ann = realm.person("Ann")
    let frozen = (
      realm: realm.freeze(), object: ann.freeze(), list: ann.dogs.freeze(),
      results: realm.objects(Person.self).where { $0.age > 35 }.freeze(),
      owners: ann.dogs[0].owners.freeze()
    )
    stage.equal(frozen.realm.isFrozen, true, "whether the realm is frozen")
    stage.equal(frozen.object.isFrozen, true, "whether the object is frozen")
    stage.equal(frozen.list.isFrozen, true, "whether the list is frozen")
    stage.equal(frozen.results.isFrozen, true, "whether the results are frozen")
    stage.equal(frozen.owners.isFrozen, true, "whether the links backwards are frozen")
    stage.equal(
      [realm.isFrozen, ann.isFrozen, ann.dogs.isFrozen], [false, false, false],
      "whether what was frozen from is frozen")
    try stage.elsewhere {
      stage.equal(frozen.realm.objects(Dog.self).count, 6, "dogs of the frozen realm")
      stage.equal(frozen.object.name, "Ann", "the frozen object's name")
      stage.equal(frozen.list.count, 2, "how many dogs the frozen list has")
      stage.equal(frozen.results.count, 2, "how many the frozen results have")
      stage.equal(frozen.owners.first?.name, "Ann", "the first of the frozen owners")
    }
  }
}
