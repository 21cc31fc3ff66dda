import EngineUnderTest
import Foundation
import Harness

/// Amounts past those that most probes have, and two features together of which others ask one at a
/// time.
enum Beyond {
  // MARK: READ-08

  static let ownWrites: [Probe] = [
    Probe("a realm is empty in the write that empties it, and not in one that fills it") { stage in
      let realm = try stage.stocked()
      func look(_ expected: Bool, _ when: String) {
        stage.equal(realm.isEmpty, expected, "whether the realm is empty \(when)")
      }
      look(false, "before")
      realm.beginWrite()
      realm.deleteAll()
      look(true, "in the write that deletes all")
      realm.add(Account(id: 1))
      look(false, "in that write, after an object was added")
      realm.deleteAll()
      realm.cancelWrite()
      look(false, "after the cancel")
      try realm.write { realm.deleteAll() }
      look(true, "after a commit")
      try realm.write {
        realm.add(Account(id: 2))
        look(false, "in the write that adds one")
      }
      look(false, "after that one")
    },
    Probe("what was found of a list has its order, however elements change places") { stage in
      let realm = try stage.open()
      let person = Person(name: "Ann")
      person.dogs.append(objectsIn: (1...6).map { Dog(name: "dog \($0)", age: $0) })
      try realm.write { realm.add(person) }
      let dogs = person.dogs
      let grown = dogs.where { $0.age > 1 }
      let ways: [(name: String, change: (List<Dog>) -> Void)] = [
        ("swapAt", { $0.swapAt(1, 4) }),
        ("move", { $0.move(from: 0, to: 5) }),
        ("swapAt of the ends", { $0.swapAt(0, 5) }),
        ("move to the front", { $0.move(from: 3, to: 0) }),
      ]
      for way in ways {
        for isKept in [false, true] {
          stage.equal(
            Array(grown.map(\.age)), Array(dogs.map(\.age)).filter { $0 > 1 },
            "the order before \(way.name)")
          realm.beginWrite()
          way.change(dogs)
          stage.equal(
            Array(grown.map(\.age)), Array(dogs.map(\.age)).filter { $0 > 1 },
            "the order in the write with \(way.name)")
          if isKept { try realm.commitWrite() } else { realm.cancelWrite() }
          stage.equal(
            Array(grown.map(\.age)), Array(dogs.map(\.age)).filter { $0 > 1 },
            "the order after the write with \(way.name), kept: \(isKept)")
        }
      }
    },
  ]

  // MARK: WRITE-20

  static let cancels: [Probe] = [
    Probe("many that were deleted at once are back after a cancel, however they lie") { stage in
      let realm = try stage.open()
      try realm.write {
        for id in 0..<600 { realm.add(Blob(id: id, bytes: Data([UInt8(id & 255)]))) }
      }
      for range in [0..<63, 0..<64, 7..<150, 200..<600, 0..<600] {
        let held = range.map { realm.object(ofType: Blob.self, forPrimaryKey: $0)! }
        realm.beginWrite()
        realm.delete(
          realm.objects(Blob.self).where { $0.id >= range.lowerBound && $0.id < range.upperBound })
        stage.equal(
          held.filter(\.isInvalidated).count, range.count, "how many of \(range) are invalidated")
        realm.cancelWrite()
        stage.equal(
          held.filter(\.isInvalidated).count, 0,
          "how many of \(range) are invalidated after the cancel")
        stage.equal(
          held.map { $0.isInvalidated ? -1 : Int($0.bytes[0]) }, range.map { $0 & 255 },
          "what those of \(range) hold")
      }
    }
  ]

  // MARK: WRITE-29

  static let chains: [Probe] = [
    Probe("a chain of new objects is added as a whole, however long") { stage in
      let realm = try stage.open()
      var first = 0
      for length in [1, 2, 33, 100, 1_000] {
        let chain = (0..<length).map { Account(id: first + $0, balance: length) }
        for (one, next) in zip(chain, chain.dropFirst()) { one.previous = next }
        try realm.write { realm.add(chain[0]) }
        stage.equal(
          realm.objects(Account.self).where { $0.balance == length }.count, length,
          "how many there are of \(length)")
        stage.expect(
          chain.allSatisfy { $0.realm == realm }, "all of \(length) have the realm")
        var last: Account? = realm.account(first)
        var count = 0
        while let next = last { (last, count) = (next.previous, count + 1) }
        stage.equal(count, length, "how long the chain of \(length) is")
        first += length
      }
    }
  ]

  // MARK: REFRESH-13

  static let unread: [Probe] = [
    Probe("with autorefresh off: refreshRequired, too, where no version is shown") { stage in
      let realm = try stage.stocked()
      realm.autorefresh = false
      var told: [Realm.Notification] = []
      let token = realm.observe { notification, _ in told.append(notification) }
      for round in 0..<4 {
        if round % 2 == 0 { use(realm.account(1).balance) }
        realm.invalidate()
        try stage.settle(realm)
        realm.invalidate()
        told = []
        try stage.foreign { $0.account(1).balance = round }
        try stage.spin(until: { !told.isEmpty }, "the notification of commit \(round)")
        stage.equal(told.first, .refreshRequired, "the notification of commit \(round)")
      }
      token.invalidate()
    }
  ]

  // MARK: REFRESH-20

  static let manyGone: [Probe] = [
    Probe("of thousands that go here and there none comes back under its key") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try stage.open()
      realm.autorefresh = false
      let count = 12_000
      try realm.write { for id in 0..<count { realm.add(Account(id: id, balance: 1)) } }
      let keys = [2, count / 2, count - 2]
      let gone = keys.map { realm.account($0) }
      let left = keys.map { realm.account($0 + 1) }
      try stage.foreign { realm in
        for id in stride(from: 0, to: count, by: 2) { realm.delete(realm.account(id)) }
      }
      realm.refresh()
      for round in 0..<2 {
        try stage.foreign { realm in
          for id in keys {
            realm.create(Account.self, value: ["id": id, "balance": 2], update: .all)
          }
        }
        realm.refresh()
        stage.equal(
          gone.map(\.isInvalidated), keys.map { _ in true },
          "whether they are invalidated after commit \(round)")
        stage.equal(left.map(\.balance), keys.map { _ in 1 }, "the balances of their neighbours")
        stage.equal(keys.map { realm.account($0).balance }, keys.map { _ in 2 }, "the later ones'")
      }
    }
  ]

  // MARK: NOTIFY-01

  static let oneCall: [Probe] = [
    Probe("a write is told once, whatever follows it in the same stretch") { stage in
      let realm = try stage.stocked()
      var calls = 0
      let token = realm.observe { _, _ in calls += 1 }
      let ways: [(name: String, follow: () -> Void)] = [
        ("nothing", {}), ("a refresh", { realm.refresh() }),
        ("invalidate()", { realm.invalidate() }),
        (
          "invalidate() and a look",
          {
            realm.invalidate()
            use(realm.account(1).balance)
          }
        ),
      ]
      for round in 0..<3 {
        for way in ways {
          try stage.settle(realm)
          calls = 0
          try realm.write { realm.account(1).balance = round }
          way.follow()
          try stage.settle(realm)
          stage.equal(calls, 1, "the calls for a write that \(way.name) follows")
        }
      }
      token.invalidate()
    }
  ]

  // MARK: NOTIFY-11

  static let mixedMembers: [Probe] = [
    Probe("collections of mixed values look through the links that they hold") { stage in
      var configuration = Vessel.configuration(stage)
      configuration.objectTypes = [Vessel.self, Part.self, Todo.self]
      let realm = try Realm(configuration: configuration)
      let (holder, other) = try realm.write {
        let other = realm.create(Vessel.self, value: ["id": 901])
        let holder = realm.create(Vessel.self, value: ["id": 900])
        holder.mixture.append(objectsIn: [.int(1), .object(other)])
        holder.mixedSet.insert(.object(other))
        holder.mixedMap["other"] = .object(other)
        return (holder, other)
      }
      var told: [String: Int] = [:]
      let tokens = [
        holder.mixture.observe { if case .update = $0 { told["list", default: 0] += 1 } },
        holder.mixedSet.observe { if case .update = $0 { told["set", default: 0] += 1 } },
        holder.mixedMap.observe { if case .update = $0 { told["map", default: 0] += 1 } },
      ]
      try stage.settle(realm)
      for round in 1...3 {
        try realm.write { other.number = round }
        try stage.settle(realm)
        stage.equal(
          told, ["list": round, "set": round, "map": round], "the calls after change \(round)")
      }
      for token in tokens { token.invalidate() }
    }
  ]

  // MARK: GROW-03

  static let dropped: [Probe] = [
    Probe("a frozen realm that was dropped is not kept by a realm that was invalidated") { stage in
      let homes = (0..<8).map { DispatchQueue(label: "home \($0)") }
      var configuration = stage.configuration()
      configuration.maximumNumberOfActiveVersions = 5
      let writer = try Realm(configuration: configuration)
      try writer.write { writer.add(Account(id: 1)) }
      var realms: [Realm] = []
      for (round, home) in homes.enumerated() {
        try home.sync {
          let realm = try Realm(configuration: configuration, queue: home)
          use(realm.freeze().isEmpty)
          realm.invalidate()
          realms.append(realm)
        }
        do {
          try writer.write { writer.account(1).balance = round }
        } catch {
          stage.fail(expected: "a write behind \(round + 1) dropped ones", observed: "\(error)")
        }
      }
      stage.equal(writer.account(1).balance, homes.count - 1, "the balance")
      for (home, realm) in zip(homes, realms) { home.sync { realm.invalidate() } }
    }
  ]

  // MARK: LIFE-14, LIFE-15

  static let copies: [Probe] = [
    Probe("in a copy that was made in a write each kind of key finds its object") { stage in
      var configuration = stage.configuration()
      configuration.objectTypes = Keyed.classes
      let realm = try Realm(configuration: configuration)
      let (first, second) = (UUID(), UUID())
      let (one, two) = (ObjectId.generate(), ObjectId.generate())
      try realm.write {
        realm.create(UUIDKeyed.self, value: ["key": first, "note": "before"])
        realm.create(ObjectIdKeyed.self, value: ["key": one, "note": "before"])
        realm.create(StringKeyed.self, value: ["key": "a", "note": "before"])
        realm.create(IntKeyed.self, value: ["key": 1, "note": "before"])
      }
      var copy = stage.configuration("copy")
      copy.objectTypes = Keyed.classes
      realm.beginWrite()
      realm.create(UUIDKeyed.self, value: ["key": second, "note": "in it"])
      realm.create(ObjectIdKeyed.self, value: ["key": two, "note": "in it"])
      realm.create(StringKeyed.self, value: ["key": "b", "note": "in it"])
      realm.create(IntKeyed.self, value: ["key": 2, "note": "in it"])
      try realm.writeCopy(configuration: copy)
      realm.cancelWrite()
      let found = try Realm(configuration: copy)
      func note<Class: KeyedClass>(_ type: Class.Type, _ key: Class.Key) -> String {
        found.object(ofType: type, forPrimaryKey: key)?.note ?? "nothing"
      }
      stage.equal(
        [
          note(UUIDKeyed.self, first), note(ObjectIdKeyed.self, one), note(StringKeyed.self, "a"),
          note(IntKeyed.self, 1),
        ], Array(repeating: "before", count: 4), "who was there before")
      stage.equal(
        [
          note(UUIDKeyed.self, second), note(ObjectIdKeyed.self, two), note(StringKeyed.self, "b"),
          note(IntKeyed.self, 2),
        ], Array(repeating: "in it", count: 4), "who came in the write")
    }
  ]

  static let copiesOfValues: [Probe] = [
    Probe("collections within collections of mixed values are copied, too") { stage in
      let realm = try stage.open()
      let original = try realm.write {
        let made = realm.create(Everything.self)
        made.any = .fromArray([
          .fromArray([.int(1), .fromArray([.int(2)])]),
          .fromDictionary(["a": .fromArray([.int(3)])]),
        ])
        return made
      }
      let copy = Everything(value: original)
      let ways: [(name: String, find: (Everything) -> List<AnyRealmValue>?)] = [
        ("the list", { $0.any.listValue }),
        ("a list in it", { $0.any.listValue?[0].listValue }),
        ("a list in that", { $0.any.listValue?[0].listValue?[1].listValue }),
        ("a list in a dictionary in it", { $0.any.listValue?[1].dictionaryValue?["a"]?.listValue }),
      ]
      for way in ways {
        guard let here = way.find(copy), let there = way.find(original) else {
          stage.fail(expected: "\(way.name) in both", observed: "nothing")
          continue
        }
        stage.expect(here.realm == nil, "the copy's has no realm: \(way.name)")
        let count = there.count
        if here.realm == nil { here.append(.int(9)) }
        stage.equal(there.count, count, "how many the original's has: \(way.name)")
      }
    }
  ]
}
