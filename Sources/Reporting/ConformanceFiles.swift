import Evidence
import Foundation

/// Verdicts for other programs: JSON, TAP, JUnit, CSV, and a badge.
public enum ConformanceFiles {
  /// The shape of `conformance --json`; a public interface, only ever added to.
  public static func json(_ examination: Examination) -> String {
    var counts: [String: Int] = ["rules": examination.verdicts.count]
    for state in Verdict.State.allCases { counts[state.rawValue] = examination.count(state) }
    let document = Document(
      engine: .init(name: examination.engine, version: examination.engineVersion),
      seed: "0x" + String(examination.seed, radix: 16), mutant: examination.mutant, counts: counts,
      rules: examination.verdicts.map {
        .init(
          id: $0.id, tier: $0.tier, level: $0.level, state: $0.state.rawValue, reason: $0.reason,
          expected: $0.expected, observed: $0.observed, ms: ($0.milliseconds * 10).rounded() / 10,
          probes: $0.probes, assertions: $0.assertions, seed: "0x" + String($0.seed, radix: 16),
          repro: $0.repro)
      },
      mutants: examination.kills.map {
        .init(
          total: $0.rows.count, killed: $0.rows.count { $0.isKilled }, survived: $0.survivors,
          rulesWithoutMutant: $0.rulesWithoutMutant, rows: $0.rows)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    guard let data = try? encoder.encode(document) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private struct Document: Encodable {
    var schema = 1
    var engine: Engine
    var seed: String
    var mutant: String?
    var counts: [String: Int]
    var rules: [Rule]
    var mutants: Mutants?

    struct Engine: Encodable {
      var name: String
      var version: String
    }

    struct Rule: Encodable {
      var id: String
      var tier: String
      var level: String
      var state: String
      var reason: String?
      var expected: String?
      var observed: String?
      var ms: Double
      var probes: Int
      var assertions: Int
      var seed: String
      var repro: String?
    }

    struct Mutants: Encodable {
      var total: Int
      var killed: Int
      var survived: [String]
      var rulesWithoutMutant: [String]
      var rows: [KillMatrix.Row]
    }
  }

  /// Test Anything Protocol, version 14. What is untested or skipped says so and why.
  public static func tap(_ examination: Examination) -> String {
    var text = "TAP version 14\n1..\(examination.verdicts.count)\n"
    for (number, verdict) in examination.verdicts.enumerated() {
      let title = "\(number + 1) - \(verdict.id) \(escaped(verdict.wording))"
      switch verdict.state {
      case .holds: text += "ok \(title)\n"
      case .skipped, .untested:
        text += "ok \(title) # SKIP \(escaped(verdict.reason ?? verdict.state.rawValue))\n"
      case .violated, .vacuous, .flaky, .error:
        let forgiven = verdict.level == "informative" ? " # TODO informative" : ""
        text += "not ok \(title)\(forgiven)\n  ---\n  state: \(verdict.state.rawValue)\n"
        for (key, value) in [
          ("in", verdict.reason), ("expected", verdict.expected), ("observed", verdict.observed),
          ("again", verdict.repro),
        ] {
          if let value { text += "  \(key): \(quoted(value))\n" }
        }
        text += "  ...\n"
      }
    }
    return text
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "#", with: "\\#")
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
  }

  /// JUnit's XML as CI systems read it: a suite per family.
  public static func junit(_ examination: Examination) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"realm-bench\">\n"
    var families: [String] = []
    for verdict in examination.verdicts where !families.contains(verdict.family) {
      families.append(verdict.family)
    }
    for family in families {
      let own = examination.verdicts.filter { $0.family == family }
      let failures = own.count { $0.state == .violated }
      let errors = own.count { [.error, .vacuous, .flaky].contains($0.state) }
      let skipped = own.count { [.skipped, .untested].contains($0.state) }
      text +=
        "  <testsuite name=\"\(family)\" tests=\"\(own.count)\" failures=\"\(failures)\" "
        + "errors=\"\(errors)\" skipped=\"\(skipped)\" time=\"\(seconds(own))\">\n"
      for verdict in own { text += testCase(verdict) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func seconds(_ verdicts: [Verdict]) -> String {
    String(format: "%.3f", verdicts.reduce(0) { $0 + $1.milliseconds } / 1000)
  }

  private static func testCase(_ verdict: Verdict) -> String {
    let head =
      "    <testcase classname=\"\(verdict.family)\" name=\"\(verdict.id) "
      + "\(attribute(verdict.wording))\" time=\"\(seconds([verdict]))\""
    let told = [
      verdict.reason, verdict.expected.map { "expected \($0)" },
      verdict.observed.map { "observed \($0)" }, verdict.repro.map { "again: \($0)" },
    ].compactMap(\.self)
    let message = attribute(told.joined(separator: "; "))
    switch verdict.state {
    case .holds: return head + "/>\n"
    case .skipped, .untested:
      return head + ">\n      <skipped message=\"\(message)\"/>\n    </testcase>\n"
    case .violated:
      return head + ">\n      <failure message=\"\(message)\"/>\n    </testcase>\n"
    case .vacuous, .flaky, .error:
      return head
        + ">\n      <error type=\"\(verdict.state.rawValue)\" message=\"\(message)\"/>\n    </testcase>\n"
    }
  }

  /// XML attributes hold no bare markup and no control characters.
  private static func attribute(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default:
        if scalar.value >= 32 { result.unicodeScalars.append(scalar) } else { result += " " }
      }
    }
    return result
  }

  /// verdicts.csv: one row per rule.
  public static func csv(_ examination: Examination) -> String {
    var text =
      "id,tier,level,state,milliseconds,probes,assertions,seed,reason,expected,observed,repro\n"
    for verdict in examination.verdicts {
      let fields: [String] = [
        verdict.id, verdict.tier, verdict.level, verdict.state.rawValue,
        String(format: "%.1f", verdict.milliseconds), "\(verdict.probes)", "\(verdict.assertions)",
        "0x" + String(verdict.seed, radix: 16), verdict.reason ?? "", verdict.expected ?? "",
        verdict.observed ?? "", verdict.repro ?? "",
      ]
      text += fields.map(field).joined(separator: ",") + "\n"
    }
    return text
  }

  private static func field(_ text: String) -> String {
    guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
    return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }

  /// A badge for a README: how many of the documented rules hold.
  public static func badge(_ examination: Examination) -> String {
    let documented = examination.verdicts.filter { $0.tier == "documented" }
    let holding = documented.count { $0.state == .holds }
    let fallen = documented.contains { [.violated, .error, .vacuous, .flaky].contains($0.state) }
    let colour = fallen ? "#b3261e" : holding == documented.count ? "#2e7d32" : "#8a6d00"
    let label = "Realm threading rules"
    let value = "\(holding)/\(documented.count)"
    let left = 148
    let width = left + 16 + value.count * 8
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="20" role="img" \
      aria-label="\(label): \(value)">
        <title>\(label): \(value) documented rules hold, engine \(attribute(examination.engine)), \
      seed 0x\(String(examination.seed, radix: 16))</title>
        <rect width="\(left)" height="20" fill="#444"/>
        <rect x="\(left)" width="\(width - left)" height="20" fill="\(colour)"/>
        <g fill="#fff" font-family="sans-serif" font-size="12">
          <text x="8" y="14">\(label)</text>
          <text x="\(left + 8)" y="14">\(value)</text>
        </g>
      </svg>

      """
  }
}
