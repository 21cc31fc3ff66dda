import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Writes that skip a listener, one or several in a row; then others, which it must be told as
  /// anybody else is.
  static let skippedOnce = Hearer.all.map { hearer in
    Probe(
      "what a listener was not told of does not come later, nor shift what does: \(hearer.name)"
    ) { stage in
      Backstage.hooks?.skipFlushes()
      for byCommit in [false, true] {
        for (number, skipped) in [1, 2, 3].enumerated() {
          for offset in 0..<3 {
            let configuration = stage.specimens("\(byCommit) \(number) \(offset)")
            let realm = try stage.stockedForHearers(configuration)
            realm.autorefresh = false
            var (first, second): ([String], [String]) = ([], [])
            let one = hearer.listen(realm) { first.append($0) }
            let two = hearer.listen(realm) { second.append($0) }
            try stage.settle(of: realm)
            let what = "\(skipped) skipped, from \(offset) on"
            for step in 0..<skipped {
              if byCommit {
                realm.beginWrite()
                Hearer.change(realm, offset + step)
                try realm.commitWrite(withoutNotifying: [one])
              } else {
                try realm.write(withoutNotifying: [one]) { Hearer.change(realm, offset + step) }
              }
              try stage.settle(of: realm)
              stage.equal(first, [], "what the one that is named is told: \(what)")
            }
            for step in skipped..<(skipped + 3) {
              (first, second) = ([], [])
              if step % 2 == 0 {
                try realm.write { Hearer.change(realm, offset + step) }
              } else {
                try stage.elsewhere {
                  let other = try Realm(configuration: configuration)
                  try other.write { Hearer.change(other, offset + step) }
                }
                realm.refresh()
              }
              try stage.settle(of: realm)
              stage.equal(first, second, "what both are told of write \(step): \(what)")
            }
            one.invalidate()
            two.invalidate()
          }
        }
      }
    }
  }
}
