import EngineUnderTest
import Foundation
import Harness

/// What is said of threads and instances is said of each kind of thing, and of each home.
enum ConfineKinds {
  // MARK: Things without a realm, and frozen ones

  /// Each change of an unmanaged object, each on a thread of its own; then it is added on another.
  static let unmanaged = Probe("unmanaged things of each kind are changed by many threads") {
    stage in
    var vessel: Vessel!
    try stage.elsewhere("maker") {
      vessel = Vessel(id: 1)
      let other = Vessel(id: 2)
      vessel.links.append(objectsIn: [other, other])
      vessel.group.insert(other)
      vessel.named["a"] = .some(other)
      vessel.part = Part(text: "part")
      vessel.texts.append(objectsIn: ["a", "b"])
      vessel.numbers.append(objectsIn: [1, 2])
      vessel.titles["a"] = "title"
      vessel.labels.insert("a")
      vessel.mixed = .int(1)
    }
    let changes: [(String, (Vessel) -> Void)] = [
      ("a number", { $0.number = 7 }), ("a text", { $0.text = "new" }),
      ("data", { $0.data = Data([7]) }), ("a mixed value", { $0.mixed = .string("new") }),
      ("a link", { $0.link = Vessel(id: 3) }), ("a list", { $0.texts.append("c") }),
      ("a list, shortened", { $0.numbers.removeLast(1) }),
      ("a list, moved in", { $0.texts.move(from: 0, to: 2) }),
      ("a set", { $0.labels.insert("b") }), ("a map", { $0.titles["b"] = "another" }),
      ("a map, updated", { $0.titles.updateValue("third", forKey: "a") }),
      ("a map of objects", { $0.named["b"] = .some(nil) }),
      ("an embedded object", { $0.part!.text = "new" }),
      ("another embedded object", { $0.parts.append(Part(text: "one")) }),
      ("by its name", { $0.setValue(8, forKey: "maybe") }),
      ("a set of objects", { $0.group.removeAll() }),
    ]
    for (name, change) in changes { try stage.elsewhere(name) { change(vessel) } }
    try stage.elsewhere("reader") {
      stage.equal(vessel.number, 7, "the number")
      stage.equal(Array(vessel.texts), ["b", "c", "a"], "the texts")
      stage.equal(Array(vessel.numbers), [1], "the numbers")
      stage.equal(vessel.titles["a"], "third", "a title")
      stage.equal(vessel.links.count, 2, "the links")
      stage.equal(vessel.isInvalidated, false, "whether it is invalidated")
      stage.equal(vessel.realm == nil, true, "whether it has no realm")
    }
    let configuration = Vessel.configuration(stage)
    try stage.elsewhere("keeper") {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(vessel) }
      stage.equal(vessel.realm, realm, "its realm when it was added")
      vessel = nil
    }
    let realm = try Realm(configuration: configuration)
    let found = realm.vessel(1)!
    stage.equal(
      "\(found.number) \(found.text) \(found.maybe ?? 0) \(found.part?.text ?? "none")",
      "7 new 8 new", "what was added")
    stage.equal(Array(found.texts), ["b", "c", "a"], "the texts that were added")
    stage.equal(Set(found.labels), ["a", "b"], "the labels that were added")
    stage.equal(found.named.count, 2, "the entries that were added")
    stage.equal(found.parts.count, 1, "the embedded objects that were added")
    stage.equal(realm.objects(Vessel.self).count, 3, "how many were added")
  }

  /// Where frozen things are used.
  private static let places = ["another thread", "a queue", "a thread that writes"]

  /// Each read there is, of frozen things, anywhere.
  static let frozen: [Probe] = places.map { place in
    Probe("each read of what is frozen, on \(place)") { stage in
      let realm = try Vessel.stocked(stage)
      let frozen = realm.vessel(1)!.freeze()
      var done = 0
      func read() {
        for look in Look.all where !look.name.contains("observe") {
          // Fetched here, and fetched there.
          look.prepare(frozen)()
          done += 1
        }
        use((frozen.description, frozen.hashValue, frozen.objectSchema.className))
        use(frozen.realm!.objects(Vessel.self).where { $0.number >= 0 }.count)
        use(frozen.realm!.object(ofType: Vessel.self, forPrimaryKey: 2)?.text)
        stage.equal(frozen.realm!.isFrozen, true, "whether its realm is frozen, on \(place)")
        stage.equal(frozen.realm!.refresh(), false, "what a refresh answers, on \(place)")
        stage.equal(frozen.realm!.freeze(), frozen.realm!, "its realm, frozen, on \(place)")
        stage.equal(frozen.links.map(\.id), [2, 1], "the frozen links, on \(place)")
      }
      let fetched = Look.all.filter { !$0.name.contains("observe") }.map { $0.prepare(frozen) }
      nonisolated(unsafe) let elsewhere = {
        for call in fetched { call() }
        read()
      }
      switch place {
      case "a queue": DispatchQueue(label: "another").sync { elsewhere() }
      case "a thread that writes":
        let configuration = realm.configuration
        try stage.elsewhere {
          let own = try Realm(configuration: configuration)
          try own.write {
            own.vessel(1)!.links.removeAll()
            own.vessel(1)!.text = "new"
            elsewhere()
          }
          elsewhere()
        }
      default: try stage.elsewhere { elsewhere() }
      }
      read()
      stage.expect(done >= 2 * fetched.count, "all reads were done on \(place)")
    }
  }

  // MARK: What may be asked anywhere

  /// What identifies a thing, of each kind.
  static let identities = Probe("of each kind it is told anywhere whether it is frozen") {
    stage in
    let realm = try RefKinds.stocked(stage)
    let again = try Realm(configuration: realm.configuration)
    let other = try stage.elsewhere {
      Smuggling(try Realm(configuration: RefKinds.configuration(stage)))
    }
    let frozen = realm.freeze()
    let kinds = RefKinds.all.map { ($0.name, $0.hold(realm, 1)) }
    let vessel = realm.vessel(1)!
    let part = vessel.part!
    func ask(_ place: String) {
      stage.equal(realm == again, true, "whether two values of one realm are equal, \(place)")
      stage.equal(realm == other.value, false, "whether another thread's is equal, \(place)")
      stage.equal(realm == frozen, false, "whether the frozen one is equal, \(place)")
      stage.equal(
        realm.configuration.fileURL, RefKinds.configuration(stage).fileURL, "the file, \(place)")
      stage.equal(realm.configuration.readOnly, false, "whether it is read-only, \(place)")
      stage.equal(realm.isFrozen, false, "whether the realm is frozen, \(place)")
      stage.equal(frozen.isFrozen, true, "whether the frozen realm is, \(place)")
      stage.equal(
        frozen.configuration.fileURL, realm.configuration.fileURL, "the frozen file, \(place)")
      stage.equal(vessel.objectSchema.className, "Vessel", "the class, \(place)")
      stage.equal(
        vessel.objectSchema.primaryKeyProperty?.name, "id", "the name of its key, \(place)")
      stage.equal(part.objectSchema.className, "Part", "the class of an embedded one, \(place)")
      for (name, held) in kinds {
        stage.equal(held.isFrozen(), false, "whether \(name) is frozen, \(place)")
      }
      stage.expect(vessel.realm == realm, "the object's realm, \(place)")
      stage.expect(part.realm == realm, "the embedded object's realm, \(place)")
    }
    ask("at home")
    nonisolated(unsafe) let elsewhere = ask
    try stage.elsewhere { elsewhere("on another thread") }
    DispatchQueue(label: "another").sync { elsewhere("on a queue") }
    realm.beginWrite()
    try stage.elsewhere { elsewhere("on another thread, during a write") }
    realm.cancelWrite()
  }

  // MARK: Configurations

  private enum Source: String, CaseIterable {
    case thread = "a thread's realm"
    case queue = "a queue's realm"
    case frozen = "a frozen realm"
    case object = "an object's realm"
    case memory = "a realm in memory"
    case readOnly = "a read-only realm"
  }

  /// A realm's configuration opens the file for any other home.
  static let configurations: [Probe] = Source.allCases.map { source in
    Probe("the configuration of \(source.rawValue) opens the file elsewhere, anywhere") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      let queue = DispatchQueue(label: "home")
      var configuration = stage.configuration()
      switch source {
      case .readOnly: configuration.readOnly = true
      case .memory:
        configuration = Realm.Configuration(
          inMemoryIdentifier: "configurations", objectTypes: Models.all)
      default: break
      }
      let asked = configuration
      var realm: Realm!
      if source == .queue {
        try queue.sync { realm = try Realm(configuration: asked, queue: queue) }
      } else {
        realm = try Realm(configuration: asked)
      }
      if source == .memory { try realm.write { Stage.stock(realm) } }
      let given: Realm.Configuration
      switch source {
      case .frozen: given = realm.freeze().configuration
      case .object: given = realm.account(1).realm!.configuration
      case .queue: given = queue.sync { realm.configuration }
      default: given = realm.configuration
      }
      stage.equal(given.fileURL, asked.fileURL, "its file")
      stage.equal(given.inMemoryIdentifier, asked.inMemoryIdentifier, "its name in memory")
      stage.equal(given.readOnly, source == .readOnly, "whether it is read-only")
      stage.equal(given.objectTypes?.count, Models.all.count, "its classes")
      try stage.elsewhere {
        for round in 1...2 {
          let own = try Realm(configuration: given)
          stage.equal(own.isFrozen, false, "whether the realm there is frozen")
          stage.equal(own.account(3).balance, 300, "the balance there")
          stage.expect(own != realm, "it is a realm of its own")
          if source != .readOnly { try own.write { own.account(1).balance = round } }
        }
      }
      let another = DispatchQueue(label: "another")
      try another.sync {
        let own = try Realm(configuration: given, queue: another)
        stage.equal(own.account(1).balance, source == .readOnly ? 100 : 2, "the balance on a queue")
        if source != .readOnly { try own.write { own.account(2).balance = 9 } }
      }
      let here = try Realm(configuration: given)
      if source != .queue { stage.expect(here == realm, "the one that is open here") }
      here.autorefresh = true
      if source != .readOnly {
        here.refresh()
        stage.equal(here.account(2).balance, 9, "the balance here")
      }
      queue.sync { realm = nil }
    }
  }

  // MARK: Instances

  /// What happens between two opens.
  private static let moments: [(name: String, run: @Sendable (Realm) throws -> Void)] = [
    ("at once", { _ in }), ("after a read", { use($0.account(1).balance) }),
    ("after a write", { realm in try realm.write { realm.account(1).balance += 1 } }),
    (
      "after a cancelled write",
      {
        $0.beginWrite()
        $0.cancelWrite()
      }
    ),
    ("after a refresh", { $0.refresh() }), ("after invalidate()", { $0.invalidate() }),
    ("when it was frozen", { use($0.freeze()) }), ("in a write", { $0.beginWrite() }),
    (
      "in an asynchronous commit",
      {
        $0.beginWrite()
        $0.commitAsyncWrite()
      }
    ),
  ]

  /// Opens of one file on one thread, whatever happens and however it is opened.
  static let oneInstance = Probe("opens of one file on one thread are one realm, whenever") {
    stage in
    try stage.elsewhere { _ = try stage.stocked() }
    for (name, run) in moments {
      let realm = try stage.open()
      realm.autorefresh = name == "at once"
      try run(realm)
      let others: [(String, Realm)] = [
        ("opened again", try stage.open()),
        ("opened for no queue", try Realm(configuration: stage.configuration(), queue: nil)),
        ("opened by its configuration", try Realm(configuration: realm.configuration)),
        ("an object's", realm.objects(Person.self).first!.realm!),
        ("results'", realm.objects(Person.self).realm!),
        ("a list's", realm.person("Ann").dogs.realm!), ("thawed", realm.thaw()),
        ("thawed from frozen", realm.freeze().thaw()),
        (
          "opened for the main queue",
          try Realm(configuration: stage.configuration(), queue: .main)
        ),
      ]
      for (way, other) in others {
        stage.expect(other == realm, "\(way) is the same realm \(name)")
        stage.equal(
          other.isInWriteTransaction, realm.isInWriteTransaction, "its write, \(way), \(name)")
        stage.equal(other.autorefresh, realm.autorefresh, "its autorefresh, \(way), \(name)")
        stage.equal(
          other.isPerformingAsynchronousWriteOperations,
          realm.isPerformingAsynchronousWriteOperations, "what goes on, \(way), \(name)")
      }
      if realm.isInWriteTransaction { others[0].1.cancelWrite() }
      stage.equal(realm.isInWriteTransaction, false, "whether it writes after the other's cancel")
      try stage.spin(
        until: { !realm.isPerformingAsynchronousWriteOperations }, "the end of what goes on")
      // One moves, and all have.
      try stage.foreign { $0.account(2).balance += 1 }
      let before = realm.account(2).balance
      stage.equal(others[1].1.refresh(), true, "the answer of one of them, \(name)")
      stage.equal(realm.account(2).balance, before + 1, "the balance by the other, \(name)")
      stage.equal(realm.refresh(), false, "the answer of the other, \(name)")
      let account = realm.account(1)
      others[0].1.invalidate()
      stage.equal(account.isInvalidated, true, "whether one invalidates for all, \(name)")
    }
  }

  /// Homes that are not the same.
  static let twoInstances = Probe("realms of different homes are different, and share nothing") {
    stage in
    try stage.elsewhere { _ = try stage.stocked() }
    let realm = try stage.open()
    let queues = (0..<2).map { DispatchQueue(label: "same label \($0 / 2)") }
    var all: [(name: String, realm: Realm, at: (() -> Void) -> Void)] = [
      ("the main thread's", realm, { $0() })
    ]
    for (number, queue) in queues.enumerated() {
      let other = try queue.sync { try Realm(configuration: stage.configuration(), queue: queue) }
      all.append(("queue \(number)'s", other, { body in queue.sync { body() } }))
    }
    for (number, one) in all.enumerated() {
      for other in all[(number + 1)...] {
        stage.expect(one.realm != other.realm, "\(one.name) realm is not \(other.name)")
      }
      let frozen = realm.freeze()
      stage.expect(one.realm != frozen, "\(one.name) realm is not a frozen one")
      // None shares what the other does.
      one.at {
        one.realm.beginWrite()
        one.realm.account(1).balance = 7
      }
      for other in all where other.name != one.name {
        other.at {
          stage.equal(
            other.realm.isInWriteTransaction, false, "if \(other.name) writes with \(one.name)")
          stage.equal(other.realm.account(1).balance, 100, "\(other.name) balance meanwhile")
          other.realm.autorefresh = false
        }
      }
      one.at {
        one.realm.cancelWrite()
        stage.equal(one.realm.autorefresh, true, "\(one.name) autorefresh")
        one.realm.autorefresh = true
      }
      for other in all {
        other.at {
          stage.equal(other.realm.account(1).balance, 100, "\(other.name) balance afterwards")
          other.realm.autorefresh = true
        }
      }
    }
    let held = all.removeLast()
    held.at { held.realm.invalidate() }
    stage.equal(realm.account(1).isInvalidated, false, "whether one invalidates another's")
  }

  // MARK: What keeps a realm, and lets it go

  /// Each kind of thing keeps its realm, alone.
  static let keeping = Probe("each kind of thing keeps its realm, with its flags and its version") {
    stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try RefKinds.stocked(stage) }
    let configuration = RefKinds.configuration(stage)
    for (number, kind) in RefKinds.all.enumerated() {
      for id in 1...2 {
        let mark = 2 * number + id
        var held: RefKinds.Held?
        var digest = ""
        do {
          let realm = try Realm(configuration: configuration)
          realm.autorefresh = false
          held = kind.hold(realm, id)
          digest = held!.digest()
        }
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { RefKinds.change(other, mark) }
        }
        let what = "\(kind.name) of \(id)"
        stage.equal(held!.digest(), digest, "what is held alone: \(what)")
        do {
          let again = try Realm(configuration: configuration)
          stage.equal(again.autorefresh, false, "the autorefresh of the realm kept by \(what)")
          stage.expect(held!.realm() == again, "the realm that is kept by \(what)")
          stage.equal(again.refresh(), true, "whether it had stayed, kept by \(what)")
        }
        stage.equal(
          held!.digest(), try kind.hold(Realm(configuration: configuration), id).digest(),
          "what is held after a refresh: \(what)")
        held = nil
        let next = try Realm(configuration: configuration)
        stage.equal(next.autorefresh, true, "the autorefresh when \(what) is gone")
      }
    }
  }

  /// The last reference to each kind of thing goes elsewhere.
  static let lastReferences = Probe("the last reference to each kind goes away elsewhere") {
    stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try RefKinds.stocked(stage) }
    let configuration = RefKinds.configuration(stage)
    for (number, kind) in RefKinds.all.enumerated() {
      for way in ["live", "frozen", "referred to", "wrapped", "observed"] {
        var kept: Any?
        try stage.elsewhere("owner") {
          let realm = try Realm(configuration: configuration)
          let held = kind.hold(realm, 1 + number % 2)
          use(held.digest())
          switch way {
          case "frozen": kept = held.freeze()
          case "referred to": kept = held.refer()
          case "wrapped": kept = held.wrap()
          case "observed": kept = (held, realm.objects(Vessel.self))
          default: kept = held
          }
        }
        if stage.isTurn(number, of: 2) {
          kept = nil
        } else {
          try stage.elsewhere("undertaker") { kept = nil }
        }
        stage.expect(kept == nil, "\(kind.name), \(way), is gone")
      }
      try stage.elsewhere {
        let realm = try Realm(configuration: configuration)
        try realm.write { RefKinds.change(realm, number + 1) }
        stage.equal(realm.vessel(1)?.number, number + 1, "the number after \(kind.name)")
      }
    }
    // Nothing holds the file any more.
    stage.equal(
      try Realm.deleteFiles(for: configuration), true, "whether the file can be deleted then")
  }
}
