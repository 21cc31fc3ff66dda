import EngineUnderTest
import Foundation
import Harness
import Synchronization

extension Rules.Life {
  static let closing: [Rule] = [
    life08, life09, life11, life16, life20,
  ]

  static let life08 = Rule(
    "LIFE-08", .documented,
    "Closing = releasing all references to a realm, its objects, results, tokens; "
      + "afterwards the file is not held: another process can compact, delete; last close of an "
      + "in-memory realm erases it.",
    source: "S0 (closing); S4 `close()`; OCT/RealmTests.mm:2247.",
    broken: "handle leaked by a cache",
    probes: [
      Probe("an in-memory realm goes with its last holder") { stage in
        let configuration = Realm.Configuration(
          inMemoryIdentifier: "memory", objectTypes: Models.all)
        try stage.elsewhere {
          let realm = try Realm(configuration: configuration)
          try realm.write { realm.add(Account(id: 1)) }
          stage.equal(realm.objects(Account.self).count, 1, "the accounts")
        }
        try stage.elsewhere {
          stage.equal(
            try Realm(configuration: configuration).objects(Account.self).count, 0,
            "accounts afterwards")
        }
      },
      Probe("an object, results or a token alone holds a realm open") { stage in
        let configuration = Realm.Configuration(
          inMemoryIdentifier: "memory", objectTypes: Models.all)
        func opened() throws -> Realm {
          let realm = try Realm(configuration: configuration)
          if realm.objects(Account.self).isEmpty {
            try realm.write { realm.add(Account(id: 1, balance: 5)) }
          }
          return realm
        }
        func accounts() throws -> Int {
          try stage.elsewhere {
            try Realm(configuration: configuration).objects(Account.self).count
          }
        }
        let holders: [(String, (Realm) -> Any)] = [
          ("an object", { $0.account(1) }), ("results", { $0.objects(Account.self) }),
          ("a frozen object", { $0.account(1).freeze() }),
          ("a token", { $0.objects(Account.self).observe { _ in } }),
        ]
        for (what, hold) in holders {
          var held: Any? = try stage.held { hold(try opened()) }
          stage.equal(try accounts(), 1, "accounts while \(what) is held")
          use(held)
          held = nil
          stage.equal(try accounts(), 0, "accounts once \(what) is gone")
        }
      },
      Probe(
        "another process takes the file that this one has closed",
        companions: [
          "compactor": { stage in
            var configuration = stage.configuration()
            configuration.shouldCompactOnLaunch = { _, _ in true }
            let realm = try Realm(configuration: configuration)
            stage.tell("\(realm.account(1).balance)")
          }
        ]
      ) { stage in
        try stage.elsewhere { try stage.leaveSpace(in: try stage.stocked()) }
        let before = stage.size()
        let child = try stage.companion("compactor")
        stage.equal(try stage.hear(child, "the balance"), "100", "the balance over there")
        use(child.remains())
        stage.expect(
          stage.size() < before / 2, "a file that was compacted",
          observed: "\(before) and then \(stage.size()) bytes")
      },
      Probe("a file nobody holds can be deleted") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        stage.equal(
          try Realm.deleteFiles(for: stage.configuration()), true, "whether files were deleted")
        stage.equal(
          Realm.fileExists(for: stage.configuration()), false, "whether the file is still there")
      },
    ]
      + Meetings.calledAndGone + EndedListeners.probes)

  static let life09 = Rule(
    "LIFE-09", .implementation,
    "In-memory realms MUST share data between threads of the process by identifier, obey "
      + "all rules of this catalogue, and leave no data after the last instance is gone.",
    source: "(impl) RST:185.",
    broken: "per-thread in-memory copies",
    probes: [
      Probe("an in-memory realm is shared by threads") { stage in
        let configuration = Realm.Configuration(
          inMemoryIdentifier: "memory", objectTypes: Models.all)
        let realm = try Realm(configuration: configuration)
        try realm.write { Stage.stock(realm) }
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          stage.equal(other.account(1).balance, 100, "the balance on another thread")
          try other.write { other.account(1).balance = 7 }
        }
        stage.equal(realm.account(1).balance, 100, "the balance before the refresh")
        realm.refresh()
        stage.equal(realm.account(1).balance, 7, "the balance after the refresh")
        try stage.elsewhere {
          let other = try Realm(
            configuration: .init(inMemoryIdentifier: "another", objectTypes: Models.all))
          stage.equal(other.objects(Account.self).count, 0, "accounts under another name")
        }
        stage.equal(realm.freeze().account(1).balance, 7, "the balance, frozen")
      }
    ] + [.memoryIsLikeAFile, .memoryEnds])

  static let life11 = Rule(
    "LIFE-11", .implementation,
    "`Realm.deleteFiles(for:)` MUST refuse (THROW alreadyOpen 12) while the file is open anywhere: "
      + "in this process or another, by a live or frozen realm, an unresolved reference, a pending "
      + "asynchronous write; through a symbolic link, too. Else it deletes the file and what lies "
      + "beside it (`.lock`, `.note`, management); `fileExists(for:)` reports.",
    source: "(impl) RST:1056; OS/shared_realm.cpp:1409. diag contains `is still in use`.",
    broken: "deletes an open file",
    probes: [
      Probe("files are deleted only when nobody has them open") { stage in
        let release = Latch("the other thread's end")
        let opened = Latch("the other thread having opened")
        let holder = stage.thread("holder") {
          let realm = try stage.stocked()
          opened.open()
          try stage.wait(for: release)
          use(realm.account(1).balance)
        }
        try stage.wait(for: opened)
        stage.equal(Realm.fileExists(for: stage.configuration()), true, "whether the file is there")
        do {
          _ = try Realm.deleteFiles(for: stage.configuration())
          stage.fail(expected: "an error", observed: "deleted")
        } catch {
          stage.equal((error as? Realm.Error)?.code, .alreadyOpen, "the error")
        }
        stage.equal(
          Realm.fileExists(for: stage.configuration()), true, "whether the file is still there")
        release.open()
        try stage.join(holder)
        stage.equal(
          try Realm.deleteFiles(for: stage.configuration()), true, "the answer afterwards")
        stage.equal(Realm.fileExists(for: stage.configuration()), false, "whether the file is gone")
      },
      Errors.inUse,
      .filesAreLetGo,
      Probe(
        "whatever has the file open, here or elsewhere, keeps it",
        companions: [
          "holder": { stage in
            let realm = try stage.open()
            stage.tell("open")
            _ = stage.hear()
            stage.tell("\(realm.account(1).balance)")
          }
        ]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let link = stage.directory.appendingPathComponent("link.realm")
        try FileManager.default.createSymbolicLink(
          at: link, withDestinationURL: stage.file("probe"))
        func isKept(_ what: String) {
          for url in [stage.file("probe"), link] {
            var configuration = stage.configuration()
            configuration.fileURL = url
            var code: Realm.Error.Code?
            do { _ = try Realm.deleteFiles(for: configuration) } catch {
              code = (error as? Realm.Error)?.code
            }
            stage.equal(code, .alreadyOpen, "the error while \(what) has it open")
          }
        }
        let holders: [(String, (Realm) -> Any)] = [
          ("a frozen realm", { $0.freeze() }),
          ("a frozen object", { $0.account(1).freeze() }),
          ("a reference", { ThreadSafeReference(to: $0.objects(Account.self)) }),
        ]
        for (what, hold) in holders {
          let held = try stage.held { hold(try stage.open()) }
          isKept(what)
          use(held)
        }
        let holder = try stage.companion("holder")
        _ = try stage.hear(holder, "its open")
        isKept("another process")
        holder.send("look")
        stage.equal(try stage.hear(holder, "what it sees"), "100", "what the other process sees")
        use(holder.remains())
        let manager = FileManager.default
        let beside = ["lock", "note", "management"].map {
          stage.file("probe").path + "." + $0
        }
        try manager.createDirectory(atPath: beside[2], withIntermediateDirectories: false)
        _ = manager.createFile(atPath: beside[1], contents: nil)
        stage.equal(
          try Realm.deleteFiles(for: stage.configuration()), true, "the answer afterwards")
        for path in beside + [stage.file("probe").path] {
          stage.equal(manager.fileExists(atPath: path), false, "whether \(path) is left")
        }
      },
    ] + Probe.deletedNeighbours + [.answersAboutFiles] + Beside.kept)

  static let life16 = Rule(
    "LIFE-16", .implementation,
    "compaction (`shouldCompactOnLaunch`) MUST only run when no other thread or process has "
      + "the file open, and keep all data; an opener that arrives meanwhile waits, and then sees "
      + "all data.",
    source: "(impl) OCT/InterprocessTests.m:65-121; TOS/realm.cpp:4009.",
    broken: "compacts under a live reader",
    probes: [
      Probe(
        "compaction only without others, and without loss",
        companions: [
          "holder": { stage in
            let realm = try stage.open()
            use(realm.account(1).balance)
            stage.tell("open")
            _ = stage.hear()
            stage.tell("\(realm.account(1).balance) \(realm.objects(Person.self).count)")
          }
        ]
      ) { stage in
        try stage.elsewhere {
          try stage.leaveSpace(in: try stage.stocked())
        }
        let full = stage.size()
        var configuration = stage.configuration()
        configuration.shouldCompactOnLaunch = { _, _ in true }
        let compacting = configuration
        let holder = try stage.companion("holder")
        _ = try stage.hear(holder, "its open")
        try stage.elsewhere {
          let realm = try Realm(configuration: compacting)
          stage.equal(
            realm.account(1).balance, 100, "the balance while another process has it open")
        }
        stage.equal(stage.size(), full, "the file's size while another process has it open")
        holder.send("look")
        stage.equal(try stage.hear(holder, "what it sees"), "100 3", "what the other process sees")
        use(holder.remains())
        let before = stage.size()
        try stage.elsewhere {
          let realm = try Realm(configuration: compacting)
          stage.equal(realm.account(3).balance, 300, "the balance after a compaction")
          stage.equal(realm.person("Ann").dogs.map(\.name), ["Ann's 1", "Ann's 2"], "Ann's dogs")
        }
        stage.expect(
          stage.size() < before / 2, "a file without the space that was left",
          observed: "\(before) and then \(stage.size()) bytes")
      },
      Probe(
        "processes that open while others compact lose nothing of each other",
        companions: [
          "opener": { stage in
            for round in 0..<6 {
              stage.tell("ready")
              _ = stage.hear()
              for number in 0..<2 {
                stage.thread("opener \(number)") {
                  let id = 1000 + ((Int(stage.words[0]) ?? 0) * 2 + number) * 10 + round
                  try stage.addCompacting(id)
                }
              }
              try stage.joinAll()
              stage.tell("done")
            }
          }
        ]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let children = try (1...2).map { try stage.companion("opener", "\($0)") }
        for round in 0..<6 {
          for child in children { _ = try stage.hear(child, "ready") }
          for child in children { child.send("go") }
          stage.thread("opener") { try stage.addCompacting(1000 + round) }
          try stage.joinAll()
          for child in children { stage.equal(try stage.hear(child, "done"), "done", "the word") }
          let count = try stage.seen { $0.objects(Account.self).count }
          stage.equal(count, 3 + (round + 1) * 5, "the accounts of round \(round)")
        }
        for child in children { use(child.remains()) }
      },
      Probe("who decides is told the file's size, and how much of it is in use") { stage in
        for leaves in [true, false] {
          let name = leaves ? "with space" : "full"
          try stage.elsewhere {
            let realm = try stage.open(name)
            try realm.write {
              for id in 0..<40 { realm.add(Blob(id: id, bytes: Data(repeating: 1, count: 20_000))) }
            }
            if leaves { try realm.write { realm.delete(realm.objects(Blob.self)) } }
          }
          let size = stage.size(of: name)
          let told = Mutex<[Int]>([])
          var configuration = stage.configuration(name)
          configuration.shouldCompactOnLaunch = { total, used in
            told.withLock { $0 += [total, used] }
            return false
          }
          try stage.elsewhere { [configuration] in
            use(try Realm(configuration: configuration).objects(Blob.self).count)
          }
          let numbers = told.withLock { $0 }
          guard stage.equal(numbers.count, 2, "how many numbers it was told") else { continue }
          stage.equal(numbers[0], size, "the size it was told of the file \(name)")
          stage.expect(
            numbers[1] <= size && (numbers[1] < 400_000) == leaves && numbers[1] > 0,
            "the bytes in use of the file \(name)", observed: "\(numbers[1]) of \(size)")
        }
      },
    ] + [FileStates.decisions, BesideCompactions.probe])

  static let life20 = Rule(
    "LIFE-20", .documented,
    "Threads that never drop realm references pin their version: the `autoreleaseFrequency: "
      + ".workItem` advice. On Linux (no autorelease pools) dropping must be immediate with "
      + "ARC.",
    source: "S0 (properly scoped autoreleaseFrequency), S1 (autoreleasepool).",
    broken: "thread-local strong cache",
    probes: [
      Probe("threads that come and go keep no version") { stage in
        let realm = try stage.open()
        try realm.write { realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: Stage.blobSize))) }
        var sizes: [Int] = []
        for round in 0..<160 {
          try stage.elsewhere {
            let other = try stage.open()
            use(other.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes.first)
          }
          try realm.write {
            realm.object(ofType: Blob.self, forPrimaryKey: 1)!.bytes = Data(
              repeating: UInt8(round), count: Stage.blobSize)
          }
          if round % 40 == 39 { sizes.append(stage.size()) }
        }
        stage.expect(
          sizes[3] <= sizes[1] + sizes[1] / 4, "a file that stopped growing",
          observed: "sizes \(sizes)")
      }
    ] + [LifeKinds.droppedAtOnce, CountedVersions.ofEndedHomes])
}

extension Stage {
  /// Opens the file with a compaction, and adds an account.
  fileprivate func addCompacting(_ id: Int) throws {
    var configuration = self.configuration()
    configuration.shouldCompactOnLaunch = { _, _ in true }
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Account(id: id)) }
  }
}
