import EngineUnderTest
import Foundation

/// Sequences that are made of a collection and take nothing of it before they are walked.
private enum Lazy: String, CaseIterable {
  case prefix = "the first of a list"
  case suffix = "the last of a list"
  case slice = "a slice of a list"
  case reversed = "a list from behind"
  case filtered = "those of a list that fit"
  case paired = "a list beside numbers"
  case erased = "a list as any sequence"
  case firstResults = "the first of results"
  case lastResults = "the last of results"
  case fitting = "those of results that fit"
  case sorted = "the first of sorted results"
  case query = "the first of a query whose answer changes"
  case set = "those of a set that fit"
  case map = "those of a map that fit"
  case linkers = "the first of links backwards"

  func taken(of host: Specimen, in realm: Realm) -> any Sequence<Specimen> {
    let others = realm.objects(Specimen.self).where { $0.id > 0 }
    switch self {
    case .prefix: return host.members.prefix(3)
    case .suffix: return host.members.suffix(3)
    case .slice: return host.members[2..<5]
    case .reversed: return host.members.reversed()
    case .filtered: return host.members.lazy.filter { $0.id % 2 == 0 }
    case .paired: return zip(host.members, 0..<4).lazy.map(\.0)
    case .erased: return AnySequence(host.members)
    case .firstResults: return others.prefix(3)
    case .lastResults: return others.suffix(3)
    case .fitting: return others.lazy.filter { $0.id % 3 == 0 }
    case .sorted: return others.sorted(byKeyPath: "id", ascending: false).prefix(4)
    case .query: return others.filter("throughMembers.@count > 0").prefix(4)
    case .set: return host.group.lazy.filter { $0.id % 2 == 1 }
    case .map: return host.named.lazy.compactMap { $0.value }
    case .linkers: return host.throughNext.prefix(3)
    }
  }
}

extension Probe {
  /// What moves up while a sequence is walked is none of it: as many go as it had, and just those.
  static let slicesGo: [Probe] = Lazy.allCases.map { kind in
    Probe("whoever deletes \(kind.rawValue) deletes those that it had") { stage in
      for size in [5, 40] {
        let realm = try Realm(configuration: stage.specimens("\(size)"))
        try realm.write {
          let host = realm.create(Specimen.self, value: ["id": 0])
          for id in 1...size {
            let one = realm.create(Specimen.self, value: ["id": id])
            one.next = host
            host.members.append(one)
            host.group.insert(one)
            host.named["\(id)"] = .some(one)
          }
        }
        let host = realm.specimen(0)!
        let all = Set(realm.objects(Specimen.self).map(\.id))
        let meant = Set(kind.taken(of: host, in: realm).map(\.id))
        try realm.write { realm.delete(kind.taken(of: host, in: realm)) }
        stage.expect(!meant.isEmpty, "\(kind.rawValue) of \(size): some", observed: "none")
        stage.equal(
          realm.objects(Specimen.self).map(\.id).sorted(), all.subtracting(meant).sorted(),
          "who is left of \(size)")
        stage.equal(
          host.members.map(\.id).sorted(), all.subtracting(meant).subtracting([0]).sorted(),
          "who is left in the list of \(size)")
      }
    }
  }
}
