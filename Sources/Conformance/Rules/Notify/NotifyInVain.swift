import EngineUnderTest
import Foundation

/// Writes that name somebody who is not to be told, and come to nothing: the next one, which names
/// nobody, is told to all.
enum SilencedInVain {
  private struct Unwanted: Error {}

  private enum End: String, CaseIterable {
    case thrown = "whose block throws"
    case cancelled = "that is cancelled in its block"
    case failed = "whose commit fails"
    case failedByHand = "whose commitWrite fails"
    case empty = "that changes nothing"
  }

  static let probes: [Probe] = End.allCases.map { end in
    Probe("whoever is named in a write \(end.rawValue) is told of the next one") { stage in
      let hooks = end == .failed || end == .failedByHand ? try stage.hooks() : nil
      hooks?.record()
      let realm = try RefKinds.stocked(stage)
      let names = EachListener.all.map(\.name)
      var told: [String: Int] = [:]
      let tokens = EachListener.all.map { one in
        one.listen(realm) { told[one.name, default: 0] += 1 }
      }
      try stage.settle(realm)
      for round in 0..<3 {
        func change() { RefKinds.change(realm, 2 * round + 1) }
        switch end {
        case .thrown:
          try? realm.write(withoutNotifying: tokens) {
            change()
            throw Unwanted()
          }
        case .cancelled:
          try realm.write(withoutNotifying: tokens) {
            change()
            realm.cancelWrite()
          }
        case .failed, .failedByHand:
          hooks?.fail(.flushes, after: 0, times: 1)
          var isFailed = false
          do {
            if end == .failed {
              try realm.write(withoutNotifying: tokens) { change() }
            } else {
              realm.beginWrite()
              change()
              try realm.commitWrite(withoutNotifying: tokens)
            }
          } catch { isFailed = true }
          hooks?.fail(.flushes, after: 0, times: 0)
          stage.equal(isFailed, true, "whether the commit failed")
        case .empty: try realm.write(withoutNotifying: tokens) {}
        }
        try stage.settle(realm)
        told = [:]
        try realm.write { RefKinds.change(realm, 2 * round + 2) }
        try stage.settle(realm)
        let untold = names.filter { told[$0] != 1 }
        stage.expect(
          untold.isEmpty, "each listener is told once of the write behind, round \(round)",
          observed: "of \(untold.map { "\($0): \(told[$0] ?? 0)" })")
      }
      for token in tokens { token.invalidate() }
    }
  }
}
