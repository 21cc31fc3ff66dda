import EngineUnderTest
import Foundation
import Harness

extension Rules.Send {
  static let types: [Rule] = [
    send01, send02, send03, send04, send05, send06, send07, send08,
  ]

  static let send01 = Rule(
    "SEND-01", .documented,
    "The public types MUST fall into three groups: Sendable; not Sendable and not "
      + "thread-confined; thread-confined.",
    source: "S0, S2 Sendable section.",
    broken: "a confined type marked Sendable",
    probes: [
      Probe("a type of each kind compiles, or does not") { stage in
        try stage.compiles(
          "func need<T: Sendable>(_: T.Type) {}\nfunc f() { need(ObjectId.self); "
            + "need(ThreadSafeReference<Object>.self) }"
        )
        try stage.doesNotCompile(
          "func need<T: Sendable>(_: T.Type) {}\nfunc f() { need(Realm.self) }", saying: "Sendable")
      }
    ])

  static let send02 = Rule(
    "SEND-02", .documented,
    "Sendable MUST be: `ThreadSafeReference`, `ThreadSafe`, `Realm.Configuration`, "
      + "`Realm.OpenBehavior`, `NotificationToken`, `ObjectId`, `Decimal128`, "
      + "`Schema`/`ObjectSchema`/`Property` descriptors, `SortDescriptor`'s backing, "
      + "`StringOptions`, `AnyBSON`, AsyncOpen types, (sync: App, User, Credentials, sessions "
      + "...).",
    source: "docs table; RS grep of Sendable; RLMRealm.h:951 (token), "
      + "RLMProperty/RLMSchema/RLMSortDescriptor. Without Sync: the first ten.",
    broken: "missing conformance",
    probes: [
      Probe("the types that are Sendable") { stage in
        let types = [
          "ThreadSafeReference<Object>", "ThreadSafe<Object>", "Realm.Configuration",
          "Realm.OpenBehavior",
          "NotificationToken", "ObjectId", "Decimal128", "Schema", "ObjectSchema", "Property",
        ]
        try stage.compiles(
          "func need<T: Sendable>(_: T.Type) {}\nfunc f() {\n"
            + types.map { "  need(\($0).self)" }.joined(separator: "\n") + "\n}")
      }
    ])

  static let send03 = Rule(
    "SEND-03", .documented,
    "Not Sendable but not confined (share only with synchronisation) MUST be plain "
      + "configuration-like reference types; in the table these are all Sync types "
      + "(RLMSyncConfiguration, RLMAppConfiguration, RLMFindOptions, RLMRequest ...). For a "
      + "local engine: unmanaged objects and unmanaged collections behave so at run time.",
    source: "S0, S2.",
    broken: "unmanaged objects bound to a thread",
    probes: [
      Probe("unmanaged things are used by two threads in turn") { stage in
        let person = Person(name: "x")
        let numbers = List<Int>()
        for round in 0..<4 {
          try stage.elsewhere {
            person.age += 1
            numbers.append(round)
          }
        }
        stage.equal(person.age, 4, "the age")
        stage.equal(Array(numbers), [0, 1, 2, 3], "the numbers")
      }
    ])

  static let send04 = Rule(
    "SEND-04", .documented,
    "Thread-confined MUST be: `Realm`, `Object`, `EmbeddedObject`, `List`, `MutableSet`, "
      + "`Map`, `Results`, `LinkingObjects`, `AnyRealmCollection`, `AnyRealmValue` (may hold an "
      + "object), `Projection`, sectioned results, `RealmProperty`/`RealmOptional`, property "
      + "and collection change values that carry objects, dictionary changes.",
    source: "docs table; S0 Pass Instances; S4 (\"Realm objects are not Sendable\").",
    broken: "@unchecked Sendable on Object",
    probes: [
      "Realm", "Object", "EmbeddedObject", "List<Int>", "MutableSet<Int>", "Map<String, Int>",
      "Results<Model>", "LinkingObjects<Model>", "AnyRealmCollection<Model>", "AnyRealmValue",
      "Projection<Model>", "SectionedResults<Int, Model>", "PropertyChange", "ObjectChange<Model>",
      "RealmCollectionChange<Results<Model>>", "RealmMapChange<Map<String, Int>>",
    ].map { type in
      Probe("\(type) is not Sendable") { stage in
        try stage.doesNotCompile(
          "class Model: Object {}\nfunc need<T: Sendable>(_: T.Type) {}\nfunc f() { "
            + "need(\(type).self) }",
          saying: "Sendable")
      }
    })

  static let send05 = Rule(
    "SEND-05", .documented,
    "Synchronisation MUST NOT make live confined types usable elsewhere: access under a "
      + "user mutex from another thread still dies.",
    source: "S0, S2 (\"cannot pass ... even with synchronization\").",
    broken: "engine tracks locks instead of threads",
    probes: [
      Probe.dies("a mutex does not make a live object shareable", saying: Words.wrongThread) {
        stage in
        let ann = try stage.stocked().person("Ann")
        let lock = NSLock()
        try stage.elsewhere {
          lock.lock()
          defer { lock.unlock() }
          stage.act { use(ann.age) }
        }
      }
    ])

  static let send06 = Rule(
    "SEND-06", .documented,
    "Frozen confined types MUST be exempt at run time.",
    source: "S0, S2 (\"unless frozen\"). = FREEZE-04.",
    broken: "frozen refused",
    probes: [
      Probe("frozen things need no synchronisation") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann").freeze()
        let dogs = realm.objects(Dog.self).freeze()
        for number in 0..<3 {
          stage.thread("reader \(number)") {
            for _ in 0..<200 {
              guard ann.age == 30, dogs.count == 6, ann.dogs[1].name == "Ann's 2" else {
                return stage.fail(
                  expected: "the frozen state", observed: "\(ann.age) \(dogs.count)")
              }
            }
            stage.expect(true, "reader \(number) saw the frozen state")
          }
        }
        try stage.joinAll()
      }
    ])

  static let send07 = Rule(
    "SEND-07", .documented,
    "`ThreadSafeReference<T>` MUST be Sendable though `T` is not.",
    source: "S0 Sendable Conformance.",
    broken: "conditional conformance",
    probes: [
      Probe("a reference is Sendable though what it refers to is not") { stage in
        try stage.compiles(
          "class Model: Object {}\nfunc need<T: Sendable>(_: T) {}\nfunc f(_ m: Model, _ l: "
            + "List<Model>) { need(ThreadSafeReference(to: m)); need(ThreadSafeReference(to: l)) }"
        )
      }
    ])

  static let send08 = Rule(
    "SEND-08", .documented,
    "The API MUST compile warning-free with complete strict concurrency and with "
      + "`-enable-actor-data-race-checks`; that runtime check MUST stay silent for legal "
      + "programs.",
    source: "S4 Prerequisites.",
    broken: "false race reports",
    probes: [
      Probe("the documented calls compile without a warning") { stage in
        try stage.compiles(
          """
          class Dog: Object { @Persisted var name: String; @Persisted var age: Int }
          actor Keeper {
            var realm: Realm!
            init() async throws { realm = try await Realm(actor: self) }
            func names() async throws -> [String] {
              try await realm.asyncWrite { _ = realm.create(Dog.self, value: ["name": "Rex"]) }
              await realm.asyncRefresh()
              return realm.objects(Dog.self).where { $0.age > 1 }.map(\\.name)
            }
          }
          @MainActor func main() async throws {
            let realm = try await Realm()
            let frozen = realm.freeze()
            realm.writeAsync { realm.add(Dog()) } onComplete: { _ in }
            try realm.write { realm.deleteAll() }
            _ = frozen
          }
          """, warningsAreErrors: true)
      }
    ])
}
