import Evidence
import Foundation
import Testing

@testable import Reporting

/// The schema that is shipped, against what is written and what must not be.
/// Tests/Clients/read_schema.py asks a reader of others.
struct RunSchemaTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// As much of JSON Schema as the schema uses; what it does not know is a fault of the schema.
  private struct Validator {
    let schema: [String: Any]
    /// Fields that the schema does not name are faults, too: for the writer, not for readers.
    var isStrict = false

    init(_ text: String = RunSchema.text) throws {
      schema = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    func faults(_ json: String) throws -> [String] {
      let value = try JSONSerialization.jsonObject(
        with: Data(json.utf8), options: .fragmentsAllowed)
      return faults(value, schema, at: "$")
    }

    private func faults(_ value: Any, _ shape: [String: Any], at path: String) -> [String] {
      var found: [String] = []
      for (word, wanted) in shape {
        switch word {
        case "$ref":
          let name = (wanted as? String)?.split(separator: "/").last.map(String.init) ?? ""
          let target = (schema["$defs"] as? [String: Any])?[name] as? [String: Any]
          found += target.map { faults(value, $0, at: path) } ?? ["\(path): no definition \(name)"]
        case "type":
          if !isA(value, wanted as? String ?? "") { found.append("\(path) is no \(wanted)") }
        case "const":
          if "\(value)" != "\(wanted)" { found.append("\(path) is not \(wanted)") }
        case "enum":
          let known = wanted as? [String] ?? []
          if !known.contains(value as? String ?? "") { found.append("\(path): \(value) unknown") }
        case "minimum":
          if let number = value as? NSNumber, number.doubleValue < (wanted as? Double ?? 0) {
            found.append("\(path) is below \(wanted)")
          }
        case "required":
          let keys = (value as? [String: Any]).map { Set($0.keys) } ?? []
          found += (wanted as? [String] ?? []).filter { !keys.contains($0) }
            .map { "\(path).\($0) is missing" }
        case "properties":
          let shapes = wanted as? [String: [String: Any]] ?? [:]
          for (key, inner) in value as? [String: Any] ?? [:] {
            if let shape = shapes[key] {
              found += faults(inner, shape, at: "\(path).\(key)")
            } else if isStrict {
              found.append("\(path).\(key) is not in the schema")
            }
          }
        case "items":
          for (place, inner) in (value as? [Any] ?? []).enumerated() {
            found += faults(inner, wanted as? [String: Any] ?? [:], at: "\(path)[\(place)]")
          }
        case "additionalProperties":
          for (key, inner) in value as? [String: Any] ?? [:] {
            found += faults(inner, wanted as? [String: Any] ?? [:], at: "\(path).\(key)")
          }
        case "description", "title", "$id", "$schema", "$defs": continue
        default: found.append("the schema says \(word)")
        }
      }
      return found
    }

    private func isA(_ value: Any, _ type: String) -> Bool {
      // A number all the same; what it was made of tells them apart.
      let isFlag = (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
      switch type {
      case "object": return value is [String: Any]
      case "array": return value is [Any]
      case "string": return value is String
      case "boolean": return isFlag
      case "number": return value is NSNumber && !isFlag
      case "integer":
        guard let number = value as? NSNumber, !isFlag else { return false }
        return number.doubleValue == number.doubleValue.rounded()
      default: return false
      }
    }
  }

  /// A run with every field filled that a run can have.
  private var whole: Run {
    var run = Fixture.run
    run.asked.budget = 30
    run.asked.roundSeconds = 0.25
    run.environment.loadAtEnd = 1
    run.control = RunControl(rows: [
      .init(benchmark: "reads.sum", engine: "x", metric: "time", first: [1], last: [2])
    ])
    run.leftOut = [.init(benchmark: "reads.sum", engine: "x", reason: "r")]
    run.missingShards = ["1/2"]
    run.crossings = ["c"]
    run.results[0].machine = "m"
    run.comparison = Fixture.comparison
    run.comparison?.rows[0].sees = 0.1
    run.comparison?.rows[0].acknowledged = "r"
    run.comparison?.agreed = ["a"]
    run.catalogue = [.init(name: "reads.sum", sentence: "A sum.", source: "Sources/A.swift:1")]
    var verdict = Verdict(
      id: "READ-01", tier: "documented", level: "required", wording: "w", state: .skipped,
      reason: "r", expected: "e", observed: "o", repro: "c")
    (verdict.skip, verdict.known, verdict.source) = (.noHooks, "k", "s")
    var examination = Examination(
      engine: "reference", engineVersion: "1", seed: 1, mutant: "deaf", verdicts: [verdict],
      kills: KillMatrix(
        rows: [
          .init(
            mutant: "deaf", story: "s", caughtBy: ["READ-01"], missedBy: [], alsoCaughtBy: [],
            skippedBy: [])
        ], rulesWithoutMutant: [], rulesThatCannotFall: ["READ-02": "because"]))
    examination.coverage = .init(sentences: 3, binding: 2, probed: 1, rules: 1)
    examination.isPartial = true
    examination.explorations = [
      Exploration(
        kind: .crashes, name: "n", rules: ["READ-01"], seed: 1, count: 2, detail: "d",
        failure: .init(sentence: "s", story: ["a"], repro: "r"))
    ]
    run.examination = examination
    run.otherExaminations = [examination]
    return run
  }

  @Test func `what is written is what the schema says, field for field`() throws {
    var validator = try Validator()
    validator.isStrict = true
    #expect(try validator.faults(RunDirectory.encode(whole)) == [])
    #expect(try validator.faults(RunDirectory.encode(Run())) == [])
  }

  @Test(arguments: ["run", "ab", "conformance", "compare/a", "compare/b"])
  func `the samples are runs`(sample: String) throws {
    let file = Self.root.appendingPathComponent("results/sample-\(sample)/run.json")
    #expect(try Validator().faults(try String(contentsOf: file, encoding: .utf8)) == [])
  }

  @Test(arguments: [
    ("\"schema\" : 1", "\"schema\" : 2", "$.schema is not 1"),
    ("\"tool\" : \"realm-bench\"", "\"tool\" : \"other\"", "$.tool is not realm-bench"),
    ("\"state\" : \"finished\"", "\"state\" : \"done\"", "$.state: done unknown"),
    ("\"quick\" : false", "\"quick\" : 0", "$.asked.quick is no boolean"),
    ("\"cores\" : 2", "\"cores\" : 2.5", "$.environment.cores is no integer"),
    ("\"results\" :", "\"findings\" :", "$.results is missing"),
  ])
  func `what is no run is told where`(good: String, bad: String, fault: String) throws {
    let text = try RunDirectory.encode(Fixture.run)
    #expect(text.contains(good))
    #expect(try Validator().faults(text.replacing(good, with: bad)) == [fault])
  }

  @Test func `readers may meet fields that they do not know`() throws {
    let text = try RunDirectory.encode(Fixture.run)
      .replacing("\"schema\" : 1", with: "\"schema\" : 1, \"later\" : {\"x\" : []}")
    #expect(try Validator().faults(text) == [])
  }

  /// `UPDATE_GOLDENS=1 swift test --filter RunSchemaTests` writes it anew.
  @Test func `the shipped schema is this one`() throws {
    let file = Self.root.appendingPathComponent("docs/run.schema.json")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try Data(RunSchema.text.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == RunSchema.text)
  }
}
