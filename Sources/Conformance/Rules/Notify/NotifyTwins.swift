import EngineUnderTest
import Foundation
import Harness

/// A copy of a list that may have equal members, kept up by its notifications alone.
private final class Twins<Member: Equatable> {
  private(set) var members: [Member] = []
  private(set) var calls = 0
  private(set) var wrong: String?

  func begin(_ now: [Member]) {
    members = now
    calls += 1
  }

  func take(_ now: [Member], _ gone: [Int], _ come: [Int], _ changed: [Int]) {
    calls += 1
    let sets = "\(gone) \(come) \(changed)"
    if [gone, come, changed].contains(where: { $0 != Set($0).sorted() })
      || (gone + changed).contains(where: { !members.indices.contains($0) })
      || come.contains(where: { !now.indices.contains($0) })
      || members.count - gone.count + come.count != now.count
    {
      wrong = wrong ?? "\(sets) from \(members) to \(now)"
    } else {
      let stayed = members.indices.filter { !gone.contains($0) }
      let places = now.indices.filter { !come.contains($0) }
      for (old, new) in zip(stayed, places)
      where !changed.contains(old) && members[old] != now[new] {
        wrong = wrong ?? "\(sets) from \(members) to \(now)"
      }
    }
    members = now
  }
}

extension Stage {
  /// Edits a list of few different members at random, and sees whether each step is told.
  fileprivate func edits<Member: RealmCollectionValue & Equatable>(
    _ list: List<Member>, of kinds: [Member], sorted results: Results<Member>? = nil,
    in realm: Realm,
    elsewhere edit: @escaping (_ body: @escaping (List<Member>) -> Void) throws -> Void
  ) throws {
    let twins = Twins<Member>()
    let token =
      results.map { results in
        results.observe {
          switch $0 {
          case .initial(let now): twins.begin(Array(now))
          case .update(let now, let gone, let come, let changed):
            twins.take(Array(now), gone, come, changed)
          case .error: break
          }
        }
      }
      ?? list.observe {
        switch $0 {
        case .initial(let now): twins.begin(Array(now))
        case .update(let now, let gone, let come, let changed):
          twins.take(Array(now), gone, come, changed)
        case .error: break
        }
      }
    try spin(until: { twins.calls > 0 }, "the first call")
    var chance = chance
    for round in 0..<90 {
      // All alike at first, then more and more different ones.
      let known = kinds.prefix(1 + round / 30)
      let member = known.randomElement(using: &chance)!
      let place = Int.random(in: 0...list.count, using: &chance)
      let act = list.count > 8 ? 0 : Int.random(in: 0..<5, using: &chance)
      func change(_ list: List<Member>) {
        switch act {
        case 0 where place < list.count: list.remove(at: place)
        case 1 where place < list.count: list[place] = member
        case 2 where list.count > 1: list.move(from: place % list.count, to: 0)
        case 3:
          list.append(member)
          list.insert(member, at: 0)
        default: list.insert(member, at: place)
        }
      }
      let before = results.map { Array($0) } ?? Array(list)
      let calls = twins.calls
      if round % 3 == 2 {
        try edit(change)
        realm.refresh()
      } else {
        try realm.write { change(list) }
      }
      try settle(of: realm)
      let now = results.map { Array($0) } ?? Array(list)
      let what = "edit \(act) at \(place) in \(before)"
      expect(
        twins.wrong == nil, "index sets that give the new list: \(what)",
        observed: twins.wrong ?? "")
      expect(
        twins.members == now, "a call that shows \(now): \(what)",
        observed: "\(twins.members)")
      if before != now { expect(twins.calls > calls, "a call: \(what)", observed: "none") }
      if twins.wrong != nil || twins.members != now { break }
    }
    token.invalidate()
  }
}

extension Probe {
  /// Lists whose members are alike side by side.
  static let twins = ["numbers", "texts", "objects", "mixed values", "sorted numbers"].map { kind in
    Probe("index sets of lists whose members are often alike: \(kind)") { stage in
      Backstage.hooks?.skipFlushes()
      var configuration = stage.specimens()
      configuration.objectTypes = [Specimen.self, Hamper.self]
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      try realm.write {
        for id in 0..<3 { realm.add(Specimen(id: id)) }
        realm.add(Hamper(key: 1))
      }
      let first = realm.specimen(0)!
      let file = configuration
      func elsewhere<Member>(
        _ find: @escaping (Realm) -> List<Member>, _ body: @escaping (List<Member>) -> Void
      ) throws {
        try stage.elsewhere {
          let other = try Realm(configuration: file)
          try other.write { body(find(other)) }
        }
      }
      switch kind {
      case "numbers", "sorted numbers":
        try stage.edits(
          first.numbers, of: [1, nil, 2],
          sorted: kind == "numbers" ? nil : first.numbers.sorted(ascending: true), in: realm
        ) { try elsewhere({ $0.specimen(0)!.numbers }, $0) }
      case "texts":
        try stage.edits(first.words, of: ["a", "", "b"], in: realm) {
          try elsewhere({ $0.specimen(0)!.words }, $0)
        }
      case "mixed values":
        let parcel = realm.object(ofType: Hamper.self, forPrimaryKey: 1)!
        try stage.edits(parcel.anys, of: [.int(1), .none, .string("a")], in: realm) {
          try elsewhere({ $0.object(ofType: Hamper.self, forPrimaryKey: 1)!.anys }, $0)
        }
      default:
        // By row: an object of another realm is another one.
        var known: [Int] = []
        var wrong: String?
        let token = first.members.observe {
          switch $0 {
          case .initial(let now): known = now.map(\.id)
          case .update(let now, let gone, let come, _):
            let ids = Array(now.map(\.id))
            let stayed = known.indices.filter { !gone.contains($0) }.map { known[$0] }
            let rest = ids.indices.filter { !come.contains($0) }.map { ids[$0] }
            if stayed != rest { wrong = wrong ?? "\(gone) \(come) from \(known) to \(ids)" }
            known = ids
          case .error: break
          }
        }
        try stage.settle(of: realm)
        var chance = stage.chance
        for round in 0..<60 {
          let place = Int.random(in: 0...first.members.count, using: &chance)
          let id = Int.random(in: 0...(round / 20), using: &chance)
          let removes = first.members.count > 6 || Bool.random(using: &chance)
          func change(_ realm: Realm) {
            let members = realm.specimen(0)!.members
            if removes, place < members.count {
              members.remove(at: place)
            } else {
              members.insert(realm.specimen(id)!, at: place)
            }
          }
          if round % 3 == 2 {
            try stage.elsewhere {
              let other = try Realm(configuration: file)
              try other.write { change(other) }
            }
            realm.refresh()
          } else {
            try realm.write { change(realm) }
          }
          try stage.settle(of: realm)
          stage.equal(wrong, nil, "what is wrong with the index sets after edit \(round)")
          guard stage.equal(known, Array(first.members.map(\.id)), "the list as told") else {
            break
          }
        }
        token.invalidate()
      }
    }
  }
}
