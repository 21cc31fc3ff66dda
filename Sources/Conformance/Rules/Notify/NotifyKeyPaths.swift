import EngineUnderTest
import Foundation
import Harness

extension Rules.Notify {
  static let keyPaths: [Rule] = [
    notify11, notify12, notify14, notify15, notify41,
  ]

  static let notify11 = Rule(
    "NOTIFY-11", .documented,
    "Collection observers by default MUST also fire for changes of linked objects (up to "
      + "four levels), object observers MUST NOT.",
    source: "S4 Object section (\"By default, only direct changes ... linked objects do not "
      + "produce\"); RS/Object.swift doc (\"different from collection\").",
    broken: "both shallow or both deep",
    probes: [
      Programs.tellingOfLinks.probe,
      Probe("collections look through links, objects do not") { stage in
        let realm = try stage.stocked()
        var collection = 0
        var object = 0
        let tokens = [
          realm.objects(Person.self).observe { if case .update = $0 { collection += 1 } },
          realm.person("Ann").observe { _ in object += 1 },
        ]
        try stage.settle(realm)
        try realm.write { realm.person("Ann").dogs[0].age = 9 }
        try stage.spin(until: { collection == 1 }, "the collection's call")
        try stage.settle(realm)
        stage.equal(object, 0, "the object's calls for a change of a linked object")
        try realm.write { realm.person("Ann").age = 31 }
        try stage.spin(until: { object == 1 }, "the object's call for its own change")
        for token in tokens { token.invalidate() }
      },
      Probe("a collection looks through four links and no further") { stage in
        let realm = try stage.open()
        try realm.write {
          var previous: Account?
          for id in (0...6).reversed() {
            let account = Account(id: id)
            account.previous = previous
            realm.add(account)
            previous = account
          }
        }
        var calls = 0
        let token = realm.objects(Account.self).where { $0.id == 0 }.observe {
          if case .update = $0 { calls += 1 }
        }
        try stage.settle(realm)
        var told: [Int] = []
        for id in 0...6 {
          let before = calls
          try realm.write { realm.account(id).balance = 7 }
          try stage.settle(realm)
          if calls > before { told.append(id) }
        }
        // How deep the fourth level is counted differs between releases; what is near must be told,
        // what is far not.
        stage.expect(
          told == [0, 1, 2, 3] || told == [0, 1, 2, 3, 4],
          "changes up to three or four links away are told, and no others", observed: "\(told)")
        token.invalidate()
      },
    ] + [.deepThroughEach] + Probe.deepThroughMixed + Probe.levels + Beyond.mixedMembers
      + (Engine.offersReins ? DeepMixed.heard : []))

  static let notify12 = Rule(
    "NOTIFY-12", .documented,
    "With a non-nil, non-empty key-path array only changes reachable by these key paths "
      + "MUST notify (object), key paths may traverse links.",
    source: "S4 Object section.",
    broken: "prefix match only",
    probes: [
      Probe("key paths choose what an object observer hears") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        var events: [String] = []
        let tokens = [
          ann.observe(keyPaths: ["name"]) { _ in events.append("name") },
          realm.person("Bob").observe(keyPaths: ["dogs.name"]) { _ in events.append("dogs.name") },
        ]
        try stage.settle(realm)
        try realm.write { ann.age = 31 }
        try realm.write { realm.person("Bob").dogs[0].age = 9 }
        try stage.settle(realm)
        stage.equal(events, [], "calls for other properties")
        try realm.write { ann.name = "Anne" }
        try stage.spin(until: { events == ["name"] }, "the call for the name")
        try realm.write { realm.person("Bob").dogs[0].name = "Rex" }
        try stage.spin(until: { events.count == 2 }, "the call for a dog's name")
        stage.equal(events, ["name", "dogs.name"], "the calls")
        for token in tokens { token.invalidate() }
      },
      Probe("a key path to a list hears of the list, one through it of its members") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        var events: [String] = []
        let tokens = [
          ann.observe(keyPaths: ["dogs"]) { _ in events.append("dogs") },
          ann.observe(keyPaths: ["best.age"]) { _ in events.append("best.age") },
        ]
        try stage.settle(realm)
        try realm.write { ann.dogs[1].name = "Rex" }
        try stage.settle(realm)
        stage.equal(events, [], "calls for a name that no path reaches")
        try realm.write { realm.person("Bob").best!.age = 5 }
        try stage.settle(realm)
        stage.equal(events, [], "calls for somebody else's best dog")
        try realm.write { ann.dogs.append(Dog(name: "new")) }
        try stage.spin(until: { events.contains("dogs") }, "the call for the list")
        events = []
        try realm.write { ann.best!.age = 9 }
        try stage.spin(until: { events.contains("best.age") }, "the call for the best dog's age")
        for token in tokens { token.invalidate() }
      },
    ] + [.severalPaths] + PathKinds.several + Probe.stepsOfPaths + Probe.neighbours
      + Probe.broadOnes + Linkers.probes + GoneLinkers.probes + FarPaths.probes)

  static let notify14 = Rule(
    "NOTIFY-14", .documented,
    "An empty key-path array: object or collection observers become shallow (collection: "
      + "insert/delete only).",
    source: "S4 (\"non-nil, non-empty\" distinguishes); TOS/results.cpp:2745.",
    broken: "treated as nil (deep)",
    probes: [
      Probe("no key path at all: insertions and deletions only") { stage in
        try stage.insertionsAndDeletionsOnly(keyPaths: [])
      },
      Probe("no key path at all: links are not looked through") { stage in
        let realm = try stage.stocked()
        var calls = 0
        let token = realm.objects(Person.self).observe(keyPaths: []) {
          if case .update = $0 { calls += 1 }
        }
        try stage.settle(realm)
        try realm.write { realm.person("Ann").dogs[0].age = 9 }
        try stage.settle(realm)
        stage.equal(calls, 0, "calls for a dog's age")
        try realm.write { realm.add(Person(name: "Dan")) }
        try stage.spin(until: { calls == 1 }, "the insertion")
        token.invalidate()
      },
    ] + [PathKinds.none])

  static let notify15 = Rule(
    "NOTIFY-15", .implementation,
    "An invalid key path MUST die with the property and type named.",
    source: "(impl) RST/ObjectTests.swift:870.",
    broken: "ignored key path",
    probes: [
      Probe.dies(
        "a key path that does not exist",
        saying: "property 'nothing' not found in object of type 'Person'"
      ) { stage in
        let ann = try stage.stocked().person("Ann")
        stage.act { use(ann.observe(keyPaths: ["nothing"]) { _ in }) }
      }
    ] + PathKinds.wrong + WrongPaths.probes)

  static let notify41 = Rule(
    "NOTIFY-41", .implementation,
    "Several tokens with different key paths on one object are not filtered exclusively: if "
      + "one path matches, the others' blocks run, too.",
    level: .informative,
    source: "(impl) RS/Object.swift:287. Informative; a check must accept both.",
    broken: "(none: informative)",
    probes: [
      Probe("two tokens with different key paths; whether both are called is recorded only") {
        stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        var names = 0
        let one = ann.observe(keyPaths: ["name"]) { _ in names += 1 }
        let two = ann.observe(keyPaths: ["age"]) { _ in }
        try stage.settle(realm)
        try realm.write { ann.name = "Anne" }
        try stage.spin(until: { names == 1 }, "the call for the name")
        stage.equal(names, 1, "calls for the name")
        one.invalidate()
        two.invalidate()
      }
    ])
}

extension Stage {
  /// Observes accounts with key paths that do not cover their balance: what comes and goes is told
  /// all the same.
  func insertionsAndDeletionsOnly(keyPaths: [String]) throws {
    let realm = try stocked()
    var events: [String] = []
    let token = realm.objects(Account.self).sorted(byKeyPath: "id").observe(keyPaths: keyPaths) {
      if case .update(_, let d, let i, let m) = $0 { events.append("\(d) \(i) \(m)") }
    }
    try settle(realm)
    try realm.write { realm.account(1).balance = 7 }
    try settle(realm)
    equal(events, [], "calls for a balance")
    try realm.write { realm.add(Account(id: 9)) }
    try spin(until: { events.count == 1 }, "the insertion")
    try realm.write { realm.delete(realm.account(1)) }
    try spin(until: { events.count == 2 }, "the deletion")
    equal(events, ["[] [3] []", "[0] [] []"], "the calls")
    token.invalidate()
  }
}
