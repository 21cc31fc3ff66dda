import EngineUnderTest
import Foundation
import Harness
import Synchronization

// Scenes about the disk, for engines that give hooks.

extension Stage {
  /// Runs a workload and opens every file that a crash may leave of it.
  func survivesCrashes(_ workload: Workload) throws {
    let images = try workload.images(try hooks(), in: directory, patience: patience) {
      $0.seed = seed
      $0.enumerated = 6
      $0.random = 8
      $0.atMost = 12
    }
    expect(
      images.problem == nil, "each state that a crash may leave is an acknowledged version, whole",
      observed: images.problem ?? "")
    // A record without any choice for the disk would show nothing.
    expect(
      images.states > 10, "there is something that a crash can lose",
      observed: "\(images.states) states")
  }

  /// Makes so many asynchronous commits; true for each flush, false for each commit, in order.
  func flushesAndCommits(of count: Int, grouping: Bool, _ name: String = "grouped") throws
    -> [Bool]
  {
    let hooks = try hooks()
    let ledger = Ledger(directory.appendingPathComponent("\(name).realm"), pages: 1)
    let recorder = try Recorder(hooks, ledger, patience: patience)
    let before = hooks.requests.count
    recorder.writeAllAsync(count, grouping: grouping, committed: { hooks.note(-1) })
    try recorder.settle()
    return recorder.finish()[before...].compactMap { request in
      switch request {
      case .flush: true
      case .note(-1): false
      default: nil
      }
    }
  }
}
