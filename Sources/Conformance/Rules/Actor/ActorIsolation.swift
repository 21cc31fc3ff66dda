import EngineUnderTest
import Foundation
import Harness

extension Rules.Actor {
  static let isolation: [Rule] = [
    actor06, actor07, actor08, actor09, actor25, actor27, actor36, actor37, actor39, actor40,
    actor41,
  ]

  static let actor06 = Rule(
    "ACTOR-06", .documented,
    "In functions isolated to the actor the realm MUST be usable synchronously: objects, "
      + "where, write, create, count without await.",
    source: "S4 Use a Realm Actor Synchronously in an Isolated Function.",
    broken: "needs await; dies because of executor check by thread",
    probes: [
      Probe.task("synchronous work inside the actor") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.with { _, realm in
          try realm.write { Stage.stock(realm) }
          stage.equal(realm.objects(Person.self).where { $0.age > 35 }.count, 2, "a query")
          let todo = try realm.write { realm.create(Todo.self, value: ["name": "Pledge"]) }
          stage.equal(todo.name, "Pledge", "an object made here")
          try realm.write { realm.delete(realm.person("Ann")) }
          stage.equal(realm.objects(Person.self).count, 2, "a count")
        }
      }
    ]
      + RealmMake.allCases.filter(\.isWritable).map { .actorStates($0) })

  static let actor07 = Rule(
    "ACTOR-07", .documented,
    "From outside, the actor's members MUST be reachable with await, returning Sendable "
      + "values.",
    source: "S4 Use a Realm Actor in Async Functions.",
    broken: "(compile shape)",
    probes: [
      Probe.task("values are fetched from outside") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 4)
        let ids = await keeper.ids
        let balance = await keeper.with { _, realm in realm.account(4).balance }
        stage.equal(ids, [4], "the ids")
        stage.equal(balance, 0, "the balance")
      }
    ])

  static let actor08 = Rule(
    "ACTOR-08", .documented,
    "An actor-isolated realm MUST survive awaits that resume on other threads: use before "
      + "and after is legal.",
    source: "S4 code comment (\"Thread-confined Realms would sometimes throw an exception here\").",
    broken: "thread binding",
    probes: [
      Probe.task("a realm survives awaits that change threads") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        let neighbours = (0..<4).map { _ in
          Task.detached { while !Task.isCancelled { await Task.yield() } }
        }
        let changes = await keeper.run { _, realm in
          var threads = Set<UInt>()
          for _ in 0..<20_000 {
            threads.insert(threadNumber())
            guard realm.account(1).balance == 0 else { return -1 }
            await Task.detached { await Task.yield() }.value
            if threads.count > 1 { break }
          }
          use(realm.objects(Account.self).count)
          return threads.count
        }
        for neighbour in neighbours { neighbour.cancel() }
        stage.expect(changes > 0, "every read worked")
        if changes == 1 {
          try stage.skip(.noOverlap, "the actor never changed its thread")
        }
      }
    ])

  static let actor09 = Rule(
    "ACTOR-09", .documented,
    "Use of an actor-isolated realm, object or collection outside its actor MUST fail at "
      + "once.",
    source: "S4 Observation Limitations 3; S2 Errors.",
    broken: "unchecked",
    probes: ["realm", "object", "results"].map { kind in
      Probe.diesInTask("its \(kind) outside", saying: "Incorrect actor executor", Words.wrongThread)
      { stage in
        let keeper = try await Keeper(stage.configuration())
        let smuggled = try await keeper.with { _, realm in
          try realm.write { Stage.stock(realm) }
          return Smuggling((realm, realm.person("Ann"), realm.objects(Person.self)))
        }
        stage.act {
          switch kind {
          case "realm": use(smuggled.value.0.objects(Dog.self).count)
          case "object": use(smuggled.value.1.age)
          default: use(smuggled.value.2.count)
          }
        }
      }
    })

  static let actor25 = Rule(
    "ACTOR-25", .documented,
    "Sync `write` on an actor realm inside an async function is legal for the engine but "
      + "blocks the actor; two sync writers on different actors MUST serialise as threads do.",
    source: "S4 createObject(in:) uses `realm.write`.",
    broken: "actors bypass the write lock",
    probes: [
      Probe.task("plain writes of two actors take turns") { stage in
        let one = try await Keeper(stage.configuration())
        let two = try await Keeper(stage.configuration())
        try await one.add(Account.self, id: 1)
        let inside = Stamps()
        let left = Stamps()
        let met = Latch("two writers having met")
        try await withThrowingTaskGroup(of: Void.self) { group in
          for keeper in [one, two] {
            group.addTask {
              for _ in 0..<30 {
                try await keeper.with { _, realm in
                  try realm.write {
                    let entered = inside.draw()
                    realm.account(1).balance += 1
                    for _ in 0..<20 { sched_yield() }
                    if left.draw() != entered { met.open() }
                  }
                }
              }
            }
          }
          try await group.waitForAll()
        }
        stage.equal(met.isOpen, false, "whether two met")
        stage.equal(try stage.seen { $0.account(1).balance }, 60, "the number of increments")
      }
    ])

  static let actor27 = Rule(
    "ACTOR-27", .documented,
    "A synchronous `try! Realm()` inside a non-main actor's *synchronous* method is bound "
      + "to the current thread and MUST work within that call.",
    source: "S4 BackgroundActor.deleteTodo code.",
    broken: "instance cached by actor hands out a foreign thread instance",
    probes: [
      Probe.task("a plain open inside an actor's method, call after call") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        for round in 1...30 {
          let balance = try await keeper.opensPlainly(stage.configuration(), round)
          stage.equal(balance, round, "the balance in call \(round)")
          await Task.yield()
        }
      }
    ])

  static let actor36 = Rule(
    "ACTOR-36", .documented,
    "`@MainActor`-annotated functions and tasks MUST be a safe place for a main realm "
      + "through any awaits.",
    source: "S2 Suspending, Tasks and TaskGroups, Errors; S0 Tip.",
    broken: "hops lose binding",
    probes: [
      Probe.task("the main actor's realm through many awaits") { stage in
        try await hopsOnMainActor(stage)
      }
    ])

  static let actor37 = Rule(
    "ACTOR-37", .documented,
    "In non-isolated async functions thread-bound realms give no guarantee; errors are "
      + "confinement errors (CONFINE-20).",
    source: "S2 Actor Isolation (marked obsolete from 10.39.0 on), Errors (`Realm accessed from "
      + "incorrect thread.`).",
    broken: "works by luck",
    probes: [
      Probe.diesInTask("a thread's realm in a function of no actor", saying: Words.wrongThread) {
        stage in
        try await wanderer(stage)
      }
    ])

  static let actor39 = Rule(
    "ACTOR-39", .documented,
    "`writeAsync` MUST be callable from MainActor and actor-isolated contexts too, its "
      + "block running there.",
    source: "S2 Errors (bullet on writeAsync; \"use this method synchronously\").",
    broken: "block on main instead of the actor",
    probes: [
      Probe.task("writeAsync on an actor") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        let done = Latch("the completion")
        await keeper.with { keeper, realm in
          realm.writeAsync {
            keeper.assertIsolated()
            realm.account(1).balance = 7
          } onComplete: { _ in
            keeper.assertIsolated()
            done.open()
          }
        }
        try await stage.arrival(of: done, "the completion")
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance")
      }
    ])

  static let actor40 = Rule(
    "ACTOR-40", .documented,
    "Every Swift block in S4 MUST compile (each in its own scope, Swift 5 language mode).",
    source: "S4.",
    broken: "(compile shape)",
    probes: [
      Probe("the documented actors and functions") { stage in
        try stage.compiles(
          """
          class Todo: Object {
            @Persisted(primaryKey: true) var _id: ObjectId
            @Persisted var name: String
            @Persisted var owner: String
            @Persisted var status: String
          }
          actor RealmActor {
            var realm: Realm!
            init() async throws { realm = try await Realm(actor: self) }
            var count: Int { realm.objects(Todo.self).count }
            func createTodo(name: String, owner: String, status: String) async throws {
              try await realm.asyncWrite {
                realm.create(Todo.self, value: ["_id": ObjectId.generate(), "name": name, "owner": owner, "status": status])
              }
            }
            func updateTodo(_id: ObjectId, name: String) async throws {
              try await realm.asyncWrite {
                realm.create(Todo.self, value: ["_id": _id, "name": name], update: .modified)
              }
            }
            func deleteTodo(id: ObjectId) async throws {
              try await realm.asyncWrite {
                let todoToDelete = realm.object(ofType: Todo.self, forPrimaryKey: id)
                realm.delete(todoToDelete!)
              }
            }
            func close() { realm = nil }
          }
          @globalActor actor BackgroundActor: GlobalActor {
            static var shared = BackgroundActor()
          }
          @BackgroundActor func backgroundThreadFunction() async throws {
            let realm = try await Realm(actor: BackgroundActor.shared)
            try await realm.asyncWrite {
              _ = realm.create(Todo.self, value: ["name": "Pledge fealty and service to Gondor", "owner": "Pippin", "status": "In Progress"])
            }
          }
          @MainActor func mainThreadFunction() async throws {
            let realm1 = try await Realm()
            let realm2 = try await Realm(actor: MainActor.shared)
            _ = (realm1, realm2)
            let token = await realm1.objects(Todo.self).observe(on: BackgroundActor.shared) { actor, changes in
              print(actor, changes)
            }
            token.invalidate()
          }
          func createObject(in actor: isolated RealmActor) async throws {
            try actor.realm.write {
              actor.realm.create(Todo.self, value: ["name": "Keep it secret", "owner": "Frodo", "status": "In Progress"])
            }
            let taskCount = actor.count
            print("The actor currently has \\(taskCount) tasks")
          }
          extension BackgroundActor {
            public func deleteTodo(tsrToTodo tsr: ThreadSafeReference<Todo>) throws {
              let realm = try! Realm()
              try realm.write {
                let todoOnActor = realm.resolve(tsr)
                realm.delete(todoOnActor!)
              }
            }
          }
          @MainActor func objectListener() async throws {
            let realm = try! await Realm()
            let scourTheShire = try await realm.asyncWrite {
              return realm.create(Todo.self, value: ["_id": ObjectId.generate(), "name": "Scour the Shire", "owner": "Merry", "status": "In Progress"])
            }
            let token = await scourTheShire.observe(on: BackgroundActor.shared, { actor, change in
              print("A change occurred on actor: \\(actor)")
              switch change {
              case .change(let object, let properties):
                for property in properties { print("\\(property.name) of \\(object) is \\(property.newValue!)") }
              case .error(let error): print("An error occurred: \\(error)")
              case .deleted: print("The object was deleted.")
              }
            })
            let reference = ThreadSafeReference(to: scourTheShire)
            try await BackgroundActor.shared.deleteTodo(tsrToTodo: reference)
            await realm.asyncRefresh()
            token.invalidate()
          }
          """, mode: 5)
      }
    ])
}
