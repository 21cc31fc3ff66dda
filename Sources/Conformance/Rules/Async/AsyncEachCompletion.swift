import EngineUnderTest
import Foundation
import Harness

/// Groups of asynchronous commits, small and large: each commit that has a completion hears of its
/// own end, once, whoever shares its way to the disk.
enum EachCompletion {
  private enum Way: String, CaseIterable {
    case blocks = "blocks that are queued"
    case turn = "commits of one turn"
    case mixed = "blocks of which each commits twice"
  }

  static let probes: [Probe] = Way.allCases.map { way in
    Probe("each commit of a group is told of once: \(way.rawValue)") { stage in
      let realm = try stage.stocked()
      let home = pthread_self()
      for (round, count) in [2, 3, 7, 20, 21, 45].enumerated() {
        var told: [Int: Int] = [:]
        var wrong: [String] = []
        let last = way == .mixed ? 2 * count : count
        func tell(_ number: Int) -> ((any Error)?) -> Void {
          { error in
            told[number, default: 0] += 1
            let isHere = pthread_equal(home, pthread_self()) != 0
            if error != nil || !isHere { wrong.append("\(number)") }
          }
        }
        func commit(_ number: Int) {
          realm.account(1).balance = number
          realm.commitAsyncWrite(allowGrouping: number < last - 1, tell(number))
        }
        switch way {
        case .blocks: for number in 0..<count { realm.beginAsyncWrite { commit(number) } }
        case .turn:
          for number in 0..<count {
            realm.beginWrite()
            commit(number)
          }
        case .mixed:
          for number in 0..<count {
            realm.beginAsyncWrite {
              commit(2 * number)
              realm.beginWrite()
              commit(2 * number + 1)
            }
          }
        }
        try stage.spin(until: { told[last - 1] != nil }, "the last completion of \(last)")
        var isOver = false
        realm.writeAsync({}, onComplete: { _ in isOver = true })
        try stage.spin(until: { isOver }, "one more")
        stage.equal(
          told, Dictionary(uniqueKeysWithValues: (0..<last).map { ($0, 1) }),
          "how often each of \(last) was told of, round \(round)")
        stage.equal(wrong, [], "those that were told wrongly, of \(last)")
      }
    }
  }
}
