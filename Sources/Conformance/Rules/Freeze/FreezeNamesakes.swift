import EngineUnderTest
import Foundation
import Harness

/// Objects that go, and others that come under their keys: what was frozen of the one, of each kind
/// of thing, never thaws to the other, whether the thread's realm is ahead of the snapshot or
/// behind it.
///
/// Every object of every version is of some life. What was frozen in one version is the same thing
/// in another one if the object has the same life there; else it is gone, or has yet to come.
enum Namesakes {
  private enum Deed {
    case goes(Int)
    case comes(Int)
    case changes
    case allGo
    case theirClassesGo
  }

  /// What others do, each group of deeds in a write.
  private struct Course: Sendable {
    let name: String
    let writes: [[Deed]]
  }

  private static let courses = [
    Course(name: "nothing that concerns them", writes: [[], []]),
    Course(name: "changes", writes: [[.changes], [.changes]]),
    Course(name: "the first is another at once", writes: [[.goes(1), .comes(1)]]),
    Course(name: "the second is another later", writes: [[.goes(2)], [.comes(2)]]),
    Course(
      name: "both are others, one by one",
      writes: [[.goes(1), .comes(1)], [.changes], [.goes(2), .comes(2)]]),
    Course(name: "both are others at once", writes: [[.goes(1), .goes(2), .comes(2), .comes(1)]]),
    Course(name: "all go, and others come", writes: [[.allGo, .comes(1), .comes(2)], [.changes]]),
    Course(
      name: "their classes are emptied, and others come",
      writes: [[.theirClassesGo], [.comes(1), .comes(2)]]),
    Course(name: "one comes whose key had an owner long ago", writes: [[.comes(3)], [.changes]]),
    Course(
      name: "several lives",
      writes: [[.goes(1), .comes(1)], [.goes(1)], [.comes(1)], [.goes(1), .comes(1)], []]),
    Course(
      name: "one that comes and goes at once",
      writes: [[.comes(3), .goes(3)], [.goes(1), .comes(1), .goes(1), .comes(1)]]),
  ]

  /// Which life the object of each id has.
  private typealias Lives = [Int: Int]

  private struct Thing {
    let kind: RefKinds.Kind
    let id: Int
    let frozen: RefKinds.Held
    var name: String { "\(kind.name) of \(id)" }
  }

  // MARK: What there is

  private static let kinds: [RefKinds.Kind] =
    RefKinds.all + [
      RefKinds.kind("an object with a text as key", { keyed($0, "\($1)") }, { note($0) }),
      RefKinds.kind(
        "an object with a number or nothing as key", { keyed($0, $1 == 1 ? nil : $1) },
        { note($0) }),
      RefKinds.kind("an object with a UUID as key", { keyed($0, Keyed.uuids[$1]) }, { note($0) }),
      RefKinds.kind(
        "an object with an ObjectId as key", { keyed($0, Keyed.ids[$1 - 1]) }, { note($0) }),
    ]

  /// Those that are no object's: they are there in every version.
  private static let questions: Set = [
    "all objects", "a query", "a sorted query", "an erased query", "projections of all",
    "distinct objects",
  ]

  private static func keyed(_ realm: Realm, _ key: String) -> StringKeyed {
    realm.object(ofType: StringKeyed.self, forPrimaryKey: key)!
  }
  private static func keyed(_ realm: Realm, _ key: Int?) -> IntOrNoneKeyed {
    realm.object(ofType: IntOrNoneKeyed.self, forPrimaryKey: key)!
  }
  private static func keyed(_ realm: Realm, _ key: UUID) -> UUIDKeyed {
    realm.object(ofType: UUIDKeyed.self, forPrimaryKey: key)!
  }
  private static func keyed(_ realm: Realm, _ key: ObjectId) -> ObjectIdKeyed {
    realm.object(ofType: ObjectIdKeyed.self, forPrimaryKey: key)!
  }
  private static func note(_ object: some KeyedClass) -> String { "\(object.key): \(object.note)" }

  private static func configuration(_ stage: Stage, _ file: String) -> Realm.Configuration {
    var configuration = RefKinds.configuration(stage, file)
    configuration.objectTypes! += Keyed.classes
    return configuration
  }

  private static func come(_ id: Int, _ realm: Realm) {
    let vessel = Vessel(id: id)
    realm.add(vessel)
    (vessel.number, vessel.text, vessel.link) = (id, "text", vessel)
    vessel.links.append(vessel)
    vessel.group.insert(vessel)
    vessel.named["a"] = .some(vessel)
    vessel.numbers.append(id)
    vessel.texts.append("a")
    vessel.labels.insert("a")
    vessel.titles["a"] = "title"
    vessel.blobs.append(Data([1]))
    vessel.mixture.append(.object(vessel))
    vessel.mixedSet.insert(.int(id))
    vessel.mixedMap["a"] = .int(id)
    vessel.part = Part(text: "part", link: vessel)
    vessel.part!.texts.append("a")
    vessel.parts.append(objectsIn: [Part(text: "one"), Part(text: "two")])
    vessel.partMap["a"] = .some(Part(text: "in a map"))
    realm.add(Person(name: "\(id)", age: id))
    realm.add(Keyed.made(StringKeyed.self, "\(id)", "note"))
    realm.add(Keyed.made(IntOrNoneKeyed.self, id == 1 ? nil : id, "note"))
    realm.add(Keyed.made(UUIDKeyed.self, Keyed.uuids[id], "note"))
    realm.add(Keyed.made(ObjectIdKeyed.self, Keyed.ids[id - 1], "note"))
  }

  private static func go(_ id: Int, _ realm: Realm) {
    realm.delete(realm.vessel(id)!)
    realm.delete(realm.objects(Person.self).where { $0.age == id })
    realm.delete(keyed(realm, "\(id)"))
    realm.delete(keyed(realm, id == 1 ? nil : id))
    realm.delete(keyed(realm, Keyed.uuids[id]))
    realm.delete(keyed(realm, Keyed.ids[id - 1]))
  }

  /// Does what a write is to do, and says who is there then.
  private static func write(_ deeds: [Deed], _ realm: Realm, _ mark: Int, _ lives: Lives) -> Lives {
    var lives = lives
    // Something that is no concern of theirs, so that each write is a version.
    realm.add(Account(id: 1_000 + mark))
    for (number, deed) in deeds.enumerated() {
      switch deed {
      case .goes(let id):
        go(id, realm)
        lives[id] = nil
      case .comes(let id):
        come(id, realm)
        lives[id] = 100 * mark + number
      case .changes: RefKinds.change(realm, mark)
      case .allGo:
        realm.deleteAll()
        lives = [:]
      case .theirClassesGo:
        realm.delete(realm.objects(Vessel.self))
        realm.delete(realm.objects(Person.self))
        realm.delete(realm.objects(StringKeyed.self))
        realm.delete(realm.objects(IntOrNoneKeyed.self))
        realm.delete(realm.objects(UUIDKeyed.self))
        realm.delete(realm.objects(ObjectIdKeyed.self))
        lives = [:]
      }
    }
    return lives
  }

  /// A file with two owners of all there is; a third one is gone.
  private static func stock(_ configuration: Realm.Configuration) throws -> Lives {
    let realm = try Realm(configuration: configuration)
    try realm.write { for id in 1...3 { come(id, realm) } }
    try realm.write { go(3, realm) }
    return [1: -1, 2: -2]
  }

  private static func freezeAll(_ realm: Realm, _ lives: Lives) -> [Thing] {
    lives.keys.sorted().flatMap { id in
      kinds.map { Thing(kind: $0, id: id, frozen: $0.hold(realm, id).freeze()) }
    }
  }

  // MARK: What is to be

  /// Thaws all of a version where another one is shown.
  private static func look(
    _ stage: Stage, _ things: [Thing], _ lives: Lives, in realm: Realm, _ own: Lives,
    _ what: String
  ) {
    for thing in things {
      let thawed = thing.frozen.thaw()
      let isQuestion = questions.contains(thing.kind.name)
      if isQuestion || own[thing.id] == lives[thing.id] {
        let right = thing.kind.hold(realm, thing.id).digest()
        stage.equal(thawed?.digest(), right, "what is thawed: \(thing.name), \(what)")
        stage.expect(thawed?.realm() == realm, "the thread's realm: \(thing.name), \(what)")
      } else if let thawed, !thawed.isInvalidated() {
        // An object is nothing; a collection may be an empty one.
        let digest = thawed.digest()
        stage.expect(
          ["[]", "0"].contains(digest), "nothing is thawed: \(thing.name), \(what)",
          observed: digest)
      } else {
        stage.expect(true, "nothing is thawed")
      }
    }
  }

  private static func at(_ isElsewhere: Bool, _ stage: Stage, _ body: @escaping () throws -> Void)
    throws
  {
    if isElsewhere { try stage.elsewhere("a reader", body) } else { try body() }
  }

  // MARK: Probes

  /// Snapshots that are newer than what the thread shows.
  static let behind: [Probe] = [false, true].map { isElsewhere in
    Probe(
      "what was frozen in a later version thaws to the same thing of the thread's, or to nothing, "
        + "on \(isElsewhere ? "a thread without a loop" : "the main thread")"
    ) { stage in
      Backstage.hooks?.skipFlushes()
      for (number, course) in courses.enumerated() {
        for stop in course.writes.indices {
          let configuration = configuration(stage, "\(number) \(stop)")
          try at(isElsewhere, stage) { try lookBack(stage, course, stop, configuration) }
        }
      }
    }
  }

  private static func lookBack(
    _ stage: Stage, _ course: Course, _ stop: Int, _ configuration: Realm.Configuration
  ) throws {
    var lives = try stage.elsewhere { try stock(configuration) }
    func go(on mark: Int) throws -> [Thing] {
      let before = lives
      let (after, things) = try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        let after = try other.write { write(course.writes[mark], other, mark, before) }
        return (after, freezeAll(other, after))
      }
      lives = after
      return things
    }
    for mark in 0..<stop { _ = try go(on: mark) }
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    use(realm.objects(Account.self).count)
    let own = lives
    var snapshots: [(things: [Thing], lives: Lives)] = []
    for mark in stop..<course.writes.count {
      let things = try go(on: mark)
      snapshots.append((things, lives))
    }
    for round in 0..<2 {
      for (later, snapshot) in snapshots.enumerated() {
        look(
          stage, snapshot.things, snapshot.lives, in: realm, own,
          "\(course.name), at \(stop), \(later + 1) later, round \(round)")
      }
    }
    // Where the thread comes to the newest version it shows what that has.
    realm.refresh()
    for (later, snapshot) in snapshots.enumerated() {
      look(
        stage, snapshot.things, snapshot.lives, in: realm, lives,
        "\(course.name), from \(later + 1) behind \(stop), after a refresh")
    }
  }

  private enum Way: String, CaseIterable {
    case own = "its own writes"
    case refresh = "refreshes"
    case begin = "begins of writes"
    case reopening = "being opened anew"
  }

  /// Snapshots that are older than what the thread shows.
  static let ahead: [Probe] = Way.allCases.map { way in
    Probe(
      "what was frozen of one object is no other's that has its key by now, of each kind of "
        + "thing, in a realm that comes on by \(way.rawValue)"
    ) { stage in
      Backstage.hooks?.skipFlushes()
      for (number, course) in courses.enumerated() {
        try lookAhead(stage, course, way, configuration(stage, "\(number)"))
      }
    }
  }

  private static func lookAhead(
    _ stage: Stage, _ course: Course, _ way: Way, _ configuration: Realm.Configuration
  ) throws {
    var lives = try stage.elsewhere { try stock(configuration) }
    var realm: Realm! = try Realm(configuration: configuration)
    realm.autorefresh = false
    var snapshots = [(things: freezeAll(realm, lives), lives: lives)]
    func lookAtAll(_ own: Lives, _ moment: String) {
      for (number, snapshot) in snapshots.enumerated() {
        look(
          stage, snapshot.things, snapshot.lives, in: realm, own,
          "\(course.name), of version \(number), \(moment)")
      }
    }
    for (mark, deeds) in course.writes.enumerated() {
      let before = lives
      if way == .own {
        realm.beginWrite()
        lives = write(deeds, realm, mark, before)
        lookAtAll(lives, "in write \(mark)")
        try realm.commitWrite()
      } else {
        if way == .reopening { realm = nil }
        lives = try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          return try other.write { write(deeds, other, mark, before) }
        }
        switch way {
        case .reopening:
          realm = try Realm(configuration: configuration)
          realm.autorefresh = false
          // Where somebody keeps it, opening it does not bring it on.
          realm.refresh()
        case .begin:
          lookAtAll(before, "before begin \(mark)")
          realm.beginWrite()
          lookAtAll(lives, "in begin \(mark)")
          realm.cancelWrite()
        default:
          lookAtAll(before, "before refresh \(mark)")
          realm.refresh()
        }
      }
      lookAtAll(lives, "after write \(mark)")
      snapshots.append((freezeAll(realm, lives), lives))
    }
    lookAtAll(lives, "in the end")
  }
}
