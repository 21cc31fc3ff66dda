import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

/// A file that is opened by two names is one file: references were resolved to nil where the realm
/// that they came to had been opened by another name.
@Suite struct SameFileTests {
  private let scratch = Scratch()
  /// Each of the file's names.
  private let names: [String: Realm.Configuration]

  init() throws {
    let (files, place) = (FileManager.default, scratch.directory)
    func configuration(_ path: String) -> Realm.Configuration {
      Realm.Configuration(
        fileURL: URL(fileURLWithPath: place.path + "/" + path),
        objectTypes: [Person.self, Dog.self, Keyed.self])
    }
    try files.createDirectory(
      at: place.appendingPathComponent("real/deep"), withIntermediateDirectories: true)
    func link(_ name: String, to target: String) throws {
      try files.createSymbolicLink(
        atPath: place.path + "/" + name, withDestinationPath: target)
    }
    try link("folder", to: "real")
    try link("deep", to: "real/deep")
    try link("file.realm", to: "real/test.realm")
    try link("chain.realm", to: place.path + "/file.realm")
    names = [
      "its own": configuration("real/test.realm"),
      "a link": configuration("file.realm"),
      "a link to a link": configuration("chain.realm"),
      "a folder that is one": configuration("folder/test.realm"),
      "dots": configuration("real/deep/../test.realm"),
      "dots behind a link": configuration("deep/../test.realm"),
      "a dot": configuration("real/./test.realm"),
    ]
  }

  private func person(_ realm: Realm) throws -> Person {
    try realm.write {
      realm.create(Person.self, value: ["name": "Ada", "dogs": [["name": "Rex"]]])
    }
  }

  @Test func `REF-01: what a realm of one name refers to is found by all others`() throws {
    for (from, origin) in names {
      for (to, target) in names {
        let realm = try Realm(configuration: origin)
        let ada = try person(realm)
        let object = ThreadSafeReference(to: ada)
        let list = ThreadSafeReference(to: ada.dogs)
        let results = ThreadSafeReference(to: realm.objects(Person.self))
        let frozen = ThreadSafeReference(to: ada.freeze())
        Desk(target).work { other in
          #expect(other.resolve(object)?.name == "Ada", "from \(from) to \(to)")
          #expect(other.resolve(list)?.first?.name == "Rex", "from \(from) to \(to)")
          #expect(other.resolve(results)?.count == 1, "from \(from) to \(to)")
          #expect(other.resolve(frozen)?.name == "Ada", "from \(from) to \(to)")
        }
        try realm.write { realm.deleteAll() }
      }
    }
  }

  @Test func `REF-01: that is so when the realm it was made in has been closed`() throws {
    for (from, origin) in names {
      for (to, target) in names {
        let reference = try onThisThread(origin)
        let other = try Realm(configuration: target)
        #expect(other.resolve(reference)?.name == "Ada", "from \(from) to \(to)")
        try other.write { other.deleteAll() }
      }
    }
  }

  private func onThisThread(_ origin: Realm.Configuration) throws -> ThreadSafeReference<Person> {
    let realm = try Realm(configuration: origin)
    return ThreadSafeReference(to: try person(realm))
  }

  @Test func `REF-21: another file has nothing of what is referred to, whatever its name`() throws {
    let realm = try Realm(configuration: try #require(names["a link"]))
    let ada = try person(realm)
    let elsewhere = Realm.Configuration(
      fileURL: scratch.directory.appendingPathComponent("test.realm"),
      objectTypes: [Person.self, Dog.self, Keyed.self])
    let other = try Realm(configuration: elsewhere)
    _ = try person(other)
    #expect(other.resolve(ThreadSafeReference(to: ada)) == nil)
    let memory = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: realm.session.coordinator.path, objectTypes: [Person.self, Dog.self]))
    _ = try person(memory)
    #expect(memory.resolve(ThreadSafeReference(to: ada)) == nil)
  }

  @Test func `LIFE-11: a file is one, whichever name it is opened, looked for and deleted by`()
    throws
  {
    for (from, origin) in names {
      let realm = try Realm(configuration: origin)
      let ada = try person(realm)
      for (to, target) in names {
        #expect(Realm.fileExists(for: target), "\(from), \(to)")
        let refused = #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: target) }
        #expect(refused?.code == .alreadyOpen, "\(from), \(to)")
        Desk(target).commit { $0.create(Dog.self, value: ["name": to]) }
        realm.refresh()
        #expect(realm.objects(Dog.self).last?.name == to, "\(from), \(to)")
        #expect(ada.freeze().thaw()?.name == "Ada", "\(from), \(to)")
      }
      try realm.write { realm.deleteAll() }
    }
  }

  @Test func `LIFE-19: what is opened asynchronously by one name has what another one wrote`()
    throws
  {
    for (from, origin) in names {
      for (to, target) in names {
        let realm = try Realm(configuration: origin)
        let reference = ThreadSafeReference(to: try person(realm))
        let (bell, queue) = (Bell(), DispatchQueue(label: "opened"))
        let found = Noted<String>()
        Realm.asyncOpen(configuration: target, callbackQueue: queue) { result in
          found.add((try? result.get())?.resolve(reference)?.name ?? "nobody")
          bell.ring()
        }
        #expect(bell.wait())
        #expect(found.all == ["Ada"], "from \(from) to \(to)")
        try realm.write { realm.deleteAll() }
      }
    }
  }

  /// Two names that look alike, and are equal as texts.
  private var alike: [Realm.Configuration] {
    ["caf\u{e9}", "cafe\u{301}"].map { name in
      Realm.Configuration(
        fileURL: URL(fileURLWithPath: scratch.directory.path + "/\(name).realm"),
        objectTypes: [Person.self, Dog.self, Keyed.self])
    }
  }

  @Test func `LIFE-01: names of other bytes are of two files, however alike they look`() throws {
    let (here, there) = (alike[0], alike[1])
    #expect(here != there)
    let realm = try Realm(configuration: here)
    let ada = try person(realm)
    let other = try Realm(configuration: there)
    #expect(other != realm)
    #expect(other.objects(Person.self).isEmpty)
    #expect(try Realm(configuration: here) == realm)
    #expect(try Realm(configuration: there) == other)
    #expect(other.resolve(ThreadSafeReference(to: ada)) == nil)
    Desk(there).commit { realm in
      #expect(realm.objects(Person.self).isEmpty)
      realm.create(Dog.self, value: ["name": "Laika"])
    }
    realm.refresh()
    #expect(realm.objects(Dog.self).map(\.name) == ["Rex"])
    other.refresh()
    #expect(other.objects(Dog.self).map(\.name) == ["Laika"])
  }

  @Test func `LIFE-11: a file is deleted while another is open whose name looks alike`() throws {
    let (here, there) = (alike[0], alike[1])
    _ = try onThisThread(there)
    let realm = try Realm(configuration: here)
    #expect(try Realm.deleteFiles(for: there))
    #expect(!Realm.fileExists(for: there))
    #expect(Realm.fileExists(for: here))
    #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: here) }
    withExtendedLifetime(realm) {}
  }

  /// Foundation takes `/private` and `/var/automount` away where there is a file without them.
  @Test func `LIFE-01: a file is made at the path that was asked for`() {
    func path(_ asked: String) -> String {
      Realm.Configuration(fileURL: URL(fileURLWithPath: asked)).path
    }
    for asked in [
      "/private/tmp", "/private/etc/passwd", "/var/automount/tmp", "/tmp/\u{301}/\u{301}.realm",
      "/tmp/.../.realm", "/tmp/x/../y.realm",
    ] {
      #expect(path(asked) == asked)
    }
    #expect(path("/tmp/./x//./y.realm") == "/tmp/x/y.realm")
    #expect(path("/./tmp//y.realm/") == "/tmp/y.realm")
  }

  @Test func `Paths are known by their bytes`() {
    let texts = ["", "a", "caf\u{e9}", "cafe\u{301}", String(repeating: "\u{e9}", count: 40)]
    for (number, text) in texts.enumerated() {
      for (other, second) in texts.enumerated() {
        // Of another storage.
        let copy = String(decoding: Array(second.utf8), as: UTF8.self)
        #expect((PathKey(text) == PathKey(copy)) == (number == other), "\(number), \(other)")
      }
    }
    #expect(Set(texts.map(PathKey.init)).count == texts.count)
  }
}
