import EngineUnderTest
import Foundation
import Harness

/// Of which make a realm is: what its file was made by, and what it was opened with.
enum RealmMake: String, CaseIterable, Sendable {
  case file = "a file"
  case memory = "memory"
  case versioned = "a file with a schema's version"
  case migrated = "a file that was migrated"
  case copied = "a copy"
  case copiedInWrite = "a copy made in a write"
  case seeded = "a file made of a seed"
  case compacted = "a file that was compacted"
  case limited = "a file with a limit of versions"
  case together = "a file with other classes"
  case opened = "a file opened asynchronously"
  case flushedOnce = "a file that is flushed once"
  case unflushed = "a file that is not flushed"
  case readOnly = "a file that is only read"

  var isWritable: Bool { self != .readOnly }
  var isKeptInAFile: Bool { self != .readOnly && self != .memory }
}

/// Where a realm is at home.
enum RealmPlace: String, CaseIterable, Sendable {
  case main = "the main thread"
  case queue = "a queue"
  case thread = "a thread without a loop"

  var hasLoop: Bool { self != .thread }

  /// Of each make that can be written to, the main thread or a queue; of some both.
  static let loops: [(make: RealmMake, place: RealmPlace)] =
    RealmMake.allCases.filter(\.isWritable).enumerated().flatMap { number, make in
      allCases.filter(\.hasLoop).enumerated().filter { place, _ in
        number < 2 || place == number % 2
      }.map { (make, $0.element) }
    }
}

/// A thread without a run loop that does what it is told, one after the other.
private final class Workbench {
  private let asked = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)
  private var job: (() -> Void)?

  init(_ stage: Stage) {
    stage.thread("workbench") { [asked, done] in
      while true {
        asked.wait()
        guard self.run() else { return }
        done.signal()
      }
    }
  }

  /// Does what there is to do; false if nothing is. The job has gone when this returns.
  private func run() -> Bool {
    guard let job else { return false }
    job()
    self.job = nil
    return true
  }

  func work<Value>(_ body: () throws -> Value) throws -> Value {
    var result: Result<Value, any Error>?
    withoutActuallyEscaping(body) { body in
      job = { result = Result(catching: body) }
      asked.signal()
      done.wait()
    }
    return try result!.get()
  }

  func end() { asked.signal() }
}

/// A realm of some make, at home somewhere, with a cargo in it; and another one of the same file,
/// on a queue, which stays on its version until it is told.
final class Situation {
  let stage: Stage
  let make: RealmMake
  let place: RealmPlace
  let count: Int
  /// Whether its disk can be made to fail.
  let isRecorded: Bool
  let configuration: Realm.Configuration
  /// What is asked, at home.
  var realm: Realm!
  private(set) var other: Realm?
  let otherQueue = DispatchQueue(label: "other")
  let queue = DispatchQueue(label: "home")
  private let bench: Workbench?
  private let cargoes: [Cargo]
  private var knownAnswers: [Int: [String]] = [:]

  init(
    _ stage: Stage, _ make: RealmMake, _ place: RealmPlace, count: Int = 6,
    limit: UInt? = nil, recorded: Bool = false
  ) throws {
    (self.stage, self.make, self.place, self.count) = (stage, make, place, count)
    isRecorded = recorded && Backstage.hooks != nil
    if recorded { Backstage.hooks?.record() } else { Backstage.hooks?.skipFlushes() }
    cargoes = (0..<3).map { Cargo(count, turn: $0) }
    bench = place == .thread ? Workbench(stage) : nil
    let name = "\(make) \(place) \(count)"
    var configuration = try Situation.prepare(stage, make, name, cargoes[0])
    if let limit { configuration.maximumNumberOfActiveVersions = limit }
    let asked = configuration
    self.configuration = configuration
    if make.isWritable {
      let queue = otherQueue
      other = try queue.sync {
        let other = try Realm(configuration: asked, queue: queue)
        other.autorefresh = false
        if make == .memory { try other.write { cargoes[0].put(into: other) } }
        return other
      }
    }
    try open()
  }

  var words: String { "\(make.rawValue), \(place.rawValue)" }

  /// Brings a realm of one make, at each home, into each state that is due there; `afterwards` is
  /// when everything was let go of.
  static func each(
    _ stage: Stage, _ make: RealmMake, afterwards: (Situation) throws -> Void = { _ in },
    _ body: (Situation, RealmState) throws -> Void
  ) throws {
    for place in RealmPlace.allCases {
      let situation = try Situation(stage, make, place, recorded: make == .file)
      for state in RealmState.due(situation) { try body(situation, state) }
      try situation.end()
      try afterwards(situation)
    }
  }

  func cargo(_ turn: Int) -> Cargo { cargoes[turn] }

  /// What each question is answered in a turn.
  func answers(_ turn: Int) -> [String] {
    if let known = knownAnswers[turn] { return known }
    let answers = CargoQuestion.all.map { $0.answer(cargoes[turn]) }
    knownAnswers[turn] = answers
    return answers
  }

  /// Opens the realm at its home.
  func open() throws {
    if make == .opened, place.hasLoop {
      var answer: Result<Realm, any Error>?
      let target = place == .main ? DispatchQueue.main : queue
      let came = Latch("the realm's coming")
      let task = Realm.asyncOpen(configuration: configuration, callbackQueue: target) {
        answer = $0
        came.open()
      }
      try stage.spin(until: { came.isOpen }, "the realm")
      use(task)
      realm = try answer!.get()
      answer = nil
      return
    }
    let queue = place == .queue ? queue : nil
    realm = try work { try Realm(configuration: configuration, queue: queue) }
  }

  /// Lets the realm go, at home.
  func close() throws { try work { realm = nil } }

  /// Does something at the realm's home.
  @discardableResult func work<Value>(_ body: () throws -> Value) throws -> Value {
    switch place {
    case .main: try body()
    case .queue: try queue.sync(execute: body)
    case .thread: try bench!.work(body)
    }
  }

  /// Waits for what happens at the realm's home, which goes on meanwhile.
  func wait(for latch: Latch) throws {
    if place == .main {
      try stage.spin(until: { latch.isOpen }, latch.name)
    } else {
      try stage.wait(for: latch)
    }
  }

  /// Commits in the other realm.
  func foreign(_ change: (Realm) throws -> Void) throws {
    try otherQueue.sync { try other!.write { try change(other!) } }
  }

  func foreign(turn: Int) throws { try foreign { cargoes[turn].put(into: $0) } }

  func foreignBegin(turn: Int) {
    otherQueue.sync {
      other!.beginWrite()
      cargoes[turn].put(into: other!)
    }
  }

  /// Ends the other realm's write, if it is in one.
  func foreignCancel() {
    otherQueue.sync { if other!.isInWriteTransaction { other!.cancelWrite() } }
  }

  /// Lets everything go.
  func end() throws {
    try close()
    otherQueue.sync { other = nil }
    bench?.end()
  }

  // MARK: - Making it

  private static func usual(_ stage: Stage, _ name: String) -> Realm.Configuration {
    Vessel.configuration(stage, name)
  }

  /// Makes what is opened later, on another thread.
  static func prepare(
    _ stage: Stage, _ make: RealmMake, _ name: String, _ cargo: Cargo
  ) throws -> Realm.Configuration {
    var configuration = usual(stage, name)
    var first = configuration
    switch make {
    case .memory:
      return Realm.Configuration(
        inMemoryIdentifier: "\(stage.directory.lastPathComponent) \(name)",
        objectTypes: [Vessel.self, Part.self])
    case .copied, .copiedInWrite, .seeded: first = usual(stage, "\(name), first")
    case .versioned:
      configuration.schemaVersion = 7
      first.schemaVersion = 7
    case .migrated:
      first.schemaVersion = 1
      configuration.schemaVersion = 2
      configuration.migrationBlock = { migration, _ in
        guard Engine.offersReins else { return }
        migration.enumerateObjects(ofType: "Vessel") { old, new in
          new!["number"] = (old!["number"] as! Int) + 1_000
        }
      }
    case .limited: configuration.maximumNumberOfActiveVersions = 10_000
    case .together:
      configuration.objectTypes = Models.all + [Vessel.self, Part.self, Broad.self]
    case .flushedOnce: _ = Engine.setDurability("single-flush", of: &configuration)
    case .unflushed: _ = Engine.setDurability("none", of: &configuration)
    default: break
    }
    let asked = first
    try stage.elsewhere {
      let realm = try Realm(configuration: asked)
      let isMigrated = make == .migrated && Engine.offersReins
      try realm.write {
        cargo.put(into: realm)
        if make == .copiedInWrite { realm.add(Vessel(id: 1_000)) }
        if isMigrated { for vessel in realm.objects(Vessel.self) { vessel.number -= 1_000 } }
      }
      switch make {
      case .copied: try realm.writeCopy(toFile: configuration.fileURL!)
      case .copiedInWrite:
        realm.beginWrite()
        realm.delete(realm.vessel(1_000))
        try realm.writeCopy(toFile: configuration.fileURL!)
        realm.cancelWrite()
      default: break
      }
    }
    switch make {
    case .seeded: configuration.seedFilePath = first.fileURL
    case .compacted: configuration.shouldCompactOnLaunch = { _, _ in true }
    case .readOnly: configuration.readOnly = true
    default: break
    }
    return configuration
  }
}
