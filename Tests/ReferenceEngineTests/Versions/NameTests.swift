import CShims
import Foundation
import StandIns
import Synchronization
import Testing

@testable import ReferenceEngine

/// What others do to the names of an open file, and what lies where a file of ours should: noticed,
/// told in a sentence, and left as it is.
@Suite(.serialized) struct NameTests {
  private func message(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return "done"
  }

  private func bytes(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  /// What broke: a file of zeros, and one that ends within its first page, were taken for new ones
  /// and made anew.
  @Test func `COMMIT-20: a file that is not a whole Realm is refused and left as it is`() throws {
    let folder = Folder()
    let path = folder.path + "/victim.realm"
    do {
      let coordinator = try Coordinator(Toy.configuration(folder.file("sound.realm")))
      for step in UInt8(1)...5 { try coordinator.set([0: [step]]) }
    }
    let sound = try #require(bytes(folder.path + "/sound.realm"))
    var slotOnly = Data(count: 65_536)
    slotOnly.replaceSubrange(512..<1024, with: sound[512..<1024])
    var torn = sound
    torn[300] ^= 1
    let zeros = [1, 8, 511, 512, 513, 1536, 4095, 4096, 65_536].map { Data(count: $0) }
    let prefixes = [1, 7, 8, 100, 508, 511, 512, 1000, 1024, 1536, 4095, 4096, 5000].map {
      sound.prefix($0)
    }
    let texts = [Data("Dear aunt,".utf8), Data("SQLite format 3\0".utf8) + Data(count: 4080)]
    for victim in zeros + prefixes + texts + [slotOnly, torn] {
      for how in 0..<3 {
        try victim.write(to: URL(fileURLWithPath: path))
        unlink(path + ".lock")
        var configuration = Toy.configuration(.file(path: path))
        configuration.isReadOnly = how == 1
        if how == 2 { configuration.shouldCompact = { _, _ in true } }
        #expect(throws: StorageError.self, "\(victim.count) bytes") {
          try Coordinator(configuration)
        }
        #expect(bytes(path) == victim)
        if victim.prefix(8) != sound.prefix(8) { #expect(bytes(path + ".lock") == nil) }
      }
    }
    // A file without a byte may be a new one.
    try Data().write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
    let coordinator = try Coordinator(Toy.configuration(.file(path: path)))
    try coordinator.set([0: [1]])
    #expect(try mode(path) == 0o600)
  }

  /// What broke: the next opener took the versions of the removed file for those of its own.
  @Test func `LIFE-22: a file that is removed while it is held is not mixed with the next`() throws
  {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    do {
      let holder = try Coordinator(Toy.configuration(folder.file()))
      try holder.set([0: [UInt8](repeating: 1, count: 90_000)])
      let frozen = try holder.newestSnapshot(kind: .frozen)
      unlink(path)
      #expect(
        message { _ = try Coordinator(Toy.configuration(folder.file())) }
          .contains("it was removed while others have it open"))
      #expect(bytes(path) == nil)
      #expect(message { try holder.set([0: [2]]) }.contains("it was removed while it is open here"))
      #expect(Toy.content(frozen.root, frozen.space)[0].count == 90_000)
      try holder.checkEverything()
      // Even with the lock file gone they never meet.
      unlink(path + ".lock")
      let next = try Coordinator(Toy.configuration(folder.file()))
      try next.set([0: [3]])
      #expect(message { try holder.set([0: [4]]) }.contains("it was replaced"))
      #expect(try next.newestContent()[0] == [3])
      #expect(try holder.newestContent()[0].count == 90_000)
    }
    let again = try Coordinator(Toy.configuration(folder.file()))
    #expect(try again.newestContent()[0] == [3])
    try again.checkEverything()
  }

  /// What broke: a copy that was put back under a holder was written to by the holder's versions,
  /// and was lost.
  @Test func `LIFE-22: a file that replaces one that is held is not written to`() throws {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    do {
      let holder = try Coordinator(Toy.configuration(folder.file()))
      try holder.set([0: [1]])
      try holder.writeCopy(of: holder.newestSnapshot(kind: .tool), to: folder.path + "/backup")
      for value in UInt8(2)..<30 { try holder.set([0: [value], 1: [9]]) }
      let backup = try #require(bytes(folder.path + "/backup"))
      #expect(rename(folder.path + "/backup", path) == 0)
      for isReadOnly in [false, true] {
        var configuration = Toy.configuration(folder.file())
        configuration.isReadOnly = isReadOnly
        #expect(
          message { _ = try Coordinator(configuration) }
            .contains("it was replaced while others have the former one open"))
      }
      #expect(
        message { try holder.set([0: [99]]) }
          .contains("it was replaced while the former one is open here"))
      #expect(try holder.newestContent()[0] == [29])
      try holder.checkEverything()
      #expect(bytes(path) == backup)
    }
    let restored = try Coordinator(Toy.configuration(folder.file()))
    #expect(try restored.newestContent()[0] == [1])
    try restored.set([0: [7]])
    try restored.checkEverything()
  }

  @Test func `LIFE-22: a second lock file leads nobody into a file that is open`() throws {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    let holder = try Coordinator(Toy.configuration(folder.file()))
    try holder.set([0: [1]])
    // Under another name of the same file.
    #expect(link(path, folder.path + "/other.realm") == 0)
    #expect(
      message { _ = try Coordinator(Toy.configuration(folder.file("other.realm"))) }
        .contains("the file has two names"))
    unlink(path + ".lock")
    #expect(
      message { _ = try Coordinator(Toy.configuration(folder.file())) }.contains("was removed"))
    try holder.set([0: [2]])
    try holder.checkEverything()
  }

  // first, by one name      second, by another name of the file
  // finds nobody in it
  //                         finds nobody in it either, and is in
  // is in
  /// What broke: the file was held a good while after it was looked who holds it.
  @Test func `LIFE-22: of two who come by two names at once one is refused`() throws {
    let folder = Folder()
    try Coordinator(Toy.configuration(folder.file())).set([0: [1]])
    #expect(link(folder.path + "/a.realm", folder.path + "/other.realm") == 0)
    let refusal = Mutex("")
    var configuration = Toy.configuration(folder.file())
    configuration.shouldCompact = { _, _ in
      let said = message {
        try Coordinator(Toy.configuration(folder.file("other.realm"))).set([0: [2]])
      }
      refusal.withLock { $0 = said }
      return false
    }
    let first = try Coordinator(configuration)
    #expect(refusal.withLock { $0 }.contains("the file has two names"))
    try first.set([1: [3]])
    #expect(try first.newestContent()[0...1] == [[1], [3]])
    try first.checkEverything()
  }

  /// What broke: only realms were counted, and only those of this process.
  @Test func `LIFE-11: a file is not deleted while anything has it open anywhere`() async throws {
    let scratch = Scratch()
    let configuration = scratch.configuration([Keyed.self])
    let path = configuration.path
    let link = scratch.directory.appendingPathComponent("link.realm")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: URL(fileURLWithPath: path))
    var linked = configuration
    linked.fileURL = link
    func isRefused(_ what: String, _ configuration: Realm.Configuration) {
      var code: Realm.Error.Code?
      do { _ = try Realm.deleteFiles(for: configuration) } catch {
        code = (error as? Realm.Error)?.code
      }
      #expect(code == .alreadyOpen, "while \(what) has it open")
    }
    for other in [configuration, linked] {
      var held: Any?
      func hold(_ what: String, _ make: (Realm) throws -> Any) throws {
        held = try released {
          let realm = try Realm(configuration: configuration)
          if realm.objects(Keyed.self).isEmpty {
            try realm.write { realm.create(Keyed.self, value: ["id": 1]) }
          }
          return try make(realm)
        }
        isRefused(what, other)
        withExtendedLifetime(held) {}
        held = nil
      }
      try hold("a frozen realm") { $0.freeze() }
      try hold("a frozen object") { $0.objects(Keyed.self)[0].freeze() }
      try hold("a reference") { ThreadSafeReference(to: $0.objects(Keyed.self)) }
      try hold("a realm") { $0 }
    }
    let folder = scratch.directory.path
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      // Another process: this one is the child, and its child holds the file.
      let meeting = Meeting(folder + "/meeting", parties: 2)
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: folder + "/test.realm"), objectTypes: [Keyed.self])
      let child = fork()
      if child == 0 {
        guard let realm = try? Realm(configuration: configuration) else { _exit(4) }
        guard (try? meeting.meet()) != nil, (try? meeting.meet()) != nil else { _exit(7) }
        _exit(realm.objects(Keyed.self).count == 1 ? 0 : 5)
      }
      try meeting.meet()
      do {
        _ = try Realm.deleteFiles(for: configuration)
        stop("it was deleted")
      } catch Realm.Error.alreadyOpen {}
      try meeting.meet()
      var status: Int32 = 0
      waitpid(child, &status, 0)
      if status != 0 { stop("the holder ended with \(status)") }
    }
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: path + ".management", withIntermediateDirectories: false)
    _ = manager.createFile(atPath: path + ".note", contents: nil)
    #expect(try Realm.deleteFiles(for: linked))
    #expect(try manager.contentsOfDirectory(atPath: folder) == ["meeting"])
    #expect(try !Realm.deleteFiles(for: configuration))
  }

  /// What broke: `.lock` followed links, and emptied what it found: an ordinary Gemfile.lock.
  /// What kept it from looking counted for nobody there.
  @Test func `LIFE-11: who cannot look whether a file is open does not delete it`() async throws {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    try Coordinator(Toy.configuration(folder.file())).set([0: [1]])
    await #expect(processExitsWith: .success) { [path = path as String] in
      let bytes = FileManager.default.contents(atPath: path)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(7), &limit)
      limit.rlim_cur = 64
      setrlimit(__rlimit_resource_t(7), &limit)
      for _ in 1...100 {
        // The lock file may be opened, and nothing beside it.
        let held = allDescriptors()
        close(held.last ?? -1)
        let isDeleted = (try? Joining.remove(path)) != nil
        // Other threads of this process may have given one back while it looked.
        let free = allDescriptors()
        for one in held.dropLast() + free { close(one) }
        let isThere = access(path, F_OK) == 0
        if free.count == 1 {
          if isDeleted { stop("it was deleted") }
          if !isThere { stop("it is gone") }
          return
        }
        if !isThere, !FileManager.default.createFile(atPath: path, contents: bytes) {
          stop("it cannot be made again")
        }
      }
      stop("there was never just one descriptor")
    }
    #expect(try Joining.remove(path))
  }

  @Test func `LIFE-23: nothing that is not ours is written over`() throws {
    let folder = Folder()
    let strange = folder.path + "/Gemfile.lock"
    let text = Data("GEM\n  remote: https://rubygems.org/\n".utf8)
    try text.write(to: URL(fileURLWithPath: strange))
    #expect(
      message { _ = try Coordinator(Toy.configuration(folder.file("Gemfile"))) }
        .contains("not those of a Realm's lock file"))
    #expect(bytes(strange) == text)
    #expect(bytes(folder.path + "/Gemfile") == nil)
    #expect(throws: StorageError.self) { try Joining.remove(folder.path + "/Gemfile") }
    #expect(bytes(strange) == text)

    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/linked.realm.lock", withDestinationPath: strange)
    #expect(
      message { _ = try Coordinator(Toy.configuration(folder.file("linked.realm"))) }
        .contains("it is a symbolic link"))
    #expect(bytes(strange) == text)

    // Longer than any of ours, and one byte of something.
    let others = [Data(count: LockFile.length + 1), Data([7]), Data(count: 4096) + [1]]
    for other in others {
      try other.write(to: URL(fileURLWithPath: folder.path + "/strange.lock"))
      #expect(
        message { _ = try Coordinator(Toy.configuration(folder.file("strange"))) }
          .contains("if nobody else needs it remove it"))
      #expect(bytes(folder.path + "/strange.lock") == other)
    }
    // What a machine without power leaves of a new one is ours: zeros up to wherever it had come.
    // What broke: of any other length than the whole they were refused for ever.
    for length in [1, 100, 264, 4096, 5000, LockFile.length] {
      try Data(count: length).write(to: URL(fileURLWithPath: folder.path + "/cut.realm.lock"))
      try Coordinator(Toy.configuration(folder.file("cut.realm"))).set([0: [1]])
    }
    // Neither a pipe nor a folder keeps anybody waiting.
    mkfifo(folder.path + "/pipe", 0o600)
    mkfifo(folder.path + "/piped.realm.lock", 0o600)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/folder.realm.lock", withIntermediateDirectories: false)
    for isReadOnly in [false, true] {
      for name in ["pipe", "piped.realm", "folder.realm"] {
        var configuration = Toy.configuration(folder.file(name))
        configuration.isReadOnly = isReadOnly
        #expect(throws: StorageError.self) { try Coordinator(configuration) }
      }
    }
  }

  /// What broke: a file that only its owner may read was open to all after a compaction.
  @Test func `LIFE-23: compaction and copies keep who may do what`() throws {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    do {
      let coordinator = try Coordinator(Toy.configuration(folder.file()))
      try coordinator.set([0: [UInt8](repeating: 1, count: 200_000)])
      try coordinator.set([0: [1]])
    }
    unlink(path + ".lock")
    chmod(path, 0o600)
    let isRoot = chown(path, 12, 34) == 0
    func check(_ path: String) throws {
      #expect(try mode(path) == 0o600)
      let status = try #require(FileStatus(at: path))
      if isRoot { #expect(status.owner == 12 && status.group == 34) }
    }
    let before = folder.size()
    #expect(try Coordinator.compact(Toy.configuration(folder.file())) { _, _ in true })
    #expect(folder.size() < before)
    try check(path)
    try check(path + ".lock")
    let coordinator = try Coordinator(Toy.configuration(folder.file()))
    try coordinator.writeCopy(
      of: coordinator.newestSnapshot(kind: .tool), to: folder.path + "/copy.realm")
    try check(folder.path + "/copy.realm")
  }

  @Test func `A dangling link becomes the file that it names`() throws {
    let folder = Folder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link.realm", withDestinationPath: "real.realm")
    let coordinator = try Coordinator(Toy.configuration(folder.file("link.realm")))
    try coordinator.set([0: [1]])
    #expect(coordinator.path.hasSuffix("/real.realm"))
    #expect(try Coordinator(Toy.configuration(folder.file("real.realm"))).newestContent()[0] == [1])
  }

  /// What broke: each byte that is no text became the same character, and two links led to a third
  /// file.
  @Test func `LIFE-01: a link to a name that is no text is refused, and nothing is made`() {
    let folder = Folder()
    func raw(_ name: String, _ last: UInt8) -> [CChar] {
      (Array(name.utf8) + [last, 0]).map { CChar(bitPattern: $0) }
    }
    for last in [UInt8(0xFE), 0xFF] {
      // A file that is still to be made, and a folder that is there.
      symlink(raw("a", last), folder.path + "/file \(last).realm")
      mkdir(raw(folder.path + "/b", last), 0o755)
      symlink(raw("b", last), folder.path + "/folder \(last)")
    }
    defer { for last in [UInt8(0xFE), 0xFF] { rmdir(raw(folder.path + "/b", last)) } }
    for last in [UInt8(0xFE), 0xFF] {
      for name in ["file \(last).realm", "folder \(last)/a.realm"] {
        let configuration = Toy.configuration(folder.file(name))
        for how in 0..<4 {
          let said = message {
            switch how {
            case 0: _ = try Coordinator(configuration)
            case 1: _ = try Coordinator.open(configuration)
            case 2: _ = try Joining.remove(folder.path + "/" + name)
            default: _ = try Inspection(verifying: folder.path + "/" + name)
            }
          }
          #expect(said.hasPrefix("cannot open \(folder.path)/\(name): it leads to"), "\(said)")
          #expect(said.contains("not UTF-8"), "\(said)")
        }
        #expect(!Coordinator.isOpen(folder.path + "/" + name))
      }
    }
    for name in ["a\u{FFFD}", "b\u{FFFD}", "a\u{FFFD}.lock"] {
      #expect(access(folder.path + "/" + name, F_OK) != 0)
    }
  }

  @Test func `A realm in memory may have a long name`() throws {
    for count in [200, 249, 250, 4000] {
      let name = String(repeating: "ä", count: count)
      try Coordinator(Toy.configuration(.memory(identifier: name))).set([0: [1]])
    }
    let folder = Folder()
    let long = String(repeating: "x", count: 250)
    try Coordinator(Toy.configuration(folder.file(long))).set([0: [1]])
    #expect(try Coordinator.compact(Toy.configuration(folder.file(long))) { _, _ in true })
  }

  /// What broke: the lock file could not be made, or the copy, and so the realm was not opened.
  @Test func `LIFE-25: a full disk keeps nobody from reading, nor from opening uncompacted`()
    async throws
  {
    let folder = Folder()
    let path = folder.path
    do {
      let coordinator = try Coordinator(Toy.configuration(folder.file()))
      try coordinator.set([0: [UInt8](repeating: 1, count: 60_000)])
      try coordinator.set([0: [1]])
    }
    try #require(getuid() == 0, "only root can mount a small disk")
    await #expect(processExitsWith: .success) { [path = path as String] in
      // A disk of a quarter of a megabyte, which goes with the process.
      let small = path + "/small"
      mkdir(small, 0o700)
      guard leaveMounts() == 0, mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0,
        mount("tmpfs", small, "tmpfs", 0, "size=300k") == 0
      else { stop("no disk could be mounted: \(errno)") }
      let manager = FileManager.default
      try manager.copyItem(atPath: path + "/a.realm", toPath: small + "/a.realm")
      let rest = open(small + "/rest", O_RDWR | O_CREAT, 0o600)
      let page = [UInt8](repeating: 1, count: 4096)
      while page.withUnsafeBytes({ write(rest, $0.baseAddress, $0.count) }) > 0 {}
      var configuration = Toy.configuration(.file(path: small + "/a.realm"))
      configuration.isReadOnly = true
      do {
        let opened = try Coordinator(configuration)
        if try opened.newestContent()[0] != [1] { stop("another content, read-only") }
      }
      // What broke: who would have written, too, could not even read.
      configuration.isReadOnly = false
      do {
        let opened = try Coordinator(configuration)
        if try opened.newestContent()[0] != [1] { stop("another content") }
        do {
          try opened.set([0: [2]])
          stop("a write without a lock file")
        } catch { if !"\(error)".contains("no lock file") { stop("\(error)") } }
      }
      // Nor is anything flushed for who cannot write.
      configuration.seams.disk = {
        let disk = FailingDisk(try PosixDisk(path: $0, writable: $1, create: $2))
        disk.fail(at: 0, .noSpace, sticky: true)
        return disk
      }
      if try Coordinator(configuration).newestContent()[0] != [1] { stop("another content") }
      configuration.seams = .given
      configuration.isReadOnly = true
      // With room for the lock file, and none for a copy.
      unlink(small + "/a.realm.lock")
      ftruncate(rest, 0)
      try Coordinator(configuration).checkEverything()
      while page.withUnsafeBytes({ write(rest, $0.baseAddress, $0.count) }) > 0 {}
      configuration.isReadOnly = false
      configuration.shouldCompact = { _, _ in true }
      let opened = try Coordinator(configuration)
      if try opened.newestContent()[0] != [1] { stop("another content") }
      let left = try manager.contentsOfDirectory(atPath: small).sorted()
      if left != ["a.realm", "a.realm.lock", "rest"] { stop("there are \(left)") }
    }
  }

  /// What broke: where the disk had become full the 129th reader was refused, and a realm that was
  /// to be frozen ended the process.
  @Test(arguments: [false, true])
  func `LIFE-25: a disk that becomes full keeps none of a thousand readers from reading`(
    isSecond: Bool
  ) async throws {
    let folder = Folder()
    try #require(getuid() == 0, "only root can mount a small disk")
    await #expect(processExitsWith: .success) {
      [path = folder.path as String, isSecond = isSecond as Bool] in
      let small = path + "/small"
      mkdir(small, 0o700)
      guard leaveMounts() == 0, mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0,
        mount("tmpfs", small, "tmpfs", 0, "size=1m") == 0
      else { stop("no disk could be mounted: \(errno)") }
      let configuration = Toy.configuration(.file(path: small + "/a.realm"))
      // The lock file of an earlier session stays.
      if isSecond { try Coordinator(configuration).set([0: [1]]) }
      let opened = try Coordinator(configuration)
      try opened.set([0: [2]])
      let rest = open(small + "/rest", O_RDWR | O_CREAT, 0o600)
      let page = [UInt8](repeating: 1, count: 4096)
      while page.withUnsafeBytes({ write(rest, $0.baseAddress, $0.count) }) > 0 {}
      let held = try (0..<1_000).map { _ in try Snapshot(newestIn: opened, kind: .frozen) }
      if Set(held.map(\.version)).count != 1 { stop("readers are on several versions") }
      do {
        for _ in 0..<100 { withExtendedLifetime(try opened.pins.claim(.live)) {} }
        stop("more than could be reserved")
      } catch { if !"\(error)".contains("No space left") { stop("\(error)") } }
    }
  }

  /// What broke: a commit without a flush stored into a part of the file that growth had left for
  /// it without space, and the process ended with SIGBUS.
  @Test func `WRITE-27: a commit without a flush on a full disk only throws`() async throws {
    let folder = Folder()
    let path = folder.path
    try #require(getuid() == 0, "only root can mount a small disk")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let small = path + "/small"
      mkdir(small, 0o700)
      guard leaveMounts() == 0, mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0,
        mount("tmpfs", small, "tmpfs", 0, "size=2m") == 0
      else { stop("no disk could be mounted: \(errno)") }
      let rest = open(small + "/rest", O_RDWR | O_CREAT, 0o600)
      let page = [UInt8](repeating: 1, count: 4096)
      var refusals = 0
      for left in 0..<40 {
        let name = small + "/\(left).realm"
        let configuration = Toy.configuration(.file(path: name), .none)
        do {
          let file = try Coordinator(configuration)
          try file.set([0: [1]])
          while page.withUnsafeBytes({ write(rest, $0.baseAddress, $0.count) }) > 0 {}
          let size = lseek(rest, 0, SEEK_CUR)
          ftruncate(rest, size - off_t(left * 4096))
          var model = try file.newestContent()
          for step in 1..<16 {
            let bytes = [UInt8](repeating: UInt8(step), count: 11_000)
            do {
              try file.set([step: bytes])
              model[step] = bytes
            } catch StorageError.outOfSpace {
              refusals += 1
            }
            if try file.newestContent() != model { stop("\(left), \(step): other content") }
          }
          try file.checkEverything()
        }
        ftruncate(rest, 0)
        lseek(rest, 0, SEEK_SET)
        unlink(name)
        unlink(name + ".lock")
      }
      if refusals == 0 { stop("the disk was never full") }
    }
  }

  /// A copy of a file may have holes where it was all zeros.
  @Test func `WRITE-27: nothing is stored into a file that has holes before they are filled`()
    throws
  {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    let isFull = Atomic(true)
    var calls = FileCalls.system
    let honest = calls
    calls.allocate = { isFull.load(ordering: .relaxed) ? ENOSPC : honest.allocate($0, $1, $2) }
    let writes = Atomic(0)
    calls.write = {
      writes.add(1, ordering: .relaxed)
      return honest.write($0, $1, $2, $3)
    }
    do {
      let file = try Coordinator(Toy.configuration(folder.file()))
      for leaf in 0..<16 { try file.set([leaf: [UInt8](repeating: 1, count: 3_000)]) }
      for leaf in 0..<16 { try file.set([leaf: [1]]) }
      // All behind the heap, where the next growth would otherwise begin.
      let end = file.board.newestRoot.end
      #expect(truncate(path, off_t(end)) == 0 && truncate(path, off_t(end + 1 << 18)) == 0)
    }
    let disk = try PosixDisk(path: path, writable: true, create: false, calls: calls)
    let file = try Coordinator(
      Toy.configuration(folder.file(), .none), disk: disk, lockPath: path + ".lock")
    // Written, and so told if there is no room.
    try file.set([3: [3]])
    #expect(writes.exchange(0, ordering: .relaxed) > 0)
    isFull.store(false, ordering: .relaxed)
    try file.set([4: [4]])
    #expect(writes.load(ordering: .relaxed) == 0)
    var status = stat()
    #expect(fstat(disk.descriptor, &status) == 0 && status.st_blocks * 512 >= status.st_size)
    #expect(try file.newestContent()[3...4] == [[3], [4]])
    try file.checkEverything()
  }

  @Test func `What a dead maker left of a file goes with the next opener`() async throws {
    let folder = Folder()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      Seams.given.moments = Death(at: .copyFlushed)
      _ = try Coordinator(Toy.configuration(.file(path: path + "/a.realm")))
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(left.contains { $0.hasPrefix(".realm-") } && !left.contains("a.realm"))
    try Coordinator(Toy.configuration(folder.file())).set([0: [1]])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        == ["a.realm", "a.realm.lock"])
  }

  /// What broke: without a pin the reader's nodes were written over, and the process died of it.
  @Test func `LIFE-10: who may not write the lock file reads one version, whole`() async throws {
    try #require(getuid() == 0, "only root can become somebody who may not")
    let folder = Folder()
    let path = folder.path
    chmod(path, 0o777)
    let writer = try Coordinator(Toy.configuration(folder.file()))
    @Sendable func set(_ round: UInt8) throws {
      let values = (0..<16).map { ($0, [UInt8](repeating: round, count: 2_000)) }
      try writer.set(Dictionary(uniqueKeysWithValues: values), CommitProtocol.none)
    }
    try set(1)
    let meeting = Meeting(path + "/meeting", parties: 2)
    let isDone = Raised()
    async let reader: Void = {
      await #expect(processExitsWith: .success) { [path = path as String] in
        let meeting = Meeting(path + "/meeting", parties: 2)
        setgid(65534)
        setuid(65534)
        var configuration = Toy.configuration(.file(path: path + "/a.realm"))
        configuration.isReadOnly = true
        let openings = Wish.number("OPENINGS", orElse: 60)
        let looks = Wish.number("LOOKS", orElse: 200)
        try meeting.meet()
        for _ in 0..<openings {
          let reader = try Coordinator(configuration)
          let before = try reader.newestContent()
          for _ in 0..<looks {
            let now = try reader.newestContent()
            if now != before { stop("the version has changed") }
            if Set(now.map { $0[0] }).count != 1 { stop("two versions in one") }
          }
        }
        try meeting.meet()
      }
      isDone.raise()
    }()
    try await apart {
      try meeting.meet { isDone.isSo }
      var round: UInt8 = 1
      while !isDone.isSo {
        round = round % 250 + 1
        try set(round)
        // The child waits to end until nobody writes any more; it may have failed before.
        if meeting.isAwaited { try meeting.meet() }
      }
    }
    await reader
    try writer.checkEverything()
  }

  /// What broke: the file's length was from before a commit that made it longer, and its slots from
  /// behind it, so that it seemed to be damaged: 3 of 100 who opened it beside a writer.
  @Test func `LIFE-10: a commit between two looks at a file is no damage`() throws {
    let folder = Folder()
    let writer = try Coordinator(Toy.configuration(folder.file()))
    try writer.set([0: [1]])
    var configuration = Toy.configuration(folder.file())
    configuration.isReadOnly = true
    let commits = Mutex(0)
    let honest = configuration.seams.disk
    configuration.seams.disk = { path, writable, create in
      let disk = MeasuredDisk(try honest(path, writable, create))
      disk.onMeasure {
        let count = commits.withLock { count in
          count += 1
          return count
        }
        // Each makes it longer than it has ever been.
        if count <= 12 { try writer.set([1: [UInt8](repeating: 1, count: count * 200_000)]) }
      }
      return disk
    }
    let reader = try Coordinator.alone(configuration, path: folder.path + "/a.realm")
    #expect(commits.withLock { $0 } > 12)
    #expect(try reader.newestContent()[1].count == 12 * 200_000)
    try reader.checkEverything()
  }

  /// What broke: whoever came to write after them knew nothing of them.
  @Test func `LIFE-10: a writer keeps what a reader without a lock file has open`() async throws {
    try #require(getuid() == 0, "only root can become somebody who may not")
    let folder = Folder()
    let path = folder.path
    chmod(path, 0o755)
    try Coordinator(Toy.configuration(folder.file())).set([
      0: [UInt8](repeating: 1, count: 20_000)
    ])
    unlink(path + "/a.realm.lock")
    let meeting = Meeting(path + "/meeting", parties: 2)
    let isDone = Raised()
    async let reader: Void = {
      await #expect(processExitsWith: .success) { [path = path as String] in
        let meeting = Meeting(path + "/meeting", parties: 2)
        setgid(65534)
        setuid(65534)
        var configuration = Toy.configuration(.file(path: path + "/a.realm"))
        configuration.isReadOnly = true
        let reader = try Coordinator(configuration)
        for _ in 0..<4 {
          try meeting.meet()
          let content = try reader.newestContent()
          if content[0] != [UInt8](repeating: 1, count: 20_000) { stop("another content") }
          try reader.checkEverything()
        }
        try meeting.meet()
      }
      isDone.raise()
    }()
    let sizes = try await apart {
      var sizes: [Int] = []
      try meeting.meet { isDone.isSo }
      for _ in 0..<3 {
        let writer = try Coordinator(Toy.configuration(folder.file()))
        for value in UInt8(0)..<60 {
          try writer.set([0: [UInt8](repeating: value, count: 20_000)])
        }
        sizes.append(folder.size())
        try meeting.meet { isDone.isSo }
      }
      try meeting.meet { isDone.isSo }
      return sizes
    }
    await reader
    // What the reader has is used no second time.
    for (session, size) in sizes.enumerated() { #expect(size > 20_000 * 60 * (session + 1)) }
    // It is gone, and all of that is free: the file grows no more, and may become shorter.
    let writer = try Coordinator(Toy.configuration(folder.file()))
    let before = folder.size()
    for value in UInt8(0)..<60 {
      try writer.set([0: [UInt8](repeating: value, count: 20_000)])
    }
    #expect(folder.size() <= before)
    try writer.checkEverything()
  }

  /// What broke: a child had its parent's locks, and so the parent lived on for all others as long
  /// as it did.
  @Test(arguments: [false, true])
  func `A forked child holds nothing of its parent's`(atLimit: Bool) async throws {
    let folder = Folder()
    let path = folder.path
    let survivor = try Coordinator(Toy.configuration(folder.file()))
    try survivor.set([0: [1]])
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, atLimit = atLimit as Bool] in
      let coordinator = try Coordinator(Toy.configuration(.file(path: path + "/a.realm")))
      let held = try coordinator.newestSnapshot(kind: .frozen)
      let write = try coordinator.beginWrite()
      let meeting = Meeting(path + "/meeting", parties: 2)
      let engines = [coordinator.disk.descriptor, coordinator.lock.descriptor]
      let ended = Meeting(path + "/ended", parties: 2)
      if atLimit {
        // What keeps the child from opening anything.
        var limit = rlimit(rlim_cur: 200, rlim_max: 200)
        setrlimit(__rlimit_resource_t(7), &limit)
        while open("/dev/null", O_RDONLY) >= 0 {}
      }
      if fork() == 0 {
        // What it does with its parent's things changes nothing there.
        coordinator.gate.leave()
        withExtendedLifetime((held, write)) {}
        // Else who waits for the parent's end waits for ours; and nothing that was lent to the
        // parent is to be kept by us, but what the engine has opened.
        for file in Int32(0)..<256 where !engines.contains(file) { close(file) }
        // It lives until the survivor has written; who has to wait for its end finds that it was
        // waited for.
        guard (try? meeting.meet()) != nil, (try? ended.meet(limit: .seconds(600))) != nil else {
          close(open(path + "/waited", O_CREAT | O_WRONLY, 0o666))
          _exit(7)
        }
        _exit(0)
      }
      try meeting.meet()
      if !coordinator.hasWriter { stop("the child has left its parent's gate") }
      if coordinator.pins.holders().isEmpty { stop("the child has let its parent's pins go") }
      kill(getpid(), SIGKILL)
    }
    let isHeld = try await apart {
      try survivor.set([0: [2]])
      let isHeld = rb_byte_held(survivor.disk.descriptor, LockFile.heldByte, 2) != 0
      try Meeting(path + "/ended", parties: 2).meet(limit: .seconds(700))
      return isHeld
    }
    #expect(!isHeld, "what the parent had mapped still holds the file in its child")
    #expect(
      access(path + "/waited", F_OK) != 0, "who waits for a dead writer waited for its child, too")
    try survivor.checkEverything()
  }

  /// What broke: the last file that could not be opened was the one to map, which was mapped
  /// through what holds the locks; a child that was forked then kept these.
  @Test func `LIFE-25: who can open one file less than it takes is told so`() async throws {
    let folder = Folder()
    let path = folder.path
    try Coordinator(Toy.configuration(folder.file())).set([0: [1]])
    await #expect(processExitsWith: .success) { [path = path as String] in
      // In a fork there is this thread alone: others of the library that runs the tests open and
      // close files, too.
      let child = fork()
      guard child == 0 else {
        var status: Int32 = 0
        waitpid(child, &status, 0)
        if status != 0 { stop("the fork ended with \(status)") }
        return
      }
      var limit = rlimit(rlim_cur: 100, rlim_max: 100)
      setrlimit(__rlimit_resource_t(7), &limit)
      var others: [Int32] = []
      while true {
        let file = open("/dev/null", O_RDONLY)
        if file < 0 { break }
        others.append(file)
      }
      let configuration = Toy.configuration(.file(path: path + "/a.realm"))
      // The file, its lock file, and the file once more.
      for _ in 0..<3 {
        do {
          _ = try Coordinator(configuration)
          stop("opened with \(others.count) other files open")
        } catch { if !"\(error)".contains("Too many open files") { stop("\(error)") } }
        close(others.removeLast())
      }
      if try Coordinator(configuration).newestContent()[0] != [1] { stop("another content") }
      _exit(0)
    }
  }

  @Test func `A forked child opens the file anew`() async throws {
    let scratch = Scratch()
    let folder = scratch.directory.path
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: folder + "/test.realm"), objectTypes: [Keyed.self])
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Keyed.self, value: ["id": 1]) }
      let child = fork()
      if child == 0 {
        guard let own = try? Realm(configuration: configuration) else { _exit(4) }
        if own == realm { _exit(5) }
        guard (try? own.write { own.create(Keyed.self, value: ["id": 2]) }) != nil else { _exit(6) }
        _exit(0)
      }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      if status != 0 { stop("the child ended with \(status)") }
      realm.refresh()
      if realm.objects(Keyed.self).count != 2 { stop("what the child wrote is not there") }
      try realm.write { realm.create(Keyed.self, value: ["id": 3]) }
    }
  }

  /// What broke: whatever stood in a lock file was believed. Openers hung or died of it.
  @Test func `Noise in a lock file that is held gives a sentence, or the right data`() async throws
  {
    let folder = Folder()
    let path = folder.path
    let seed = Wish.seed()
    print("noise in lock files: seed \(seed)")
    await #expect(processExitsWith: .success) { [path = path as String, seed = seed as UInt64] in
      var dice = Dice(seed: seed)
      let rounds = Wish.number("NOISE_ROUNDS", orElse: 200)
      for round in 0..<rounds {
        let name = path + "/\(round).realm"
        let holder = try Coordinator(Toy.configuration(.file(path: name)))
        try holder.set([0: [1]])
        let from = Int.random(in: 0..<512, using: &dice)
        let count = Int.random(in: 1..<9000, using: &dice)
        for place in from..<min(from + count, LockFile.pinsOffset) {
          holder.lock.base.storeBytes(
            of: UInt8.random(in: 0...255, using: &dice), toByteOffset: place, as: UInt8.self)
        }
        for isReadOnly in [true, false] {
          var configuration = Toy.configuration(.file(path: name))
          configuration.isReadOnly = isReadOnly
          guard let opened = try? Coordinator(configuration),
            let content = try? opened.newestContent()
          else { continue }
          if content[0] != [1] { stop("round \(round): other data") }
        }
      }
    }
  }
}

/// The system's, which Swift keeps from us.
private func fork() -> Int32 {
  typealias Fork = @convention(c) () -> Int32
  return unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)()
}

/// What is mounted from here on is so for this process alone. Behind _GNU_SOURCE, so that Swift
/// does not see it.
private func leaveMounts() -> Int32 {
  typealias Unshare = @convention(c) (Int32) -> Int32
  return unsafeBitCast(dlsym(nil, "unshare"), to: Unshare.self)(0x0002_0000)
}

/// Whatever the code makes and does not return is gone afterwards.
private func released<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }

/// Every descriptor that this process may have yet.
private func allDescriptors() -> [Int32] {
  var opened: [Int32] = []
  while true {
    let next = open("/dev/null", O_RDONLY)
    if next < 0 { return opened }
    opened.append(next)
  }
}
