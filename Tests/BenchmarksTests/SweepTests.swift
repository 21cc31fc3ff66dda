import Evidence
import Foundation
import Testing

@testable import Benchmarks

/// Parameters could be swept only by spelling out every full name.
struct SweepTests {
  private static let catalogue = [
    Benchmark("reads.a", "a", [.init("rows", ["1000", "100000"])], engines: ["x"]) {
      $0.check(true, "")
    },
    Benchmark(
      "writes.b", "b", [.init("durability", ["two-phase", "none"]), .init("held", ["0", "10"])],
      engines: ["x"]
    ) { $0.check(true, "") },
  ]

  private func names(_ settings: [String: [String]], filters: [String] = []) throws -> [String] {
    var request = RunRequest()
    (request.settings, request.filters) = (settings, filters)
    return try CaseSelection(request, SweepTests.catalogue).cases().map(\.name.description)
  }

  @Test func `values that are set replace the catalogue's, in every combination`() throws {
    #expect(
      try names(["rows": ["5", "70"], "held": ["3", "4"]]) == [
        "reads.a/rows=5", "reads.a/rows=70", "writes.b/durability=two-phase/held=3",
        "writes.b/durability=two-phase/held=4", "writes.b/durability=none/held=3",
        "writes.b/durability=none/held=4",
      ])
    #expect(
      try names(["durability": ["none"]], filters: ["writes.*"]) == [
        "writes.b/durability=none/held=0", "writes.b/durability=none/held=10",
      ])
    #expect(try names(["rows": ["5"]], filters: ["reads.a/rows=5"]) == ["reads.a/rows=5"])
  }

  @Test(arguments: [
    (["colour": ["red"]], "no benchmark has such a parameter; there are durability, held, rows"),
    (["rows": ["many"]], "reads.a takes a whole number from 1 to 1000000000"),
    (["rows": ["0"]], "reads.a takes a whole number from 1"),
    (["rows": ["007"]], "reads.a takes a whole number"),
    (["held": ["-1"]], "writes.b takes a whole number from 0"),
    (["durability": ["later"]], "writes.b takes two-phase, none"),
  ])
  func `a value that cannot be is refused before anything runs`(
    settings: [String: [String]], expected: String
  ) throws {
    let error = #expect(throws: BenchmarkError.self) { try names(settings) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
  }

  /// It was measured, and had no valid answer.
  @Test(arguments: [
    ("reads.a/rows=many", "--filter reads.a/rows=many: rows takes a whole number from 1 to"),
    ("writes.b/durability=later/held=3", "durability takes two-phase, none"),
  ])
  func `a value in a full name is refused alike`(filter: String, expected: String) throws {
    let error = #expect(throws: BenchmarkError.self) { try names([:], filters: [filter]) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
  }

  @Test func `more combinations than anybody waits for are refused`() throws {
    let many = (1...2_000).map(String.init)
    let error = #expect(throws: BenchmarkError.self) {
      try names(["rows": (1...10_001).map(String.init), "held": many])
    }
    #expect(error?.description.contains("more than 10000 combinations of what reads.a") == true)
    #expect(try names(["held": many], filters: ["writes.*"]).count == 4_000)
  }

  @Test func `of threads, writers and observers there are no more than can be`() {
    for name in ["threads", "writers", "observers"] {
      #expect(Benchmark.Parameter(name, ["1"]).refusal(of: "1025") != nil)
      #expect(Benchmark.Parameter(name, ["1"]).refusal(of: "1024") == nil)
    }
  }

  @Test func `what is not asked for refuses nothing`() throws {
    #expect(
      try names(["rows": ["7"], "durability": ["later"]], filters: ["reads.*"])
        == ["reads.a/rows=7"])
  }

  @Test func `every parameter of the catalogue takes its own values`() throws {
    for benchmark in Catalogue.all {
      for parameter in benchmark.parameters {
        for value in parameter.values + parameter.quick {
          #expect(parameter.refusal(of: value) == nil, "\(benchmark.name) \(parameter.name)")
        }
      }
    }
  }
}
