import EngineUnderTest
import Foundation

extension Probe {
  /// Whether somebody has yet to be told is no answer to whether the realm has moved.
  static let refreshBesideListeners = Probe(
    "refresh() behind a realm's own commit is false, though a listener has yet to be told of it"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    var number = 0
    for listener in EachListener.all {
      var told = 0
      let token = listener.listen(realm) { told += 1 }
      try stage.settle(realm)
      for round in 1...2 {
        number += 1
        try realm.write { RefKinds.change(realm, number) }
        stage.equal(realm.refresh(), false, "the answer beside \(listener.name), round \(round)")
        stage.equal(realm.refresh(), false, "the second answer")
      }
      try stage.settle(realm)
      stage.expect(told > 0, "\(listener.name) is told", observed: "\(told) calls")
      token.invalidate()
    }
  }
}
