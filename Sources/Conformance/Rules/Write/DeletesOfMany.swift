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

  /// The call, on objects of the first specimen, or of the second, which has none.
  func call(_ realm: Realm) -> () -> Void {
    let (first, second) = (realm.specimen(0)!, realm.specimen(1)!)
    switch self {
    case .several:
      let all = Array(realm.objects(Specimen.self))
      return { realm.delete(all) }
    case .list, .emptyList:
      let list = self == .list ? first.members : second.members
      return { realm.delete(list) }
    case .set, .emptySet:
      let set = self == .set ? first.group : second.group
      return { realm.delete(set) }
    case .map:
      let map = first.named
      return { realm.delete(map) }
    case .linking:
      let linking = first.throughNext
      return { realm.delete(linking) }
    case .results:
      let found = realm.objects(Specimen.self).where { $0.id > 100 }
      return { realm.delete(found) }
    }
  }
}

extension Stage {
  fileprivate func realm(for many: Many) throws -> Realm {
    let realm = try Realm(configuration: specimens())
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
}
