import EngineUnderTest
import Foundation

/// Calls of a realm whose answer nobody looks at, or that find nothing: nothing of it is read that
/// could tell later where that was. It is the call itself that must not be made there.
enum ConfineUnread {
  private static let calls: [Probe.Act] =
    found("objects", Person.self, "age")
    + found("objects of a class that has none", Blob.self, "id")
    + [
      .init("projections") { use($0.objects(PersonView.self)) },
      .init("objects, filtered by words") { use($0.objects(Person.self).filter("age > 30")) },
      .init("an object that is not there") {
        use($0.object(ofType: Account.self, forPrimaryKey: 77))
      },
      .init("an object of a class that has none") {
        use($0.object(ofType: Blob.self, forPrimaryKey: 1))
      },
      .init("an object that is not there, by the name of its class") {
        use($0.dynamicObject(ofType: "Account", forPrimaryKey: 77))
      },
      .init("an object of a class that has none, by its name") {
        use($0.dynamicObject(ofType: "Blob", forPrimaryKey: 1))
      },
      .init("an object that is created by the name of its class") {
        use($0.dynamicCreate("Person"))
      },
      .init("nobody, deleted") { realm in realm.delete(realm.objects(Blob.self)) },
    ]

  /// All objects of a class, in each way to ask for them before anything is read.
  private static func found<Class: ObjectBase & RealmFetchable & RealmCollectionValue>(
    _ name: String, _ type: Class.Type, _ path: String
  ) -> [Probe.Act] {
    let className = "\(type)"
    return [
      .init("\(name)") { use($0.objects(type)) },
      .init("\(name), sorted") { use($0.objects(type).sorted(byKeyPath: path)) },
      .init("\(name), by the name of their class") { use($0.dynamicObjects(className)) },
      .init("\(name), by the name of their class and filtered") {
        use($0.dynamicObjects(className).filter("TRUEPREDICATE"))
      },
      .init("\(name), by the name of their class and sorted") {
        use($0.dynamicObjects(className).sorted(byKeyPath: path))
      },
    ]
  }

  /// Each on another thread, at home known and not.
  static let onThreads: [Probe] = [false, true].flatMap { isKnown in
    calls.map { call in
      Probe(
        "\(call.name), which nobody reads, on another thread"
          + (isKnown ? ", when home has asked for it" : ""),
        refusing: [Words.wrongThread]
      ) { stage in
        let realm = try stage.stocked()
        if isKnown { try askAtHome(realm, call) }
        try stage.elsewhere { stage.act { try call.body(realm) } }
      }
    }
  }

  /// Each off the queue that the realm is of, in a block of another one and in none; the realm
  /// writes, or does not.
  static let offQueues: [Probe] = calls.enumerated().map { number, call in
    let (isWriting, onAnother) = (number % 2 == 0, number / 2 % 2 == 0)
    return Probe(
      "\(call.name), which nobody reads, off its queue" + (onAnother ? ", on another" : "")
        + (isWriting ? ", while it writes" : ""),
      refusing: [Words.wrongThread]
    ) { stage in
      let queue = DispatchQueue(label: "home")
      var kept: Realm?
      try queue.sync {
        let realm = try Realm(configuration: stage.configuration(), queue: queue)
        try realm.write { Stage.stock(realm) }
        if isWriting { realm.beginWrite() }
        kept = realm
      }
      let realm = kept!
      if onAnother {
        DispatchQueue(label: "another").sync { stage.act { try call.body(realm) } }
      } else {
        stage.act { try call.body(realm) }
      }
    }
  }

  private static func askAtHome(_ realm: Realm, _ call: Probe.Act) throws {
    realm.beginWrite()
    try call.body(realm)
    realm.cancelWrite()
    try realm.write { try call.body(realm) }
  }
}
