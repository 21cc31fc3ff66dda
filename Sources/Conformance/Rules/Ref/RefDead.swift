import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Each kind of thing, of an object that was deleted or a realm that was invalidated.
  static let deadReferences: [Probe] = Dying.allCases.flatMap { dying in
    // Whether links backwards end with the object that is linked to is said nowhere.
    Dead.allCases.filter { dying == .invalidated || $0 != .linking }.map { kind in
      Probe.refuses(
        "\(kind.rawValue), \(dying.rawValue)",
        saying: "Cannot construct reference to invalidated object", "invalidated",
        "no longer valid", "Cannot create a ThreadSafeReference"
      ) { stage in
        let realm = try Realm(configuration: stage.specimens())
        try realm.write {
          for id in 0..<2 { realm.add(Specimen(id: id)) }
          let first = realm.specimen(0)!
          let other = realm.specimen(1)!
          first.members.append(other)
          first.group.insert(other)
          first.named["a"] = .some(other)
          first.numbers.append(1)
          other.next = first
        }
        let first = realm.specimen(0)!
        func end() throws {
          if dying == .deleted {
            try realm.write { realm.delete(first) }
          } else {
            realm.invalidate()
          }
        }
        switch kind {
        case .object: try stage.refers(to: first, after: end)
        case .list: try stage.refers(to: first.members, after: end)
        case .values: try stage.refers(to: first.numbers, after: end)
        case .set: try stage.refers(to: first.group, after: end)
        case .map: try stage.refers(to: first.named, after: end)
        case .linking: try stage.refers(to: first.throughNext, after: end)
        case .filtered: try stage.refers(to: first.members.where { $0.id > 0 }, after: end)
        case .sorted:
          try stage.refers(to: first.group.sorted(byKeyPath: "id"), after: end)
        case .results:
          // Of a class, what is deleted are members: the question stays.
          try stage.refers(to: realm.objects(Specimen.self), after: { realm.invalidate() })
        case .erased:
          try stage.refers(to: AnyRealmCollection(first.members), after: end)
        }
      }
    }
  }

  /// What did not survive is resolved to nothing, and is used up by that.
  static let usedUp = Probe("a reference is used up by whatever came of it") { stage in
    let realm = try stage.stocked()
    let elsewhere = try stage.stocked("elsewhere")
    let there = ThreadSafeReference(to: realm.account(1))
    let gone = ThreadSafeReference(to: realm.account(2))
    let foreign = ThreadSafeReference(to: realm.objects(Account.self))
    try realm.write { realm.delete(realm.account(2)) }
    stage.equal(
      [there.isInvalidated, gone.isInvalidated, foreign.isInvalidated], [false, false, false],
      "whether they are invalidated before")
    stage.equal(realm.resolve(there)?.id, 1, "the one that is there")
    stage.expect(realm.resolve(gone) == nil, "the one that is gone resolves to nothing")
    // What comes of one of another file is REF-21's question.
    use(elsewhere.resolve(foreign))
    stage.equal(
      [there.isInvalidated, gone.isInvalidated, foreign.isInvalidated], [true, true, true],
      "whether they are invalidated after")
  }

  /// References and variables that outlive whose collection they name, of each kind.
  static let bereftCollections: [Probe] = [false, true].map { isReplaced in
    Probe(
      "collections of a deleted object resolve to nil, each kind, in each way"
        + (isReplaced ? ", whoever has its key" : "")
    ) { stage in
      var configuration = stage.configuration()
      configuration.objectTypes = Models.all + [Specimen.self, Hamper.self]
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      let ways = ["resolved", "resolved in a write", "resolved where it is newer", "a variable"]
      func owner() {
        let (specimen, member) = (Specimen(id: 1), realm.specimen(2)!)
        realm.add(specimen)
        specimen.members.append(member)
        specimen.group.insert(member)
        specimen.named["a"] = .some(member)
        specimen.numbers.append(1)
        specimen.words.append("word")
        specimen.scores["a"] = 1
        specimen.labels.insert("label")
        realm.create(Hamper.self, value: ["key": 1])
        let parcel = realm.object(ofType: Hamper.self, forPrimaryKey: 1)!
        parcel.anys.append(.int(1))
        parcel.byName["a"] = .int(1)
        parcel.any = .fromArray([.int(1)])
        parcel.address = Address()
        // Whose objects have no key, or one that is no number.
        let everything = realm.create(Everything.self, value: ["int": 1])
        everything.numbers.append(1)
        everything.words.insert("word")
        everything.scores["a"] = 1
        everything.dogs.append(Dog(name: "Rex"))
        everything.embedded = Address()
        realm.add(Person(name: "one"))
        realm.person("one").dogs.append(Dog(name: "Ida"))
      }
      func delete(_ realm: Realm) {
        realm.delete(realm.specimen(1)!)
        realm.delete(realm.object(ofType: Hamper.self, forPrimaryKey: 1)!)
        realm.delete(realm.objects(Everything.self))
        realm.delete(realm.objects(Person.self))
      }
      try realm.write { realm.add(Specimen(id: 2)) }
      for way in ways {
        try realm.write { owner() }
        let specimen = realm.specimen(1)!
        let parcel = realm.object(ofType: Hamper.self, forPrimaryKey: 1)!
        var held: [(String, (Realm) -> Bool)] = []
        func hold<Thing: ThreadConfined>(
          _ name: String, _ thing: Thing, isGone: @escaping (Thing?) -> Bool = { $0 == nil }
        ) {
          if way == "a variable" {
            let variable = ThreadSafe(wrappedValue: thing)
            held.append((name, { _ in isGone(variable.wrappedValue) }))
          } else {
            let reference = ThreadSafeReference(to: thing)
            held.append((name, { isGone($0.resolve(reference)) }))
          }
        }
        // What was found in one that has gone may also be there and say that it is no more.
        func holdFound<Member>(_ name: String, _ results: Results<Member>) {
          hold(name, results) { $0?.isInvalidated ?? true }
        }
        hold("the object", specimen)
        hold("a list of objects", specimen.members)
        hold("a set of objects", specimen.group)
        hold("a map of objects", specimen.named)
        hold("a list of numbers", specimen.numbers)
        hold("a list of texts", specimen.words)
        hold("a map of numbers", specimen.scores)
        hold("a set of texts", specimen.labels)
        hold("a list of mixed values", parcel.anys)
        hold("a map of mixed values", parcel.byName)
        hold("a list in a mixed value", parcel.any.listValue!)
        hold("an embedded object", parcel.address!)
        let (everything, person) = (realm.objects(Everything.self)[0], realm.person("one"))
        hold("an object without a key", everything)
        hold("a list of numbers of one without a key", everything.numbers)
        hold("a set of texts of one without a key", everything.words)
        hold("a map of numbers of one without a key", everything.scores)
        hold("a list of objects of one without a key", everything.dogs)
        hold("an embedded object of one without a key", everything.embedded!)
        hold("a list of somebody without a key", person.dogs)
        holdFound("what was found in a list", specimen.members.where { $0.id > 0 })
        holdFound("what was found in a set", specimen.group.where { $0.id > 0 })
        holdFound("a list in an order", specimen.members.sorted(byKeyPath: "id"))
        holdFound("a list's different ones", specimen.members.distinct(by: ["id"]))
        holdFound("numbers in an order", specimen.numbers.sorted())
        holdFound("what was found in somebody's list", person.dogs.where { $0.age >= 0 })
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { delete(other) }
        }
        try realm.write {
          // As when it was made; the next round begins with none.
          if isReplaced { owner() }
        }
        let made = held
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          if way == "resolved where it is newer" { use(other.objects(Specimen.self).count) }
          if way == "resolved in a write" { other.beginWrite() }
          for (name, isNil) in made { stage.expect(isNil(other), "\(name), \(way), is nil") }
          if way == "resolved in a write" { other.cancelWrite() }
        }
        if isReplaced {
          try realm.write { delete(realm) }
        }
      }
    }
  }
}

private enum Dying: String, CaseIterable {
  case deleted = "of an object that was deleted"
  case invalidated = "of a realm that was invalidated"
}

private enum Dead: String, CaseIterable {
  case object = "an object"
  case list = "a list"
  case values = "a list of values"
  case set = "a set"
  case map = "a map"
  case linking = "links backwards"
  case filtered = "a query of a list"
  case sorted = "a sorted set"
  case results = "results"
  case erased = "an erased list"
}

extension Stage {
  /// Makes a reference to something when it has come to its end: must be refused.
  fileprivate func refers<Thing: ThreadConfined>(
    to thing: Thing, after end: () throws -> Void
  ) throws {
    try end()
    act { use(ThreadSafeReference(to: thing)) }
  }
}
