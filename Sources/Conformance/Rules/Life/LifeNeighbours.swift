import EngineUnderTest
import Foundation
import Harness

/// Two files whose names are alike in some way, and which have nothing in common but that; or one
/// file that has two names.
private enum Neighbours: String, CaseIterable, Sendable {
  case oneFolder = "two names in one folder"
  case twoFolders = "one name in two folders"
  case nestedFolders = "one name in a folder and in one within it"
  case prefix = "a name and one that begins with it"
  case folderNames = "folders whose names begin alike"
  case letters = "names that differ in capitals"
  case spaces = "names with spaces and signs"
  case looks = "names that look alike"
  case looksInMemory = "identifiers that look alike"
  case sameEnding = "long names with one ending"
  case inMemory = "two identifiers in memory"
  case memoryAndFile = "an identifier in memory and a file of that name"

  func configurations(_ stage: Stage) throws -> [Realm.Configuration] {
    func file(_ path: String) throws -> Realm.Configuration {
      let url = stage.directory.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      return Realm.Configuration(fileURL: url, objectTypes: [Vessel.self, Part.self])
    }
    func memory(_ name: String) -> Realm.Configuration {
      Realm.Configuration(inMemoryIdentifier: name, objectTypes: [Vessel.self, Part.self])
    }
    let long = String(repeating: "name", count: 30)
    switch self {
    case .oneFolder: return try [file("one.realm"), file("two.realm")]
    case .twoFolders: return try [file("a/x.realm"), file("b/x.realm")]
    case .nestedFolders: return try [file("a/x.realm"), file("a/a/x.realm")]
    case .prefix: return try [file("x.realm"), file("x.realm.realm")]
    case .folderNames: return try [file("a/x.realm"), file("ab/x.realm")]
    case .letters: return try [file("x.realm"), file("X.realm")]
    case .spaces: return try [file("a b/é%20.realm"), file("a b/é .realm")]
    // "é" in one character, and in two: Swift takes them for the same.
    case .looks: return try [file("caf\u{E9}.realm"), file("cafe\u{301}.realm")]
    case .looksInMemory: return [memory("caf\u{E9}"), memory("cafe\u{301}")]
    case .sameEnding: return try [file("1\(long).realm"), file("2\(long).realm")]
    case .inMemory: return [memory("one"), memory("two")]
    case .memoryAndFile: return try [memory("x.realm"), file("x.realm")]
    }
  }

  /// Opens both: their objects have the same keys and other numbers.
  func opened(_ stage: Stage) throws -> [Realm] {
    try configurations(stage).enumerated().map { place, configuration in
      let realm = try Realm(configuration: configuration)
      try realm.write {
        Vessel.stock(realm)
        for vessel in realm.objects(Vessel.self) { vessel.number = 100 * (place + 1) }
      }
      return realm
    }
  }
}

/// A reference to something of a kind, and whether it leads to the other file's.
private struct Passenger: Sendable {
  let name: String
  /// Makes a reference in one realm, and resolves it in another: the number that is found.
  let travel: @Sendable (Realm) -> (Realm) -> Int?
  /// A variable for all threads: the number that is found.
  let variable: @Sendable (Realm) -> () -> Int?
  /// Freezes and thaws: the number that is found, and in which realm.
  let thaw: @Sendable (Realm) -> () -> (Int?, Realm?)

  static let all: [Passenger] = [
    of("an object", { $0.vessel(1)! }, { ($0.number, $0.realm) }),
    of("results", { $0.objects(Vessel.self) }, { ($0.first?.number, $0.realm) }),
    of(
      "a filter", { $0.objects(Vessel.self).where { $0.id == 1 } }, { ($0.first?.number, $0.realm) }
    ),
    of(
      "sorted results", { $0.objects(Vessel.self).sorted(byKeyPath: "id") },
      { ($0.first?.number, $0.realm) }),
    of("a list", { $0.vessel(1)!.links }, { ($0.first?.number, $0.realm) }),
    of("a set", { $0.vessel(1)!.group }, { ($0.first?.number, $0.realm) }),
    of("a map", { $0.vessel(1)!.named }, { (($0["a"] ?? nil)?.number, $0.realm) }),
    of("links backwards", { $0.vessel(1)!.throughLink }, { ($0.first?.number, $0.realm) }),
    of(
      "a query of a list", { $0.vessel(1)!.links.where { $0.id > 0 } },
      { ($0.first?.number, $0.realm) }),
    of("an embedded object", { $0.vessel(1)!.part! }, { ($0.link?.number, $0.realm) }),
  ]

  private static func of<Kind: ThreadConfined & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm) -> Kind,
    _ read: @escaping @Sendable (Kind) -> (Int?, Realm?)
  ) -> Passenger {
    Passenger(
      name: name,
      travel: { realm in
        let reference = ThreadSafeReference(to: find(realm))
        return { other in
          guard let found = other.resolve(reference), !found.isInvalidated else { return nil }
          return read(found).0
        }
      },
      variable: { realm in
        let variable = ThreadSafe(wrappedValue: find(realm))
        return { variable.wrappedValue.flatMap { read($0).0 } }
      },
      thaw: { realm in
        let frozen = find(realm).freeze()
        return { frozen.thaw().map { read($0) } ?? (nil, nil) }
      })
  }
}

extension Probe {
  /// References of one file in realms of the other.
  static let referencesToNeighbours: [Probe] = Neighbours.allCases.map { pair in
    Probe("a reference leads to its own file, or to nothing: \(pair.rawValue)") { stage in
      let realms = try pair.opened(stage)
      for passenger in Passenger.all {
        for (from, to) in [(0, 1), (1, 0), (0, 0), (1, 1)] {
          let found = passenger.travel(realms[from])(realms[to])
          stage.equal(
            found, from == to ? 100 * (from + 1) : nil,
            "what \(passenger.name) of \(from) is, resolved in \(to)")
          // Both go on.
          try realms[to].write { realms[to].vessel(2)!.text = "resolved" }
        }
      }
    }
  }

  /// Variables of one file, read where only the other is open, or both.
  static let variablesOfNeighbours: [Probe] = Neighbours.allCases.map { pair in
    Probe("a variable gives what is of its own file: \(pair.rawValue)") { stage in
      let realms = try pair.opened(stage)
      for passenger in Passenger.all {
        for from in 0...1 {
          let read = passenger.variable(realms[from])
          stage.equal(read(), 100 * (from + 1), "what \(passenger.name) of \(from) is here")
          let configurations = realms.map(\.configuration)
          for open in [[from], [1 - from], [0, 1], []] {
            let found = try stage.elsewhere {
              let others = try open.map { try Realm(configuration: configurations[$0]) }
              for other in others { use(other.vessel(1)!.number) }
              return read()
            }
            stage.equal(
              found, 100 * (from + 1), "what \(passenger.name) of \(from) is where \(open) are open"
            )
          }
        }
      }
    }
  }

  /// What is frozen of one file, thawed beside the other.
  static let thawedNeighbours: [Probe] = Neighbours.allCases.map { pair in
    Probe("what is frozen thaws in its own file: \(pair.rawValue)") { stage in
      let realms = try pair.opened(stage)
      for passenger in Passenger.all {
        for from in 0...1 {
          let thaw = passenger.thaw(realms[from])
          let (number, realm) = thaw()
          stage.equal(number, 100 * (from + 1), "what \(passenger.name) of \(from) thaws to")
          stage.expect(realm == realms[from], "it thaws in the realm that is open here")
          let configuration = realms[1 - from].configuration
          let found = try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            use(other.vessel(1)!.number)
            return thaw().0
          }
          stage.equal(found, 100 * (from + 1), "what it thaws to where the other is open")
        }
      }
    }
  }

  /// Everything else that two files have each for itself.
  static let twoFiles: [Probe] = Neighbours.allCases.map { pair in
    Probe("two files are two: \(pair.rawValue)") { stage in
      let realms = try pair.opened(stage)
      let (one, two) = (realms[0], realms[1])
      stage.expect(one != two, "they are two realms")
      for (realm, number) in [(one, 100), (two, 200)] {
        stage.expect(
          try Realm(configuration: realm.configuration) == realm, "each is found again, \(number)")
        stage.equal(realm.vessel(1)!.number, number, "what it has")
      }
      // Both in a write at once, and a commit of the one is none of the other.
      var (calls, callsOfOther) = (0, 0)
      let tokens = [one.observe { _, _ in calls += 1 }, two.observe { _, _ in callsOfOther += 1 }]
      one.beginWrite()
      two.beginWrite()
      one.vessel(1)!.number = 101
      stage.equal(two.vessel(1)!.number, 200, "the other, while one is changed")
      two.cancelWrite()
      try one.commitWrite()
      stage.equal([calls, callsOfOther], [1, 0], "who was told")
      stage.equal(two.vessel(1)!.number, 200, "the other, when one was changed")
      // Objects of the other are strangers.
      stage.expect(
        !one.vessel(1)!.isSameObject(as: two.vessel(1)!), "their objects are not the same")
      stage.equal(
        one.objects(Vessel.self).index(of: two.vessel(1)!), nil, "where the other's object is")
      // Frozen ones, and versions.
      let frozen = two.freeze()
      for number in 0..<5 { try one.write { one.vessel(1)!.number = number } }
      stage.equal(frozen.vessel(1)!.number, 200, "what is frozen of the other")
      stage.expect(frozen.thaw() == two, "it thaws to its own")
      // From threads and queues.
      for (realm, number) in [(one, 4), (two, 200)] {
        let configuration = realm.configuration
        let seen = try stage.elsewhere {
          try Realm(configuration: configuration).vessel(1)!.number
        }
        stage.equal(seen, number, "what another thread sees")
        let queue = DispatchQueue(label: "queue")
        let there = try queue.sync {
          try Realm(configuration: configuration, queue: queue).vessel(1)!.number
        }
        stage.equal(there, number, "what a queue sees")
      }
      // An asynchronous write of the one, and a plain one of the other.
      var isDone = false
      one.writeAsync {
        one.vessel(1)!.number = 102
      } onComplete: { _ in
        isDone = true
      }
      if Engine.offersReins {
        stage.equal(two.isPerformingAsynchronousWriteOperations, false, "whether it is busy")
      }
      try two.write { two.vessel(1)!.number = 202 }
      try stage.spin(until: { isDone }, "the completion")
      stage.equal([one, two].map { $0.vessel(1)!.number }, [102, 202], "both in the end")
      if Engine.offersReins {
        let kept = two.vessel(1)!
        one.invalidate()
        stage.equal(kept.isInvalidated, false, "whether the other's object is invalidated")
      }
      for token in tokens { token.invalidate() }
    }
  }

  /// Whoever deletes one deletes nothing of the other.
  static let deletedNeighbours: [Probe] = Neighbours.allCases.filter {
    ![.inMemory, .looksInMemory, .memoryAndFile].contains($0)
  }.map { pair in
    Probe("deleting one file leaves the other: \(pair.rawValue)") { stage in
      let configurations = try pair.configurations(stage)
      for (gone, stays) in [(0, 1), (1, 0)] {
        let other = try Realm(configuration: configurations[stays])
        if other.isEmpty { try other.write { Vessel.stock(other) } }
        try stage.elsewhere {
          let realm = try Realm(configuration: configurations[gone])
          if realm.isEmpty { try realm.write { Vessel.stock(realm) } }
        }
        stage.equal(
          try Realm.deleteFiles(for: configurations[gone]), true, "whether \(gone) was deleted")
        stage.equal(
          configurations.map { Realm.fileExists(for: $0) }, [0, 1].map { $0 != gone },
          "which are there")
        stage.equal(other.objects(Vessel.self).count, 2, "the objects of the other")
        try other.write { other.vessel(1)!.number += 1 }
        let seen = try stage.elsewhere {
          try Realm(configuration: configurations[stays]).vessel(1)!.number
        }
        stage.equal(seen, other.vessel(1)!.number, "what another thread sees of the other")
      }
    }
  }

  /// One file by two names is one.
  static let oneFileByTwoNames: [Probe] = ["a link to it", "a link to its folder", "dots"].map {
    way in
    Probe("a file that has two names is one: \(way)") { stage in
      let folder = stage.directory.appendingPathComponent("folder")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let first = Realm.Configuration(
        fileURL: folder.appendingPathComponent("x.realm"), objectTypes: [Vessel.self, Part.self])
      try stage.elsewhere {
        let realm = try Realm(configuration: first)
        try realm.write { Vessel.stock(realm) }
      }
      var second = first
      switch way {
      case "a link to it":
        let link = stage.directory.appendingPathComponent("y.realm")
        try FileManager.default.createSymbolicLink(
          at: link, withDestinationURL: first.fileURL!)
        second.fileURL = link
      case "a link to its folder":
        let link = stage.directory.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
        second.fileURL = link.appendingPathComponent("x.realm")
      default:
        second.fileURL = URL(
          fileURLWithPath: stage.directory.path + "/folder/../folder/x.realm")
      }
      let one = try Realm(configuration: first)
      let two = try Realm(configuration: second)
      try one.write { one.vessel(1)!.number = 7 }
      two.refresh()
      stage.equal(two.vessel(1)?.number, 7, "what is written by the one name, read by the other")
      try two.write { two.vessel(1)!.number = 8 }
      one.refresh()
      stage.equal(one.vessel(1)?.number, 8, "and the other way round")
      let found = try stage.elsewhere { () -> Int? in
        let other = try Realm(configuration: second)
        return other.vessel(1)?.number
      }
      stage.equal(found, 8, "what another thread reads")
    }
  }
}
