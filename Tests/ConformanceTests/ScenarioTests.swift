import Foundation
import Mutants
import Testing

@testable import Conformance

/// The engine under every schedule is what CommandTests ask the tool for: its seams belong to a
/// whole process.
@Suite struct `Explored scenarios` {
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
