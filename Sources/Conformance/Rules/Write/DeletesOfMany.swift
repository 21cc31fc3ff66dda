import EngineUnderTest
import Foundation
import Harness

/// Calls that delete more than one object. Where there is nothing to delete, a collection of the
/// realm is asked all the same; of an empty array nobody need notice.
private enum Many: String, CaseIterable {
  case several = "delete of several"
  case list = "delete of a list"
  case emptyList = "delete of an empty list"
  case set = "delete of a set"
  case emptySet = "delete of an empty set"
  case map = "delete of a map"
  case linking = "delete of links backwards"
  case results = "delete of results"
  case all = "delete of all objects"
  case sorted = "delete of sorted results"
  case query = "delete of a query of a list"
  case erased = "delete of an erased collection"

  /// The call, on objects of the first specimen, or of the second, which has none; results find
  /// none, either.
  func call(_ realm: Realm) -> () -> Void {
    switch self {
    case .emptyList:
      let list = realm.specimen(1)!.members
      return { realm.delete(list) }
    case .emptySet:
      let set = realm.specimen(1)!.group
      return { realm.delete(set) }
    case .results:
      let found = realm.objects(Specimen.self).where { $0.id > 100 }
      return { realm.delete(found) }
    default: return wholes(realm, in: realm)
    }
  }

  /// Those that are taken from one realm and deleted in another, or in the same: always some.
  func wholes(_ origin: Realm, in realm: Realm) -> () -> Void {
    let (first, all) = (origin.specimen(0)!, origin.objects(Specimen.self))
    switch self {
    case .several:
      let several = Array(all)
      return { realm.delete(several) }
    case .list, .emptyList:
      let list = first.members
      return { realm.delete(list) }
    case .set, .emptySet:
      let set = first.group
      return { realm.delete(set) }
    case .map:
      let map = first.named
      return { realm.delete(map) }
    case .linking:
      let linking = first.throughNext
      return { realm.delete(linking) }
    case .results:
      let found = all.where { $0.id > 0 }
      return { realm.delete(found) }
    case .all: return { realm.delete(all) }
    case .sorted:
      let sorted = all.sorted(byKeyPath: "id")
      return { realm.delete(sorted) }
    case .query:
      let found = first.members.where { $0.id > 0 }
      return { realm.delete(found) }
    case .erased:
      let erased = AnyRealmCollection(all)
      return { realm.delete(erased) }
    }
  }
}

extension Stage {
  fileprivate func realm(for many: Many, _ name: String = "specimens") throws -> Realm {
    let realm = try Realm(configuration: specimens(name))
    try realm.write {
      for id in 0..<2 { realm.add(Specimen(id: id)) }
      let (first, second) = (realm.specimen(0)!, realm.specimen(1)!)
      first.members.append(second)
      first.group.insert(second)
      first.named["a"] = .some(second)
      second.next = first
    }
    return realm
  }
}

extension Probe {
  /// Each outside a write.
  static let deletesOutside: [Probe] = Many.allCases.map { many in
    .dies("\(many.rawValue) of objects that link", saying: Words.onlyInWrite) { stage in
      let realm = try stage.realm(for: many)
      let call = many.call(realm)
      stage.act { call() }
    }
  }

  /// Each elsewhere.
  static let deletesElsewhere: [Probe] = Many.allCases.map { many in
    .dies(many.rawValue, saying: Words.wrongThread) { stage in
      let realm = try stage.realm(for: many)
      let call = many.call(realm)
      try stage.elsewhere { stage.act { call() } }
    }
  }

  /// Each of what is frozen, in a write of the live realm.
  static let deletesOfFrozen: [Probe] = whole.map { many in
    .refuses(
      "\(many.rawValue) that is frozen", saying: Words.deletedElsewhere, Words.frozenObject,
      Words.frozenWrite, Words.onlyInWrite, Words.outsideWrite
    ) { stage in
      let realm = try stage.realm(for: many)
      let call = many.wholes(realm.freeze(), in: realm)
      realm.beginWrite()
      stage.act { call() }
    }
  }

  /// Each of another realm: of another file, and of the same file.
  static let deletesOfOthers: [Probe] = whole.flatMap { many in
    [false, true].map { isOneFile in
      .refuses(
        "\(many.rawValue) of another realm of \(isOneFile ? "the same" : "another") file",
        saying: Words.deletedElsewhere, Words.onlyInWrite, Words.outsideWrite, Words.wrongThread
      ) { stage in
        let realm = try stage.realm(for: many)
        guard isOneFile else {
          let call = many.wholes(try stage.realm(for: many, "others"), in: realm)
          realm.beginWrite()
          return stage.act { call() }
        }
        // Both are at home in the block: the main thread runs it.
        let queue = DispatchQueue(label: "queue")
        try queue.sync {
          let other = try Realm(configuration: stage.specimens(), queue: queue)
          let call = many.wholes(other, in: realm)
          realm.beginWrite()
          stage.act { call() }
        }
      }
    }
  }

  /// Deletes what no realm has ever had.
  static let deletesOfFreeOnes: [Probe] = [
    Act("an object that is in no realm") { $0.delete(Account(id: 70)) },
    Act("an embedded object that nobody has") { $0.delete(Address()) },
    Act("objects of which one is in no realm") { $0.delete([$0.account(1), Account(id: 70)]) },
    Act("objects that are in no realm") { $0.delete([Dog(name: "a"), Dog(name: "b")]) },
  ].map { act in
    .dies(act.name, saying: Words.deletedElsewhere) { stage in
      let realm = try stage.stocked()
      realm.beginWrite()
      stage.act { try act.body(realm) }
    }
  }

  private static let whole = Many.allCases.filter { $0 != .emptyList && $0 != .emptySet }
}
