import Evidence
import Foundation
import Harness
import StandIns
import Testing

@testable import Conformance

/// How far the schedules are explored: `EXPLORE=2` runs all with two preemptions, which takes minutes.
private let bound = ProcessInfo.processInfo.environment["EXPLORE"].flatMap { Int($0) } ?? 1

/// The engine, asked under every schedule. Serialised: a program has the machine for itself.
@Suite(.serialized) struct `Explored scenarios` {
  init() { Self.direct }

  private static let direct: Void = Directed.install()

  /// The large ones are for the long run.
  static let quick = [
    "two-writers", "writer-and-reader", "grouped-commits", "invalidate-and-flush", "autorefresh",
  ]

  static var chosen: [String] { bound > 1 ? Scenario.all.map(\.name) : quick }

  @Test(arguments: chosen)
  func `hold under all schedules within the bound, and under some beyond`(name: String) throws {
    let scratch = try Scratch("scenario")
    var effort = Inquiry.Effort()
    effort.bound = bound
    effort.amount = bound > 1 ? 1000 : 10
    effort.limit = .seconds(bound > 1 ? 600 : 30)
    let inquiry = try #require(Inquiry.named(name))
    let found = try inquiry.run(
      .init(
        effort: effort, directory: scratch.url, box: nil, deadline: .now + effort.limit))
    #expect(found.failure == nil)
    #expect(found.detail.hasPrefix("all "), "\(name): \(found.detail)")
    print("\(name): \(found.detail)")
  }

  @Test func `are replayed exactly`() throws {
    let scratch = try Scratch("scenario")
    let ground = try Scenario.Ground(try #require(Scenario.named("two-writers")), in: scratch.url)
    let first = Turns()
    let program = ground.program(first)
    var dice = SplitMix(seed: 7)
    #expect(
      first.run(program.parts) { ready, _ in ready.randomElement(using: &dice)! } == .finished)
    #expect(program.verdict() == nil)
    for _ in 0..<5 {
      let again = Schedules.replay(first.schedule, ground.program)
      #expect(again.failure == nil)
      #expect(again.turns.story == first.story)
    }
  }

  @Test func `name rules that there are`() {
    for inquiry in Inquiry.all {
      #expect(!inquiry.rules.isEmpty, "\(inquiry.name)")
      for id in inquiry.rules { #expect(Catalogue.rule(id) != nil, "\(inquiry.name): \(id)") }
    }
    #expect(Set(Inquiry.all.map(\.name)).count == Inquiry.all.count)
    for mutant in Mutant.planted {
      for name in mutant.caughtBy { #expect(Inquiry.named(name) != nil, "\(mutant.name): \(name)") }
    }
  }

  @Test func `are asked for in words that are read back`() {
    var effort = Inquiry.Effort()
    (effort.seed, effort.amount, effort.bound, effort.replay) = (7, 8, 3, "ABBA")
    effort.limit = .milliseconds(1500)
    let request = ExploreRequest(
      "two-writers", directory: "/tmp/x y", effort: effort, mutant: "looks-before-it-locks")
    #expect(ExploreRequest(arguments: request.arguments) == request)
    #expect(ExploreRequest(arguments: ["two-writers"]) == nil)
  }
}
