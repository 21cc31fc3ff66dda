import EngineUnderTest
import Foundation
import Harness

/// A small program over one file, to be run under every schedule: who does what, and what must be
/// so whoever comes first.
///
/// All that its threads do is written into a ledger, whose history must show no anomaly.
public struct Scenario: Sendable {
  public let name: String
  /// What is played, in a few words.
  public let story: String
  /// The rules that would be broken.
  public let rules: [String]
  /// How many pages the ledger has. Many make commits that free enough for space to be reused at
  /// once.
  let pages: Int
  /// Whether the file is so large that an engine may put off what takes a look at all of it.
  let isLarge: Bool
  /// Whether the steps of opening, making and deleting a file are explored, too. Elsewhere they
  /// only make the schedules many.
  let showsOpening: Bool
  let parts: @Sendable (Turns, Ledger) -> [Turns.Part]

  init(
    _ name: String, _ story: String, rules: [String], pages: Int = 2,
    isLarge: Bool = false, showsOpening: Bool = false,
    parts: @escaping @Sendable (Turns, Ledger) -> [Turns.Part]
  ) {
    (self.name, self.story, self.rules) = (name, story, rules)
    (self.pages, self.isLarge, self.parts) = (pages, isLarge, parts)
    self.showsOpening = showsOpening
  }

  public static let all: [Scenario] = writing + reading + files + background + largeFiles

  /// Where an engine stops as it opens a file or deletes one.
  private static let openingPoints: Set<String> = [
    "lockOpened", "openingAwaited", "openingEntered", "lookedAround", "copyFlushed", "copyNamed",
    "joined", "openerAwaited", "foundFree", "fileRemoved",
  ]

  /// The points that are none of its story.
  fileprivate var passes: Set<String> { showsOpening ? [] : Scenario.openingPoints }

  public static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }
}

extension Scenario {
  /// Where a scenario is played: makes each run a fresh file, from one that was prepared once.
  public final class Ground {
    private let scenario: Scenario
    private let directory: URL
    private let past: Ledger
    private let template: Data
    private var runs = 0

    public init(_ scenario: Scenario, in directory: URL) throws {
      self.scenario = scenario
      self.directory = directory
      let file = directory.appendingPathComponent("template.realm")
      past = Ledger(
        file, pages: scenario.pages, ballast: scenario.isLarge ? Ledger.largeBallast : 0)
      try past.prepare()
      template = try Data(contentsOf: file)
    }

    /// One run's program.
    public func program(_ turns: Turns) -> Schedules.Program {
      runs += 1
      let file = directory.appendingPathComponent("run-\(runs).realm")
      let lock = file.path + ".lock"
      do { try template.write(to: file) } catch {
        return .init([]) { "the file of the run cannot be made: \(error)" }
      }
      turns.passes = scenario.passes
      let ledger = Ledger(file, continuing: past)
      return .init(scenario.parts(turns, ledger)) {
        defer {
          unlink(file.path)
          unlink(lock)
        }
        return ledger.verdict()
      }
    }
  }
}
