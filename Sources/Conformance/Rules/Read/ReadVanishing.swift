import EngineUnderTest
import Foundation

extension Probe {
  /// A loop over a whole class whose body deletes, commit by commit, members that are far ahead, so
  /// that those that the loop goes by lie in space that is let go of, and used again, unless it
  /// keeps them. Whoever reads there what came later finds fewer members, or none.
  ///
  /// To change what is ahead would not show: what lies there then has the same members.
  static let loopsOverWhatVanishes = Probe(
    "a loop steps over each that there was while its body deletes those ahead, at each size"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    var chance = stage.chance
    for size in [300, 600, 700] + (stage.isDeep ? [400, 1_000, 1_500, 4_000] : []) {
      let realm = try stage.open("vanishing \(size)")
      try realm.write {
        for id in 0..<size { realm.add(Account(id: id, balance: size - id)) }
      }
      // No one may be visited that came later, and none twice.
      var visited: Set<Int> = []
      var steps = 0
      for account in realm.objects(Account.self) {
        steps += 1
        if !account.isInvalidated {
          let id = account.id
          if id >= size || !visited.insert(id).inserted {
            stage.fail(
              expected: "each of \(size) once, and nobody else",
              observed: "\(id) at step \(steps)")
          }
        }
        try realm.write {
          if !account.isInvalidated { account.note = "visited" }
          // Most of those that are drawn lie far ahead.
          if steps < size / 2,
            let late = realm.object(
              ofType: Account.self,
              forPrimaryKey: Int.random(in: steps..<size, using: &chance))
          {
            realm.delete(late)
          }
          let note = String(repeating: "n", count: steps % 40)
          realm.add(Account(id: size + steps, note: note))
        }
        if steps > size { break }
      }
      stage.equal(steps, size, "the steps over \(size), of which some were deleted")
    }
  }
}
