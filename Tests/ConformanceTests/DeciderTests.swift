import Evidence
import Harness
import Testing

@testable import Conformance

/// Who decided, of an engine that is a library behind a façade: read from what a child said.
@Suite struct `A verdict's decider` {
  private func decider(_ parts: String...) -> Verdict.Decider? {
    let output = parts.map { Testimony.answered($0).line }.joined()
    return Finding(
      Remains(ending: .exited(0), stopped: nil, stdout: output, stderr: ""), expecting: .holds
    ).deciders?.words
  }

  @Test func `is nobody where the engine is one`() {
    #expect(decider() == nil)
  }

  @Test func `is the library where only that was asked`() {
    #expect(decider("core") == .library)
  }

  @Test func `is both where the façade did its part`() {
    #expect(decider("core", "facade") == .both)
    #expect(decider("facade", "core") == .both)
  }

  @Test func `is the façade where it spoke the refusal, whoever was asked before`() {
    #expect(decider("core", "refusal") == .facade)
    #expect(decider("facade") == .facade)
  }

  @Test func `of a rule with several probes is all that took part`() {
    var deciders: Deciders = .library
    deciders.formUnion(.facade)
    #expect(deciders.words == .both)
    #expect(Deciders(rawValue: 0).words == .facade)
  }

  @Test func `has reasons only for rules that there are`() {
    let ids = Set(Catalogue.all.map(\.id))
    for (engine, reasons) in Catalogue.departures {
      #expect(engine != "reference")
      for (id, reason) in reasons {
        #expect(ids.contains(id), "\(id) is no rule")
        #expect(reason.contains(".cpp:"), "\(id) names no place in the source")
      }
    }
  }
}
