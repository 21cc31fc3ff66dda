import EngineUnderTest
import Foundation
import Harness

/// Rules about the names of files: making, replacing, removing, and what lies beside them.
extension Rules.Life {
  static let names: [Rule] = [
    life21, life22, life23, life25,
  ]

  static let life21 = Rule(
    "LIFE-21", .implementation,
    "A file with `seedFilePath` MUST be whole for every opener, however many come at once, and "
      + "seeded once.",
    source: "OS/shared_realm.cpp (copy of the seed under the coordinator's lock).",
    broken: "copied without a lock",
    probes: [
      Probe(
        "threads and processes that come at once find the seed and each other's objects",
        companions: [
          "opener": { stage in
            for round in 0..<4 {
              stage.tell("ready")
              _ = stage.hear()
              for number in 0..<2 {
                stage.thread("opener \(number)") {
                  let realm = try Realm(configuration: stage.seeded(round))
                  let found = realm.objects(Person.self).count
                  if found != 3 { stage.fail(expected: "3 people", observed: "\(found)") }
                  let id = (Int(stage.words[0]) ?? 0) + number
                  try realm.write { realm.add(Account(id: id)) }
                }
              }
              try stage.joinAll()
              stage.tell("done \(round)")
            }
          }
        ]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked("seed") }
        let children = try (1...2).map { try stage.companion("opener", "\($0 * 10)") }
        for round in 0..<4 {
          for child in children { _ = try stage.hear(child, "ready") }
          for child in children { child.send("go") }
          stage.thread("opener") {
            let realm = try Realm(configuration: stage.seeded(round))
            stage.equal(realm.objects(Person.self).count, 3, "the people of round \(round)")
            try realm.write { realm.add(Account(id: 4)) }
          }
          try stage.joinAll()
          for child in children {
            stage.equal(try stage.hear(child, "done"), "done \(round)", "a process's word")
          }
          let ids = try stage.elsewhere {
            try Realm(configuration: stage.seeded(round)).objects(Account.self).map(\.id).sorted()
          }
          stage.equal(ids, [1, 2, 3, 4, 10, 11, 20, 21], "the accounts of round \(round)")
        }
        for child in children { use(child.remains()) }
      }
    ])

  static let life22 = Rule(
    "LIFE-22", .implementation,
    "A file that is replaced or removed while it is held MUST NOT be damaged or mixed with the old "
      + "one; whoever notices says so.",
    source: "CORE/db.cpp:1058-1075 (the lock file is checked against the file that it belongs to).",
    broken: "lock file shared by two files",
    probes: [
      Probe(
        "a backup that is put back under a holder stays as it is",
        companions: ["holder": Stage.holdsAndWrites]
      ) { stage in
        try stage.elsewhere {
          let realm = try stage.stocked()
          try realm.writeCopy(configuration: stage.configuration("backup"))
        }
        let backup = try Data(contentsOf: stage.file("backup"))
        let holder = try stage.companion("holder")
        _ = try stage.hear(holder, "its open")
        rename(stage.file("backup").path, stage.file("probe").path)
        stage.refused("opening what was put in place of an open file") { _ = try stage.open() }
        stage.isRefusedAWrite(holder)
        stage.equal(
          try Data(contentsOf: stage.file("probe")), backup, "the file that was put back")
        let balance = try stage.seen { realm in
          try realm.write { realm.account(2).balance = 5 }
          return realm.account(1).balance
        }
        stage.equal(balance, 100, "the balance in the file that was put back")
      },
      Probe(
        "a file that is removed under a holder is not mixed with the next of its name",
        companions: ["holder": Stage.holdsAndWrites]
      ) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let holder = try stage.companion("holder")
        _ = try stage.hear(holder, "its open")
        unlink(stage.file("probe").path)
        stage.refused("opening a file that is open and was removed") { _ = try stage.open() }
        stage.isRefusedAWrite(holder)
        stage.equal(
          try stage.seen { $0.objects(Account.self).count }, 0, "the accounts of the next file")
      },
    ])

  static let life23 = Rule(
    "LIFE-23", .implementation,
    "Compaction, copies and new files MUST keep mode and owner as the platform's habits ask, and "
      + "nothing that is not Realm's MUST be overwritten, through symlinks neither.",
    source: "POSIX habits; nothing of Realm's.",
    broken: "follows, truncates",
    probes: [
      Probe("a file that only its owner may read stays so, compacted and copied") { stage in
        try stage.elsewhere { try stage.leaveSpace(in: try stage.stocked()) }
        chmod(stage.file("probe").path, 0o600)
        let before = stage.size()
        try stage.elsewhere {
          var configuration = stage.configuration()
          configuration.shouldCompactOnLaunch = { _, _ in true }
          let realm = try Realm(configuration: configuration)
          stage.equal(realm.account(1).balance, 100, "the balance")
          try realm.writeCopy(configuration: stage.configuration("copy"))
        }
        stage.expect(stage.size() < before, "a compacted file", observed: "\(stage.size()) bytes")
        for name in ["probe", "copy"] {
          stage.equal(stage.mode(name), 0o600, "the mode of the \(name)")
        }
      },
      Probe("somebody else's lock file is refused and stays as it is, behind a link, too") {
        stage in
        let text = Data("GEM\n  remote: https://rubygems.org/\n".utf8)
        let strange = stage.directory.appendingPathComponent("Gemfile.lock")
        try text.write(to: strange)
        var configuration = stage.configuration()
        configuration.fileURL = stage.directory.appendingPathComponent("Gemfile")
        stage.refused("opening beside another program's lock file") {
          _ = try Realm(configuration: configuration)
        }
        stage.equal(try Data(contentsOf: strange), text, "the other program's lock file")
        try FileManager.default.createSymbolicLink(
          atPath: stage.file("probe").path + ".lock", withDestinationPath: strange.path)
        stage.refused("opening beside a link") { _ = try stage.open() }
        stage.equal(try Data(contentsOf: strange), text, "what the link leads to")
      },
    ])

  static let life25 = Rule(
    "LIFE-25", .implementation,
    "A full disk MUST NOT keep a realm from being opened for reading, nor an optional compaction "
      + "from being skipped.",
    source: "OCT/RealmTests.mm (read-only opens); shouldCompactOnLaunch is a wish.",
    broken: "opening fails",
    probes: [
      Probe("on a full disk a realm opens for reading, and opens uncompacted") { stage in
        try stage.elsewhere { try stage.leaveSpace(in: try stage.stocked()) }
        let small = try stage.smallDisk(kilobytes: stage.size() / 1024 + 200)
        let file = small.appendingPathComponent("full.realm")
        try FileManager.default.copyItem(at: stage.file("probe"), to: file)
        var configuration = stage.configuration()
        configuration.fileURL = file
        var forReading = configuration
        forReading.readOnly = true
        let reading = forReading
        try stage.fill(small)
        try stage.elsewhere {
          stage.equal(
            try Realm(configuration: reading).account(1).balance, 100,
            "the balance, where there is no room for a lock file")
        }
        // With room for a lock file, and none for a copy.
        try stage.empty(small)
        try stage.elsewhere { use(try Realm(configuration: reading).account(1).balance) }
        try stage.fill(small)
        configuration.shouldCompactOnLaunch = { _, _ in true }
        let compacting = configuration
        try stage.elsewhere {
          stage.equal(
            try Realm(configuration: compacting).account(1).balance, 100,
            "the balance, where there is no room for a copy")
        }
      }
    ])
}

extension Stage {
  func file(_ name: String) -> URL { directory.appendingPathComponent("\(name).realm") }

  /// The permissions of a file.
  func mode(_ name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file(name).path)
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  /// A disk of so many kilobytes, which goes with the process.
  fileprivate func smallDisk(kilobytes: Int) throws -> URL {
    let folder = directory.appendingPathComponent("small")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #if canImport(Glibc)
    // Behind _GNU_SOURCE, so that Swift does not see it.
    typealias Unshare = @convention(c) (Int32) -> Int32
    let ownMounts: Int32 = 0x0002_0000
    guard let unshare = dlsym(nil, "unshare"),
      unsafeBitCast(unshare, to: Unshare.self)(ownMounts) == 0,
      mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0,
      mount("tmpfs", folder.path, "tmpfs", 0, "size=\(kilobytes)k") == 0
    else { try skip(.noPermission, "a small disk can be mounted by root only") }
    #else
    try skip(.noPermission, "a small disk can be mounted on Linux only")
    #endif
    return folder
  }

  fileprivate func fill(_ disk: URL) throws {
    let file = creat(disk.appendingPathComponent("rest").path, 0o600)
    let page = [UInt8](repeating: 1, count: 4096)
    while page.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) > 0 {}
    close(file)
  }

  fileprivate func empty(_ disk: URL) throws {
    try FileManager.default.removeItem(at: disk.appendingPathComponent("rest"))
  }

  fileprivate func seeded(_ round: Int) -> Realm.Configuration {
    var configuration = self.configuration("seeded \(round)")
    configuration.seedFilePath = file("seed")
    return configuration
  }

  /// Asserts that something throws, with a sentence.
  func refused(_ what: String, _ body: @escaping () throws -> Void) {
    do {
      try elsewhere { try body() }
      fail(expected: "\(what) to throw", observed: "it went through")
    } catch {
      expect("\(error)".count > 20, "\(what) throws, with a sentence", observed: "\(error)")
    }
  }

  /// Tells a companion to write, which must fail: by an error or, as where a write begins none can
  /// be thrown, by the end of its process. It has to say why.
  fileprivate func isRefusedAWrite(_ holder: RunningChild) {
    holder.send("write")
    let left = holder.remains()
    expect(
      !left.stdout.contains("written")
        && (left.stdout.contains("refused 7") || left.stderr.contains("Fatal error: ")),
      "a write that fails with a sentence", observed: "\(left.ending): \(left.stdout.suffix(80))")
  }

  /// A companion that has the file open, and writes when told to.
  fileprivate static let holdsAndWrites: @Sendable (Stage) throws -> Void = { stage in
    let realm = try stage.open()
    try realm.write { realm.account(1).balance = 7 }
    stage.tell("open")
    _ = stage.hear()
    var word = "written"
    do { try realm.write { realm.account(1).balance = 8 } } catch { word = "refused" }
    if realm.isInWriteTransaction { realm.cancelWrite() }
    stage.tell("\(word) \(realm.account(1).balance)")
  }
}
