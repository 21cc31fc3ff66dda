import EngineUnderTest
import Foundation

/// Objects of classes that are known by name alone: each property, each collection, each policy.
enum ByClassName {
  static let probes: [Probe] = [values, made]

  private static let properties = [
    "number", "maybe", "text", "name", "maybeText", "data", "maybeData", "ratio", "day", "mark",
    "price", "truth",
  ]

  private static func words(_ value: Any?) -> String { value.map { "\($0)" } ?? "null" }

  /// What is read and written by name is what the class shows.
  static let values = Probe("what a class's name gives is what the class gives") { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Vessel.stocked(stage)
    try realm.write {
      for id in 3...40 {
        let vessel = Vessel(id: id)
        (vessel.number, vessel.ratio) = (id % 5, Double(id) / 4)
        (vessel.maybe, vessel.maybeText) = (id % 3 == 0 ? nil : id, id % 2 == 0 ? nil : "m \(id)")
        vessel.data = Data([UInt8(id)])
        vessel.truth = id % 2 == 0
        vessel.day = Date(timeIntervalSince1970: Double(id))
        vessel.price = Decimal128(id)
        realm.add(vessel)
        vessel.link = realm.vessel(id / 2)
      }
    }
    func look(_ realm: Realm, _ what: String) {
      let (typed, named) = (realm.objects(Vessel.self), realm.dynamicObjects("Vessel"))
      stage.equal(named.count, typed.count, "how many there are, \(what)")
      for (one, other) in zip(typed, named) {
        stage.equal(other["id"] as? Int, one.id, "the key, \(what)")
        for name in properties {
          stage.equal(
            words(other[name]), words(ByName.value(name, of: one)), "\(name) of \(one.id), \(what)")
          stage.equal(
            words(other[dynamicMember: name]), words(other[name]), "\(name) as a member, \(what)")
        }
        stage.equal(
          (other["link"] as? ObjectBase).map { words(ByName.value("id", of: $0)) } ?? "null",
          words(one.link?.id), "the link of \(one.id), \(what)")
        stage.equal(
          other.dynamicList("links").map { $0["id"] as? Int }, one.links.map(\.id),
          "the list of \(one.id), \(what)")
        stage.equal(
          Set(other.dynamicMutableSet("group").map { $0["id"] as? Int }), Set(one.group.map(\.id)),
          "the set of \(one.id), \(what)")
        let map: Map<String, DynamicObject?> = other.dynamicMap("named")
        stage.equal(
          Dictionary(uniqueKeysWithValues: map.map { ($0.key, words($0.value?["id"])) }),
          Dictionary(uniqueKeysWithValues: one.named.map { ($0.key, words($0.value?.id)) }),
          "the map of \(one.id), \(what)")
        stage.equal(
          realm.dynamicObject(ofType: "Vessel", forPrimaryKey: one.id)?["text"] as? String,
          one.text, "the text by the key \(one.id), \(what)")
      }
      for limit in [0, 2, 4] {
        stage.equal(
          named.filter("number > %@ AND link.number < 4", limit).sorted(byKeyPath: "id")
            .map { $0["id"] as? Int },
          typed.filter("number > %@ AND link.number < 4", limit).sorted(byKeyPath: "id").map(\.id),
          "those above \(limit), \(what)")
      }
      stage.equal(
        named.sorted(by: ["number", "id"]).map { $0["id"] as? Int },
        typed.sorted(by: ["number", "id"]).map(\.id), "all in an order, \(what)")
      stage.equal(
        named.distinct(by: ["number"]).count, typed.distinct(by: ["number"]).count,
        "one of each number, \(what)")
      stage.equal(
        named.sum(ofProperty: "number") as Int, typed.sum(ofProperty: "number"), "the sum, \(what)")
      stage.equal(
        realm.dynamicObject(ofType: "Vessel", forPrimaryKey: 99) == nil, true,
        "whether nobody is nobody, \(what)")
    }
    look(realm, "live")
    look(realm.freeze(), "frozen")
    // What is written by name the class shows at once.
    let (one, two) = (realm.vessel(1)!, realm.vessel(2)!)
    for round in 1...2 {
      realm.beginWrite()
      let named = realm.dynamicObject(ofType: "Vessel", forPrimaryKey: 1)!
      let other = realm.dynamicObject(ofType: "Vessel", forPrimaryKey: 2)!
      named["number"] = 70 + round
      named["maybe"] = round == 1 ? nil : 5
      named["text"] = "by name \(round)"
      named["data"] = Data([9])
      named["link"] = round == 1 ? other : nil
      named["texts"] = ["x", "y"]
      let list = named.dynamicList("links")
      list.removeAll()
      list.append(objectsIn: [named, other, named])
      let set = named.dynamicMutableSet("group")
      set.removeAll()
      set.insert(named)
      let map: Map<String, DynamicObject?> = named.dynamicMap("named")
      map["b"] = .some(named)
      map["a"] = nil
      stage.equal(one.number, 70 + round, "the number, round \(round)")
      stage.equal(one.maybe, round == 1 ? nil : 5, "the optional, round \(round)")
      stage.equal(one.text, "by name \(round)", "the text, round \(round)")
      stage.equal(one.link?.id, round == 1 ? 2 : nil, "the link, round \(round)")
      stage.equal(Array(one.texts), ["x", "y"], "the texts, round \(round)")
      stage.equal(one.links.map(\.id), [1, 2, 1], "the list, round \(round)")
      stage.equal(one.group.map(\.id), [1], "the set, round \(round)")
      stage.equal(one.named["b"]??.id, 1, "the map, round \(round)")
      stage.equal(one.named.count, 1, "how many the map has, round \(round)")
      stage.equal(two.throughLinks.count, 1, "who has the other in a list, round \(round)")
      look(realm, "in write \(round)")
      try realm.commitWrite()
      let configuration = realm.configuration
      try stage.elsewhere { look(try Realm(configuration: configuration), "elsewhere") }
    }
    try realm.write { realm.delete(realm.dynamicObject(ofType: "Vessel", forPrimaryKey: 2)!) }
    stage.equal(two.isInvalidated, true, "whether one is gone that was deleted by name")
    stage.equal(one.links.map(\.id), [1, 1], "the list that had it")
    look(realm, "after a deletion")
    try realm.write { realm.delete(realm.dynamicObjects("Vessel").filter("number < 3")) }
    look(realm, "after more deletions")
  }

  /// Who is made by a class's name has all that was given, by each policy.
  static let made = Probe("objects made by their class's name have all that they are given") {
    stage in
    Backstage.hooks?.skipFlushes()
    for policy in [Realm.UpdatePolicy.error, .modified, .all] {
      let realm = try Vessel.stocked(stage, "policy \(policy.rawValue)")
      let given: [String: Any] = [
        "id": 7, "number": 4, "maybe": 5, "text": "seven", "data": Data([7]), "ratio": 0.5,
        "numbers": [1, 2, 3], "labels": ["a", "b"], "titles": ["k": "title"],
        "link": ["id": 8, "text": "eight"] as [String: Any],
        "links": [["id": 9, "text": "nine"] as [String: Any]],
        "part": ["text": "within"], "parts": [["text": "first"], ["text": "second"]],
      ]
      realm.beginWrite()
      let object = realm.dynamicCreate("Vessel", value: given, update: policy)
      stage.equal(object["text"] as? String, "seven", "the text, \(policy.rawValue)")
      func look(_ realm: Realm, _ moment: String) {
        let what = "\(policy.rawValue), \(moment)"
        guard let vessel = realm.vessel(7) else {
          return stage.fail(expected: "an object that was made, \(what)", observed: "none")
        }
        stage.equal(vessel.number, 4, "the number, \(what)")
        stage.equal(vessel.maybe, 5, "the optional, \(what)")
        stage.equal(vessel.data, Data([7]), "the data, \(what)")
        stage.equal(vessel.maybeText, nil, "what was not given, \(what)")
        stage.equal(Array(vessel.numbers), [1, 2, 3], "the list, \(what)")
        stage.equal(Set(vessel.labels), ["a", "b"], "the set, \(what)")
        stage.equal(vessel.titles["k"], "title", "the map, \(what)")
        stage.equal(vessel.link?.text, "eight", "the link, \(what)")
        stage.equal(vessel.links.map(\.text), ["nine"], "the list of objects, \(what)")
        stage.equal(vessel.part?.text, "within", "the embedded object, \(what)")
        stage.equal(vessel.parts.map(\.text), ["first", "second"], "the embedded list, \(what)")
        stage.equal(realm.objects(Vessel.self).count, 5, "how many there are, \(what)")
      }
      look(realm, "in the write")
      try realm.commitWrite()
      look(realm, "when it is done")
      let configuration = realm.configuration
      try stage.elsewhere { look(try Realm(configuration: configuration), "elsewhere") }
      guard policy != .error else { continue }
      // Again, with less: what is not given stays, what is given is what was given.
      try realm.write {
        let again = realm.dynamicCreate(
          "Vessel",
          value: ["id": 7, "maybe": NSNull(), "numbers": [9], "part": NSNull()] as [String: Any],
          update: policy)
        stage.equal(again["text"] as? String, "seven", "the text of one made again")
      }
      let vessel = realm.vessel(7)!
      stage.equal(vessel.maybe, nil, "the optional that became none, \(policy.rawValue)")
      stage.equal(Array(vessel.numbers), [9], "the list that was given anew, \(policy.rawValue)")
      stage.equal(vessel.part?.text, nil, "the embedded object that went, \(policy.rawValue)")
      stage.equal(vessel.number, 4, "the number that was not given, \(policy.rawValue)")
      stage.equal(Set(vessel.labels), ["a", "b"], "the set that was not given, \(policy.rawValue)")
    }
    let realm = try Vessel.stocked(stage, "defaults")
    try realm.write {
      let keyed = realm.dynamicCreate("Vessel", value: ["id": 70])
      stage.equal(keyed["text"] as? String, "", "the text of one that has its key alone")
      stage.equal(keyed.dynamicList("links").count, 0, "its list")
      let plain = realm.dynamicCreate("Vessel")
      stage.equal(plain["id"] as? Int, 0, "the key of one that was given nothing")
    }
    stage.equal(realm.objects(Vessel.self).count, 4, "how many there are")
  }
}
