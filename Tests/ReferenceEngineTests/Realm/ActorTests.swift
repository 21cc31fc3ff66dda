import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

/// An actor with a realm of its own, as the documents write it.
private actor Keeper {
  private var realm: Realm?
  private let configuration: Realm.Configuration
  private var token: NotificationToken?

  init(_ configuration: Realm.Configuration) async throws {
    self.configuration = configuration
    try await open()
  }

  private func open() async throws { realm = try await Realm.open(configuration: configuration) }

  private var its: Realm { realm! }

  var count: Int { its.objects(Person.self).count }
  var names: [String] { its.objects(Person.self).map(\.name).sorted() }

  func add(_ name: String) async throws {
    try await its.asyncWrite { _ = its.create(Person.self, value: ["name": name]) }
  }

  func addSynchronously(_ name: String) throws {
    try its.write { _ = its.create(Person.self, value: ["name": name]) }
  }

  func addAndRead(_ name: String) async throws -> String {
    let person = try await its.asyncWrite {
      assertIsolated()
      #expect(its.isInWriteTransaction)
      #expect(its.isPerformingAsynchronousWriteOperations)
      return its.create(Person.self, value: ["name": name])
    }
    #expect(!its.isInWriteTransaction)
    #expect(!its.isPerformingAsynchronousWriteOperations)
    return person.name
  }

  struct Refusal: Error {}

  func failToAdd() async throws {
    try await its.asyncWrite {
      its.create(Person.self)
      throw Refusal()
    }
  }

  func endTheWriteItself() async throws {
    try await its.asyncWrite {
      its.create(Person.self, value: ["name": "committed"])
      try its.commitWrite()
    }
    try await its.asyncWrite {
      its.create(Person.self, value: ["name": "cancelled"])
      its.cancelWrite()
    }
    try await its.asyncWrite {
      its.cancelWrite()
      its.beginWrite()
      its.create(Person.self, value: ["name": "again"])
    }
  }

  func addByWriteAsync(_ name: String) async -> Bool {
    await withCheckedContinuation { continuation in
      let realm = its
      realm.writeAsync {
        realm.add(Person(name: name))
      } onComplete: { error in
        continuation.resume(returning: error == nil && realm.objects(Person.self).count > 0)
      }
    }
  }

  func refresh() async -> Bool { await its.asyncRefresh() }
  func stopFollowing() { its.autorefresh = false }

  func writeAndRefresh() async throws -> [String] {
    let told = Noted<String>()
    token = its.objects(Person.self).observe { change in
      if case .update(_, _, let insertions, _) = change {
        told.add("update \(insertions)")
      } else {
        told.add("initial")
      }
    }
    await its.asyncRefresh()
    try its.write { _ = its.create(Person.self, value: ["name": "Ada"]) }
    #expect(await !its.asyncRefresh())
    token = nil
    return told.all
  }

  func holdGate() { its.beginWrite() }
  func leaveGate() { its.cancelWrite() }
  func isSame() async throws -> Bool {
    try await Realm.open(configuration: configuration) == its
  }
  func reference() -> ThreadSafeReference<Person> {
    ThreadSafeReference(to: its.objects(Person.self).first!)
  }
  func delete(_ reference: ThreadSafeReference<Person>) async throws {
    try await its.asyncWrite {
      if let person = its.resolve(reference) { its.delete(person) }
    }
  }
  func leak() -> Smuggled<Realm> { Smuggled(its) }
  func close() { realm = nil }

  func pingPong(_ times: Int) async -> Bool {
    for _ in 0..<times {
      await Task.detached {}.value
      guard its.objects(Person.self).count >= 0 else { return false }
    }
    return true
  }
}

@Suite struct ActorTests {
  private let configuration = freshConfiguration()

  @Test
  func `ACTOR-03, ACTOR-06, ACTOR-12, ACTOR-13, ACTOR-15, ACTOR-19: an actor writes and reads`()
    async throws
  {
    let keeper = try await Keeper(configuration)
    try await keeper.add("Ada")
    #expect(try await keeper.addAndRead("Eva") == "Eva")
    try await keeper.addSynchronously("Bob")
    #expect(await keeper.names == ["Ada", "Bob", "Eva"])
  }

  @Test func `ACTOR-08: an actor's realm survives awaits`() async throws {
    let keeper = try await Keeper(configuration)
    #expect(await keeper.pingPong(300))
  }

  @Test func `ACTOR-10: an actor has one instance, two actors have two`() async throws {
    let (one, two) = (try await Keeper(configuration), try await Keeper(configuration))
    #expect(try await one.isSame())
    #expect(await one.leak().value != two.leak().value)
  }

  @Test func `ACTOR-16: a block that throws takes its write back`() async throws {
    let keeper = try await Keeper(configuration)
    await #expect(throws: Keeper.Refusal.self) { try await keeper.failToAdd() }
    #expect(await keeper.count == 0)
    try await keeper.add("the gate is free")
  }

  @Test func `ACTOR-17: a block may end its write itself`() async throws {
    let keeper = try await Keeper(configuration)
    try await keeper.endTheWriteItself()
    #expect(await keeper.names == ["again", "committed"])
  }

  // holder                        keeper
  // holds the gate
  //                               waits in a task, which is cancelled
  // lets go
  //                               CancellationError, nothing written
  @Test func `ACTOR-18: a task cancelled while it waits never writes`() async throws {
    let (keeper, holder) = (try await Keeper(configuration), try await Keeper(configuration))
    await holder.holdGate()
    let task = Task { try await keeper.add("never") }
    _ = await keeper.count
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await holder.leaveGate()
    try await keeper.add("the gate is free")
    #expect(await keeper.names == ["the gate is free"])
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      try await keeper.add("never")
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func `ACTOR-20: a storm of tasks, some cancelled, counts each write once`() async throws {
    let keeper = try await Keeper(configuration)
    let tasks = (0..<100).map { i in Task { try await keeper.add("\(i)") } }
    for (i, task) in tasks.enumerated() where i % 7 == 3 { task.cancel() }
    var written = 0
    for task in tasks { if case .success = await task.result { written += 1 } }
    #expect(await keeper.count == written)
    #expect(written >= 100 - 15)
  }

  @Test func `ACTOR-21: only actors and the main thread await writes`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try await writeOnAThreadsRealm()
    }
    expect(result, says: "asyncWrite() can only be called on main thread or actor-isolated Realms")
  }

  @Test func `ACTOR-22, ACTOR-23: asyncRefresh shows the newest version, for all who wait`()
    async throws
  {
    let (keeper, other) = (try await Keeper(configuration), try await Keeper(configuration))
    await keeper.stopFollowing()
    #expect(await keeper.count == 0)
    #expect(await !keeper.refresh())
    for i in 0..<5 { try await other.add("\(i)") }
    #expect(await keeper.count == 0)
    let tasks = (0..<2).map { _ in Task { await keeper.refresh() } }
    var answers: [Bool] = []
    for task in tasks { answers.append(await task.value) }
    #expect(answers.contains(true))
    #expect(await keeper.count == 5)
  }

  @Test func `ACTOR-22: asyncRefresh tells of the realm's own writes, too`() async throws {
    let keeper = try await Keeper(configuration)
    #expect(try await keeper.writeAndRefresh() == ["initial", "update [0]"])
  }

  @Test func `ACTOR-24: a cancelled task refreshes nothing`() async throws {
    let (keeper, other) = (try await Keeper(configuration), try await Keeper(configuration))
    await keeper.stopFollowing()
    #expect(await keeper.count == 0)
    try await other.add("Ada")
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await keeper.refresh()
    }
    task.cancel()
    #expect(await task.value == false)
  }

  @Test func `ACTOR-26: a reference crosses actors`() async throws {
    let (keeper, other) = (try await Keeper(configuration), try await Keeper(configuration))
    try await keeper.add("Ada")
    try await other.delete(keeper.reference())
    #expect(await other.count == 0)
  }

  @Test func `ACTOR-38: an actor's realm follows by itself`() async throws {
    let (keeper, other) = (try await Keeper(configuration), try await Keeper(configuration))
    #expect(await keeper.count == 0)
    try await other.add("Ada")
    while await keeper.count == 0 { await Task.yield() }
    #expect(await keeper.count == 1)
  }

  @Test func `ACTOR-39: writeAsync runs on the actor`() async throws {
    let keeper = try await Keeper(configuration)
    #expect(await keeper.addByWriteAsync("Ada"))
    #expect(await keeper.count == 1)
  }

  @Test func `ACTOR-09: outside its actor a realm stops the process`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try await readElsewhere()
    }
    expect(result, says: "Realm accessed from incorrect thread.")
  }

  @Test func `ACTOR-04, ACTOR-08, ACTOR-29: an actor may bring an executor of its own`()
    async throws
  {
    #expect(try await writeAndListen(configuration) == ["told"])
  }

  @Test func `ACTOR-35: an actor that lets go of its realm starts anew`() async throws {
    let keeper = try await Keeper(configuration)
    let stays = try await Keeper(configuration)
    await keeper.close()
    try await stays.add("Ada")
    #expect(try await Keeper(configuration).count == 1)
  }

  @Test @MainActor
  func `ACTOR-01, ACTOR-02, ACTOR-36: the main actor's realm is one, and stays usable`()
    async throws
  {
    let realm = try await Realm(configuration: configuration)
    let same = try await Realm(configuration: configuration, actor: MainActor.shared)
    #expect(same == realm)
    for i in 0..<50 {
      try await realm.asyncWrite { _ = realm.create(Person.self, value: ["name": "\(i)"]) }
      await Task.detached {}.value
      #expect(realm.objects(Person.self).count == i + 1)
    }
  }
}

/// An executor that is a queue, which may run it on any thread.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

@globalActor private actor QueueActor {
  static let shared = QueueActor()
  private nonisolated let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

@QueueActor private func writeAndListen(
  _ configuration: Realm.Configuration
) async throws -> [String] {
  let told = Noted<String>()
  let realm = try await Realm.open(configuration: configuration)
  let same = try await Realm(configuration: configuration, actor: QueueActor.shared)
  #expect(same == realm)
  for i in 0..<20 {
    try await realm.asyncWrite { _ = realm.create(Person.self, value: ["name": "\(i)"]) }
    await Task.detached {}.value
    #expect(realm.objects(Person.self).count == i + 1)
  }
  let person = realm.objects(Person.self)[0]
  let token = await person.observe(keyPaths: [\Person.name], on: QueueActor.shared) {
    actor, change in
    actor.assertIsolated()
    if case .change(let person, _) = change { told.add(person.name) }
  }
  try await realm.asyncWrite { person.age = 3 }
  try await realm.asyncWrite { person.name = "told" }
  await realm.asyncRefresh()
  token.invalidate()
  try await realm.asyncWrite { person.name = "untold" }
  await realm.asyncRefresh()
  return told.all
}

@MainActor private func writeOnAThreadsRealm() async throws {
  let realm = onNewThread { Smuggled(try? Realm(configuration: freshConfiguration())) }
  try await realm.value?.asyncWrite {}
}

private func readElsewhere() async throws {
  let realm = try await Keeper(freshConfiguration()).leak()
  _ = realm.value.objects(Person.self).count
}

/// An actor that follows what is committed elsewhere.
private actor Follower {
  private var opened: Realm?
  private var realm: Realm { opened! }

  func open(_ configuration: Realm.Configuration) async throws {
    opened = try await Realm.open(configuration: configuration)
    _ = realm.objects(Person.self).count
  }

  func refresh(after commit: @Sendable () -> Void) async -> (moved: Bool, count: Int) {
    commit()
    let moved = await realm.asyncRefresh()
    return (moved, realm.objects(Person.self).count)
  }
}

@Suite struct AsyncRefreshTests {
  @Test func `ACTOR-22: it tells that the realm has moved, whoever moved it`() async throws {
    let configuration = freshConfiguration()
    let (follower, desk) = (Follower(), Desk(configuration))
    try await follower.open(configuration)
    for round in 1...50 {
      let (moved, count) = await follower.refresh { desk.commit { $0.create(Person.self) } }
      #expect(moved && count == round)
      let (again, _) = await follower.refresh {}
      #expect(!again)
    }
  }
}
