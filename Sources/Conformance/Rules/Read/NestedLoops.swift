import EngineUnderTest
import Foundation

/// A loop within a loop over the same, or another, while the inner one's body changes what both
/// walk through: each visits those that there were when it began.
enum NestedLoops {
  private struct Walk {
    let name: String
    /// Visits each, by its id.
    let visit: (Realm, (Int) -> Void) -> Void

    init<Members: Sequence>(_ name: String, _ find: @escaping (Realm) -> Members)
    where Members.Element == Specimen {
      self.name = name
      visit = { realm, body in
        // Who was deleted before its turn has no values: its place in the walk is told by -1.
        var count = 0
        for one in find(realm) {
          body(one.isInvalidated ? -1 : one.id)
          count += 1
          // A walk that goes on through what comes would have no end.
          if count > 30 { return }
        }
      }
    }
  }

  private static var walks: [Walk] {
    [
      Walk("all") { $0.objects(Specimen.self).where { $0.id > 0 } },
      Walk("a query") { $0.objects(Specimen.self).where { $0.id > 0 && $0.amount > 0 } },
      Walk("a sort") {
        $0.objects(Specimen.self).where { $0.id > 0 }.sorted(by: ["amount", "id"])
      },
      Walk("a list") { $0.specimen(0)!.members },
      Walk("a set") { $0.specimen(0)!.group },
      Walk("links backwards") { $0.specimen(0)!.throughNext },
      Walk("an erased list") { AnyRealmCollection($0.specimen(0)!.members) },
      Walk("a section") { realm in
        realm.objects(Specimen.self).where { $0.id > 0 }.sectioned(by: \.word)[0]
      },
    ]
  }

  private static var changes: [(name: String, run: (Realm, Int) -> Void)] {
    [
      ("nothing", { _, _ in }),
      ("one that comes", { realm, number in add(realm, 100 + number) }),
      ("one that does not match", { realm, _ in realm.specimen(2)?.amount = 0 }),
      (
        "one that goes in the sort",
        { realm, number in realm.specimen(3)?.amount = number % 2 == 0 ? 50 : 1 }
      ),
      ("the list emptied", { realm, _ in realm.specimen(0)!.members.removeAll() }),
      (
        "the list turned",
        { realm, _ in
          let members = realm.specimen(0)!.members
          members.assign(Array(members.reversed()))
        }
      ),
      ("the set emptied", { realm, _ in realm.specimen(0)!.group.removeAll() }),
      ("one that goes to another section", { realm, _ in realm.specimen(3)?.word = "zzz" }),
      (
        "deletions",
        { realm, number in
          if let one = realm.specimen(number % 4 + 1) { realm.delete(one) }
        }
      ),
      ("the links taken away", { realm, number in realm.specimen(1 + number % 4)?.next = nil }),
    ]
  }

  private static func add(_ realm: Realm, _ id: Int) {
    guard realm.specimen(id) == nil else { return }
    let one = Specimen(id: id)
    (one.amount, one.word) = (id, "word")
    realm.add(one)
    let owner = realm.specimen(0)!
    owner.members.append(one)
    owner.group.insert(one)
    one.next = owner
  }

  static let probe = Probe("a loop in a loop, and each visits those that there were at its begin") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Realm(configuration: stage.specimens())
    for (place, outer) in walks.enumerated() {
      for (number, inner) in walks.enumerated() {
        for (turn, change) in changes.enumerated()
        where [1, 2].contains(where: { stage.isDue(place + number + turn + $0, of: 3) }) {
          let what = "\(inner.name) in \(outer.name), with \(change.name)"
          try realm.write {
            realm.deleteAll()
            let owner = Specimen(id: 0)
            owner.word = "zero"
            realm.add(owner)
            for id in 1...4 { add(realm, id) }
          }
          realm.beginWrite()
          var areRight: [Bool] = []
          /// Who is gone is visited, too, without telling who it was.
          func compare(_ visited: [Int], _ wanted: [Int], _ what: String) -> Bool {
            stage.expect(
              visited.count == wanted.count
                && zip(visited, wanted).allSatisfy { $0 == $1 || $0 == -1 },
              "\(what) is \(wanted)", observed: "\(visited)")
          }
          func ids(_ walk: Walk) -> [Int] {
            var ids: [Int] = []
            walk.visit(realm) { ids.append($0) }
            return ids
          }
          let wanted = ids(outer)
          stage.equal(wanted.sorted(), [1, 2, 3, 4], "those of \(outer.name)")
          var visited: [Int] = []
          var number = 0
          outer.visit(realm) { id in
            visited.append(id)
            let within = ids(inner)
            var seen: [Int] = []
            inner.visit(realm) { other in
              seen.append(other)
              number += 1
              if number % 3 == 1 { change.run(realm, number) }
            }
            areRight.append(compare(seen, within, "the inner loop at \(id): \(what)"))
          }
          areRight.append(compare(visited, wanted, "the outer loop: \(what)"))
          realm.cancelWrite()
          // More of the same would tell no more.
          if areRight.contains(false) { return }
        }
      }
    }
  }
}
