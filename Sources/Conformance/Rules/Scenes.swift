import EngineUnderTest
import Foundation
import Harness

// Scenes that several probes play.

extension Stage {
  /// B waits for A: one thread is inside a write, the other begins; the first ends its write as it is told.
  static func waits(_ stage: Stage, end: @escaping (Realm) throws -> Void) throws {
    try stage.elsewhere { _ = try stage.stocked() }
    for round in 0..<5 {
      let held = Latch("the first writer being inside")
      let attempt = Latch("the second writer's attempt")
      let inside = Stamps()
      let first = stage.thread("first writer") {
        let realm = try stage.open()
        realm.beginWrite()
        realm.account(1).balance = round
        held.open()
        try stage.wait(for: attempt)
        // Gives a begin that does not wait the time to show it; decides nothing else.
        for _ in 0..<3000 { sched_yield() }
        inside.mark("release")
        try end(realm)
      }
      let second = stage.thread("second writer") {
        let realm = try stage.open()
        try stage.wait(for: held)
        attempt.open()
        realm.beginWrite()
        inside.mark("got")
        realm.cancelWrite()
      }
      try stage.join(first)
      try stage.join(second)
      guard
        stage.expect(
          inside.ordered("release", before: "got"), "the second waits for the first",
          observed: "it began while the first was inside")
      else { return }
    }
  }
}

/// An actor that keeps a realm, as Realm's documentation has it.
actor Keeper {
  var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func add(_ type: Account.Type, id: Int) async throws {
    try await realm.asyncWrite { realm.add(Account(id: id)) }
  }

  var ids: [Int] { realm.objects(Account.self).map(\.id).sorted() }

  @discardableResult
  func with<Value: Sendable>(_ body: @Sendable (isolated Keeper, Realm) throws -> Value) rethrows
    -> Value
  {
    try body(self, realm)
  }

  func close() { realm = nil }
}

/// The realm that `await` opens without an actor is the main thread's.
@MainActor func mainRealmIsShared(_ stage: Stage) async throws {
  let awaited = try await Realm(configuration: stage.configuration())
  let plain = try openHere(stage.configuration())
  stage.expect(awaited == plain, "the awaited realm is the main thread's")
}

/// `Realm(configuration:)` in an async function means the async one; this is the other.
func openHere(_ configuration: Realm.Configuration) throws -> Realm {
  try Realm(configuration: configuration)
}

/// Opens a realm bound to a thread, and uses it after the task has gone to another one.
func wanderer(_ stage: Stage) async throws {
  let realm = try openHere(stage.configuration())
  let home = pthread_self()
  // Busy neighbours take the threads that the task has just left.
  let neighbours = (0..<4).map { _ in
    Task.detached {
      for _ in 0..<20_000 {
        if Task.isCancelled { return }
        for _ in 0..<100 { use(0) }
        await Task.yield()
      }
    }
  }
  defer { for neighbour in neighbours { neighbour.cancel() } }
  for _ in 0..<20_000 {
    await Task.yield()
    if isElsewhere(home) {
      stage.act { use(realm.objects(Person.self).count) }
      return
    }
  }
  try stage.skip("the task never changed its thread")
}

@inline(never) private func isElsewhere(_ home: pthread_t) -> Bool {
  pthread_equal(pthread_self(), home) == 0
}

/// A file that processes append marks to, each mark at once.
final class MarkLog {
  private let file: Int32

  init(_ url: URL) { file = open(url.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644) }

  deinit { close(file) }

  func mark(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(file, $0.baseAddress!, $0.count) }
  }
}

extension Stage {
  /// How many bytes the blob has that the growth scenes overwrite.
  static let blobSize = 64 << 10

  /// Puts a blob of nothing but zeros into a realm.
  static func addBlob(to realm: Realm) throws {
    try realm.write { realm.add(Blob(id: 1, bytes: Data(count: blobSize))) }
  }

  /// Overwrites that blob so often that the space of its older versions is used again, unless somebody needs it.
  func overwriteBlob(_ name: String = "probe") throws {
    let realm = try open(name)
    for round in 1...20 {
      try realm.write {
        realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = Data(
          repeating: UInt8(round), count: Stage.blobSize)
      }
    }
  }

  /// Overwrites one blob 30 times while something is held; how large the file is then, and whether what was held
  /// still shows the first bytes.
  static func growth(
    _ stage: Stage, _ name: String, holding: @escaping (Realm) throws -> Blob?
  ) throws -> (size: Int, valid: Bool) {
    func bytes(_ number: Int) -> Data { Data(repeating: UInt8(number), count: blobSize) }
    var held: Blob?
    try stage.elsewhere {
      let realm = try stage.open(name)
      try realm.write { realm.add(Blob(id: 1, bytes: bytes(1))) }
      held = try holding(realm)
    }
    for round in 2..<32 {
      try stage.foreign(name) {
        $0.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = bytes(round)
      }
    }
    let size = stage.size(of: name)
    return (size, held.map { $0.bytes == bytes(1) } ?? true)
  }
}

extension Stage {
  /// Fills the first blob anew, in a write that is open.
  func overwriteInWrite(_ realm: Realm, with byte: Int) throws {
    realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = Data(
      repeating: UInt8(byte), count: Stage.blobSize)
  }

  /// Fills the first blob anew and commits.
  func overwrite(_ realm: Realm, with byte: Int) throws {
    try realm.write { try overwriteInWrite(realm, with: byte) }
  }

  /// Fills the file with what is then deleted: two megabytes that a compaction can take away.
  func leaveSpace(in realm: Realm) throws {
    try realm.write {
      for id in 0..<100 { realm.add(Blob(id: id, bytes: Data(repeating: 1, count: 20_000))) }
    }
    try realm.write { realm.delete(realm.objects(Blob.self)) }
  }

  /// Makes something whose helpers must be gone when it is handed over.
  func held(_ make: () throws -> Any) rethrows -> Any { try make() }

  /// Asserts that commits which replace the first blob take no new space to speak of: what they need, others have let
  /// go. A file that forgets grows by a blob with each; one that is filled with some waste does not.
  func growsNoMore(_ when: String) throws {
    for round in 0..<10 { try foreign { try self.overwriteInWrite($0, with: round) } }
    let before = size()
    let commits = 60
    for round in 0..<commits { try foreign { try self.overwriteInWrite($0, with: round) } }
    expect(
      size() <= before + commits / 4 * Stage.blobSize,
      "a file that grows by less than a quarter of what is written \(when)",
      observed: "\(before) and then \(size()) bytes")
  }
}

extension Stage {
  /// How many bytes this process has handed to the system to write.
  static func bytesWritten() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("wchar:") })
    else { return 0 }
    return Int(line.split(separator: " ").last ?? "") ?? 0
  }
}

extension Stage {
  /// Lets no file of this process grow beyond a size: a disk that is full.
  static func withFilesLimited<Value>(to size: Int, _ body: () throws -> Value) rethrows -> Value {
    // Without this the signal ends the process before the engine hears of the error.
    signal(SIGXFSZ, SIG_IGN)
    var before = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before)
    var limited = rlimit(rlim_cur: rlim_t(size), rlim_max: before.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limited)
    defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before) }
    return try body()
  }
}

extension Stage {
  /// Lets the main thread's loop run until everything that was on its way to a realm's observers has arrived.
  ///
  /// The fence is a new observer: its first call comes behind what was due before it.
  func settle(_ realm: Realm) throws {
    for _ in 0..<2 {
      var arrived = false
      let fence = realm.objects(Todo.self).observe { _ in arrived = true }
      try spin(until: { arrived }, "the fence")
      fence.invalidate()
      var turned = false
      later(on: .main) { turned = true }
      try spin(until: { turned }, "another turn of the main thread")
    }
  }
}

extension Realm {
  /// The extension of Realm's threading page: a write on a background queue, on what a reference carried there.
  func writeAsync<T: ThreadConfined>(
    _ passed: T, before latch: Latch? = nil,
    errorHandler: @escaping ((_ error: Swift.Error) -> Void) = { _ in },
    block: @escaping ((Realm, T?) -> Void)
  ) {
    let objectReference = ThreadSafeReference(to: passed)
    let configuration = self.configuration
    nonisolated(unsafe) let block = block
    nonisolated(unsafe) let errorHandler = errorHandler
    DispatchQueue(label: "background").async {
      do {
        _ = latch?.wait(.seconds(8))
        let realm = try Realm(configuration: configuration)
        try realm.write {
          // Resolve within the transaction to ensure the latest changes are used.
          let object = realm.resolve(objectReference)
          block(realm, object)
        }
      } catch {
        errorHandler(error)
      }
    }
  }
}

/// Takes a value past the compiler, as a user does who marks it `nonisolated(unsafe)`.
struct Smuggling<Value>: @unchecked Sendable {
  // Unchecked on purpose: what happens when it is used on the wrong side is what the probes look at.
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// A global actor, as Realm's documentation has it.
@globalActor actor Kennel: GlobalActor {
  static let shared = Kennel()
}

@Kennel func writeOnKennel(_ stage: Stage, id: Int) async throws {
  let realm = try await Realm(configuration: stage.configuration(), actor: Kennel.shared)
  try await realm.asyncWrite { realm.add(Account(id: id)) }
}

func writeIn(_ keeper: isolated Keeper, id: Int) async throws {
  try await keeper.realm.asyncWrite { keeper.realm.add(Account(id: id)) }
}

@MainActor func sameRealmForMainActor(_ stage: Stage) async throws {
  let one = try await Realm(configuration: stage.configuration())
  let two = try await Realm(configuration: stage.configuration(), actor: MainActor.shared)
  stage.expect(one == two, "the realms are equal")
}

@MainActor func hopsOnMainActor(_ stage: Stage) async throws {
  let realm = try await Realm(configuration: stage.configuration())
  try realm.write { Stage.stock(realm) }
  let account = realm.account(1)
  for round in 0..<200 {
    await Task.detached { await Task.yield() }.value
    guard account.balance == 100 else {
      return stage.fail(expected: "100", observed: "\(account.balance) in round \(round)")
    }
  }
  stage.expect(true, "every read worked")
}

/// A realm confined to a queue that nobody else knows.
func queueRealm(_ configuration: Realm.Configuration) throws -> Realm {
  let queue = DispatchQueue(label: "serial")
  return try queue.sync { try Realm(configuration: configuration, queue: queue) }
}

@MainActor func asyncWriteOn(_ realm: Smuggling<Realm>, _ stage: Stage) async throws {
  await stage.act { try await realm.value.asyncWrite {} }
}

@MainActor func asyncRefreshOn(_ realm: Smuggling<Realm>, _ stage: Stage) async {
  await stage.act { use(await realm.value.asyncRefresh()) }
}

/// Which thread this is, as a number.
func threadNumber() -> UInt { UInt(pthread_self()) }

extension Keeper {
  /// Does something that suspends with the actor's realm.
  @discardableResult
  func run<Value: Sendable>(
    _ body: @Sendable (isolated Keeper, Realm) async throws -> Value
  ) async rethrows -> Value {
    try await body(self, realm)
  }

  func opensTheSame(_ configuration: Realm.Configuration) async throws -> Bool {
    try await Realm(configuration: configuration, actor: self) == realm
  }

  /// `Realm(configuration:)` in a plain method of an actor is bound to the thread of the moment.
  func opensPlainly(_ configuration: Realm.Configuration, _ balance: Int) throws -> Int {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.account(1).balance = balance }
    return realm.account(1).balance
  }
}

/// An actor that opens when it is told to.
actor Opener {
  private var answered = 0

  func open(_ configuration: Realm.Configuration) async throws -> Int {
    let realm = try await Realm(configuration: configuration, actor: self)
    return realm.account(1).balance
  }

  /// Another job of the actor. It counts, since a job that touched nothing of the actor's would need no hop to it, and
  /// the optimiser knows.
  func answers() -> Int {
    answered += 1
    return 41 + answered
  }
}

extension Stage {
  /// How much memory of this process is resident.
  static func residentBytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return 0
    }
    let words = text.split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
  }
}
