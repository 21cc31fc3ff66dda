import EngineUnderTest
import Foundation

/// A collection of an object, kept by whoever asked for it.
private struct KeptCollection {
  var realm: () -> Realm?
  var count: () -> Int
  /// Takes one more, of which it has none like it.
  var grow: (Specimen) -> Void

  init<Kept: ThreadConfined>(
    _ kept: Kept, _ count: @escaping (Kept) -> Int, grow: @escaping (Kept, Specimen) -> Void
  ) {
    realm = { kept.realm }
    self.count = { count(kept) }
    self.grow = { grow(kept, $0) }
  }
}

/// The collections of a specimen, of each kind.
private enum OwnCollection: String, CaseIterable {
  case members = "a list of objects"
  case numbers = "a list of numbers"
  case words = "a list of texts"
  case group = "a set of objects"
  case labels = "a set of texts"
  case named = "a map of objects"
  case scores = "a map of numbers"

  func kept(of one: Specimen) -> KeptCollection {
    switch self {
    case .members: KeptCollection(one.members, \.count) { $0.append($1) }
    case .numbers: KeptCollection(one.numbers, \.count) { $0.append($1.id) }
    case .words: KeptCollection(one.words, \.count) { $0.append("word \($1.id)") }
    case .group: KeptCollection(one.group, \.count) { $0.insert($1) }
    case .labels: KeptCollection(one.labels, \.count) { $0.insert("label \($1.id)") }
    case .named: KeptCollection(one.named, \.count) { $0["key \($1.id)"] = .some($1) }
    case .scores: KeptCollection(one.scores, \.count) { $0["key \($1.id)"] = $1.id }
    }
  }
}

/// The ways in which an object becomes a realm's: by itself, or since somebody leads to it.
private enum Arrival: String, CaseIterable {
  case alone = "added"
  case amongOthers = "added among others"
  case updating = "added with an update policy"
  case linked = "linked to"
  case member = "appended to a list"
  case inserted = "inserted into a set"
  case value = "put into a map"
  case carried = "added with the one that links to it"

  func bring(_ one: Specimen, to realm: Realm, by host: Specimen) {
    switch self {
    case .alone: realm.add(one)
    case .amongOthers: realm.add([Specimen(id: 900), one, Specimen(id: 901)])
    case .updating: realm.add(one, update: .modified)
    case .linked: host.next = one
    case .member: host.members.append(one)
    case .inserted: host.group.insert(one)
    case .value: host.named["one"] = .some(one)
    case .carried:
      let carrier = Specimen(id: 902)
      carrier.members.append(one)
      realm.add(carrier)
    }
  }
}

extension Probe {
  /// What was asked for of an object before a realm had it, empty and not: the object's own.
  static let ownCollections: [Probe] = Arrival.allCases.map { arrival in
    Probe("collections that were kept are the object's own when it was \(arrival.rawValue)") {
      stage in
      for (number, kind) in OwnCollection.allCases.enumerated() {
        for before in 0...2 {
          let told = "\(kind.rawValue) that had \(before)"
          let realm = try Realm(configuration: stage.specimens("\(number) \(before)"))
          let friends = (1...8).map { Specimen(id: $0) }
          let one = Specimen(id: 100)
          let kept = kind.kept(of: one)
          for friend in friends.prefix(before) { kept.grow(friend) }
          realm.beginWrite()
          let host = realm.create(Specimen.self, value: ["id": 200])
          realm.add(friends, update: .all)
          arrival.bring(one, to: realm, by: host)
          stage.expect(
            kept.realm() == realm, "\(told): its realm is the object's",
            observed: "\(String(describing: kept.realm()?.configuration.fileURL))")
          kept.grow(friends[4])
          let anew = kind.kept(of: realm.specimen(100)!)
          stage.equal(anew.count(), before + 1, "\(told), asked for anew in the write")
          anew.grow(friends[5])
          stage.equal(kept.count(), before + 2, "\(told), in the write")
          try realm.commitWrite()
          stage.equal(kept.count(), before + 2, "\(told), after the write")
          try realm.write { kept.grow(friends[6]) }
          let elsewhere = try stage.elsewhere {
            let other = try Realm(configuration: stage.specimens("\(number) \(before)"))
            return kind.kept(of: other.specimen(100)!).count()
          }
          stage.equal(elsewhere, before + 3, "\(told), elsewhere")
        }
      }
    }
  }
}
