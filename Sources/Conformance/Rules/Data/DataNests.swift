import EngineUnderTest
import Foundation
import Harness

/// Values within values that objects are made of, by each policy.
enum Nests {
  private static func account(_ id: Int, _ values: [String: Any]) -> [String: Any] {
    values.merging(["id": id]) { old, _ in old }
  }

  /// Those that are there are updated, those that are not are made, in each place.
  static let updated: [Probe] = [Realm.UpdatePolicy.modified, .all].map { policy in
    Probe(
      "objects within values are updated or made: \(policy == .all ? "all" : "modified")"
    ) { stage in
      Backstage.hooks?.skipFlushes()
      for isObject in [false, true] {
        let realm = try Vessel.stocked(stage, "objects \(isObject)")
        try realm.write {
          for id in 1...2 {
            let vessel = realm.vessel(id)!
            (vessel.text, vessel.number, vessel.maybe) = ("old \(id)", id, 7)
          }
        }
        // In a link, a list, a set and a map; each holds one that is there and one that is new.
        for round in 1...2 {
          let mark = "new \(round)"
          try realm.write {
            func value(_ id: Int) -> Any {
              guard isObject else { return ["id": id, "text": mark] as [String: Any] }
              let vessel = Vessel(id: id)
              vessel.text = mark
              return vessel
            }
            let made: Vessel
            if isObject {
              let vessel = Vessel(id: 1)
              vessel.text = mark
              vessel.link = value(2) as? Vessel
              vessel.links.append(value(3) as! Vessel)
              vessel.group.insert(value(4) as! Vessel)
              vessel.named["a"] = .some(value(5) as? Vessel)
              vessel.part = Part(text: mark, link: value(6) as? Vessel)
              realm.add(vessel, update: policy)
              made = realm.vessel(1)!
            } else {
              made = realm.create(
                Vessel.self,
                value: [
                  "id": 1, "text": mark, "link": value(2), "links": [value(3)],
                  "group": [value(4)], "named": ["a": value(5)],
                  "part": ["text": mark, "link": value(6)],
                ] as [String: Any], update: policy)
            }
            stage.equal(made.text, mark, "the text in the write, round \(round)")
            stage.expect(made == realm.vessel(1)!, "what is given is the one that is found")
          }
          let what = "objects: \(isObject), round \(round)"
          let vessel = realm.vessel(1)!
          stage.equal(realm.objects(Vessel.self).count, 6, "how many there are, \(what)")
          stage.equal(vessel.link?.id, 2, "the link, \(what)")
          stage.equal(vessel.links.map(\.id), [3], "the list, \(what)")
          stage.equal(vessel.group.map(\.id), [4], "the set, \(what)")
          stage.equal(vessel.named["a"]??.id, 5, "the map, \(what)")
          stage.equal(vessel.part?.link?.id, 6, "the embedded object's link, \(what)")
          stage.equal(vessel.part?.text, mark, "the embedded object, \(what)")
          for id in 1...6 {
            stage.equal(realm.vessel(id)?.text, mark, "the text of \(id), \(what)")
          }
          // Values that were not given stay; an object gives all that it has.
          if !isObject {
            stage.equal(realm.vessel(2)?.number, 2, "a number that was not given, \(what)")
            stage.equal(realm.vessel(1)?.maybe, 7, "an optional that was not given, \(what)")
          } else if policy == .all {
            stage.equal(realm.vessel(2)?.number, 0, "a number of an object, \(what)")
            stage.equal(realm.vessel(1)?.maybe, nil, "an optional of an object, \(what)")
          }
          let configuration = realm.configuration
          let there = try stage.elsewhere { try Realm(configuration: configuration).dump }
          stage.equal(there, realm.dump, "what others see, \(what)")
        }
      }
    }
  }

  /// Without a policy nobody who is there may come again, at whichever depth.
  static let refused: [Probe] = [
    "itself", "a link", "a list", "a map", "an embedded object's link", "the second of several",
    "a link, added",
  ].map { place in
    Probe(
      "one that is there is refused without a policy, as \(place)",
      refusing: [
        "with an existing primary key value"
      ]
    ) { stage in
      let realm = try Vessel.stocked(stage)
      realm.beginWrite()
      let old: [String: Any] = ["id": 2, "text": "again"]
      stage.act {
        switch place {
        case "itself": realm.create(Vessel.self, value: old)
        case "a link": realm.create(Vessel.self, value: ["id": 9, "link": old] as [String: Any])
        case "a list": realm.create(Vessel.self, value: ["id": 9, "links": [old]] as [String: Any])
        case "a map":
          realm.create(Vessel.self, value: ["id": 9, "named": ["a": old]] as [String: Any])
        case "an embedded object's link":
          realm.create(Vessel.self, value: ["id": 9, "part": ["link": old]] as [String: Any])
        case "the second of several": realm.add([Vessel(id: 9), Vessel(id: 2)])
        default:
          let vessel = Vessel(id: 9)
          vessel.link = Vessel(id: 2)
          realm.add(vessel)
        }
      }
    }
  }

  /// What an object may be made of, and which of it is left as it is.
  static let values = Probe("objects are made of each kind of value, by each policy") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try stage.open()
    let other = try stage.open("other")
    try other.write { other.add(Account(id: 5, balance: 55, note: "of another file")) }
    func words(_ account: Account?) -> String {
      account.map { "\($0.id) \($0.balance) '\($0.note)' \($0.previous?.id ?? 0)" } ?? "none"
    }
    let free = Account(id: 4, balance: 44, note: "free")
    free.previous = Account(id: 14, balance: 1)
    let ways: [(name: String, value: Any, id: Int, expected: String)] = [
      (
        "a dictionary", ["id": 1, "balance": 11, "note": "one"] as [String: Any], 1, "1 11 'one' 0"
      ),
      ("its key alone", ["id": 2], 2, "2 0 '' 0"),
      ("an array", [3, 33, "three", NSNull()] as [Any], 3, "3 33 'three' 0"),
      ("a free object", free, 4, "4 44 'free' 14"),
      ("an object of another file", other.account(5), 5, "5 55 'of another file' 0"),
      ("a frozen object", other.account(5).freeze(), 5, "5 55 'of another file' 0"),
      (
        "a dictionary with a link",
        ["id": 6, "previous": ["id": 16, "balance": 6]] as [String: Any], 6, "6 0 '' 16"
      ),
      (
        "an array with a link", [7, 77, "seven", [17, 7, "", NSNull()]] as [Any], 7,
        "7 77 'seven' 17"
      ),
    ]
    for (name, value, id, expected) in ways {
      for policy in [Realm.UpdatePolicy.error, .modified, .all] {
        try realm.write { realm.deleteAll() }
        realm.beginWrite()
        let made = realm.create(Account.self, value: value, update: policy)
        let what = "\(name), \(policy.rawValue)"
        stage.equal(words(made), expected, "what is made of \(what)")
        stage.equal(made.realm, realm, "its realm, made of \(what)")
        stage.expect(made == realm.account(id), "what is made is what is found, of \(what)")
        if policy != .error {
          // Made again of the same it is the same.
          let again = realm.create(Account.self, value: value, update: policy)
          stage.expect(again.isSameObject(as: made), "what is made again of \(what)")
          stage.equal(words(again), expected, "what it shows when made again of \(what)")
        }
        try realm.commitWrite()
        stage.equal(
          try stage.seen { words($0.object(ofType: Account.self, forPrimaryKey: id)) }, expected,
          "what others see of what is made of \(what)")
        stage.equal(free.realm == nil, true, "whether the free object is still free")
      }
      stage.equal(words(Account(value: value)), expected, "what is made of \(name) alone")
      stage.equal(Account(value: value).realm == nil, true, "whether that has no realm")
    }
    // Who is made without a key gets one of its own, and all the values of its class.
    var keys: Set<ObjectId> = []
    try realm.write {
      for number in 0..<200 {
        switch number % 3 {
        case 0: keys.insert(realm.create(Todo.self)._id)
        case 1: keys.insert(realm.create(Todo.self, value: ["name": "\(number)"])._id)
        default:
          let todo = Todo()
          realm.add(todo)
          keys.insert(todo._id)
        }
      }
    }
    stage.equal(keys.count, 200, "how many keys were made")
    stage.equal(realm.objects(Todo.self).count, 200, "how many objects were made")
    for key in keys {
      let found = realm.object(ofType: Todo.self, forPrimaryKey: key)
      if found?._id != key { stage.fail(expected: "the object of \(key)", observed: "none") }
      let again = try ObjectId(string: "\(key)")
      if again != key { stage.fail(expected: "\(key), by its text", observed: "\(again)") }
    }
  }

  /// Sequences of all kinds are added, by each policy.
  static let sequences = Probe("sequences of each kind are added and deleted") { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try stage.open()
    func free(_ ids: some Sequence<Int>, _ balance: Int) -> [Account] {
      ids.map { Account(id: $0, balance: balance) }
    }
    var expected: [Int: Int] = [:]
    func look(_ what: String) throws {
      let there = try stage.seen { realm in
        Dictionary(uniqueKeysWithValues: realm.objects(Account.self).map { ($0.id, $0.balance) })
      }
      stage.equal(there, expected, "all there are after \(what)")
      stage.equal(
        realm.objects(Account.self).count, expected.count, "how many there are after \(what)")
    }
    try realm.write { realm.add(free(1...3, 1)) }
    for id in 1...3 { expected[id] = 1 }
    try look("an array")
    try realm.write { realm.add(free(4...6, 2)[...]) }
    for id in 4...6 { expected[id] = 2 }
    try look("a slice")
    let list = List<Account>()
    list.append(objectsIn: free(7...8, 3))
    try realm.write { realm.add(list) }
    for id in 7...8 { expected[id] = 3 }
    try look("a free list")
    try realm.write { realm.add([Account]()) }
    try look("nothing")
    for policy in [Realm.UpdatePolicy.modified, .all] {
      for round in 1...2 {
        let balance = policy.rawValue * 10 + round
        try realm.write { realm.add(free(6...9, balance), update: policy) }
        for id in 6...9 { expected[id] = balance }
        try look("an array of old and new ones, \(policy)")
        try realm.write { realm.add(realm.objects(Account.self), update: policy) }
        try look("all there are, \(policy)")
        try realm.write {
          realm.add(AnySequence(free([10, 10, 11], balance + 1)), update: policy)
        }
        for id in 10...11 { expected[id] = balance + 1 }
        try look("a sequence with one twice, \(policy)")
      }
    }
    try realm.write { realm.add(realm.objects(Account.self)) }
    try look("all there are, without a policy")
    // Of what was added to more than once each is one.
    let twice = Account(id: 20, balance: 5)
    try realm.write { realm.add([twice, twice]) }
    expected[20] = 5
    try look("one that is in it twice")
    stage.equal(twice.realm, realm, "the realm of one that was added twice")
    try realm.write { realm.delete([Account]()) }
    try look("a deletion of nothing")
    try realm.write { realm.delete(realm.objects(Account.self).where { $0.id < 4 }) }
    for id in 1...3 { expected[id] = nil }
    try look("a deletion of results")
    try realm.write { realm.delete([realm.account(4), realm.account(6)]) }
    for id in [4, 6] { expected[id] = nil }
    try look("a deletion of an array")
    try realm.write { realm.delete(Array(realm.objects(Account.self))[0..<1]) }
    expected[Set(expected.keys).subtracting(realm.objects(Account.self).map(\.id)).first ?? 0] = nil
    try look("a deletion of a slice")
    try realm.write { realm.delete(AnySequence([realm.account(20)])) }
    expected[20] = nil
    try look("a deletion of a sequence")
    try realm.write { realm.delete(realm.objects(Account.self)) }
    expected = [:]
    try look("a deletion of all")
    try realm.write {
      realm.delete(realm.objects(Account.self))
      realm.deleteAll()
      realm.deleteAll()
    }
    try look("a deletion of all when nothing is left")
  }
}
