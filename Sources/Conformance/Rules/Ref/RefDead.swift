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
