import Evidence
import Foundation

/// What somebody asked `run` for.
package struct RunRequest: Sendable {
  package var filters: [String] = []
  /// Empty: every engine this build holds.
  package var engines: [String] = []
  /// Engines that other builds measure.
  package var guests: [Guest] = []
  package var threads: [Int] = []
  /// Values of parameters in place of the catalogue's, for the benchmarks that have them.
  package var settings: [String: [String]] = [:]
  package var isQuick = false
  /// Seconds for the whole run; nil takes as long as it takes.
  package var budget: Double?
  package var rounds: Int?
  /// How long a round is; nil leaves it to the plan.
  package var roundSeconds: Double?
  /// Of a run that was begun already: what its plan left out. Nil of a new one.
  package var leftOutBefore: [LeftOut]?
  package var seed: UInt64 = 0
  package var workdir: URL?
  package var out: URL?
  /// 1-based: this part of how many.
  package var shard: (index: Int, count: Int)?
  /// What a comparison is asked to see.
  package var sight = Sight()
  /// What the repository has agreed on, if anything.
  package var thresholds: Thresholds?
  /// Longest time of one child, in seconds.
  package var timeout = 120.0
  /// The program to measure with; this one by default.
  package var executable: String?
  package var command = ""
  package var version = ""
  package var commit = ""
  package var subject = ""
  package var dirty = false
  package var toolchain = ""

  package init() {}
}
