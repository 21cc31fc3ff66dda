import EngineUnderTest
import Foundation
import Harness

/// A listener of each kind, which is told of `RefKinds.change` and of nothing else.
struct EachListener: Sendable {
  let name: String
  /// Listens, and calls for each change but not for what there is at first.
  let listen: @Sendable (Realm, @escaping () -> Void) -> NotificationToken

  private static func members<Members: RealmCollection & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm) -> Members
  ) -> EachListener {
    EachListener(name: name) { realm, call in
      find(realm).observe { if case .update = $0 { call() } }
    }
  }

  private static func map<Value: RealmCollectionValue & SendableMetatype>(
    _ name: String, _ find: @escaping @Sendable (Realm) -> Map<String, Value>
  ) -> EachListener {
    EachListener(name: name) { realm, call in
      find(realm).observe { if case .update = $0 { call() } }
    }
  }

  static let all: [EachListener] = [
    EachListener(name: "a realm") { realm, call in realm.observe { _, _ in call() } },
    EachListener(name: "an object") { realm, call in
      realm.vessel(1)!.observe { (_: ObjectChange<Vessel>) in call() }
    },
    EachListener(name: "a property of an object") { realm, call in
      realm.vessel(1)!.observe(keyPaths: ["number"]) { (_: ObjectChange<Vessel>) in call() }
    },
    EachListener(name: "an embedded object") { realm, call in
      realm.vessel(1)!.part!.observe { (_: ObjectChange<Part>) in call() }
    },
    EachListener(name: "an object without a key") { realm, call in
      realm.objects(Person.self).where { $0.age == 1 }[0].observe {
        (_: ObjectChange<Person>) in call()
      }
    },
    members("all objects") { $0.objects(Vessel.self) },
    members("a query") { $0.objects(Vessel.self).where { $0.id > 0 } },
    members("a sorted query") { $0.objects(Vessel.self).sorted(byKeyPath: "id") },
    members("distinct ones") { $0.objects(Vessel.self).distinct(by: ["id"]) },
    members("a list of objects") { $0.vessel(1)!.links },
    members("a query of a list") { $0.vessel(1)!.links.where { $0.id > 0 } },
    members("a list of texts") { $0.vessel(1)!.texts },
    members("a list of numbers") { $0.vessel(1)!.numbers },
    members("a list of data") { $0.vessel(1)!.blobs },
    members("a list of mixed values") { $0.vessel(1)!.mixture },
    members("a list of embedded objects") { $0.vessel(1)!.parts },
    members("a set of objects") { $0.vessel(1)!.group },
    members("a set of texts") { $0.vessel(1)!.labels },
    members("a set of mixed values") { $0.vessel(1)!.mixedSet },
    members("links backwards") { $0.vessel(1)!.throughLink },
    members("an erased list") { AnyRealmCollection($0.vessel(1)!.links) },
    map("a map of texts") { $0.vessel(1)!.titles },
    map("a map of objects") { $0.vessel(1)!.named },
    map("a map of mixed values") { $0.vessel(1)!.mixedMap },
    EachListener(name: "sections") { realm, call in
      realm.objects(Vessel.self).sectioned(by: \.number).observe {
        if case .update = $0 { call() }
      }
    },
  ]
}

extension Probe {
  /// Listeners of each kind, when a refresh, a begin or the loop brings their realm to a commit.
  static func eachEar(by way: String) -> Probe {
    Probe("a listener of each kind is told before \(way) goes on, once, of each commit") { stage in
      Backstage.hooks?.skipFlushes()
      let configuration = RefKinds.configuration(stage)
      try stage.elsewhere { _ = try RefKinds.stocked(stage) }
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      var number = 0
      for together in [false, true] {
        for ear in EachListener.all where !together || ear.name == EachListener.all[0].name {
          let ears = together ? EachListener.all : [ear]
          var told: [String: Int] = [:]
          var flags: [Bool] = []
          let tokens = ears.map { one in
            one.listen(realm) {
              told[one.name, default: 0] += 1
              flags.append(realm.isInWriteTransaction)
            }
          }
          let what = "\(together ? "all together" : ear.name), \(way)"
          try stage.settle(realm)
          for _ in 1...3 {
            (told, flags) = ([:], [])
            // Another each time: a set that has something already is not changed by it.
            number += 1
            let mark = number
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              try other.write { RefKinds.change(other, mark) }
            }
            let expected = Dictionary(uniqueKeysWithValues: ears.map { ($0.name, 1) })
            func look(_ moment: String) {
              stage.equal(told, expected, "who was told when \(moment), \(what)")
              stage.equal(
                Set(flags), [way != "refresh"], "whether the realm was in its write then, \(what)")
            }
            switch way {
            case "refresh":
              stage.equal(realm.refresh(), true, "the answer, \(what)")
              look("it returned")
            case "begin":
              realm.beginWrite()
              look("the write had begun")
              realm.cancelWrite()
            default: try realm.write { look("the block ran") }
            }
          }
          for token in tokens { token.invalidate() }
        }
      }
    }
  }
}

extension Probe {
  /// All listeners at once, while something happens: who is told, and how often.
  static func eachListenerHears(_ event: String) -> Probe {
    Probe("listeners of each kind, by \(event)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try RefKinds.stocked(stage)
      let configuration = realm.configuration
      let names = EachListener.all.map(\.name)
      for round in 1...3 {
        var told: [String: Int] = [:]
        let tokens = EachListener.all.map { one in
          one.listen(realm) { told[one.name, default: 0] += 1 }
        }
        try stage.settle(realm)
        func hear(_ expected: Set<String>, _ what: String) throws {
          try stage.settle(realm)
          let all = Dictionary(uniqueKeysWithValues: expected.map { ($0, 1) })
          stage.expect(
            told == all, "\(what) in round \(round) is told once to \(expected.count)",
            observed: "not to \(expected.subtracting(told.keys).sorted()), but to "
              + "\(told.filter { all[$0.key] != $0.value })")
          told = [:]
        }
        switch event {
        case "own commits":
          try realm.write { RefKinds.change(realm, 10 * round) }
          try hear(Set(names), "an own commit")
          var isDone = false
          realm.writeAsync(
            { RefKinds.change(realm, 10 * round + 1) }, onComplete: { _ in isDone = true })
          try stage.spin(until: { isDone }, "the commit")
          try hear(Set(names), "an asynchronous commit")
          realm.beginWrite()
          RefKinds.change(realm, 10 * round + 2)
          isDone = false
          realm.commitAsyncWrite { _ in isDone = true }
          try stage.spin(until: { isDone }, "the commit")
          try hear(Set(names), "a commit in the background")
        case "commits elsewhere":
          for number in 0..<2 {
            try stage.elsewhere {
              let other = try Realm(configuration: configuration)
              try other.write { RefKinds.change(other, 10 * round + number) }
            }
            let vessel = realm.vessel(1)!
            try stage.spin(until: { vessel.number == 10 * round + number }, "the advance")
            try hear(Set(names), "a commit elsewhere")
          }
        case "cancelled writes":
          realm.beginWrite()
          RefKinds.change(realm, 10 * round)
          realm.cancelWrite()
          try hear([], "a cancelled write")
          var isDone = false
          realm.beginAsyncWrite {
            RefKinds.change(realm, 10 * round + 1)
            realm.cancelWrite()
            isDone = true
          }
          try stage.spin(until: { isDone }, "the block")
          try hear([], "a cancelled asynchronous write")
          try realm.write { RefKinds.change(realm, 10 * round + 2) }
          try hear(Set(names), "the commit behind it")
        case "commits of something else":
          try realm.write {}
          try hear(["a realm"], "an empty commit")
          try realm.write { realm.objects(Person.self).where { $0.age == 2 }[0].name = "\(round)" }
          try hear(["a realm"], "a commit of something else")
          try realm.write { realm.add(Account(id: round)) }
          try hear(["a realm"], "a commit of another class")
        default:
          let ended = Set(names.indices.filter { ($0 + round) % 2 == 0 })
          for place in ended { tokens[place].invalidate() }
          let rest = Set(names.indices.filter { !ended.contains($0) }.map { names[$0] })
          try realm.write { RefKinds.change(realm, 10 * round) }
          try hear(rest, "a commit when half have ended")
          for token in tokens { token.invalidate() }
          try realm.write { RefKinds.change(realm, 10 * round + 1) }
          try hear([], "a commit when all have ended")
        }
        for token in tokens { token.invalidate() }
      }
    }
  }
}
