import EngineUnderTest
import Foundation

/// A list that has an object more than once: what happens to the object is told of each place where
/// it is.
enum ManyPlaces {
  /// What a list has, by ids, of vessels that lead to no other.
  private static let contents: [[Int]] = [
    [3, 4, 3], [3, 3], [3, 3, 3, 4], [4, 3, 3, 4, 3], [5, 3, 4, 3, 4, 5],
    (0..<40).map { 3 + $0 % 3 },
  ]

  private enum Writer: String, CaseIterable {
    case own = "the listener's own realm"
    case foreign = "another thread"
  }

  static let probe = Probe("an object that a list has more than once is told of at each place") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Vessel.stocked(stage)
    try realm.write { realm.add((3...6).map { Vessel(id: $0) }) }
    func write(_ writer: Writer, _ body: @escaping (Realm) -> Void) throws {
      switch writer {
      case .own: try realm.write { body(realm) }
      case .foreign:
        try stage.elsewhere {
          let other = try Vessel.stocked(stage)
          try other.write { body(other) }
        }
        realm.refresh()
      }
    }
    func fill(_ ids: [Int]) throws {
      try realm.write {
        let links = realm.vessel(2)!.links
        links.removeAll()
        for id in ids { links.append(realm.vessel(id)!) }
      }
    }
    for ids in contents {
      for writer in Writer.allCases {
        try fill(ids)
        var told: [String] = []
        let token = realm.vessel(2)!.links.observe { change in
          if case .update(_, let gone, let come, let changed) = change {
            told.append("\(gone) \(come) \(changed)")
          }
        }
        try stage.settleVessels(realm)
        for id in Set(ids).sorted() {
          let what = "\(ids.prefix(6)), when \(id) is changed by \(writer.rawValue)"
          let places = ids.indices.filter { ids[$0] == id }
          told = []
          try write(writer) { $0.vessel(id)!.number += 1 }
          try stage.settleVessels(realm)
          stage.equal(told, ["[] [] \(places)"], what)
          // With one that comes before them, and goes again.
          told = []
          try write(writer) { realm in
            realm.vessel(id)!.number += 1
            realm.vessel(2)!.links.insert(realm.vessel(6)!, at: 0)
          }
          try stage.settleVessels(realm)
          stage.equal(told, ["[] [0] \(places)"], "\(what), and another comes")
          told = []
          try write(writer) { realm in
            realm.vessel(id)!.number += 1
            realm.vessel(2)!.links.remove(at: 0)
          }
          try stage.settleVessels(realm)
          stage.equal(
            told, ["[0] [] \(places.map { $0 + 1 })"],
            "\(what), and that goes")
        }
        token.invalidate()
      }
    }
  }
}
