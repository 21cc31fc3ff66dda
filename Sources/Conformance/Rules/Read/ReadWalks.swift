import EngineUnderTest
import Evidence
import Foundation
import Harness

/// Loops over members of every kind and number whose realm moves on in the middle, in each way that
/// a realm can, wherever the loop is by then.
private enum Walk {
  /// How the realm comes to another version inside the loop.
  enum Move: String, CaseIterable {
    case refresh = "a foreign commit and a refresh"
    case begin = "a foreign commit and the begin of a write, cancelled"
    case write = "a write"
    case writeLong = "a write that is open as long as the loop"
    case cancel = "a write that is cancelled"
    case plain = "a foreign commit that it does not come to"
    case resolve = "a foreign commit and a reference that is resolved"
  }

  enum Edit: String, CaseIterable {
    case deleteLater = "one to come is deleted"
    case deleteEarlier = "one that was visited is deleted"
    case deleteAll = "all are deleted"
    case addMany = "many are added"
    case changeAll = "all are changed in what they were found by"
    case replace = "one to come is deleted and added again"
    case reorder = "the order is turned round"
  }

  enum View: String, CaseIterable {
    case results, filtered, sorted, distinct, list, query, set, linking, erased, map, enumerated
    case reversed
    case forEach = "forEach of results"
    case filteredForEach = "forEach of filtered results"
    case listForEach = "forEach of a list"
  }

  /// Which of those that are visited are kept after their turn.
  enum Keeping: String, CaseIterable {
    case none, first, some, all

    func keeps(_ place: Int) -> Bool {
      switch self {
      case .none: false
      case .first: place == 0
      case .some: place % 3 == 1
      case .all: true
      }
    }
  }

  static let sizes = [1, 3, 256, 257, 600]

  /// Only what is walked has them all.
  static func fill(_ realm: Realm, _ size: Int, for view: View) {
    realm.deleteAll()
    let owner = Vessel(id: -1)
    realm.add(owner)
    for id in 0..<size {
      let vessel = Vessel(id: id)
      (vessel.number, vessel.link) = (id, owner)
      realm.add(vessel)
      switch view {
      case .list, .query, .erased, .listForEach: owner.links.append(vessel)
      case .set: owner.group.insert(vessel)
      case .map: owner.named["\(id)"] = .some(vessel)
      default: break
      }
    }
  }

  /// All but the owner.
  private static func members(of realm: Realm) -> Results<Vessel> {
    realm.objects(Vessel.self).where { $0.id >= 0 }
  }

  static func edit(_ edit: Edit, _ realm: Realm, _ visited: [Int], _ all: [Int]) -> Set<Int> {
    let next = all.dropFirst(visited.count).last
    switch edit {
    case .deleteLater:
      guard let next, let vessel = realm.vessel(next) else { return [] }
      realm.delete(vessel)
      return [next]
    case .deleteEarlier:
      guard let first = visited.first, let vessel = realm.vessel(first) else { return [] }
      realm.delete(vessel)
      return [first]
    case .deleteAll:
      realm.delete(members(of: realm))
      return Set(all)
    case .addMany:
      let owner = realm.vessel(-1)!
      for id in 10_000..<10_300 where realm.vessel(id) == nil {
        let vessel = Vessel(id: id)
        (vessel.number, vessel.link) = (id, owner)
        realm.add(vessel)
        owner.links.insert(vessel, at: 0)
        owner.named["\(id)"] = .some(vessel)
      }
      return []
    case .changeAll:
      for vessel in Array(members(of: realm)) {
        (vessel.number, vessel.link) = (-5, nil)
      }
      let owner = realm.vessel(-1)!
      owner.links.removeAll()
      owner.group.removeAll()
      owner.named.removeAll()
      return []
    case .replace:
      guard let next, let vessel = realm.vessel(next) else { return [] }
      realm.delete(vessel)
      realm.add(Vessel(id: next))
      return [next]
    case .reorder:
      for vessel in Array(members(of: realm)) {
        vessel.number = 100_000 - vessel.number
      }
      let owner = realm.vessel(-1)!
      if owner.links.count > 1 { owner.links.move(from: 0, to: owner.links.count - 1) }
      return []
    }
  }

  static func loop(_ view: View, _ realm: Realm, _ body: (Vessel) throws -> Void) rethrows {
    let all = members(of: realm)
    let owner = realm.vessel(-1)!
    switch view {
    case .results:
      for vessel in realm.objects(Vessel.self) where vessel.isInvalidated || vessel.id >= 0 {
        try body(vessel)
      }
    case .filtered: for vessel in all.where({ $0.number >= 0 }) { try body(vessel) }
    case .sorted: for vessel in all.sorted(byKeyPath: "number") { try body(vessel) }
    case .distinct: for vessel in all.distinct(by: ["number"]) { try body(vessel) }
    case .list: for vessel in owner.links { try body(vessel) }
    case .query: for vessel in owner.links.where({ $0.number >= 0 }) { try body(vessel) }
    case .set: for vessel in owner.group { try body(vessel) }
    case .linking: for vessel in owner.throughLink { try body(vessel) }
    case .erased: for vessel in AnyRealmCollection(owner.links) { try body(vessel) }
    case .map:
      for entry in owner.named { if let vessel = entry.value { try body(vessel) } }
    case .forEach:
      // A loop is another walk.
      try realm.objects(Vessel.self).forEach({ vessel in
        if vessel.isInvalidated || vessel.id >= 0 { try body(vessel) }
      })
    case .filteredForEach: try all.forEach(body)
    case .listForEach: try owner.links.forEach(body)
    case .enumerated: for (_, vessel) in all.enumerated() { try body(vessel) }
    case .reversed:
      for vessel in Array(all.sorted(byKeyPath: "number", ascending: false)) { try body(vessel) }
    }
  }
}

extension Probe {
  /// All pairs of what is walked and how the realm moves; sizes, places and changes by lots.
  static let walksThatMove: [Probe] = Walk.View.allCases.enumerated().map { number, view in
    Probe("a loop goes on over what it began with while its realm moves: \(view.rawValue)") {
      stage in
      Backstage.hooks?.skipFlushes()
      var dice = SplitMix(seed: derivedSeed(stage.seed, "walk \(view)"))
      let realm = try Realm(configuration: Vessel.configuration(stage))
      realm.autorefresh = false
      let queue = DispatchQueue(label: "other")
      var other: Realm?
      try queue.sync {
        other = try Realm(configuration: Vessel.configuration(stage), queue: queue)
        other!.autorefresh = false
      }
      for (row, size) in Walk.sizes.enumerated() {
        for (column, move) in Walk.Move.allCases.enumerated() {
          // Of the large sizes each move has one, another one in the next view and with the next
          // seed.
          if size > 3, !stage.isDue(number + row + column + 1, of: 3) { continue }
          for _ in 0..<(stage.isDeep ? 12 : 1) {
            let edit = Walk.Edit.allCases.randomElement(using: &dice)!
            let places = [0, 1, size / 2, 254, 255, 256, 257, size - 2, size - 1]
              .filter { (0..<size).contains($0) }
            let moment = places.randomElement(using: &dice)!
            let keeping = Walk.Keeping.allCases.randomElement(using: &dice)!
            try walk(view, size, move, edit, at: moment, keeping, realm, queue, other!, stage)
          }
        }
      }
      queue.sync { other = nil }
    }
  }

  private static func walk(
    _ view: Walk.View, _ size: Int, _ move: Walk.Move, _ edit: Walk.Edit, at moment: Int,
    _ keeping: Walk.Keeping, _ realm: Realm, _ queue: DispatchQueue, _ other: Realm, _ stage: Stage
  ) throws {
    try realm.write { Walk.fill(realm, size, for: view) }
    var all: [Int] = []
    Walk.loop(view, realm) { all.append($0.id) }
    let words =
      "\(size) members, \(keeping.rawValue) kept, \(move.rawValue) after \(moment), "
      + edit.rawValue
    stage.equal(all.count, size, "how many there are of \(words)")
    var visited: [Int] = []
    var kept: [(vessel: Vessel, id: Int)] = []
    var gone: Set<Int> = []
    var count = 0
    var steps = 0
    func change(_ realm: Realm) { gone = Walk.edit(edit, realm, visited, all) }
    func foreign() throws {
      try queue.sync { try other.write { change(other) } }
    }
    let letter = ThreadSafeReference(to: realm.vessel(-1)!)
    try Walk.loop(view, realm) { vessel in
      count += 1
      if !vessel.isInvalidated {
        // One of those that there were, and none twice.
        let id = vessel.id
        if visited.contains(id) || !all.contains(id) {
          stage.fail(expected: "each of \(words) once", observed: "\(id) at \(count - 1)")
        }
        if view != .map, view != .set, count <= all.count, all[count - 1] != id {
          stage.fail(
            expected: "\(all[count - 1]) at \(count - 1) of \(words)", observed: "\(id)")
        }
        // Where the realm stays on its version nothing has gone.
        if move != .plain, gone.contains(id) {
          stage.fail(
            expected: "those that are gone are invalid: \(words)",
            observed: "\(id), which came under the key, is visited")
        }
        visited.append(id)
        if keeping.keeps(count - 1) { kept.append((vessel, id)) }
      } else if !gone.contains(all[min(count, size) - 1]), view != .map, view != .set {
        stage.fail(
          expected: "none but the deleted are invalid: \(words)",
          observed: "\(all[min(count, size) - 1]) is")
      }
      guard steps == moment else {
        steps += 1
        return
      }
      steps += 1
      switch move {
      case .refresh:
        try foreign()
        realm.refresh()
      case .plain: try foreign()
      case .begin:
        try foreign()
        realm.beginWrite()
        realm.cancelWrite()
      case .write: try realm.write { change(realm) }
      case .writeLong:
        realm.beginWrite()
        change(realm)
      case .cancel:
        realm.beginWrite()
        change(realm)
        realm.cancelWrite()
        gone = []
      case .resolve:
        try foreign()
        // One that is made now names a newer version.
        let newer = queue.sync {
          ThreadSafeReference(to: other.vessel(-1)!)
        }
        _ = realm.resolve(newer)
      }
    }
    // Whoever is kept is the one that it was.
    for (vessel, id) in kept where !vessel.isInvalidated && vessel.id != id {
      stage.fail(
        expected: "\(id), kept, is itself after \(words)", observed: "\(vessel.id)")
    }
    stage.expect(
      Set(kept.map { ObjectIdentifier($0.vessel) }).count == kept.count,
      "each that is kept of \(words) is one of its own")
    _ = realm.resolve(letter)
    if realm.isInWriteTransaction { realm.cancelWrite() }
    stage.equal(count, size, "how many are visited of \(words)")
    realm.refresh()
  }
}
