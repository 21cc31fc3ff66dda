import EngineUnderTest
import Foundation

extension Probe.Act {
  /// Every call of a realm that touches its data or its state.
  static let ofRealm: [Probe.Act] = [
    .init("objects") { use($0.objects(Person.self).count) },
    .init("objects, which nobody reads") { use($0.objects(Person.self)) },
    .init("dynamicObject(ofType:forPrimaryKey:)") {
      use($0.dynamicObject(ofType: "Account", forPrimaryKey: 1))
    },
    .init("object(ofType:forPrimaryKey:)") {
      use($0.object(ofType: Account.self, forPrimaryKey: 1))
    },
    .init("add") { $0.add(Person(name: "x")) },
    .init("create") { use($0.create(Person.self)) },
    .init("deleteAll") { $0.deleteAll() },
    .init("beginWrite") { $0.beginWrite() },
    .init("write") { try $0.write {} },
    .init("cancelWrite") { $0.cancelWrite() },
    .init("commitWrite") { try $0.commitWrite() },
    .init("refresh") { $0.refresh() },
    .init("invalidate") { $0.invalidate() },
    .init("freeze") { use($0.freeze()) },
    .init("observe") { use($0.observe { _, _ in }) },
    .init("beginAsyncWrite") { $0.beginAsyncWrite {} },
    .init("commitAsyncWrite") { $0.commitAsyncWrite() },
    .init("isEmpty") { use($0.isEmpty) },
    .init("add with a policy") { $0.add(Account(id: 1), update: .all) },
    .init("create with a policy") {
      use($0.create(Account.self, value: ["id": 1], update: .modified))
    },
    .init("add of several") { $0.add([Person(name: "x")]) },
    .init("object(ofType:forPrimaryKey:) with an ObjectId") {
      use($0.object(ofType: Todo.self, forPrimaryKey: ObjectId()))
    },
    .init("dynamicObjects") { use($0.dynamicObjects("Person").count) },
    .init("writeAsync") { $0.writeAsync {} },
    .init("cancelAsyncWrite") { try $0.cancelAsyncWrite(1) },
    .init("isInWriteTransaction") { use($0.isInWriteTransaction) },
    .init("isPerformingAsynchronousWriteOperations") {
      use($0.isPerformingAsynchronousWriteOperations)
    },
    .init("autorefresh") { use($0.autorefresh) },
    .init("autorefresh, set") { $0.autorefresh = false },
    .init("writeCopy") {
      try $0.writeCopy(toFile: $0.configuration.fileURL!.appendingPathExtension("copy"))
    },
    .init("writeCopy(configuration:)") { realm in
      var copy = realm.configuration
      copy.fileURL = copy.fileURL!.appendingPathExtension("copy")
      try realm.writeCopy(configuration: copy)
    },
    .init("write(withoutNotifying:)") { try $0.write(withoutNotifying: []) {} },
    .init("commitWrite(withoutNotifying:)") { try $0.commitWrite(withoutNotifying: []) },
    .init("autorefresh, set to what it is") { $0.autorefresh = true },
    .init("a query's count") { use($0.objects(Person.self).where { $0.age > 30 }.count) },
    .init("a query's first") { use($0.objects(Person.self).first) },
    .init("a loop over objects") { for person in $0.objects(Person.self) { use(person) } },
    .init("commitAsyncWrite with grouping") { $0.commitAsyncWrite(allowGrouping: true) },
    .init("writeAsync with a completion") { $0.writeAsync({}, onComplete: { _ in }) },
  ]
}

extension Probe {
  /// Each call of a queue's realm, on another queue and on none.
  static let realmActsOffTheQueue: [Probe] = Act.ofRealm.enumerated().map { number, act in
    Probe("\(act.name), off its queue", refusing: [Words.wrongThread]) { stage in
      let queue = DispatchQueue(label: "home")
      var realm: Realm?
      try queue.sync {
        realm = try Realm(configuration: stage.configuration(), queue: queue)
        try realm!.write { Stage.stock(realm!) }
      }
      if stage.isTurn(number, of: 2) {
        stage.act { try act.body(realm!) }
      } else {
        DispatchQueue(label: "another").sync { stage.act { try act.body(realm!) } }
      }
    }
  }
}
